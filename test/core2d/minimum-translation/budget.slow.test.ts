import { describe, expect, it } from 'vitest'
import { gear, hardPairs, roughDisc, star } from '../../../loadtest/slow-shapes.ts'
import type { Shape2d } from '../../../schemas/shapes2d.ts'
import { countSteps, OutOfBudget, within } from '../../../src/containers/budget.ts'
import { contact, createContact } from '../../../src/core2d/queries/contact.ts'
import { createDistance, distance } from '../../../src/core2d/queries/distance.ts'
import { relate } from '../../../src/core2d/queries/overlap.ts'
import { TRANSLATION_STEP_COUNT } from '../../../src/core2d/tolerances.ts'
import { prepare } from '../../support/answers/slots.ts'

/** A region of radius 50: waves that grow finer and flatter, down to a jag at every vertex. */
function coast(size: number): Shape2d {
  const outer = Array.from({ length: size }, (_, i) => {
    const angle = (2 * Math.PI * i) / size
    const waves = [2, 5, 11, 29, 67, 151, 353, 811].reduce(
      (sum, frequency) => sum + (0.2 / Math.sqrt(frequency)) * Math.sin(frequency * (angle + 1)),
      0,
    )
    const radius = 50 * (1 + waves) * (i % 2 === 0 ? 1.001 : 0.999)
    return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) }
  })
  return { type: 'region', outer }
}

describe('the work for a pair of concave bodies', () => {
  it('is cut short anywhere, and the next question is answered as if it had not been', () => {
    const a = prepare({ shape: star(60) })
    const b = prepare({ shape: star(60), position: { x: 0.3, y: 0.1 } })
    const before = createContact()
    const { steps } = countSteps(() => contact(a, b, 0, before))
    for (let share = 0; share < 1; share += 1 / 32) {
      expect(() => within(Math.floor(share * steps), () => contact(a, b, 0, createContact()))).toThrow(OutOfBudget)
      const after = createContact()
      const again = countSteps(() => contact(a, b, 0, after))
      expect(after).toEqual(before)
      expect(again.steps).toBe(steps)
    }
  })

  it('is not the product of their sizes where one lies within the other', () => {
    const size = 8000
    const a = prepare({ shape: roughDisc(size, 1) })
    const small = prepare({
      shape: {
        type: 'region',
        outer: Array.from({ length: size }, (_, i) => {
          const radius = i % 2 === 0 ? 0.1 : 0.08
          const angle = (2 * Math.PI * i) / size
          return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) }
        }),
      },
    })
    const found = createContact()
    const { steps } = countSteps(() => contact(a, small, 0, found))
    expect(found.relation).toBe(-1)
    expect(steps).toBeLessThan(2 * TRANSLATION_STEP_COUNT)
    expect(steps).toBeLessThan(size * size)
  })

  it.each([
    ['in the middle', 0, 0],
    ['beside it', 3, 4],
  ])('grows little faster than the coast around a box %s', (_, x, y) => {
    const steps = [10_000, 80_000].map((size) => {
      const around = prepare({ shape: coast(size) })
      const box = prepare({ shape: { type: 'box', width: 2, height: 1.4 }, position: { x, y }, rotation: 0.3 })
      const found = createContact()
      const counted = countSteps(() => contact(around, box, 0, found))
      expect(found.exact).toBe(true)
      return counted.steps
    })
    expect(steps[1]).toBeLessThan(2 * 8 * steps[0]!)
  })

  it.each<[string, Shape2d, number]>([
    ['stars', star(1000), 2 ** 23],
    ['gears', gear(1000), 2 ** 22],
    ['rough discs', roughDisc(1000, 1), 2 ** 22],
  ])('is enough to know it exactly for %s of 1,000', (_, shape, most) => {
    const a = prepare({ shape })
    const b = prepare({ shape, position: { x: 0.3, y: 0.1 }, rotation: 0.01 })
    const found = createContact()
    const { steps } = countSteps(() => contact(a, b, 0, found))
    expect(found.exact).toBe(true)
    const position = { x: 0.3 + found.tx, y: 0.1 + found.ty }
    const parted = createContact()
    contact(a, prepare({ shape, position, rotation: 0.01 }), 0, parted)
    expect(Math.abs(parted.separation)).toBeLessThan(1e-14)
    expect(steps).toBeLessThan(most)
  })

  it('is little where thousands of edges coincide', () => {
    const a = prepare({ shape: star(4000) })
    const b = prepare({ shape: star(4000) })
    const { result, steps } = countSteps(() => relate(a, b))
    expect(result).toBe(-1)
    expect(steps).toBeLessThan(2 ** 20)
  })

  it('is little between arms that run along each other', () => {
    const { a, b } = hardPairs.spirals(8000)
    const first = prepare(a)
    const second = prepare(b)
    const found = createDistance()
    const { steps } = countSteps(() => distance(first, second, found))
    expect(found.distance).toBeCloseTo(0.4958, 3)
    expect(steps).toBeLessThan(2 ** 20)
  })

  it.each(['half-planes', 'nested frames', 'turned boxes', 'needles', 'doubled chains', 'segments through one point'])(
    'has a bound: %s',
    (kind) => {
      const { a, b } = hardPairs[kind](120)
      const first = prepare(a)
      const second = prepare(b)
      const { steps } = countSteps(() => contact(first, second, 0, createContact()))
      expect(steps).toBeGreaterThan(0)
      expect(steps).toBeLessThan(2 * TRANSLATION_STEP_COUNT)
    },
  )
})
