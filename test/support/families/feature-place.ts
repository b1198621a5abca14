/** Where a named feature of a body lies in the world, by the conventions that the schemas describe. */
import type { Body2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { measuredBody } from '../../oracle/measured-bodies.ts'
import { positionOf, turnedVector } from './transform.ts'

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
    case 'chain':
      return shape.vertices
    case 'region':
      return [shape.outer, ...(shape.holes ?? [])].flat()
    default:
      return []
  }
}

function worldVertices(body: Body2d): Vec2[] {
  const measured = measuredBody({ ...body, shape: { type: 'polygon', vertices: localVertices(body) } })
  return measured.kind === 'hull' ? measured.points : []
}

/** The child that a path leads to, as a body in the world. */
export function childAt(body: Body2d, path: readonly number[]): Body2d {
  if (path.length === 0) return body
  const { shape, rotation = 0 } = body
  if (shape.type !== 'compound') throw new Error(`a ${shape.type} has no child ${path[0]}`)
  const child = shape.children[path[0]]
  const { x, y } = turnedVector(positionOf(child), rotation)
  const position = { x: positionOf(body).x + x, y: positionOf(body).y + y }
  return childAt({ shape: child.shape, position, rotation: rotation + (child.rotation ?? 0) }, path.slice(1))
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
  const [ring, start] = ringOf(body, index, vertices)
  const to = isLine ? vertices[1] : nextDistinct(ring, index - start)
  const length = Math.hypot(to.x - from.x, to.y - from.y)
  if (length === 0) return Math.abs(Math.hypot(point.x - from.x, point.y - from.y) - skin)
  const left = ((to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x)) / length
  // Edge 0 of a line is its right side, edge 1 its left; a polygon's skin may be on either, by its winding.
  if (isLine) return Math.abs(left - (index === 0 ? -skin : skin))
  return Math.abs(Math.abs(left) - skin)
}

/** The vertices that an edge's end is among, and which is the first of them. */
function ringOf({ shape }: Body2d, index: number, vertices: readonly Vec2[]): [readonly Vec2[], number] {
  if (shape.type !== 'region') return [vertices, 0]
  let start = 0
  for (const { length } of [shape.outer, ...(shape.holes ?? [])]) {
    if (index < start + length) return [vertices.slice(start, start + length), start]
    start += length
  }
  return [vertices, 0]
}

function nextDistinct(vertices: readonly Vec2[], index: number): Vec2 {
  const from = vertices[index]
  for (let step = 1; step < vertices.length; step++) {
    const to = vertices[(index + step) % vertices.length]
    if (to.x !== from.x || to.y !== from.y) return to
  }
  return from
}
