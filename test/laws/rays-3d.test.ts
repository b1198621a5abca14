// Laws of a ray and a convex body in space: moved, turned, scaled, taken as a segment, and in the plane.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createRayHit as createFlatHit,
  createRay as createFlatRay,
  rayCast as flatCast,
} from '../../src/core2d/ray/ray-cast.ts'
import { setDirection as setFlatDirection } from '../../src/core2d/ray/ray-line.ts'
import { createBody as createFlat, setCircle, setPose as setFlatPose } from '../../src/core2d/shape/body.ts'
import { setPolygon } from '../../src/core2d/shape/polygon.ts'
import { createDistance, distance } from '../../src/core3d/queries/distance.ts'
import { bodiesMeet } from '../../src/core3d/queries/overlap.ts'
import { createRay, createRayHit, type Ray, type RayHit, rayCast } from '../../src/core3d/ray/ray-cast.ts'
import { setDirection } from '../../src/core3d/ray/ray-line.ts'
import { bodyOf, type CaseBody, type Triple } from '../support/convex-cases-3d.ts'
import { convexBodies, coredBodies, triples, turnAxes } from '../support/families/convex-bodies.ts'
import { runs } from '../support/runs.ts'

interface GivenRay {
  origin: Triple
  direction: Triple
  maxDistance: number
}

const directions = triples.filter((d) => d.some((x) => x !== 0))
const rays: fc.Arbitrary<GivenRay> = fc.record({
  origin: triples.map((t) => t.map((x) => 1.5 * x) as unknown as Triple),
  direction: directions,
  maxDistance: fc.constantFrom(Infinity, 100, 6, 3, 2, 1, 0.5),
})

function rayOf({ origin, direction, maxDistance }: GivenRay): Ray {
  const ray = createRay()
  ;[ray.ox, ray.oy, ray.oz] = origin
  setDirection(ray, ...direction)
  ray.maxDistance = maxDistance
  return ray
}

function cast(given: GivenRay, body: CaseBody, startInside: 'hit' | 'ignore' | 'exit' = 'hit'): RayHit | null {
  const out = createRayHit()
  return rayCast(rayOf(given), bodyOf(body), startInside, out) ? out : null
}

const scaled = (t: Triple, by: number): Triple => t.map((x) => x * by) as unknown as Triple
const pointAt = ({ origin, direction }: GivenRay, at: number): Triple => {
  const length = Math.hypot(...direction)
  return origin.map((x, k) => x + (at * direction[k]) / length) as unknown as Triple
}

/** How far the point is from the body. */
function gapTo(body: CaseBody, position: Triple): number {
  const out = createDistance()
  distance(bodyOf({ shape: { type: 'point' }, position }), bodyOf(body), out)
  return out.distance
}

