/**
 * Bodies in space against Rapier (parry, single precision) on well-conditioned random input, to single precision.
 *
 * Set aside: depths of what is not box, ball or polyhedron, which parry answers by EPA, and grazing rays.
 */
import RAPIER from '@dimforge/rapier3d-compat'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import type { Vec3 } from '../../schemas/vector.ts'
import { runCount, runs } from '../../test/support/runs.ts'
import { ask, peer, place, solidBody } from './rapier-peer-3d.ts'

const TOLERANCE = 1e-2
const FAR = 100
beforeAll(() => RAPIER.init())

it('overlap, distance and depth', () => {
  const seen = { apart: 0, deep: 0 }
  fc.assert(
    fc.property(solidBody, solidBody, (a, b) => {
      const [shapeA, positionA, turnA] = peer(a)
      const [shapeB, positionB, turnB] = peer(b)
      const { separation } = ask('contact', { a, b })
      expect(separation).not.toBeNull()
      const own = separation as number
      if (Math.abs(own) > TOLERANCE) {
        expect(shapeA.intersectsShape(positionA, turnA, shapeB, positionB, turnB)).toBe(own < 0)
        expect(ask('overlap', { a, b }).overlap).toBe(own < 0)
      }
      expect(Math.abs(ask('distance', { a, b }).distance - Math.max(0, own))).toBeLessThanOrEqual(1e-9)
      const expected = shapeA.contactShape(positionA, turnA, shapeB, positionB, turnB, FAR)
      if (expected === null) return
      const isRound = [a, b].some(({ shape: { type } }) => type !== 'sphere' && type !== 'box' && type !== 'hull')
      if (own < 0 && isRound) return
      seen[own < 0 ? 'deep' : 'apart']++
      expect(Math.abs(own - expected.distance)).toBeLessThanOrEqual(TOLERANCE)
    }),
    runs(1500),
  )
  expect(Math.min(seen.apart, seen.deep)).toBeGreaterThan(runCount(40))
})

it('rays', () => {
  let hits = 0
  fc.assert(
    fc.property(solidBody, place(1), place(1.2), (target, from, to) => {
      const reach = Math.hypot(from.x, from.y, from.z) || 1
      const origin = { x: (12 * from.x) / reach, y: (12 * from.y) / reach, z: (12 * from.z) / reach }
      const { x: tx, y: ty, z: tz } = target.position as Vec3
      const way = { x: tx + to.x - origin.x, y: ty + to.y - origin.y, z: tz + to.z - origin.z }
      const length = Math.hypot(way.x, way.y, way.z)
      const [shape, position, turned] = peer(target)
      const direction = { x: way.x / length, y: way.y / length, z: way.z / length }
      const expected = shape.castRayAndGetNormal(new RAPIER.Ray(origin, direction), position, turned, 30, true)
      const [hit] = ask('ray-cast', { ray: { origin, direction: way, maxDistance: 30 }, targets: [target] }).hits
      if ((hit !== undefined) !== (expected !== null)) {
        const chord = hit === undefined ? 0 : (hit.exit?.distance ?? hit.distance) - hit.distance
        expect(chord).toBeLessThanOrEqual(0.1)
        return
      }
      if (hit === undefined || hit.normal === null || expected === null) return
      const { x, y, z } = hit.normal
      const steepness = -(x * direction.x + y * direction.y + z * direction.z)
      if (steepness < 0.1) return
      hits++
      expect(Math.abs(hit.distance - expected.timeOfImpact)).toBeLessThanOrEqual(TOLERANCE)
    }),
    runs(1500),
  )
  expect(hits).toBeGreaterThan(runCount(500))
})
