// The core's answers about rays at hulls, cylinders, cones and ellipsoids in space are the exact ones.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createRay, createRayHit, rayCast } from '../../src/core3d/ray/ray-cast.ts'
import { setDirection } from '../../src/core3d/ray/ray-line.ts'
import { bodyOf, type CaseShape, type Triple } from '../support/convex-cases-3d.ts'
import { runs } from '../support/runs.ts'
import {
  bigPoint,
  compare,
  coneStretch,
  cylinderStretch,
  ellipsoidStretch,
  hullStretch,
  lengthOf,
  placesOf,
  type Stretch,
  times,
  toNumber,
} from './exact-ray-3d.ts'

const short = fc.integer({ min: -6, max: 6 })
const triples = fc.tuple(short, short, short)
const some = fc.integer({ min: 1, max: 5 })
const directions = triples.filter((d) => d.some((x) => x !== 0))
const limits = fc.constantFrom(Infinity, 1, 2, 3, 5, 7.5, 9)
const offsets = fc.constantFrom(0, 0, 2 ** 30, -(2 ** 50))

/** `offset`: where everything is moved to, which must not matter. */
function check(
  shape: CaseShape,
  origin: Triple,
  direction: Triple,
  maxDistance: number,
  offset: number,
  expected: Stretch | null,
): void {
  const ray = createRay()
  ray.ox = origin[0] + offset
  ray.oy = origin[1] + offset
  ray.oz = origin[2] + offset
  setDirection(ray, ...direction)
  ray.maxDistance = maxDistance
  const out = createRayHit()
  const hits = rayCast(ray, bodyOf({ shape, position: [offset, offset, offset] }), 'hit', out)
  const length = lengthOf(bigPoint(direction))
  const limit = maxDistance === Infinity ? null : placesOf(maxDistance)
  const isPast = (t: bigint): boolean => limit !== null && compare(times(t, length), limit) > 0
  const enter = expected?.enter ?? 0n
  const leave = expected?.leave ?? 0n
  const inside = expected !== null && compare(enter, 0n) <= 0
  expect(hits).toBe(expected !== null && compare(leave, 0n) >= 0 && (inside || !isPast(enter)))
  if (!hits) return
  expect(out.startedInside).toBe(inside)
  expect(out.hasExit).toBe(!isPast(leave))
  const near = (found: number, t: bigint): void => {
    const exact = toNumber(times(t, length))
    expect(Math.abs(found - exact)).toBeLessThanOrEqual(4e-14 * (10 + exact))
  }
  if (!inside) near(out.distance, enter)
  if (out.hasExit) near(out.exitDistance, leave)
}

it('rays at hulls on a grid', () => {
  fc.assert(
    fc.property(
      fc.array(triples, { minLength: 1, maxLength: 6 }),
      triples,
      directions,
      limits,
      offsets,
      (points, origin, direction, limit, offset) => {
        const stretch = hullStretch(points.map(bigPoint), bigPoint(origin), bigPoint(direction))
        check({ type: 'hull', points }, origin, direction, limit, offset, stretch)
      },
    ),
    runs(2000),
  )
})

it('rays through corners, edges and faces of hulls', () => {
  fc.assert(
    fc.property(
      fc.array(triples, { minLength: 3, maxLength: 6 }),
      fc.tuple(fc.nat(2), fc.nat(2), fc.nat(2)),
      triples,
      fc.constantFrom(-1, 1, 2, 3),
      limits,
      (points, [i, j, k], direction, back, limit) => {
        fc.pre(direction.some((x) => x !== 0))
        // The middle of corners, times 3, of a hull three times as large.
        const larger = points.map((p) => p.map((x) => 3 * x) as unknown as Triple)
        const through = [0, 1, 2].map((axis) => points[i][axis] + points[j][axis] + points[k][axis])
        const origin = through.map((x, axis) => x - back * direction[axis]) as unknown as Triple
        const stretch = hullStretch(larger.map(bigPoint), bigPoint(origin), bigPoint(direction))
        check({ type: 'hull', points: larger }, origin, direction, limit, 0, stretch)
      },
    ),
    runs(2000),
  )
})

it('rays at cylinders', () => {
  fc.assert(
    fc.property(some, some, triples, directions, limits, offsets, (radius, half, origin, direction, limit, offset) => {
      const stretch = cylinderStretch(BigInt(radius), BigInt(half), bigPoint(origin), bigPoint(direction))
      check({ type: 'cylinder', radius, height: 2 * half }, origin, direction, limit, offset, stretch)
    }),
    runs(3000),
  )
})

it('rays at cones', () => {
  fc.assert(
    fc.property(some, some, triples, directions, limits, (radius, half, origin, direction, limit) => {
      const stretch = coneStretch(BigInt(radius), BigInt(half), bigPoint(origin), bigPoint(direction))
      check({ type: 'cone', radius, height: 2 * half }, origin, direction, limit, 0, stretch)
    }),
    runs(150),
  )
})

it('rays at ellipsoids', () => {
  fc.assert(
    fc.property(
      fc.tuple(some, some, some),
      triples,
      directions,
      limits,
      offsets,
      (radii, origin, direction, limit, offset) => {
        const stretch = ellipsoidStretch(bigPoint(radii), bigPoint(origin), bigPoint(direction))
        check({ type: 'ellipsoid', radii }, origin, direction, limit, offset, stretch)
      },
    ),
    runs(3000),
  )
})
