/** A body as planck has it. */
import { CircleShape, EdgeShape, PolygonShape, type Shape, Transform, Vec2 } from 'planck'
import type { Body2d } from '../../schemas/shapes2d.ts'

/** planck's skin of 2·linearSlop, made negligible through Settings. */
export const SLOP = 1e-9

export function peer({ shape, position, rotation }: Body2d): { shape: Shape; transform: Transform; radius: number } {
  const transform = new Transform(Vec2(position?.x ?? 0, position?.y ?? 0), rotation ?? 0)
  switch (shape.type) {
    case 'circle':
      return { shape: new CircleShape(shape.radius), transform, radius: shape.radius }
    case 'segment':
      return { shape: new EdgeShape(shape.a, shape.b), transform, radius: 0 }
    case 'box': {
      const { width, height } = shape
      const corners = [Vec2(-width / 2, -height / 2), Vec2(width / 2, -height / 2), Vec2(width / 2, height / 2)]
      return { shape: new PolygonShape([...corners, Vec2(-width / 2, height / 2)]), transform, radius: 0 }
    }
    case 'polygon':
      return { shape: new PolygonShape(shape.vertices), transform, radius: 0 }
    default:
      throw new Error(`planck has no ${shape.type}`)
  }
}
