/**
 * Wire body → core body, of bodies in space, or the problem with the place it lies at (relative to the body).
 *
 * Slots are bodies at module level, overwritten by each request. The largest hull makes one of 200 kilobytes, so they keep what they
 * have grown to.
 */

import type { Body3d, MovingBody3d } from '../../../schemas/shapes3d.ts'
import type { Quaternion, Vec3 } from '../../../schemas/vector.ts'
import { spend } from '../../containers/budget.ts'
import { type Body, setPose } from '../../core3d/shape/body.ts'
import type { Motion } from '../../core3d/shape/motion.ts'
import { type DecodeProblem, problemAt, under } from '../problems/decode-problem.ts'
import { decodeShape } from './decode-shape.ts'
import { isVectorInRange, vectorOutOfRange } from './vectors.ts'

/** What a body takes to decode; each point of a hull is a few steps more. */
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

/** Whether anything is turned by it. */
function isTurn({ x, y, z }: Quaternion): boolean {
  return x !== 0 || y !== 0 || z !== 0
}

function turnedAabb(): DecodeProblem {
  const detail = 'A body with an aabb takes no orientation: leave orientation out, or use a box or a hull.'
  return problemAt('/orientation', 'aabb-rotated', detail)
}
