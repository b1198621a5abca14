/**
 * How a body moves: its position at constant velocity, itself turning about its position at constant speed round an axis that stands
 * still.
 *
 * Method: points are turned by the formula of O. Rodrigues (1840); each turn starts from the body as it was placed, so that nothing
 * adds up. Frame: world axes.
 */

import { spend } from '../../containers/budget.ts'
import { isSafeExtent, vectorLength } from '../../numeric/safe-range.ts'
import {
  ANCHOR,
  type Body,
  CENTER,
  CONE,
  CYLINDER,
  HALFSPACE,
  NORMAL,
  POINTS,
  RADIUS,
  REACH,
  ROTATION,
  reservePoints,
  UNIT,
  VERTICES,
} from './body.ts'
import { surfaceOf } from './core-surface.ts'

export interface Motion {
  /** Length per second. */
  vx: number
  vy: number
  vz: number
  /** The axis times radians per second, right-handed. */
  wx: number
  wy: number
  wz: number
}

export function createMotion(): Motion {
  return { vx: 0, vy: 0, vz: 0, wx: 0, wy: 0, wz: 0 }
}

/** Radians per second. */
function spinRate({ wx, wy, wz }: Motion): number {
  return vectorLength(vectorLength(wx, wy), wz)
}

/** Whether its spin moves any point of the body: not that of a ball about its middle, nor of a cylinder about its own axis. */
export function isTurnedBy({ kind, count, numbers }: Body, { wx, wy, wz }: Motion): boolean {
  if (wx === 0 && wy === 0 && wz === 0) return false
  if (kind === POINTS) {
    // Points on the axis stay.
    for (let at = VERTICES; at < VERTICES + 3 * count; at += 3) {
      if (!isParallel(numbers[at], numbers[at + 1], numbers[at + 2], wx, wy, wz)) return true
    }
    return false
  }
  if (kind === CYLINDER || kind === CONE) {
    const isAcross = !isParallel(numbers[ROTATION + 1], numbers[ROTATION + 4], numbers[ROTATION + 7], wx, wy, wz)
    return isAcross || !isParallel(numbers[ANCHOR], numbers[ANCHOR + 1], numbers[ANCHOR + 2], wx, wy, wz)
  }
  if (kind === HALFSPACE) return !isParallel(numbers[NORMAL], numbers[NORMAL + 1], numbers[NORMAL + 2], wx, wy, wz)
  return true
}

/** Radians per second; 0 where the spin moves no point of the body. */
export function turningRate(body: Body, motion: Motion): number {
  return isTurnedBy(body, motion) ? spinRate(motion) : 0
}

/** Whether two vectors are, if the rounded products say so: they are 0 for multiples along an axis, and where both are multiples of short numbers. */
export function isParallel(x: number, y: number, z: number, u: number, v: number, w: number): boolean {
  return y * w === z * v && z * u === x * w && x * v === y * u
}

/** No point of the body is farther from the axis through its position; of half-spaces, which have no end, Infinity. */
export function turningRadius({ kind, count, numbers }: Body, { wx, wy, wz }: Motion): number {
  if (kind === HALFSPACE) return Infinity
  if (kind !== POINTS) {
    return numbers[REACH] + vectorLength(vectorLength(numbers[ANCHOR], numbers[ANCHOR + 1]), numbers[ANCHOR + 2])
  }
  const largest = Math.max(Math.abs(wx), Math.abs(wy), Math.abs(wz))
  if (largest === 0) return 0
  const u = wx / largest
  const v = wy / largest
  const w = wz / largest
  let square = 0
  let size = 0
  for (let at = VERTICES; at < VERTICES + 3 * count; at += 3) {
    const x = numbers[at]
    const y = numbers[at + 1]
    const z = numbers[at + 2]
    const px = y * w - z * v
    const py = z * u - x * w
    const pz = x * v - y * u
    square = Math.max(square, px * px + py * py + pz * pz)
    size = Math.max(size, Math.abs(px), Math.abs(py), Math.abs(pz))
  }
  // Where squares leave the range of doubles, a little more will do.
  const farthest = isSafeExtent(size) ? Math.sqrt(square) : 2 * size
  return farthest / Math.sqrt(u * u + v * v + w * w) + numbers[RADIUS]
}

