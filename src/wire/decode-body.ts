/**
 * Wire body → core body, or the geometric problem with the place it lies at.
 *
 * The schema has already settled types, signs of sizes and counts; what is left needs arithmetic: magnitudes, inverted
 * boxes, rotated aabbs, zero normals, convexity. After this nothing is malformed, so the core never checks again.
 */
import type { Body2d } from '../../schemas/body.ts'
import type { ProblemCode } from '../../schemas/problem.ts'
import type { Shape2d } from '../../schemas/shape.ts'
import { MAX_POLYGON_VERTICES } from '../../schemas/straight-shape.ts'
import type { Vec2 } from '../../schemas/vec2.ts'
import { type Body, setBox, setCapsule, setCircle, setEllipse, setHalfplane, setPose } from '../core2d/body.ts'
import { setPolygon } from '../core2d/convexity.ts'
import { vertexFeature } from '../core2d/feature.ts'

/** Largest magnitude of a coordinate, size or angle: far enough from overflow that no answer meets it. */
export const MAX_COORDINATE = 1e100

export interface DecodeProblem {
  code: ProblemCode
  /** JSON pointer relative to the body. */
  pointer: string
  detail: string
  limit?: number
  actual?: number
}

const points = new Float64Array(2 * MAX_POLYGON_VERTICES)

/** Fills `slot`; null when all is well. `maxVertices`: the configured limit of polygons. */
export function decodeBody(wire: Body2d, slot: Body, maxVertices = MAX_POLYGON_VERTICES): DecodeProblem | null {
  const { shape, position, rotation } = wire
  let x = 0
  let y = 0
  if (position !== undefined) {
    x = position.x
    y = position.y
    if (!inRange(x) || !inRange(y)) return vectorOutOfRange(position, '/position')
  }
  const angle = rotation ?? 0
  if (!inRange(angle)) return outOfRange(angle, '/rotation')
  setPose(slot, x, y, angle)
  return decodeShape(shape, slot, maxVertices)
}

function decodeShape(shape: Shape2d, slot: Body, maxVertices: number): DecodeProblem | null {
  switch (shape.type) {
    case 'point':
      setCircle(slot, 0, vertexFeature(0))
      return null
    case 'circle':
      if (!inRange(shape.radius)) return outOfRange(shape.radius, '/shape/radius')
      setCircle(slot, shape.radius)
      return null
    case 'segment':
      return decodeCapsule(shape.a, shape.b, 0, slot)
    case 'capsule':
      return decodeCapsule(shape.a, shape.b, shape.radius, slot)
    case 'box':
      return decodeBox(shape.width, shape.height, shape.radius ?? 0, slot)
    case 'aabb':
      return decodeAabb(shape.min, shape.max, slot)
    case 'polygon':
      return decodePolygon(shape.vertices, shape.radius ?? 0, slot, maxVertices)
    case 'ellipse':
      if (!inRange(shape.rx)) return outOfRange(shape.rx, '/shape/rx')
      if (!inRange(shape.ry)) return outOfRange(shape.ry, '/shape/ry')
      setEllipse(slot, shape.rx, shape.ry)
      return null
    case 'halfplane':
      return decodeHalfplane(shape.normal, shape.offset, slot)
  }
}

function decodeCapsule(a: Vec2, b: Vec2, radius: number, slot: Body): DecodeProblem | null {
  if (!inRange(a.x) || !inRange(a.y)) return vectorOutOfRange(a, '/shape/a')
  if (!inRange(b.x) || !inRange(b.y)) return vectorOutOfRange(b, '/shape/b')
  if (!inRange(radius)) return outOfRange(radius, '/shape/radius')
  setCapsule(slot, a.x, a.y, b.x, b.y, radius)
  return null
}

function decodeBox(width: number, height: number, radius: number, slot: Body): DecodeProblem | null {
  if (!inRange(width)) return outOfRange(width, '/shape/width')
  if (!inRange(height)) return outOfRange(height, '/shape/height')
  if (!inRange(radius)) return outOfRange(radius, '/shape/radius')
  setBox(slot, -width / 2, -height / 2, width / 2, height / 2, radius)
  return null
}

function decodeAabb(min: Vec2, max: Vec2, slot: Body): DecodeProblem | null {
  if (!inRange(min.x) || !inRange(min.y)) return vectorOutOfRange(min, '/shape/min')
  if (!inRange(max.x) || !inRange(max.y)) return vectorOutOfRange(max, '/shape/max')
  for (const axis of ['x', 'y'] as const) {
    if (min[axis] <= max[axis]) continue
    const detail = `min.${axis} must not exceed max.${axis}, got ${min[axis]} and ${max[axis]}.`
    return { code: 'aabb-inverted', pointer: `/shape/min/${axis}`, detail }
  }
  if (slot.sin !== 0 || slot.cos !== 1) {
    const detail = 'A body with an aabb takes no rotation: leave rotation out, or use a box or a polygon.'
    return { code: 'aabb-rotated', pointer: '/rotation', detail }
  }
  setBox(slot, min.x, min.y, max.x, max.y, 0)
  return null
}

function decodePolygon(vertices: Vec2[], radius: number, slot: Body, maxVertices: number): DecodeProblem | null {
  const count = vertices.length
  if (count > maxVertices) {
    const detail = `A polygon may have at most ${maxVertices} vertices, got ${count}.`
    return { code: 'too-many-vertices', pointer: '/shape/vertices', detail, limit: maxVertices, actual: count }
  }
  if (!inRange(radius)) return outOfRange(radius, '/shape/radius')
  for (let i = 0; i < count; i++) {
    const { x, y } = vertices[i]
    if (!inRange(x) || !inRange(y)) return vectorOutOfRange(vertices[i], `/shape/vertices/${i}`)
    points[2 * i] = x
    points[2 * i + 1] = y
  }
  const reflex = setPolygon(slot, points, count, radius)
  if (reflex < 0) return null
  const { x, y } = vertices[reflex]
  const detail = `A polygon must be convex, but its outline turns the wrong way at vertex ${reflex} (${x}, ${y}).`
  return { code: 'polygon-not-convex', pointer: `/shape/vertices/${reflex}`, detail }
}

function decodeHalfplane(normal: Vec2, offset: number, slot: Body): DecodeProblem | null {
  if (!inRange(normal.x) || !inRange(normal.y)) return vectorOutOfRange(normal, '/shape/normal')
  if (!inRange(offset)) return outOfRange(offset, '/shape/offset')
  if (normal.x === 0 && normal.y === 0) {
    const detail = 'The normal of a halfplane must not be the zero vector.'
    return { code: 'halfplane-normal-zero', pointer: '/shape/normal', detail }
  }
  setHalfplane(slot, normal.x, normal.y, offset)
  return null
}

export function inRange(value: number): boolean {
  return Math.abs(value) <= MAX_COORDINATE
}

export function vectorOutOfRange(vector: Vec2, pointer: string): DecodeProblem {
  return inRange(vector.x) ? outOfRange(vector.y, `${pointer}/y`) : outOfRange(vector.x, `${pointer}/x`)
}

function outOfRange(actual: number, pointer: string): DecodeProblem {
  const detail = `Coordinates and sizes may reach ${MAX_COORDINATE} in magnitude, got ${actual}.`
  return { code: 'coordinate-out-of-range', pointer, detail, limit: MAX_COORDINATE, actual }
}
