// Long searches, by cells of translations: what they find does not depend on how a body is described.

import { expect, it } from 'vitest'
import { star } from '../../../loadtest/slow-shapes.ts'
import { countSteps } from '../../../src/containers/budget.ts'
import { contact, createContact } from '../../../src/core2d/queries/contact.ts'
import { prepare } from '../../support/answers/slots.ts'
import { ringOf } from '../../support/families/hostile-shapes.ts'

it.each([
  [0.05, 0.3, 0.1],
  [0.3, -0.2, 0.4],
  [1, 0.3, 0.1],
])('a polygon of radius %d leaves a star of a thousand vertices as the region with its corners does', (size, x, y) => {
  const around = prepare({ shape: star(1000) })
  const vertices = ringOf(5, size)
  const [polygon, region] = [{ type: 'polygon', vertices } as const, { type: 'region', outer: vertices } as const].map(
    (shape) => {
      const found = createContact()
      contact(around, prepare({ shape, position: { x, y } }), 0, found)
      expect(found.exact).toBe(true)
      return found
    },
  )
  expect(polygon.separation).toBeCloseTo(region.separation, 12)
  expect(polygon.tx).toBeCloseTo(region.tx, 12)
  expect(polygon.ty).toBeCloseTo(region.ty, 12)
})

it('a polygon around a wavy star takes little work, for what it forbids is passed over as a whole', () => {
  const outer = Array.from({ length: 1000 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 1000
    const radius = (1 + Math.sin(3 * angle) / 2) * (i % 2 === 0 ? 0.5 : 1)
    return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) }
  })
  const around = prepare({ shape: { type: 'region', outer } })
  const found = createContact()
  const vertices = ringOf(5, 3)
  for (const [x, y] of [
    [0.3, 0.1],
    [-0.2, 0.4],
    [-0.5, -0.3],
  ]) {
    const polygon = prepare({ shape: { type: 'polygon', vertices }, position: { x, y } })
    const { steps } = countSteps(() => contact(around, polygon, 0, found))
    expect(found.exact).toBe(true)
    expect([x, y, steps]).toEqual([x, y, Math.min(steps, 300_000)])
  }
})
