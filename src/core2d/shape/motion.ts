/**
 * Motion of a body: constant velocity of its position, constant angular velocity about its position (its local origin).
 * Units: length per second, radians per second, counter-clockwise positive. Frame: world.
 */

import { type InputRange, includeInput, type Ring } from '../../numeric/exact-ring.ts'
import { productError, sumError } from '../../numeric/expansion.ts'
import { evenExponent, scaleBy } from '../../numeric/safe-range.ts'
import { LARGEST_SAFE_RATE, SMALLEST_SAFE_RATE } from '../tolerances.ts'
import {
  ANCHOR_X,
  ANCHOR_Y,
  type Body,
  CENTER_X,
  CENTER_Y,
  COMPOSITE,
  COS,
  copyConvex,
  copyNames,
  isCored,
  LOCAL,
  NORMAL_X,
  NORMAL_Y,
  RADIUS,
  REACH,
  reservePoints,
  SIN,
  UNIT_X,
  UNIT_Y,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from './body.ts'
import { pairExponent, scaleBody, sizeExponent } from './body-scaling.ts'
import { copyLengths, kindOf } from './kinds.ts'

export interface Motion {
  vx: number
  vy: number
  spin: number
}

export function createMotion(): Motion {
  return { vx: 0, vy: 0, spin: 0 }
}

/** The convex body as it stands at time t if it does not spin, in `slot`. Cost O(vertices). */
export function moveAlong(body: Body, { vx, vy }: Motion, t: number, slot: Body): Body {
  if (t === 0 || (vx === 0 && vy === 0)) return body
  copyConvex(body, slot)
  slot.numbers[X] = body.numbers[X] + t * vx
  slot.numbers[Y] = body.numbers[Y] + t * vy
  return slot
}

/** Whether spinning moves any point of the body's surface: a circle about its own centre looks the same all the time. */
export function isMovedBySpin(body: Body, pivot: Body): boolean {
  if (body.kind === COMPOSITE || !kindOf(body).isRound(body)) return true
  return (
    body.numbers[X] - pivot.numbers[X] + (body.numbers[X_LOW] - pivot.numbers[X_LOW]) + body.numbers[ANCHOR_X] !== 0 ||
    body.numbers[Y] - pivot.numbers[Y] + (body.numbers[Y_LOW] - pivot.numbers[Y_LOW]) + body.numbers[ANCHOR_Y] !== 0
  )
}

/**
 * Writes the convex body `body` as it stands at time `t` into `slot`, and returns that. The pivot is the body itself, or
 * the composite whose leaf it is. Cost O(vertices).
 */
export function moveTurning(body: Body, motion: Motion, pivot: Body, t: number, slot: Body): Body {
  const angle = motion.spin * t
  const cos = angle === 0 ? 1 : Math.cos(angle)
  const sin = angle === 0 ? 0 : Math.sin(angle)
  const armX = body.numbers[X] - pivot.numbers[X] + (body.numbers[X_LOW] - pivot.numbers[X_LOW])
  const armY = body.numbers[Y] - pivot.numbers[Y] + (body.numbers[Y_LOW] - pivot.numbers[Y_LOW])
  if (body.count > 0) reservePoints(slot, body.count)
  slot.kind = body.kind
  slot.numbers[RADIUS] = body.numbers[RADIUS]
  slot.count = body.count
  slot.numbers[X_LOW] = body.numbers[X_LOW]
  slot.numbers[Y_LOW] = body.numbers[Y_LOW]
  slot.numbers[X] = body.numbers[X] + (motion.vx * t + ((cos - 1) * armX - sin * armY))
  slot.numbers[Y] = body.numbers[Y] + (motion.vy * t + ((cos - 1) * armY + sin * armX))
  turnBody(body, cos, sin, slot)
  if (isCored(body)) {
    for (let i = 0; i < 2 * body.count; i += 2) {
      const x = body.numbers[body.vertices + i]
      const y = body.numbers[body.vertices + i + 1]
      slot.numbers[slot.vertices + i] = cos * x - sin * y
      slot.numbers[slot.vertices + i + 1] = sin * x + cos * y
    }
    slot.numbers[ANCHOR_X] = slot.numbers[slot.vertices]
    slot.numbers[ANCHOR_Y] = slot.numbers[slot.vertices + 1]
    for (let i = 0; i < body.count; i++) slot.numbers[slot.offsets + i] = body.numbers[body.offsets + i]
    copyNames(body, slot)
  } else {
    slot.numbers[ANCHOR_X] = 0
    slot.numbers[ANCHOR_Y] = 0
    copyLengths(body, slot)
  }
  slot.numbers[REACH] = body.numbers[REACH]
  return slot
}

/** Writes into `out` what turning by (cos, sin) changes, the position and `vertices` aside. Cost O(vertices). */
export function turnBody(body: Body, cos: number, sin: number, out: Body): void {
  const { count } = body
  out.numbers[COS] = cos * body.numbers[COS] - sin * body.numbers[SIN]
  out.numbers[SIN] = sin * body.numbers[COS] + cos * body.numbers[SIN]
  if (count === 0) {
    out.numbers[NORMAL_X] = cos * body.numbers[NORMAL_X] - sin * body.numbers[NORMAL_Y]
    out.numbers[NORMAL_Y] = sin * body.numbers[NORMAL_X] + cos * body.numbers[NORMAL_Y]
    out.numbers[UNIT_X] = cos * body.numbers[UNIT_X] - sin * body.numbers[UNIT_Y]
    out.numbers[UNIT_Y] = sin * body.numbers[UNIT_X] + cos * body.numbers[UNIT_Y]
    return
  }
  const { normals, numbers } = body
  const to = out.numbers
  const toNormals = out.normals
  for (let i = 0; i < 2 * count; i += 2) {
    const x = numbers[LOCAL + i]
    const y = numbers[LOCAL + i + 1]
    to[LOCAL + i] = cos * x - sin * y
    to[LOCAL + i + 1] = sin * x + cos * y
    const nx = numbers[normals + i]
    const ny = numbers[normals + i + 1]
    to[toNormals + i] = cos * nx - sin * ny
    to[toNormals + i + 1] = sin * nx + cos * ny
  }
  out.numbers[CENTER_X] = cos * body.numbers[CENTER_X] - sin * body.numbers[CENTER_Y]
  out.numbers[CENTER_Y] = sin * body.numbers[CENTER_X] + cos * body.numbers[CENTER_Y]
}

// Moving pairs in units of their own: lengths and times divided by powers of two where products of sizes, speeds, spins and the
// duration would over- or underflow. The answer in the caller's units is the same as without.

/** Exponents of the units of length and time, and the duration in that unit. */
export interface MotionScale {
  length: number
  time: number
  duration: number
}

/** Largest exponents of scaled speeds and durations, of the way that a body makes against the other, and of how far it comes. */
const LARGEST_RATE_EXPONENT = 900
const LARGEST_WAY_EXPONENT = 480
const LARGEST_PLACE_EXPONENT = 1000

/** Exponent of what is 0. */
const NONE = -Infinity

/** Fills `out` and returns true when the motion is to be scaled. Cost O(1) when it is not. */
export function setMotionScale(
  a: Body,
  motionA: Motion,
  b: Body,
  motionB: Motion,
  duration: number,
  out: MotionScale,
): boolean {
  out.length = pairExponent(a, b)
  out.time = 0
  const relative = Math.max(Math.abs(motionA.vx - motionB.vx), Math.abs(motionA.vy - motionB.vy))
  const spin = Math.max(Math.abs(motionA.spin), Math.abs(motionB.spin))
  if (out.length === 0 && isSafeRate(relative) && isSafeRate(spin) && isSafeRate(duration)) return false
  const size = out.length === 0 ? sizeExponent(a, b) : out.length
  const speed = exponentOf(relative) - size
  const rate = Math.max(speed, exponentOf(spin))
  const speeds = Math.max(Math.abs(motionA.vx), Math.abs(motionA.vy), Math.abs(motionB.vx), Math.abs(motionB.vy))
  const fastest = exponentOf(speeds) - out.length
  // One radian, or one size of the pair, in a unit of time.
  out.time = Math.min(rate > NONE ? -rate : 0, LARGEST_RATE_EXPONENT - fastest)
  // Beyond that way the two have long passed each other; farther than the last no position reaches.
  const most = Math.min(
    LARGEST_WAY_EXPONENT - (speed + out.time),
    LARGEST_RATE_EXPONENT,
    LARGEST_PLACE_EXPONENT - (fastest + out.time),
  )
  out.duration = exponentOf(duration) - out.time > most ? 2 ** most : scaleBy(duration, -out.time)
  return out.length !== 0 || out.time !== 0
}

function isSafeRate(rate: number): boolean {
  return rate === 0 || (rate >= SMALLEST_SAFE_RATE && rate <= LARGEST_SAFE_RATE)
}

function exponentOf(value: number): number {
  return value === 0 ? NONE : evenExponent(value)
}

/** A moving body in those units, as new records. */
interface ScaledMover {
  body: Body
  motion: Motion
}

export function scaleMover(body: Body, { vx, vy, spin }: Motion, { length, time }: MotionScale): ScaledMover {
  const motion = {
    vx: scaleBy(vx, time - length),
    vy: scaleBy(vy, time - length),
    spin: scaleBy(spin, time),
  }
  return { body: scaleBody(body, length), motion }
}

// How far two bodies move relative to each other, exactly: (velocity of A − velocity of B) · duration as a sum of doubles.
// Frame: world.

/** Velocities of A and B, and the duration. */
export interface RelativeMotion {
  ax: number
  ay: number
  bx: number
  by: number
  duration: number
}

/** Terms of the displacement along each axis. */
export interface Displacement {
  x: number[]
  y: number[]
}

/** The displacement of A relative to B over the duration. */
export function displacementOf({ ax, ay, bx, by, duration }: RelativeMotion): Displacement {
  return { x: terms(ax, bx, duration), y: terms(ay, by, duration) }
}

function terms(a: number, b: number, duration: number): number[] {
  const difference = a - b
  const rest = sumError(a, -b, difference)
  const large = difference * duration
  const small = rest * duration
  return [large, productError(difference, duration, large), small, productError(rest, duration, small)].filter(
    (term) => term !== 0,
  )
}

/** All terms times 2^exponent; null when one of them would lose digits. */
export function scaleDisplacement({ x, y }: Displacement, exponent: number): Displacement | null {
  for (const value of [...x, ...y]) {
    const scaled = scaleBy(value, exponent)
    if (!Number.isFinite(scaled) || scaleBy(scaled, -exponent) !== value) return null
  }
  return { x: x.map((value) => scaleBy(value, exponent)), y: y.map((value) => scaleBy(value, exponent)) }
}

export function includeDisplacement(range: InputRange, { x, y }: Displacement): void {
  for (const value of x) includeInput(range, value)
  for (const value of y) includeInput(range, value)
}

/** The exact sum of the terms of one axis. */
export function exactSum<T>(ring: Ring<T>, values: readonly number[]): T {
  let sum = ring.integer(0)
  for (const value of values) sum = ring.add(sum, ring.of(value))
  return sum
}
