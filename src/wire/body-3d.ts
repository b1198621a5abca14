/**
 * Decodes bodies in space: wire body → core body, or the problem and the place in the body where it lies.
 *
 * The schema has settled types, signs of sizes and counts. Decoding checks what needs arithmetic: magnitudes, inverted boxes, zero
 * normals, lengths of orientations. The core never checks again. Slots are bodies at module level that each request overwrites; the
 * largest hull makes one of 200 kilobytes, so they keep the memory that they have grown to.
 */

import { type Body3d, MAX_HULL_POINTS, type MovingBody3d, type Shape3d } from '../../schemas/shapes3d.ts'
import type { Quaternion, Vec3 } from '../../schemas/vector.ts'
import { spend } from '../containers/budget.ts'
import { type Body, setPose } from '../core3d/shape/body.ts'
import type { Motion } from '../core3d/shape/motion.ts'
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
} from '../core3d/shape/shapes.ts'
import { tooManyVertices } from './body.ts'
import { type DecodeProblem, inRange, outOfRange, problemAt, under, vectorOutOfRange } from './decode-problem.ts'

/** Steps to decode a body; each point of a hull takes a few more. */
const STEPS_PER_BODY = 8

/** How far the length of an orientation may be from 1. */
const ORIENTATION_TOLERANCE = 1e-3

const ORIGIN: Vec3 = { x: 0, y: 0, z: 0 }

const position: [number, number, number] = [0, 0, 0]
const turn: [number, number, number, number] = [0, 0, 0, 1]
const still = { position }
const turned = { position, orientation: turn }

/** Fills `slot`; null when all is well. */
export function decodeBody(
  wire: Body3d,
  slot: Body,
  { maxVertices }: { readonly maxVertices: number },
): DecodeProblem | null {
  const { shape, position: place = ORIGIN, orientation } = wire
  spend(STEPS_PER_BODY)
  if (!isVectorInRange(place)) return vectorOutOfRange(place, '/position')
  position[0] = place.x
  position[1] = place.y
  position[2] = place.z
  if (orientation === undefined) setPose(slot, still)
  else {
    const problem = checkOrientation(orientation)
    if (problem !== null) return problem
    if (shape.type === 'aabb' && isTurn(orientation)) return turnedAabb()
    turn[0] = orientation.x
    turn[1] = orientation.y
    turn[2] = orientation.z
    turn[3] = orientation.w
    setPose(slot, turned)
  }
  return under('/shape', decodeShape(shape, slot, maxVertices))
}

/** Fills `slot` and `motion`; null when all is well. */
export function decodeMovingBody(
  wire: MovingBody3d,
  slot: Body,
  motion: Motion,
  limits: { readonly maxVertices: number },
): DecodeProblem | null {
  const { velocity = ORIGIN, angularVelocity = ORIGIN } = wire
  if (!isVectorInRange(velocity)) return vectorOutOfRange(velocity, '/velocity', 'Velocities')
  if (!isVectorInRange(angularVelocity)) {
    return vectorOutOfRange(angularVelocity, '/angularVelocity', 'Angular velocities')
  }
  motion.vx = velocity.x
  motion.vy = velocity.y
  motion.vz = velocity.z
  motion.wx = angularVelocity.x
  motion.wy = angularVelocity.y
  motion.wz = angularVelocity.z
  return decodeBody(wire, slot, limits)
}

function checkOrientation({ x, y, z, w }: Quaternion): DecodeProblem | null {
  const length = Math.hypot(x, y, z, w)
  if (Math.abs(length - 1) <= ORIENTATION_TOLERANCE) return null
  // what is beyond the doubles is no number to tell of
  const shown = Number.isFinite(length) ? `length ${length}` : 'a length that no double holds'
  const detail = `An orientation must be a quaternion of length 1, to within ${ORIENTATION_TOLERANCE}, got one of ${shown}.`
  return problemAt('/orientation', 'orientation-not-unit', detail)
}

/** Whether the orientation turns anything. */
function isTurn({ x, y, z }: Quaternion): boolean {
  return x !== 0 || y !== 0 || z !== 0
}

function turnedAabb(): DecodeProblem {
  const detail = 'A body with an aabb takes no orientation: leave orientation out, or use a box or a hull.'
  return problemAt('/orientation', 'aabb-rotated', detail)
}

// Shapes. Pointers are relative to the shape.

export const AXES_3D = ['x', 'y', 'z'] as const

type Triple = [number, number, number]

const hullPoints = new Float64Array(3 * MAX_HULL_POINTS)
const first: Triple = [0, 0, 0]
const second: Triple = [0, 0, 0]
const third: Triple = [0, 0, 0]

/** Fills `slot`, whose pose is set; null when all is well. `maxVertices`: the configured limit. */
function decodeShape(shape: Shape3d, slot: Body, maxVertices: number): DecodeProblem | null {
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

/** Whether every coordinate is in the accepted range. */
function isVectorInRange({ x, y, z }: Vec3): boolean {
  return inRange(x) && inRange(y) && inRange(z)
}

/** Writes the points to `out` as x, y, z, …; null when all is well. */
export function decodePoints(points: readonly Vec3[], pointer: string, out: Float64Array): DecodeProblem | null {
  spend(2 * points.length)
  for (let i = 0; i < points.length; i++) {
    const point = points[i]
    if (!isVectorInRange(point)) return vectorOutOfRange(point, `${pointer}/${i}`)
    out[3 * i] = point.x
    out[3 * i + 1] = point.y
    out[3 * i + 2] = point.z
  }
  return null
}