describe('a ray in space', () => {
  it('hits at a point of the body, and none before lies in it', () => {
    fc.assert(
      fc.property(rays, convexBodies, fc.double({ min: 0, max: 0.99, noNaN: true }), (given, body, share) => {
        const hit = cast(given, body)
        if (hit === null) return
        expect(hit.distance).toBeLessThanOrEqual(given.maxDistance)
        expect(gapTo(body, [hit.x, hit.y, hit.z])).toBeLessThan(1e-13)
        expect(hit.startedInside).toBe(
          bodiesMeet(bodyOf({ shape: { type: 'point' }, position: given.origin }), bodyOf(body)),
        )
        if (hit.startedInside) expect(hit.hasNormal).toBe(false)
        else expect(gapTo(body, pointAt(given, share * hit.distance))).toBeGreaterThan(0)
        if (hit.hasExit) {
          expect(gapTo(body, [hit.exitX, hit.exitY, hit.exitZ])).toBeLessThan(1e-13)
          expect(gapTo(body, pointAt(given, hit.exitDistance + 0.01))).toBeGreaterThan(0)
        }
      }),
      runs(2000),
    )
  })

  it('has normals of unit length, against it where it comes in and along it where it goes out, that support the body', () => {
    fc.assert(
      fc.property(rays, coredBodies, (given, body) => {
        const hit = cast(given, body)
        if (hit === null) return
        const along = (n: Triple): number => n.reduce((sum, x, k) => sum + x * given.direction[k], 0)
        if (hit.hasNormal) {
          expect(Math.hypot(hit.nx, hit.ny, hit.nz)).toBeCloseTo(1, 13)
          expect(along([hit.nx, hit.ny, hit.nz])).toBeLessThan(1e-7)
          // A step out along the normal leaves the body by as much.
          const step: Triple = [hit.x + hit.nx / 16, hit.y + hit.ny / 16, hit.z + hit.nz / 16]
          expect(gapTo(body, step)).toBeCloseTo(1 / 16, 7)
        }
        if (hit.hasExit) {
          expect(Math.hypot(hit.exitNx, hit.exitNy, hit.exitNz)).toBeCloseTo(1, 13)
          expect(along([hit.exitNx, hit.exitNy, hit.exitNz])).toBeGreaterThan(-1e-7)
        }
      }),
      runs(2000),
    )
  })

  it('hits what the segment to its end meets', () => {
    const ways: [Triple, number][] = [
      [[1, 0, 0], 1],
      [[0, -1, 0], 1],
      [[0, 3, 4], 5],
      [[1, 2, 2], 3],
      [[-2, 3, 6], 7],
      [[4, -4, 7], 9],
    ]
    const pythagorean = fc.constantFrom(...ways)
    fc.assert(
      fc.property(
        pythagorean,
        triples,
        fc.constantFrom(0.25, 0.5, 1, 2),
        convexBodies,
        ([way, length], from, times, body) => {
          const end = way.map((x, k) => from[k] + times * x) as unknown as Triple
          const segment: CaseBody = { shape: { type: 'segment', a: from, b: end }, position: [0, 0, 0] }
          const hit = cast({ origin: from, direction: way, maxDistance: times * length }, body)
          expect(hit !== null).toBe(bodiesMeet(bodyOf(segment), bodyOf(body)))
        },
      ),
      runs(3000),
    )
  })

  it('does not care how long its direction is', () => {
    fc.assert(
      fc.property(
        rays,
        convexBodies,
        fc.constantFrom(2 ** -1000, 2 ** -40, 3, 2 ** 70, 2 ** 1000),
        (given, body, by) => {
          const hit = cast(given, body)
          const other = cast({ ...given, direction: scaled(given.direction, by) }, body)
          expect(other === null).toBe(hit === null)
          if (hit === null || other === null) return
          expect(other.distance).toBeCloseTo(hit.distance, 12)
          expect([other.startedInside, other.hasExit, other.feature]).toEqual([
            hit.startedInside,
            hit.hasExit,
            hit.feature,
          ])
        },
      ),
      runs(1000),
    )
  })

  it('is scaled with everything by powers of two, to the last bit', () => {
    fc.assert(
      fc.property(rays, coredBodies, fc.constantFrom(40, -40, 300, -300, 900, -900), (given, body, exponent) => {
        const by = 2 ** exponent
        const { shape, position } = body
        const larger: CaseBody = {
          shape: {
            ...shape,
            ...Object.fromEntries(
              (['a', 'b', 'c', 'size'] as const).flatMap((key) =>
                shape[key] === undefined ? [] : [[key, scaled(shape[key], by)]],
              ),
            ),
            ...(shape.points && { points: shape.points.map((p) => scaled(p, by)) }),
            ...(shape.radius !== undefined && { radius: shape.radius * by }),
          },
          position: scaled(position, by),
        }
        const hit = cast(given, body)
        const other = cast({ ...given, origin: scaled(given.origin, by), maxDistance: given.maxDistance * by }, larger)
        expect(other === null).toBe(hit === null)
        if (hit === null || other === null) return
        expect([other.distance / by, other.x / by, other.y / by, other.z / by]).toEqual([
          hit.distance,
          hit.x,
          hit.y,
          hit.z,
        ])
        expect([other.nx, other.ny, other.nz, other.feature]).toEqual([hit.nx, hit.ny, hit.nz, hit.feature])
        expect([other.startedInside, other.hasExit]).toEqual([hit.startedInside, hit.hasExit])
      }),
      runs(1000),
    )
  })

  it('turns with the axes', () => {
    const turn = ([x, y, z]: Triple): Triple => [z, x, y]
    fc.assert(
      fc.property(rays, convexBodies, (given, body) => {
        const hit = cast(given, body)
        const other = cast({ ...given, origin: turn(given.origin), direction: turn(given.direction) }, turnAxes(body))
        expect(other === null).toBe(hit === null)
        if (hit === null || other === null) return
        expect(other.distance).toBeCloseTo(hit.distance, 12)
        expect([other.startedInside, other.hasExit]).toEqual([hit.startedInside, hit.hasExit])
        const [x, y, z] = turn([hit.x, hit.y, hit.z])
        expect(Math.hypot(other.x - x, other.y - y, other.z - z)).toBeLessThan(1e-12)
      }),
      runs(1000),
    )
  })

  it('moves with what it is cast at', () => {
    fc.assert(
      fc.property(rays, convexBodies, triples, fc.constantFrom(1, 2 ** 20, 2 ** 45), (given, body, by, size) => {
        const moved = (t: Triple): Triple => t.map((x, k) => x + size * by[k]) as unknown as Triple
        const hit = cast(given, body)
        const other = cast({ ...given, origin: moved(given.origin) }, { ...body, position: moved(body.position) })
        expect(other === null).toBe(hit === null)
        if (hit === null || other === null) return
        expect(other.distance).toBeCloseTo(hit.distance, 12)
        expect([other.nx, other.ny, other.nz]).toEqual([hit.nx, hit.ny, hit.nz])
        expect([other.startedInside, other.hasExit, other.feature]).toEqual([
          hit.startedInside,
          hit.hasExit,
          hit.feature,
        ])
      }),
      runs(1000),
    )
  })

  it('with a start inside is no hit, or hits where it goes out, as asked', () => {
    fc.assert(
      fc.property(rays, convexBodies, (given, body) => {
        const hit = cast(given, body)
        if (hit === null || !hit.startedInside) {
          expect(cast(given, body, 'ignore')).toEqual(hit)
          expect(cast(given, body, 'exit')).toEqual(hit)
          return
        }
        expect(cast(given, body, 'ignore')).toBeNull()
        const exit = cast(given, body, 'exit')
        expect(exit !== null).toBe(hit.hasExit)
        if (exit !== null) expect([exit.distance, exit.hasNormal]).toEqual([hit.exitDistance, true])
      }),
      runs(500),
    )
  })

  it('answers in a prism as in the plane', () => {
    const flatHit = createFlatHit()
    const flat = createFlat()
    const flatRay = createFlatRay()
    const xy = fc.tuple(fc.integer({ min: -4, max: 4 }), fc.integer({ min: -4, max: 4 }))
    const corners = fc.constantFrom(
      [0, 0, 2, 0, 2, 2, 0, 2],
      [0, 0, 3, 1, 1, 3],
      [-1, 0, 1, -1, 2, 1, 1, 2, -1, 2],
      [-2, -1, 2, -1, 0, 1],
    )
    fc.assert(
      fc.property(xy, xy, corners, fc.constantFrom(Infinity, 2, 1), (from, way, points, maxDistance) => {
        fc.pre(way[0] !== 0 || way[1] !== 0)
        setFlatPose(flat, 0, 0, 0)
        setPolygon(flat, Float64Array.from(points), points.length / 2, 0)
        ;[flatRay.ox, flatRay.oy] = from
        setFlatDirection(flatRay, ...way)
        flatRay.maxDistance = maxDistance
        const met = flatCast(flatRay, flat, 'hit', flatHit)
        const prism: Triple[] = points.flatMap((x, i) =>
          i % 2 === 1 ? [] : [-1, 1].map((z): Triple => [x, points[i + 1], z]),
        )
        const hit = cast(
          { origin: [from[0], from[1], 0], direction: [way[0], way[1], 0], maxDistance },
          { shape: { type: 'hull', points: prism }, position: [0, 0, 0] },
        )
        expect(hit !== null).toBe(met)
        if (hit === null) return
        expect(hit.distance).toBeCloseTo(flatHit.distance, 13)
        expect([hit.startedInside, hit.hasExit]).toEqual([flatHit.startedInside, flatHit.hasExit])
        if (hit.hasExit) expect(hit.exitDistance).toBeCloseTo(flatHit.exitDistance, 13)
        // A corner of the plane is an edge of the prism.
        if (hit.hasNormal && hit.feature === 'face') {
          expect([hit.nx, hit.ny].map((n) => Math.round(n * 1e12))).toEqual(
            [flatHit.nx, flatHit.ny].map((n) => Math.round(n * 1e12)),
          )
        }
      }),
      runs(1000),
    )
    fc.assert(
      fc.property(xy, xy, fc.constantFrom(1, 2, 3), (from, way, radius) => {
        fc.pre(way[0] !== 0 || way[1] !== 0)
        setFlatPose(flat, 0, 0, 0)
        setCircle(flat, radius)
        ;[flatRay.ox, flatRay.oy] = from
        setFlatDirection(flatRay, ...way)
        flatRay.maxDistance = Infinity
        const met = flatCast(flatRay, flat, 'hit', flatHit)
        for (const shape of [
          { type: 'sphere', radius },
          { type: 'cylinder', radius, height: 2, axis: 'z' as const },
          { type: 'capsule', a: [0, 0, -1] as Triple, b: [0, 0, 1] as Triple, radius },
        ]) {
          const hit = cast(
            { origin: [from[0], from[1], 0], direction: [way[0], way[1], 0], maxDistance: Infinity },
            { shape, position: [0, 0, 0] },
          )
          expect(hit !== null).toBe(met)
          if (hit !== null) expect(hit.distance).toBeCloseTo(flatHit.distance, 13)
        }
      }),
      runs(500),
    )
  })
})
