/**
 * Motion in space without spin against Rapier's castShape (parry, single precision), to single precision: times of impact, casts, and
 * rays at what is rounded or flat.
 */
import RAPIER from '@dimforge/rapier3d-compat'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import type { Body3d } from '../../schemas/shapes3d.ts'
import type { Vec3 } from '../../schemas/vector.ts'
import { runCount, runs } from '../../test/support/runs.ts'
import { anyBody, ask, peer, place } from './rapier-peer-3d.ts'

const DURATION = 4
const TOLERANCE = 1e-3
/** A contact this shallow may be found or not in single precision. */
const SHALLOW = 2e-2
/** So long a stretch of a ray may be missed. */
const GRAZE = 0.2
const REST: Vec3 = { x: 0, y: 0, z: 0 }

beforeAll(() => RAPIER.init())

function moved(body: Body3d, { x, y, z }: Vec3, time: number): Body3d {
  const { x: px, y: py, z: pz } = body.position ?? REST
  return { ...body, position: { x: px + time * x, y: py + time * y, z: pz + time * z } }
}

it('castShape', () => {
  const seen = { hits: 0, misses: 0 }
  fc.assert(
    fc.property(anyBody, anyBody, place(2), place(1), (a, b, v, off) => {
      // B flies at A, not always well aimed.
      const [p, q] = [a.position ?? REST, b.position ?? REST]
      const towards = (k: 'x' | 'y' | 'z'): number => v[k] + (p[k] - q[k]) / 3 + off[k]
      const w = { x: towards('x'), y: towards('y'), z: towards('z') }
      const separation = (time: number): number =>
        ask('contact', { a: moved(a, v, time), b: moved(b, w, time) }).separation ?? 0
      if (separation(0) <= SHALLOW) return
      const [shapeA, positionA, turnA] = peer(a)
      const [shapeB, positionB, turnB] = peer(b)
      const expected = shapeA.castShape(positionA, turnA, v, shapeB, positionB, turnB, w, 0, DURATION, true)
      const { hit, time } = ask('time-of-impact', {
        a: { ...a, velocity: v },
        b: { ...b, velocity: w },
        duration: DURATION,
      })
      const [cast] = ask('shape-cast', {
        body: b,
        translation: moved({ ...b, position: REST }, { x: w.x - v.x, y: w.y - v.y, z: w.z - v.z }, DURATION)
          .position as Vec3,
        targets: [a],
      }).hits
      expect(cast !== undefined).toBe(hit)
      if (cast !== undefined) expect(Math.abs(DURATION * cast.fraction - (time as number))).toBeLessThanOrEqual(1e-9)
      if (hit !== (expected !== null)) {
        const samples = Array.from({ length: 100 }, (_, i) => separation((DURATION * i) / 99))
        expect(Math.min(...samples)).toBeGreaterThanOrEqual(-SHALLOW)
        return
      }
      if (expected === null) {
        seen.misses++
        return
      }
      seen.hits++
      const own = time as number
      const { time_of_impact: other } = expected
      if (Math.abs(own - other) > TOLERANCE)
        expect(Math.abs(separation((own + other) / 2))).toBeLessThanOrEqual(SHALLOW)
    }),
    runs(1000),
  )
  expect(Math.min(seen.hits, seen.misses)).toBeGreaterThan(runCount(200))
})

it('castRay', () => {
  let hits = 0
  fc.assert(
    fc.property(anyBody, place(1), place(1.5), (target, from, to) => {
      const reach = Math.hypot(from.x, from.y, from.z) || 1
      const origin = { x: (15 * from.x) / reach, y: (15 * from.y) / reach, z: (15 * from.z) / reach }
      const { x: tx, y: ty, z: tz } = target.position ?? REST
      const way = { x: tx + to.x - origin.x, y: ty + to.y - origin.y, z: tz + to.z - origin.z }
      const length = Math.hypot(way.x, way.y, way.z)
      const direction = { x: way.x / length, y: way.y / length, z: way.z / length }
      const [shape, position, turned] = peer(target)
      const expected = shape.castRay(new RAPIER.Ray(origin, direction), position, turned, 30, true)
      const [hit] = ask('ray-cast', { ray: { origin, direction: way, maxDistance: 30 }, targets: [target] }).hits
      if (hit === undefined && expected < 0) return
      if (hit === undefined) {
        // Where the other grazes, or strikes within so much of a rim.
        const at = moved({ ...target, position: origin }, direction, expected).position as Vec3
        const { distance } = ask('distance', { a: target, b: { shape: { type: 'point' }, position: at } })
        expect(distance).toBeLessThanOrEqual(SHALLOW)
        return
      }
      if (expected < 0) {
        expect((hit.exit?.distance ?? hit.distance) - hit.distance).toBeLessThanOrEqual(GRAZE)
        return
      }
      const { x, y, z } = hit.normal as Vec3
      if (-(x * direction.x + y * direction.y + z * direction.z) < 0.1) return
      hits++
      expect(Math.abs(hit.distance - expected)).toBeLessThanOrEqual(10 * TOLERANCE)
    }),
    runs(1500),
  )
  expect(hits).toBeGreaterThan(runCount(600))
})
