// Laws of the depth of convex bodies in space: the same from either side, and no direction has a shorter way out.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contact, createContact } from '../../src/core3d/queries/contact.ts'
import { ANCHOR, type Body, HALFSPACE, POINTS, POSITION, RADIUS } from '../../src/core3d/shape/body.ts'
import { kindOf } from '../../src/core3d/shape/kinds.ts'
import { bodyOf, type CaseBody, type Triple } from '../support/convex-cases-3d.ts'
import { convexBodies } from '../support/families/convex-bodies.ts'
import { runs } from '../support/runs.ts'

/** Of the bodies' sizes, which are 1 to 20. */
const TOLERANCE = 1e-9
const DIRECTION_COUNT = 10_000

/** Evenly spread over the sphere: the spiral of golden angles. */
const DIRECTIONS = Array.from({ length: DIRECTION_COUNT }, (_, i): Triple => {
  const z = 1 - (2 * i + 1) / DIRECTION_COUNT
  const ring = Math.sqrt(1 - z * z)
  const angle = i * Math.PI * (3 - Math.sqrt(5))
  return [ring * Math.cos(angle), ring * Math.sin(angle), z]
})

const found = createContact()
const point = new Float64Array(3)

/** How far the body reaches along the unit vector, from the world's origin. */
function reach(body: Body, [x, y, z]: Triple, side: 1 | -1): number {
  point.fill(0)
  kindOf(body).support(body, side * x, side * y, side * z, point)
  const { numbers } = body
  const along = (k: 0 | 1 | 2): number => numbers[POSITION + k] + numbers[ANCHOR + k] + point[k]
  return side * (along(0) * x + along(1) * y + along(2) * z) + numbers[RADIUS]
}

/** How far B has to move along the unit vector to be beyond A. */
const way = (a: Body, b: Body, direction: Triple): number => reach(a, direction, 1) + reach(b, direction, -1)

const quadrics = fc.record({
  shape: fc.oneof(
    fc.record({
      type: fc.constantFrom('cylinder' as const, 'cone' as const),
      radius: fc.double({ min: 0.25, max: 2, noNaN: true }),
      height: fc.double({ min: 0.25, max: 4, noNaN: true }),
    }),
    fc.record({
      type: fc.constant('ellipsoid' as const),
      radii: fc.tuple(...([0, 1, 2] as const).map(() => fc.double({ min: 0.25, max: 2, noNaN: true }))),
    }),
  ),
  position: fc.tuple(...([0, 1, 2] as const).map(() => fc.double({ min: -0.5, max: 0.5, noNaN: true }))),
  orientation: fc.constantFrom([0.6, 0, 0.8, 0], [0.5, 0.5, 0.5, 0.5], [0.48, 0.6, 0, 0.64], [0, 0, 0, 1]),
}) as unknown as fc.Arbitrary<CaseBody>

function holds(wireA: CaseBody, wireB: CaseBody): void {
  const a = bodyOf(wireA)
  const b = bodyOf(wireB)
  contact(a, b, found)
  const { separation, nx, ny, nz, px, py, pz, touching } = found
  contact(b, a, found)
  expect([found.separation, found.nx + 0, found.ny + 0, found.nz + 0, found.px, found.py, found.pz]).toEqual([
    separation,
    -nx + 0,
    -ny + 0,
    -nz + 0,
    px,
    py,
    pz,
  ])
  fc.pre(touching && [a, b].every(({ kind }) => kind !== HALFSPACE))
  // Along its own normal the way out is as long as it says, and along no other shorter.
  expect(Math.abs(way(a, b, [nx, ny, nz]) + separation)).toBeLessThan(20 * TOLERANCE)
  let least = Infinity
  for (const direction of DIRECTIONS) least = Math.min(least, way(a, b, direction))
  expect(-separation - least).toBeLessThan(TOLERANCE)
}

describe('the depth of two convex bodies in space', () => {
  it('is the shortest way out, the same from either side', () => {
    fc.assert(fc.property(convexBodies, convexBodies, holds), runs(100))
  })

  it('is so of bodies one of which is curved', () => {
    fc.assert(fc.property(quadrics, convexBodies, holds), runs(50))
    fc.assert(fc.property(quadrics, quadrics, holds), runs(50))
  })

  it('is so of a ball within a ball, about whose middles all ways are nearly as long', () => {
    const ball: CaseBody = { shape: { type: 'ellipsoid', radii: [1, 1, 1] }, position: [0, 0, 0] }
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 }), fc.constantFrom(...DIRECTIONS), (exponent, direction) => {
        const far = 2 ** -exponent
        const within = direction.map((x) => far * x) as unknown as Triple
        contact(bodyOf(ball), bodyOf({ shape: { type: 'point' }, position: within }), found)
        expect(Math.abs(found.separation + 1 - Math.hypot(...within))).toBeLessThan(TOLERANCE)
        expect(bodyOf(ball).kind).not.toBe(POINTS)
      }),
      runs(200),
    )
  })
})
