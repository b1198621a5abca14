import { describe, expect, test } from 'vitest'
import { createRay } from '../../src/core2d/ray-cast.ts'
import { decodeRay } from '../../src/wire/decode-ray.ts'

const ray = createRay()
const origin = { x: 1, y: -2 }

describe('decodeRay', () => {
  test('fills the ray', () => {
    expect(decodeRay({ origin, direction: { x: 3, y: 0 }, maxDistance: 7 }, ray)).toBeNull()
    expect(ray).toMatchObject({ ox: 1, oy: -2, dx: 3, dy: 0, maxDistance: 7 })
    expect(decodeRay({ origin, direction: { x: 3, y: 0 } }, ray)).toBeNull()
    expect(ray.maxDistance).toBe(Infinity)
  })

  test('directions of any length in range', () => {
    for (const x of [1e-160, -1, 1e160]) expect(decodeRay({ origin, direction: { x, y: 0 } }, ray)).toBeNull()
  })

  test.each([
    [{ x: 0, y: -0 }, 'ray-direction-zero', undefined],
    [{ x: 1e-161, y: 0 }, 'ray-direction-out-of-range', 1e-160],
    [{ x: 5e-324, y: 0 }, 'ray-direction-out-of-range', 1e-160],
    [{ x: 1e160, y: 1e160 }, 'ray-direction-out-of-range', 1e160],
    [{ x: 1e308, y: 1e308 }, 'ray-direction-out-of-range', 1e160],
  ] as const)('direction %o is %s', (direction, code, limit) => {
    const problem = decodeRay({ origin, direction }, ray)
    expect(problem).toMatchObject({ code, places: [{ pointer: '/direction' }] })
    expect(problem?.limit).toBe(limit)
    for (const value of [problem?.limit, problem?.actual]) expect(Number.isFinite(value ?? 0)).toBe(true)
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
