// Rapier (Rust compiled to WebAssembly, single precision). Warm kernels ask colliders that live in a world, which
// spares it rebuilding the shape on every call; the cold pair makes shapes and asks them directly.

import RAPIER from '@dimforge/rapier2d-compat'
import type { Body2d } from '../../schemas/shapes/body.ts'
import type { Inputs, Pair } from './inputs.ts'
import type { Kernels } from './kernel-table.ts'
import { rapierImpactKernels } from './rapier-impact.ts'

const FAR = 1000

export function rapierShape({ shape }: Body2d): RAPIER.Shape {
  if (shape.type === 'box') return new RAPIER.Cuboid(shape.width / 2, shape.height / 2)
  if (shape.type === 'aabb') return new RAPIER.Cuboid(shape.max.x, shape.max.y)
  if (shape.type === 'circle') return new RAPIER.Ball(shape.radius)
  if (shape.type === 'capsule') return new RAPIER.Capsule(shape.b.y, shape.radius)
  if (shape.type === 'segment') return new RAPIER.Segment(shape.a, shape.b)
  if (shape.type !== 'polygon') throw new Error(`no ${shape.type} in this bench`)
  const flat = new Float32Array(2 * shape.vertices.length)
  for (let i = 0; i < shape.vertices.length; i++) {
    flat[2 * i] = shape.vertices[i]!.x
    flat[2 * i + 1] = shape.vertices[i]!.y
  }
  return new RAPIER.ConvexPolygon(flat, true)
}

export function placedCollider(world: RAPIER.World, body: Body2d): RAPIER.Collider {
  return world.createCollider(
    new RAPIER.ColliderDesc(rapierShape(body))
      .setTranslation(body.position!.x, body.position!.y)
      .setRotation(body.rotation!),
  )
}

export async function rapierKernels(inputs: Inputs): Promise<Kernels> {
  await RAPIER.init()
  const world = new RAPIER.World({ x: 0, y: 0 })
  const collider = (body: Body2d) => placedCollider(world, body)
  const colliders = (pairs: Pair[]) => pairs.map(({ a, b }) => ({ a: collider(a), b: collider(b) }))
  const contactKernel = (pairs: Pair[]) => {
    const made = colliders(pairs)
    return (i: number) => {
      const { a, b } = made[i]!
      return a.contactCollider(b, 0) === null ? 0 : 1
    }
  }
  const apart = colliders(inputs.apartPolygons)
  const rays = inputs.rays.map(({ origin, direction, target }) => ({
    ray: new RAPIER.Ray(origin, direction),
    target: collider(target),
  }))
  return {
    ...rapierImpactKernels(inputs.moving, world),
    polygonPolygon: contactKernel(inputs.polygons),
    boxBox: contactKernel(inputs.boxes),
    polygonCircle: contactKernel(inputs.polygonCircles),
    distance: (i) => {
      const { a, b } = apart[i]!
      return a.contactCollider(b, FAR)?.distance ?? Number.NaN
    },
    ray: (i) => {
      const { ray, target } = rays[i]!
      return target.castRayAndGetNormal(ray, FAR, true) === null ? 0 : 1
    },
    coldPair: (i) => {
      const { a, b } = inputs.polygons[i]!
      return rapierShape(a).contactShape(a.position!, a.rotation!, rapierShape(b), b.position!, b.rotation!, 0) === null
        ? 0
        : 1
    },
  }
}
