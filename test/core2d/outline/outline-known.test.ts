// The first thing that a process is asked for may be a large outline that was checked elsewhere.

import { expect, it } from 'vitest'
import { createOutline } from '../../../src/core2d/outline/outline.ts'
import { setRegion } from '../../../src/core2d/outline/region.ts'
import { createOutlineFault } from '../../../src/core2d/outline/ring-check.ts'

it('sets a large region that is known to be one, before any other was swept', () => {
  const count = 100_000
  const points = Float64Array.from({ length: 2 * count }, (_, k) => {
    const angle = (2 * Math.PI * (k >> 1)) / count
    const radius = (k >> 1) % 2 === 0 ? 10 : 5
    return radius * (k % 2 === 0 ? Math.cos(angle) : Math.sin(angle))
  })
  const outline = createOutline()
  expect(setRegion(outline, points, [0, count], 1, 0, createOutlineFault(), true)).toBe(true)
  expect(outline.vertexCount).toBe(count)
})
