// Our bodies as Rapier has them.

import RAPIER from '@dimforge/rapier2d-compat'
import type { Body2d } from '../../schemas/shapes2d.ts'

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
