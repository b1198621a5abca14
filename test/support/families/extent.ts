/** Size of a question, the unit of every tolerance: a result may be off by 1e-9 of it. */
import type { Body2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { positionOf } from './transform.ts'

export const ACCURACY_RATIO = 1e-9
/** Far from the origin the coordinates themselves are only this precise. */
const COORDINATE_RATIO = 2 ** -50

/** Radius about the body's position that holds the shape; a half-plane counts with its boundary's nearest point. */
export function reach(body: Body2d): number {
  const shape = body.shape
  switch (shape.type) {
    case 'point':
      return 0
    case 'circle':
      return shape.radius
    case 'segment':
      return Math.max(length(shape.a), length(shape.b))
    case 'capsule':
      return Math.max(length(shape.a), length(shape.b)) + shape.radius
    case 'box':
      return Math.hypot(shape.width, shape.height) / 2 + (shape.radius ?? 0)
    case 'aabb':
      return Math.max(length(shape.min), length(shape.max))
    case 'polygon':
      return Math.max(...shape.vertices.map(length)) + (shape.radius ?? 0)
    case 'ellipse':
      return Math.max(shape.rx, shape.ry)
    case 'halfplane':
      return Math.abs(shape.offset)
    case 'chain':
      return Math.max(...shape.vertices.map(length))
    case 'region':
      return Math.max(...shape.outer.map(length))
    case 'compound':
      return Math.max(...shape.children.map((child) => length(positionOf(child)) + reach(child)))
  }
}

function length(v: Vec2): number {
  return Math.hypot(v.x, v.y)
}

/** Diameter of a disk about a's position that holds the pair. */
export function pairExtent(a: Body2d, b: Body2d): number {
  const p = positionOf(a)
  const q = positionOf(b)
  return 2 * (Math.hypot(q.x - p.x, q.y - p.y) + reach(a) + reach(b))
}

/** Allowed error of lengths and points of a pair. */
export function pairTolerance(a: Body2d, b: Body2d): number {
  const far = [positionOf(a), positionOf(b)].flatMap((v) => [Math.abs(v.x), Math.abs(v.y)])
  return ACCURACY_RATIO * pairExtent(a, b) + COORDINATE_RATIO * Math.max(...far)
}
