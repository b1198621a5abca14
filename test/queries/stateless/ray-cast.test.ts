import { describe, expect, test } from 'vitest'
import { createRay } from '../../../src/core2d/ray/ray-cast.ts'
import { scaleBy } from '../../../src/numeric/safe-range.ts'
import { decodeRay } from '../../../src/queries/stateless/ray-cast.ts'

const ray = createRay()
const origin = { x: 1, y: -2 }

describe('decodeRay', () => {
  test('fills the ray', () => {
    expect(decodeRay({ origin, direction: { x: 3, y: 0 }, maxDistance: 7 }, ray)).toBeNull()
    expect(ray).toMatchObject({ ox: 1, oy: -2, dx: 3, dy: 0, maxDistance: 7 })
    expect(decodeRay({ origin, direction: { x: 3, y: 0 } }, ray)).toBeNull()
    expect(ray.maxDistance).toBe(Infinity)
  })

  test.each([
    [5e-324, -5e-324],
    [1e-310, 0],
    [1e-160, 3],
    [-1, 1e-320],
    [2 ** 100, 5e-324],
    [Number.MAX_VALUE, -5e-324],
    [Number.MAX_VALUE, Number.MAX_VALUE],
  ])('takes the direction (%d, %d) without rounding', (x, y) => {
    expect(decodeRay({ origin, direction: { x, y } }, ray)).toBeNull()
    expect([scaleBy(ray.dx, ray.exponent), scaleBy(ray.dy, ray.exponent)]).toEqual([x, y])
    expect(Math.max(Math.abs(ray.dx), Math.abs(ray.dy))).toBeGreaterThan(2 ** -65)
  })

  test('a direction of no length', () => {
    const problem = decodeRay({ origin, direction: { x: 0, y: -0 } }, ray)
    expect(problem).toMatchObject({ code: 'ray-direction-zero', places: [{ pointer: '/direction' }] })
  })

  test('an origin out of range', () => {
    const problem = decodeRay({ origin: { x: 0, y: 2e100 }, direction: { x: 1, y: 0 } }, ray)
    expect(problem).toMatchObject({
      code: 'coordinate-out-of-range',
      places: [{ pointer: '/origin/y' }],
      limit: 1e100,
      actual: 2e100,
    })
  })
})
