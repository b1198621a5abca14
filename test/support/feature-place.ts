/** Where a named feature of a body lies in the world, by the conventions that the schemas describe. */
import type { Body2d } from '../../schemas/body.ts'
import type { Vec2 } from '../../schemas/vec2.ts'
import { measuredBody } from '../oracle/measured-bodies.ts'

function rectangle(min: Vec2, max: Vec2): Vec2[] {
  return [min, { x: max.x, y: min.y }, max, { x: min.x, y: max.y }]
}

/** Vertices in the order in which features count them, local frame. */
function localVertices({ shape }: Body2d): Vec2[] {
  switch (shape.type) {
    case 'point':
      return [{ x: 0, y: 0 }]
    case 'segment':
    case 'capsule':
      return [shape.a, shape.b]
    case 'box': {
      const half = { x: shape.width / 2, y: shape.height / 2 }
      return rectangle({ x: -half.x, y: -half.y }, half)
    }
    case 'aabb':
      return rectangle(shape.min, shape.max)
    case 'polygon':
      return shape.vertices
    default:
      return []
  }
}

function worldVertices(body: Body2d): Vec2[] {
  const measured = measuredBody({ ...body, shape: { type: 'polygon', vertices: localVertices(body) } })
  return measured.kind === 'hull' ? measured.points : []
}

/**
 * How far a surface point is from the feature "kind index": from the vertex or the edge's line, skin taken off.
 * A merged edge runs on past its own end, so lines count, not segments. Infinite for a feature the shape cannot have.
 */
export function featureError(body: Body2d, feature: string, point: Vec2): number {
  const [kind, text] = feature.split(' ')
  const index = Number(text)
  const { shape } = body
  if (shape.type === 'circle' || shape.type === 'ellipse') return feature === 'surface 0' ? 0 : Number.POSITIVE_INFINITY
  if (shape.type === 'halfplane') return feature === 'edge 0' ? 0 : Number.POSITIVE_INFINITY
  const vertices = worldVertices(body)
  const skin = 'radius' in shape ? (shape.radius ?? 0) : 0
  const isLine = shape.type === 'segment' || shape.type === 'capsule'
  const count = isLine ? 2 : vertices.length
  if (!(index >= 0 && index < count)) return Number.POSITIVE_INFINITY
  const from = isLine && kind === 'edge' ? vertices[0] : vertices[index]
  if (kind === 'vertex') return Math.abs(Math.hypot(point.x - from.x, point.y - from.y) - skin)
  if (kind !== 'edge' || vertices.length < 2) return Number.POSITIVE_INFINITY
  const to = isLine ? vertices[1] : nextDistinct(vertices, index)
  const length = Math.hypot(to.x - from.x, to.y - from.y)
  if (length === 0) return Math.abs(Math.hypot(point.x - from.x, point.y - from.y) - skin)
  const left = ((to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x)) / length
  // Edge 0 of a line is its right side, edge 1 its left; a polygon's skin may be on either, by its winding.
  if (isLine) return Math.abs(left - (index === 0 ? -skin : skin))
  return Math.abs(Math.abs(left) - skin)
}

function nextDistinct(vertices: readonly Vec2[], index: number): Vec2 {
  const from = vertices[index]
  for (let step = 1; step < vertices.length; step++) {
    const to = vertices[(index + step) % vertices.length]
    if (to.x !== from.x || to.y !== from.y) return to
  }
  return from
}
