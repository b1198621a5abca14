/**
 * Wire shape → core shape, of the shapes that are convex, or the problem with the place it lies at (relative to the shape).
 *
 * The schema has already settled types, signs of sizes and counts; what is left needs arithmetic: magnitudes, inverted
 * boxes, zero normals, convexity.
 */

import { MAX_POLYGON_VERTICES, type Shape2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { spend } from '../../containers/budget.ts'
import { vertexFeature } from '../../core2d/feature.ts'
import { createOutline } from '../../core2d/outline/outline.ts'
import { setRegion } from '../../core2d/outline/region.ts'
import { createOutlineFault } from '../../core2d/outline/ring-check.ts'
import { type Body, setBox, setCapsule, setCircle, setEllipse, setHalfplane } from '../../core2d/shape/body.ts'
import { setPolygon } from '../../core2d/shape/polygon.ts'
import { type DecodeProblem, inRange, outOfRange, problemAt, vectorOutOfRange } from '../problems/decode-problem.ts'
import { describeCrossing } from './ring-fault.ts'

export type ConvexShape = Exclude<Shape2d, { type: 'chain' | 'region' | 'compound' }>

const fault = createOutlineFault()
const points = new Float64Array(2 * MAX_POLYGON_VERTICES)

/** Fills `slot`, whose pose is set; null when all is well. `maxVertices`: the configured limit. */
export function decodeConvex(shape: ConvexShape, slot: Body, maxVertices: number): DecodeProblem | null {
  switch (shape.type) {
    case 'point':
      setCircle(slot, 0, vertexFeature(0))
      return null
    case 'circle':
      if (!inRange(shape.radius)) return outOfRange(shape.radius, '/radius')
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
      if (!inRange(shape.rx)) return outOfRange(shape.rx, '/rx')
      if (!inRange(shape.ry)) return outOfRange(shape.ry, '/ry')
      setEllipse(slot, shape.rx, shape.ry)
      return null
    case 'halfplane':
      return decodeHalfplane(shape.normal, shape.offset, slot)
  }
}

function decodeCapsule(a: Vec2, b: Vec2, radius: number, slot: Body): DecodeProblem | null {
  if (!inRange(a.x) || !inRange(a.y)) return vectorOutOfRange(a, '/a')
  if (!inRange(b.x) || !inRange(b.y)) return vectorOutOfRange(b, '/b')
  if (!inRange(radius)) return outOfRange(radius, '/radius')
  setCapsule(slot, a.x, a.y, b.x, b.y, radius)
  return null
}

function decodeBox(width: number, height: number, radius: number, slot: Body): DecodeProblem | null {
  if (!inRange(width)) return outOfRange(width, '/width')
  if (!inRange(height)) return outOfRange(height, '/height')
  if (!inRange(radius)) return outOfRange(radius, '/radius')
  setBox(slot, -width / 2, -height / 2, width / 2, height / 2, radius)
  return null
}

function decodeAabb(min: Vec2, max: Vec2, slot: Body): DecodeProblem | null {
  if (!inRange(min.x) || !inRange(min.y)) return vectorOutOfRange(min, '/min')
  if (!inRange(max.x) || !inRange(max.y)) return vectorOutOfRange(max, '/max')
  for (const axis of AXES) {
    if (min[axis] > max[axis]) return invertedAabb(min, max, axis)
  }
  setBox(slot, min.x, min.y, max.x, max.y, 0)
  return null
}

export const AXES = ['x', 'y'] as const

export function invertedAabb(min: Vec2, max: Vec2, axis: 'x' | 'y'): DecodeProblem {
  const detail = `min.${axis} must not exceed max.${axis}, got ${min[axis]} and ${max[axis]}.`
  return problemAt(`/min/${axis}`, 'aabb-inverted', detail)
}

function decodePolygon(vertices: Vec2[], radius: number, slot: Body, maxVertices: number): DecodeProblem | null {
  const count = vertices.length
  if (count > maxVertices) return tooManyVertices('A polygon', '/vertices', maxVertices, count)
  if (!inRange(radius)) return outOfRange(radius, '/radius')
  spend(2 * count)
  for (let i = 0; i < count; i++) {
    const { x, y } = vertices[i]
    if (!inRange(x) || !inRange(y)) return vectorOutOfRange(vertices[i], `/vertices/${i}`)
    points[2 * i] = x
    points[2 * i + 1] = y
  }
  const reflex = setPolygon(slot, points, count, radius)
  if (reflex < 0) return null
  return notConvex(vertices, reflex)
}

/** One that crosses itself cannot be sent as a region either. */
function notConvex(vertices: Vec2[], reflex: number): DecodeProblem {
  const starts = [0, vertices.length]
  if (!setRegion(createOutline(), points, starts, 1, 0, fault)) {
    const { detail, places } = describeCrossing(fault, () => '/vertices', starts)
    return {
      ok: false,
      code: 'polygon-not-convex',
      detail: `A polygon must be convex, and this one crosses itself. ${detail}`,
      places,
    }
  }
  const { x, y } = vertices[reflex]
  const detail = `A polygon must be convex, but its outline turns the wrong way at vertex ${reflex} (${x}, ${y}); a concave one is sent as a region.`
  return problemAt(`/vertices/${reflex}`, 'polygon-not-convex', detail)
}

function decodeHalfplane(normal: Vec2, offset: number, slot: Body): DecodeProblem | null {
  if (!inRange(normal.x) || !inRange(normal.y)) return vectorOutOfRange(normal, '/normal')
  if (!inRange(offset)) return outOfRange(offset, '/offset')
  if (normal.x === 0 && normal.y === 0) return zeroNormal()
  setHalfplane(slot, normal.x, normal.y, offset)
  return null
}

export function zeroNormal(): DecodeProblem {
  return problemAt('/normal', 'halfplane-normal-zero', 'The normal of a halfplane must not be the zero vector.')
}

export function tooManyVertices(what: string, pointer: string, limit: number, actual: number): DecodeProblem {
  const detail = `${what} may have at most ${limit} vertices, got ${actual}.`
  return problemAt(pointer, 'too-many-vertices', detail, { limit, actual })
}
