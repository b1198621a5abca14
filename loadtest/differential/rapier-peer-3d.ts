/**
 * Bodies in space as Rapier (parry, single precision) has them, on well-conditioned random input. Upright and centred, as there; hulls
 * are stretched octahedra, none of whose corners is sharp or flat.
 */

import RAPIER from '@dimforge/rapier3d-compat'
import fc, { type Arbitrary } from 'fast-check'
import type { Query3dOp, Query3dRequest, Query3dResponse } from '../../schemas/queries/exchanges.ts'
import type { Body3d, Shape3d } from '../../schemas/shapes3d.ts'
import type { Vec3 } from '../../schemas/vector.ts'
import { loadConfig, queryLimits } from '../../src/config.ts'
import { queries3d } from '../../src/queries/stateless/all.ts'

const limits = queryLimits(loadConfig({}))

const unit = fc.noBias(fc.noShrink(fc.maxSafeNat())).map((n) => n / Number.MAX_SAFE_INTEGER)
export const between = (low: number, high: number): Arbitrary<number> => unit.map((u) => low + u * (high - low))
const size = between(0.5, 2)
export const place = (reach: number): Arbitrary<Vec3> =>
  fc.record({ x: between(-reach, reach), y: between(-reach, reach), z: between(-reach, reach) })

/** Evenly over all turns: K. Shoemake, "Uniform random rotations", Graphics Gems III (1992). */
const turn = fc.tuple(unit, unit, unit).map(([u, v, w]) => {
  const [p, q] = [Math.sqrt(1 - u), Math.sqrt(u)]
  const [a, b] = [2 * Math.PI * v, 2 * Math.PI * w]
  return { x: p * Math.sin(a), y: p * Math.cos(a), z: q * Math.sin(b), w: q * Math.cos(b) }
})

const along = (y: number): Vec3 => ({ x: 0, y, z: 0 })
const octahedron = fc.array(size, { minLength: 6, maxLength: 6 }).map((arms) =>
  arms.map((arm, i): Vec3 => {
    const reach = i < 3 ? arm : -arm
    return { x: i % 3 === 0 ? reach : 0, y: i % 3 === 1 ? reach : 0, z: i % 3 === 2 ? reach : 0 }
  }),
)
const box = fc.record({ type: fc.constant('box' as const), size: fc.record({ x: size, y: size, z: size }) })

const SOLIDS: Arbitrary<Shape3d>[] = [
  size.map((radius): Shape3d => ({ type: 'sphere', radius })),
  box,
  fc.tuple(size, size).map(([h, radius]): Shape3d => ({ type: 'capsule', a: along(-h), b: along(h), radius })),
  fc.record({ type: fc.constantFrom('cylinder' as const, 'cone' as const), radius: size, height: size }),
  octahedron.map((points): Shape3d => ({ type: 'hull', points })),
]
const OTHERS: Arbitrary<Shape3d>[] = [
  fc.tuple(box, size).map(([given, radius]): Shape3d => ({ ...given, radius })),
  fc.tuple(octahedron, size).map(([points, radius]): Shape3d => ({ type: 'hull', points, radius })),
  size.map((h): Shape3d => ({ type: 'segment', a: along(-h), b: along(h) })),
  octahedron.map(([a, b, c]): Shape3d => ({ type: 'triangle', a, b, c })),
]

const bodyOf = (shapes: Arbitrary<Shape3d>[], reach: number): Arbitrary<Body3d> =>
  fc.record({ shape: fc.oneof(...shapes), position: place(reach), orientation: turn })
export const solidBody = bodyOf(SOLIDS, 2.5)
/** Rounded ones, segments and triangles as well. */
export const anyBody = bodyOf([...SOLIDS, ...OTHERS], 4)

export function peer({ shape, position, orientation }: Body3d): [RAPIER.Shape, RAPIER.Vector, RAPIER.Rotation] {
  const at = position ?? { x: 0, y: 0, z: 0 }
  const turned = orientation ?? { x: 0, y: 0, z: 0, w: 1 }
  return [peerShape(shape), at, turned]
}

function peerShape(shape: Shape3d): RAPIER.Shape {
  switch (shape.type) {
    case 'sphere':
      return new RAPIER.Ball(shape.radius)
    case 'box': {
      const { size, radius } = shape
      if (radius === undefined) return new RAPIER.Cuboid(size.x / 2, size.y / 2, size.z / 2)
      return new RAPIER.RoundCuboid(size.x / 2, size.y / 2, size.z / 2, radius)
    }
    case 'capsule':
      return new RAPIER.Capsule(shape.b.y, shape.radius)
    case 'cylinder':
      return new RAPIER.Cylinder(shape.height / 2, shape.radius)
    case 'cone':
      return new RAPIER.Cone(shape.height / 2, shape.radius)
    case 'hull': {
      const points = new Float32Array(shape.points.flatMap(({ x, y, z }) => [x, y, z]))
      if (shape.radius === undefined) return new RAPIER.ConvexPolyhedron(points, null)
      return new RAPIER.RoundConvexPolyhedron(points, null, shape.radius)
    }
    case 'segment':
      return new RAPIER.Segment(shape.a, shape.b)
    case 'triangle':
      return new RAPIER.Triangle(shape.a, shape.b, shape.c)
    default:
      throw new Error(`no ${shape.type} here`)
  }
}

export function ask<Op extends Query3dOp>(op: Op, request: Query3dRequest<Op>): Query3dResponse<Op> {
  const query = queries3d.find((each) => each.op === op)
  return query?.answer(request, limits) as Query3dResponse<Op>
}
