/**
 * Decodes bodies in space: wire body → core body, or the problem and the place in the body where it lies.
 *
 * The schema has settled types, signs of sizes and counts. Decoding checks what needs arithmetic: magnitudes, inverted boxes, zero
 * normals, lengths of orientations. The core never checks again. Slots are bodies at module level that each request overwrites; the
 * largest hull makes one of 200 kilobytes, so they keep the memory that they have grown to.
 */

import {
  type Body3d,
  type CompoundShape3d,
  type ConvexShape3d,
  MAX_HULL_POINTS,
  type MovingBody3d,
  type Shape3d,
} from '../../schemas/shapes3d.ts'
import type { Quaternion, Vec3 } from '../../schemas/vector.ts'
import { spend } from '../containers/budget.ts'
import { createPlacement, type Placement } from '../core3d/mesh/mesh.ts'
import { type Body, type Composite, createBody, setPose } from '../core3d/shape/body.ts'
import {
  addConvexPart,
  addMeshPart,
  beginComposite,
  finishComposite,
  rootPlacement,
  setChildPlacement,
  setMesh,
} from '../core3d/shape/composite.ts'
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
import { checkParts, tooManyVertices } from './body.ts'
import {
  type DecodeProblem,
  inRange,
  isProblem,
  outOfRange,
  problemAt,
  under,
  vectorOutOfRange,
} from './decode-problem.ts'
import { decodeMesh } from './mesh-3d.ts'
import { unputShape } from './shape-source.ts'

/** A slot keeps the memory of a composite with up to so many parts and leaves for the next one. */
const KEPT_PARTS = 64
const KEPT_LEAVES = 2 ** 14

const slots: Body[] = []
/** As in `body.ts`. */
let haveComposites = false

/** A slot for a module to keep. Its content is valid until the request is answered. */
export function createSlot(): Body {
  const slot = createBody()
  slots.push(slot)
  return slot
}

/** Call this after each request: slots live as long as the process and would keep the largest meshes that they ever held. */
export function releaseSlots(): void {
  if (!haveComposites) return
  haveComposites = false
  for (const slot of slots) {
    const { composite } = slot
    if (composite === null) continue
    if (composite.partCount > KEPT_PARTS) slot.composite = null
    // without its meshes
    else if (composite.leafCount > KEPT_LEAVES) beginComposite(slot)
  }
}

/** The configured limits of shapes. */
export interface ShapeLimits {
  readonly maxVertices: number
  readonly maxParts: number
}

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
export function decodeBody(wire: Body3d, slot: Body, limits: ShapeLimits): DecodeProblem | null {
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
  return under('/shape', decodeShape(shape, slot, limits))
}

/** Fills `slot` and `motion`; null when all is well. */
export function decodeMovingBody(
  wire: MovingBody3d,
  slot: Body,
  motion: Motion,
  limits: ShapeLimits,
): DecodeProblem | null {
  return decodeMotion(wire, motion) ?? decodeBody(wire, slot, limits)
}

/** Fills `out` with the motion of the body; null when all is well. */
export function decodeMotion(
  { velocity = ORIGIN, angularVelocity = ORIGIN }: Pick<MovingBody3d, 'velocity' | 'angularVelocity'>,
  out: Motion,
): DecodeProblem | null {
  if (!isVectorInRange(velocity)) return vectorOutOfRange(velocity, '/velocity', 'Velocities')
  if (!isVectorInRange(angularVelocity)) {
    return vectorOutOfRange(angularVelocity, '/angularVelocity', 'Angular velocities')
  }
  out.vx = velocity.x
  out.vy = velocity.y
  out.vz = velocity.z
  out.wx = angularVelocity.x
  out.wy = angularVelocity.y
  out.wz = angularVelocity.z
  return null
}

export function checkOrientation({ x, y, z, w }: Quaternion): DecodeProblem | null {
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

/** Fills `slot`, whose pose is set; null when all is well. */
function decodeShape(shape: Shape3d, slot: Body, limits: ShapeLimits): DecodeProblem | null {
  switch (shape.type) {
    case 'mesh':
    case 'heightfield': {
      const mesh = decodeMesh(shape, limits.maxVertices)
      if (isProblem(mesh)) return mesh
      haveComposites = true
      setMesh(slot, mesh)
      return null
    }
    case 'compound':
      return decodeCompound(shape, slot, limits)
    default:
      return decodeConvex(shape, slot, limits.maxVertices)
  }
}

/** Fills `slot`, whose pose is set; null when all is well. `maxVertices`: the configured limit. */
export function decodeConvex(shape: ConvexShape3d, slot: Body, maxVertices: number): DecodeProblem | null {
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
    default:
      return unputShape(shape, '3d')
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

// Compounds: their children one after the other, those of nested ones in the place of these. Pointers are relative to the shape.

const NO_PATH: readonly number[] = []

function decodeCompound(shape: CompoundShape3d, slot: Body, limits: ShapeLimits): DecodeProblem | null {
  const tooMany = checkParts(shape, limits.maxParts)
  if (tooMany !== null) return tooMany
  haveComposites = true
  const composite = beginComposite(slot)
  // whatever ends the work, no slot has half of one
  slot.composite = null
  const placement = createPlacement()
  rootPlacement(slot, placement)
  const problem = addChildren(composite, shape, placement, NO_PATH, limits)
  if (problem !== null) return problem
  slot.composite = composite
  finishComposite(slot)
  return null
}

function addChildren(
  composite: Composite,
  { children }: CompoundShape3d,
  placement: Placement,
  path: readonly number[],
  limits: ShapeLimits,
): DecodeProblem | null {
  for (let i = 0; i < children.length; i++) {
    const problem = addChild(composite, children[i], placement, [...path, i], limits)
    if (problem !== null) return under(`/children/${i}`, problem)
  }
  return null
}

function addChild(
  composite: Composite,
  { shape, position: place = ORIGIN, orientation }: Body3d,
  parent: Placement,
  path: readonly number[],
  limits: ShapeLimits,
): DecodeProblem | null {
  spend(2 * STEPS_PER_BODY)
  if (!isVectorInRange(place)) return vectorOutOfRange(place, '/position')
  if (orientation !== undefined) {
    const problem = checkOrientation(orientation)
    if (problem !== null) return problem
    if (shape.type === 'aabb' && isTurn(orientation)) return turnedAabb()
  }
  if (shape.type === 'aabb' && parent.turns) return aabbInTurned()
  const placement = createPlacement()
  const { x, y, z, w } = orientation ?? NO_TURN
  setChildPlacement(placement, parent, take(place, first), orientation === undefined ? undefined : [x, y, z, w])
  switch (shape.type) {
    case 'compound':
      return under('/shape', addChildren(composite, shape, placement, path, limits))
    case 'mesh':
    case 'heightfield': {
      const mesh = decodeMesh(shape, limits.maxVertices)
      if (isProblem(mesh)) return under('/shape', mesh)
      addMeshPart(composite, mesh, placement, path)
      return null
    }
    default:
      return under('/shape', decodeConvex(shape, addConvexPart(composite, placement, path), limits.maxVertices))
  }
}

const NO_TURN: Quaternion = { x: 0, y: 0, z: 0, w: 1 }

function aabbInTurned(): DecodeProblem {
  const detail = 'An aabb takes no orientation, but a compound around it has one: use a box or a hull.'
  return problemAt('/shape', 'aabb-rotated', detail)
}
