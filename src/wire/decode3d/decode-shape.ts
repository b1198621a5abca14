/**
 * Wire shape → core shape, of shapes in space, or the problem with the place it lies at (relative to the shape).
 *
 * The schema has already settled types, signs of sizes and counts; what is left needs arithmetic: magnitudes, inverted boxes, zero
 * normals. After this nothing is malformed, so the core never checks again.
 */

import { MAX_HULL_POINTS, type Shape3d } from '../../../schemas/shapes3d.ts'
import type { Vec3 } from '../../../schemas/vector.ts'
import type { Body } from '../../core3d/shape/body.ts'
import {
  setAabb,
  setBox,
  setCapsule,
  setCone,
  setCylinder,
  setEllipsoid,
  setHalfspace,
  setHull,
  setPoint,
  setSphere,
  setTriangle,
} from '../../core3d/shape/shapes.ts'
import { tooManyVertices } from '../decode/decode-convex.ts'
import { type DecodeProblem, inRange, outOfRange, problemAt } from '../problems/decode-problem.ts'
import { decodePoints, isVectorInRange, vectorOutOfRange } from './vectors.ts'

export const AXES_3D = ['x', 'y', 'z'] as const

type Triple = [number, number, number]

const hullPoints = new Float64Array(3 * MAX_HULL_POINTS)
const first: Triple = [0, 0, 0]
const second: Triple = [0, 0, 0]
const third: Triple = [0, 0, 0]

/** Fills `slot`, whose pose is set; null when all is well. `maxVertices`: the configured limit. */
export function decodeShape(shape: Shape3d, slot: Body, maxVertices: number): DecodeProblem | null {
  switch (shape.type) {
    case 'point':
      setPoint(slot)
      return null
    case 'sphere':
      if (!inRange(shape.radius)) return outOfRange(shape.radius, '/radius')
      setSphere(slot, shape.radius)
      return null
    case 'segment':
      return decodeCapsule(shape.a, shape.b, 0, slot)
    case 'capsule':
      return decodeCapsule(shape.a, shape.b, shape.radius, slot)
    case 'triangle':
      return decodeTriangle(shape.a, shape.b, shape.c, slot)
    case 'box':
      return decodeBox(shape.size, shape.radius ?? 0, slot)
    case 'aabb':
      return decodeAabb(shape.min, shape.max, slot)
    case 'cylinder':
    case 'cone':
      if (!inRange(shape.radius)) return outOfRange(shape.radius, '/radius')
      if (!inRange(shape.height)) return outOfRange(shape.height, '/height')
      if (shape.type === 'cylinder') setCylinder(slot, shape.radius, shape.height, shape.axis ?? 'y')
      else setCone(slot, shape.radius, shape.height, shape.axis ?? 'y')
      return null
    case 'ellipsoid':
      if (!isVectorInRange(shape.radii)) return vectorOutOfRange(shape.radii, '/radii')
      setEllipsoid(slot, take(shape.radii, first))
      return null
    case 'hull':
      return decodeHull(shape.points, shape.radius ?? 0, slot, maxVertices)
    case 'halfspace':
      return decodeHalfspace(shape.normal, shape.offset, slot)
  }
}

/** The vector as the core takes it. */
function take({ x, y, z }: Vec3, out: Triple): Triple {
  out[0] = x
  out[1] = y
  out[2] = z
  return out
}

function decodeCapsule(a: Vec3, b: Vec3, radius: number, slot: Body): DecodeProblem | null {
  if (!isVectorInRange(a)) return vectorOutOfRange(a, '/a')
  if (!isVectorInRange(b)) return vectorOutOfRange(b, '/b')
  if (!inRange(radius)) return outOfRange(radius, '/radius')
  setCapsule(slot, take(a, first), take(b, second), radius)
  return null
}

function decodeTriangle(a: Vec3, b: Vec3, c: Vec3, slot: Body): DecodeProblem | null {
  if (!isVectorInRange(a)) return vectorOutOfRange(a, '/a')
  if (!isVectorInRange(b)) return vectorOutOfRange(b, '/b')
  if (!isVectorInRange(c)) return vectorOutOfRange(c, '/c')
  setTriangle(slot, take(a, first), take(b, second), take(c, third))
  return null
}

function decodeBox(size: Vec3, radius: number, slot: Body): DecodeProblem | null {
  if (!isVectorInRange(size)) return vectorOutOfRange(size, '/size')
  if (!inRange(radius)) return outOfRange(radius, '/radius')
  setBox(slot, take(size, first), radius)
  return null
}

function decodeAabb(min: Vec3, max: Vec3, slot: Body): DecodeProblem | null {
  if (!isVectorInRange(min)) return vectorOutOfRange(min, '/min')
  if (!isVectorInRange(max)) return vectorOutOfRange(max, '/max')
  for (const axis of AXES_3D) {
    if (min[axis] > max[axis]) return invertedAabb(min, max, axis)
  }
  setAabb(slot, take(min, first), take(max, second))
  return null
}

export function invertedAabb(min: Vec3, max: Vec3, axis: 'x' | 'y' | 'z'): DecodeProblem {
  const detail = `min.${axis} must not exceed max.${axis}, got ${min[axis]} and ${max[axis]}.`
  return problemAt(`/min/${axis}`, 'aabb-inverted', detail)
}

function decodeHull(points: readonly Vec3[], radius: number, slot: Body, maxVertices: number): DecodeProblem | null {
  const { length: count } = points
  if (count > maxVertices) return tooManyVertices('A hull', '/points', maxVertices, count)
  if (!inRange(radius)) return outOfRange(radius, '/radius')
  const problem = decodePoints(points, '/points', hullPoints)
  if (problem !== null) return problem
  setHull(slot, hullPoints, count, radius)
  return null
}

function decodeHalfspace(normal: Vec3, offset: number, slot: Body): DecodeProblem | null {
  if (!isVectorInRange(normal)) return vectorOutOfRange(normal, '/normal')
  if (!inRange(offset)) return outOfRange(offset, '/offset')
  if (normal.x === 0 && normal.y === 0 && normal.z === 0) return zeroNormal()
  setHalfspace(slot, take(normal, first), offset)
  return null
}

export function zeroNormal(): DecodeProblem {
  return problemAt('/normal', 'halfspace-normal-zero', 'The normal of a halfspace must not be the zero vector.')
}
