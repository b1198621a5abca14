/** A body as Rapier has it: shape, position, rotation. */
import RAPIER from '@dimforge/rapier2d-compat'
import type { Body2d } from '../../schemas/shapes2d.ts'

export function peer({ shape, position, rotation }: Body2d): [RAPIER.Shape, RAPIER.Vector2, number] {
  const at = new RAPIER.Vector2(position?.x ?? 0, position?.y ?? 0)
  const turn = rotation ?? 0
  switch (shape.type) {
    case 'circle':
      return [new RAPIER.Ball(shape.radius), at, turn]
    case 'segment':
      return [new RAPIER.Segment(shape.a, shape.b), at, turn]
    case 'capsule':
      return [new RAPIER.Capsule(shape.b.y, shape.radius), at, turn]
    case 'box':
      return [new RAPIER.Cuboid(shape.width / 2, shape.height / 2), at, turn]
    case 'polygon':
      return [new RAPIER.ConvexPolygon(new Float32Array(shape.vertices.flatMap((v) => [v.x, v.y])), false), at, turn]
    default:
      throw new Error(`no ${shape.type} here`)
  }
}
