/**
 * Bodies in space against Rapier (parry, single precision) on well-conditioned random input, to single precision.
 *
 * Set aside: depths of what is not box, ball or polyhedron, which parry answers by EPA, and grazing rays.
 */
import RAPIER from '@dimforge/rapier3d-compat'
import fc, { type Arbitrary } from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import type { Query3dOp, Query3dRequest, Query3dResponse } from '../../schemas/queries3d/exchanges.ts'
import type { Body3d } from '../../schemas/shapes3d/body.ts'
import type { Shape3d } from '../../schemas/shapes3d/shape.ts'
import type { Vec3 } from '../../schemas/vec3.ts'
import { loadConfig, queryLimits } from '../../src/config.ts'
import { queries3d } from '../../src/queries/stateless3d/all.ts'
import { runs } from '../support/runs.ts'

const TOLERANCE = 1e-2
const FAR = 100
const limits = queryLimits(loadConfig({}))

const unit = fc.noBias(fc.noShrink(fc.maxSafeNat())).map((n) => n / Number.MAX_SAFE_INTEGER)
const between = (low: number, high: number): Arbitrary<number> => unit.map((u) => low + u * (high - low))
const size = between(0.5, 2)
const place = (reach: number) =>
  fc.record({ x: between(-reach, reach), y: between(-reach, reach), z: between(-reach, reach) })

/** Evenly over all turns: K. Shoemake, "Uniform random rotations", Graphics Gems III (1992). */
const turn = fc.tuple(unit, unit, unit).map(([u, v, w]) => {
  const [p, q] = [Math.sqrt(1 - u), Math.sqrt(u)]
  const [a, b] = [2 * Math.PI * v, 2 * Math.PI * w]
  return { x: p * Math.sin(a), y: p * Math.cos(a), z: q * Math.sin(b), w: q * Math.cos(b) }
})

/** Upright and centred, as Rapier has them; hulls are stretched octahedra, none of whose corners is sharp or flat. */
const shape: Arbitrary<Shape3d> = fc.oneof(
  size.map((radius): Shape3d => ({ type: 'sphere', radius })),
  fc.record({ type: fc.constant('box' as const), size: fc.record({ x: size, y: size, z: size }) }),
  fc
    .tuple(size, size)
    .map(([h, radius]): Shape3d => ({ type: 'capsule', a: { x: 0, y: -h, z: 0 }, b: { x: 0, y: h, z: 0 }, radius })),
  fc.record({ type: fc.constantFrom('cylinder' as const, 'cone' as const), radius: size, height: size }),
  fc.array(size, { minLength: 6, maxLength: 6 }).map(
    (arms): Shape3d => ({
      type: 'hull',
      points: arms.map((arm, i) => {
        const reach = i < 3 ? arm : -arm
        return { x: i % 3 === 0 ? reach : 0, y: i % 3 === 1 ? reach : 0, z: i % 3 === 2 ? reach : 0 }
      }),
    }),
  ),
)
const body: Arbitrary<Body3d> = fc.record({ shape, position: place(2.5), orientation: turn })

function peer({ shape, position, orientation }: Body3d): [RAPIER.Shape, RAPIER.Vector, RAPIER.Rotation] {
  const at = position ?? { x: 0, y: 0, z: 0 }
  const turned = orientation ?? { x: 0, y: 0, z: 0, w: 1 }
  return [peerShape(shape), at, turned]
}

function peerShape(shape: Shape3d): RAPIER.Shape {
  switch (shape.type) {
    case 'sphere':
      return new RAPIER.Ball(shape.radius)
    case 'box':
      return new RAPIER.Cuboid(shape.size.x / 2, shape.size.y / 2, shape.size.z / 2)
    case 'capsule':
      return new RAPIER.Capsule(shape.b.y, shape.radius)
    case 'cylinder':
      return new RAPIER.Cylinder(shape.height / 2, shape.radius)
    case 'cone':
      return new RAPIER.Cone(shape.height / 2, shape.radius)
    case 'hull':
      return new RAPIER.ConvexPolyhedron(new Float32Array(shape.points.flatMap(({ x, y, z }) => [x, y, z])), null)
    default:
      throw new Error(`no ${shape.type} here`)
  }
}

function ask<Op extends Query3dOp>(op: Op, request: Query3dRequest<Op>): Query3dResponse<Op> {
  const query = queries3d.find((each) => each.op === op)
  return query?.answer(request, limits) as Query3dResponse<Op>
}

beforeAll(() => RAPIER.init())

it('overlap, distance and depth', () => {
  const seen = { apart: 0, deep: 0 }
  fc.assert(
    fc.property(body, body, (a, b) => {
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
  expect(Math.min(seen.apart, seen.deep)).toBeGreaterThan(50)
})

it('rays', () => {
  let hits = 0
  fc.assert(
    fc.property(body, place(1), place(1.2), (target, from, to) => {
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
  expect(hits).toBeGreaterThan(500)
})
