/**
 * The bounds query: the least box along the axes of the world that holds a convex body, or everything it covers while it moves.
 *
 * Method: the box of the body about its position, by its kind (`shape/kinds.ts`), moved there as an exact sum and rounded outward. The
 * sides of a curved body at an angle are roots, and widened by what rounding may have cut off; so are those of a body that turns
 * (`turning.ts`).
 * Frame: world. Half-spaces are unbounded but for the side that one along an axis ends at.
 */

import { productError, sumError } from '../../numeric/expansion.ts'
import {
  ANCHOR,
  type Body,
  CENTER,
  HALFSPACE,
  NORMAL,
  OFFSET,
  POINTS,
  POSITION,
  RADIUS,
  REACH,
  VERTICES,
} from '../shape/body.ts'
import { kindOf } from '../shape/kinds.ts'
import type { Motion } from '../shape/motion.ts'
import { BOX_ERROR_RATIO } from '../tolerances.ts'
import { createTurning, highestTurning, setTurning } from './turning.ts'

export interface Bounds {
  min: [number, number, number]
  max: [number, number, number]
}

export function createBounds(): Bounds {
  return { min: [0, 0, 0], max: [0, 0, 0] }
}

const box = new Float64Array(6)

const turning = createTurning()

/** Of everything that the body covers in the times [0, duration]. Cost O(points). */
export function motionBounds(body: Body, motion: Motion, duration: number, out: Bounds): void {
  const turns = setTurning(motion, duration, turning)
  if (body.kind === HALFSPACE) {
    boundHalfspace(body, out)
    if (turns && !isNormal(body, motion)) {
      out.min.fill(-Infinity)
      out.max.fill(Infinity)
      return
    }
  } else if (turns) {
    boundTurning(body, motion, out)
    return
  } else bounds(body, out)
  const speeds = [motion.vx, motion.vy, motion.vz]
  for (let k = 0; k < 3; k++) {
    const travel = speeds[k] * duration
    const rest = productError(speeds[k], duration, travel)
    if (travel < 0) out.min[k] = roundDown(out.min[k], travel, rest)
    else if (travel > 0) out.max[k] = -roundDown(-out.max[k], -travel, -rest)
  }
}

/** Whether a half-space turns about its own normal, which moves nothing. */
function isNormal({ numbers }: Body, { wx, wy, wz }: Motion): boolean {
  const x = numbers[NORMAL]
  const y = numbers[NORMAL + 1]
  const z = numbers[NORMAL + 2]
  return y * wz === z * wy && z * wx === x * wz && x * wy === y * wx
}

function boundTurning(body: Body, motion: Motion, out: Bounds): void {
  const { numbers } = body
  let reach = numbers[REACH]
  for (let k = 0; k < 3; k++) reach += Math.abs(numbers[ANCHOR + k] + numbers[CENTER + k])
  const speeds = [motion.vx, motion.vy, motion.vz]
  for (let k = 0; k < 3; k++) {
    const up = highestTurning(body, turning, k, 1, speeds[k])
    const down = highestTurning(body, turning, k, -1, -speeds[k])
    const pad = BOX_ERROR_RATIO * Math.max(Math.abs(up), Math.abs(down), reach)
    out.min[k] = roundDown(numbers[POSITION + k], -down, -pad)
    out.max[k] = -roundDown(-numbers[POSITION + k], -up, -pad)
  }
}

/** Of the body as it stands. Cost O(points). */
export function bounds(body: Body, out: Bounds): void {
  const { kind, numbers, aligned } = body
  kindOf(body).setBox(body, box)
  if (kind === HALFSPACE) {
    boundHalfspace(body, out)
    return
  }
  for (let k = 0; k < 3; k++) {
    const place = numbers[POSITION + k]
    if (kind === POINTS) {
      // Without its skin a side is one of the numbers, and with it an exact sum of three.
      const radius = numbers[RADIUS]
      out.min[k] = roundDown(place, sideOf(body, k, -1), -radius)
      out.max[k] = -roundDown(-place, -sideOf(body, k, 1), -radius)
    } else {
      const pad = aligned ? 0 : BOX_ERROR_RATIO * Math.max(-box[k], box[k + 3])
      out.min[k] = roundDown(place, box[k], -pad)
      out.max[k] = -roundDown(-place, -box[k + 3], -pad)
    }
  }
}

/** Least (side −1) or greatest coordinate of a core point, counted from the position. */
export function sideOf({ numbers, count }: Body, k: number, side: 1 | -1): number {
  let extreme = numbers[VERTICES + k]
  for (let i = VERTICES + k; i < VERTICES + 3 * count; i += 3) {
    if (side * numbers[i] > side * extreme) extreme = numbers[i]
  }
  return extreme
}

/** The greatest double that is no greater than a + b + c, or the one below it. */
function roundDown(a: number, b: number, c: number): number {
  const one = a + b
  const oneRest = sumError(a, b, one)
  const two = one + c
  const rest = sumError(one, c, two) + oneRest
  const sum = two + rest
  // Exact unless the two rests were rounded themselves, which only moves the side out by a unit more.
  if (!Number.isFinite(sum)) return one
  const lost = sumError(two, rest, sum)
  return lost < 0 || sumError(sumError(one, c, two), oneRest, rest) < 0 ? nextBelow(sum) : sum
}

/** The double below. */
function nextBelow(value: number): number {
  VIEW.setFloat64(0, value)
  const bits = VIEW.getBigInt64(0)
  if (value === 0) return -Number.MIN_VALUE
  VIEW.setBigInt64(0, value > 0 ? bits - 1n : bits + 1n)
  return VIEW.getFloat64(0)
}

const VIEW = new DataView(new ArrayBuffer(8))

function boundHalfspace({ numbers }: Body, out: Bounds): void {
  for (let k = 0; k < 3; k++) {
    const others = [0, 1, 2].filter((other) => other !== k)
    const isAlong = others.every((other) => numbers[NORMAL + other] === 0)
    const sign = Math.sign(numbers[NORMAL + k])
    const place = numbers[POSITION + k]
    out.min[k] = isAlong && sign < 0 ? roundDown(place, -numbers[OFFSET], 0) : -Infinity
    out.max[k] = isAlong && sign > 0 ? -roundDown(-place, -numbers[OFFSET], 0) : Infinity
  }
}
