import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { orientation, orientationAt, twofoldOrientation } from '../../../src/core3d/mesh/orientation.ts'
import { areCollinearAt, normalSignAt } from '../../../src/core3d/shape/convex-hull.ts'
import { gridFor, signOf, toGrid } from '../../oracle/exact-numbers.ts'
import { nextAfter } from '../../support/families/next-after.ts'
import { runs } from '../../support/runs.ts'

type Exact = readonly bigint[]

const minus = (a: Exact, b: Exact): Exact => a.map((x, k) => x - b[k])
const cross = (a: Exact, b: Exact): Exact =>
  [0, 1, 2].map((k) => {
    const [u, v] = [(k + 1) % 3, (k + 2) % 3]
    return a[u] * b[v] - a[v] * b[u]
  })
const dot = (a: Exact, b: Exact): bigint => a.reduce((sum, x, k) => sum + x * b[k], 0n)

/** The points as integers of one unit. */
function exactly(points: readonly (readonly number[])[]): Exact[] {
  const grid = gridFor(points.flat())
  return points.map((p) => p.map((x) => toGrid(grid, x)))
}

const few = fc.integer({ min: -4, max: 4 })
const coordinate: Arbitrary<number> = fc.oneof(
  few,
  few.map((k) => k * 0.1),
  few.map((k) => nextAfter(k * 0.1, 1)),
  few.map((k) => 1e9 + k * 0.1),
  few.map((k) => k * Number.MIN_VALUE),
  few.map((k) => k * 2 ** -400),
  few.map((k) => k * 4e307),
)
const one = fc.oneof(fc.tuple(few, few, few), fc.tuple(coordinate, coordinate, coordinate))
/** Points each axis of which has sizes of its own, so that signs hang on small digits. */
const four: Arbitrary<number[][]> = fc
  .tuple(fc.tuple(one, one, one, one), fc.constantFrom([1, 1, 1], [2 ** -1060, 1, 2 ** 900], [1e-200, 1e-200, 1e-200]))
  .map(([points, scale]) =>
    points.map((p) => p.map((x, axis) => Math.max(-1.7e308, Math.min(1.7e308, x * scale[axis])))),
  )

describe('orientation in space', () => {
  it('is the sign of the determinant of the given doubles', () => {
    fc.assert(
      fc.property(four, (points) => {
        const [a, b, c, d] = exactly(points)
        const expected = signOf(dot(cross(minus(b, a), minus(c, a)), minus(d, a)))
        expect(orientationAt(Float64Array.from(points.flat()), 0, 1, 2, 3)).toBe(expected)
      }),
      runs(5000),
    )
  })

  it('knows a point in a plane from its neighbours', () => {
    // In x + y + z = 0 but for what the tenths lack.
    const plane = [0.1, 0.2, -0.3, -0.7, 0.3, 0.4, 0.5, -0.4, -0.1] as const
    const sign = (x: number, y: number, z: number): number => orientation(...plane, x, y, z)
    expect(sign(0, 0, 1)).toBe(1)
    expect(sign(0, 0, -1)).toBe(-1)
    expect(sign(0.5, -0.4, -0.1)).toBe(0)
    expect(sign(0.5, -0.4, nextAfter(-0.1, 1))).toBe(1)
    expect(sign(0.5, -0.4, nextAfter(-0.1, -1))).toBe(-1)
  })
})

/** Points of a plane as a formula makes them, and such as are a few units in the last place off. */
const nearPlane: Arbitrary<number[][]> = fc
  .tuple(
    fc.array(fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.double({ min: -1, max: 1, noNaN: true })), {
      minLength: 4,
      maxLength: 4,
    }),
    fc.constantFrom(0, 0.1, 1e9),
    fc.integer({ min: -2, max: 2 }),
  )
  .map(([places, offset, ulps]) =>
    places.map(([x, y], k) => [x + offset, y, nextAfter(0.3 * (x + offset) + 0.7 * y, k === 3 ? ulps : 0)]),
  )
  .filter((points) => points.flat().every((x) => x === 0 || Math.abs(x) > 2 ** -250))

describe('orientation in numbers of two doubles', () => {
  it('is right where it says so, and says so nearly always', () => {
    let said = 0
    let open = 0
    fc.assert(
      fc.property(nearPlane, (points) => {
        const [a, b, c, d] = exactly(points)
        const expected = signOf(dot(cross(minus(b, a), minus(c, a)), minus(d, a)))
        const found = twofoldOrientation(Float64Array.from(points.flat()), 0, 1, 2, 3)
        if (expected === 0) expect(found).toBe(0)
        else if (found === 0) open++
        else {
          said++
          expect(found).toBe(expected)
        }
      }),
      runs(1500),
    )
    expect(said).toBeGreaterThan(4 * open)
  })
})

describe('collinearity', () => {
  it('is that the cross product vanishes', () => {
    fc.assert(
      fc.property(four, ([p, q, r]) => {
        const [a, b, c] = exactly([p, q, r])
        const normal = cross(minus(b, a), minus(c, a))
        const points = Float64Array.from([...p, ...q, ...r])
        for (let axis = 0; axis < 3; axis++) expect(normalSignAt(points, 0, 1, 2, axis)).toBe(signOf(normal[axis]))
        expect(areCollinearAt(points, 0, 1, 2)).toBe(normal.every((x) => x === 0n))
      }),
      runs(2000),
    )
  })
})
