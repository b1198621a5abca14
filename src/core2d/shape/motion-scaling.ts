/**
 * Moving pairs in units of their own: lengths and times divided by powers of two where products of sizes, speeds, spins and the
 * duration would over- or underflow. The answer in the caller's units is the same as without.
 */

import { evenExponent, scaleBy } from '../../numeric/safe-range.ts'
import { LARGEST_SAFE_RATE, SMALLEST_SAFE_RATE } from '../tolerances.ts'
import type { Body } from './body.ts'
import { pairExponent, scaleBody, sizeExponent } from './body-scaling.ts'
import type { Motion } from './motion.ts'

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
export interface ScaledMover {
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