const matrix = new Float64Array(9)

/**
 * The body as it is after `time` seconds, without having left its place, in another slot: turned about its position. Each point is
 * rounded once more. Cost O(points).
 */
export function turnBody(body: Body, motion: Motion, time: number, out: Body): void {
  const { kind, count, numbers } = body
  reservePoints(out, count)
  const turned = out.numbers
  for (let i = 0; i < VERTICES; i++) turned[i] = numbers[i]
  for (let i = 0; i < count; i++) out.names[i] = body.names[i]
  out.kind = kind
  out.aligned = false
  out.isBox = body.isBox
  out.hull = null
  const surface = body.hull === null ? body.surface : surfaceOf(body)
  out.surface = surface === null ? null : { ...surface, isExact: false, extremes: null, planes: null, exact: null }
  turnAgain(body, motion, time, out)
  turnPoints(numbers, VERTICES, count, turned, VERTICES)
}

/**
 * Turns what counts from the position or the anchor of a body on into a slot that holds it at another time: all but `VERTICES`, and the
 * planes of its surface, which stay what they were.
 */
export function turnAgain(body: Body, motion: Motion, time: number, out: Body): void {
  const { kind, count, numbers, local } = body
  spend(1 + (count >> 2))
  setMatrix(motion, time)
  const turned = out.numbers
  for (let column = 0; column < 3; column++) turnTriple(numbers, ROTATION + column, 3, turned, ROTATION + column)
  if (kind === HALFSPACE) {
    turnTriple(numbers, NORMAL, 1, turned, NORMAL)
    turnTriple(numbers, UNIT, 1, turned, UNIT)
  }
  turnTriple(numbers, ANCHOR, 1, turned, ANCHOR)
  turnTriple(numbers, CENTER, 1, turned, CENTER)
  // What counts from the first point is turned as that, so that it is rounded by its own size.
  turnPoints(numbers, local, count, turned, out.local)
}

function turnPoints(from: Float64Array, start: number, count: number, to: Float64Array, toStart: number): void {
  // Read once, and not for each point.
  const m0 = matrix[0]
  const m1 = matrix[1]
  const m2 = matrix[2]
  const m3 = matrix[3]
  const m4 = matrix[4]
  const m5 = matrix[5]
  const m6 = matrix[6]
  const m7 = matrix[7]
  const m8 = matrix[8]
  for (let i = 0; i < 3 * count; i += 3) {
    const x = from[start + i]
    const y = from[start + i + 1]
    const z = from[start + i + 2]
    to[toStart + i] = m0 * x + m1 * y + m2 * z
    to[toStart + i + 1] = m3 * x + m4 * y + m5 * z
    to[toStart + i + 2] = m6 * x + m7 * y + m8 * z
  }
}

/** R = 1 + sin·K + (1 − cos)·K², K the matrix of the product with the unit axis. */
function setMatrix(motion: Motion, time: number): void {
  const rate = spinRate(motion)
  const x = rate > 0 ? motion.wx / rate : 0
  const y = rate > 0 ? motion.wy / rate : 0
  const z = rate > 0 ? motion.wz / rate : 0
  const sine = Math.sin(rate * time)
  const half = Math.sin((rate * time) / 2)
  const rest = 2 * half * half
  matrix[0] = 1 - rest * (y * y + z * z)
  matrix[1] = rest * x * y - sine * z
  matrix[2] = rest * x * z + sine * y
  matrix[3] = rest * x * y + sine * z
  matrix[4] = 1 - rest * (x * x + z * z)
  matrix[5] = rest * y * z - sine * x
  matrix[6] = rest * x * z - sine * y
  matrix[7] = rest * y * z + sine * x
  matrix[8] = 1 - rest * (x * x + y * y)
}

function turnTriple(from: Float64Array, at: number, step: number, to: Float64Array, toAt: number): void {
  const x = from[at]
  const y = from[at + step]
  const z = from[at + 2 * step]
  to[toAt] = matrix[0] * x + matrix[1] * y + matrix[2] * z
  to[toAt + step] = matrix[3] * x + matrix[4] * y + matrix[5] * z
  to[toAt + 2 * step] = matrix[6] * x + matrix[7] * y + matrix[8] * z
}
