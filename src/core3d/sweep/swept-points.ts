/**
 * Whether two bodies of core points that move without turning ever meet: exact.
 *
 * Method: they meet at some time from 0 to the duration just if the first meets the hull of the second's points where they start and
 * where they end, seen from the first: bounds of GJK where they are clear, exact arithmetic with GJK's own steps where they are not
 * (`exact-cores.ts`; the ends are one degree higher than the starts, which the number one, as a length, evens out).
 * Frame: world axes, origin at the first body's position.
 */

import { exactly, includeInput, type Ring } from '../../numeric/exact-ring.ts'
import { CORES_DEGREE, lowest } from '../narrow-phase/exact-cores.ts'
import { nearestFace } from '../narrow-phase/exact-simplex.ts'
import { boundDistance, createBounds } from '../narrow-phase/gjk.ts'
import type { PairFrame } from '../narrow-phase/pair-frame.ts'
import {
  ANCHOR,
  type Body,
  createBody,
  POINTS,
  POSITION,
  RADIUS,
  REACH,
  reservePoints,
  VERTICES,
} from '../shape/body.ts'
import { finishPoints } from '../shape/core-points.ts'
import {
  dot,
  type Exact,
  exactOffset,
  exactVertex,
  inputRangeOf,
  isZero,
  minus,
  plus,
  signOfDifference,
  times,
} from '../shape/exact-points.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import type { MovingPair } from './moving-pair.ts'

/** The second body where it starts, and again where it ends. */
const swept = createBody()
const bounds = createBounds()

/** The pair is of bodies of core points. */
export function sweptPointsMeet(pair: MovingPair, duration: number): boolean {
  const { first, second } = pair.frame
  const frame = sweptFrame(pair, duration)
  const skins = first.numbers[RADIUS] + second.numbers[RADIUS]
  boundDistance(frame, bounds)
  const { lower, upper, simplex } = bounds
  if (lower - skins > frame.error) return false
  if (simplex.holds === 2 || upper + frame.error < skins) return true
  return exactSweepMeets(pair, duration)
}

function sweptFrame({ frame, velocity }: MovingPair, duration: number): PairFrame {
  const { first, second } = frame
  const { count, numbers } = second
  reservePoints(swept, 2 * count)
  const to = swept.numbers
  for (let i = 0; i < 3; i++) to[POSITION + i] = numbers[POSITION + i]
  for (let i = 0; i < 3 * count; i++) {
    to[VERTICES + i] = numbers[VERTICES + i]
    to[VERTICES + 3 * count + i] = numbers[VERTICES + i] + velocity[2 * (i % 3)] * duration
  }
  finishPoints(swept, numbers[RADIUS])
  swept.kind = POINTS
  const extent =
    Math.abs(frame.dx) +
    Math.abs(frame.dy) +
    Math.abs(frame.dz) +
    2 * (first.numbers[REACH] + to[REACH]) +
    Math.abs(to[ANCHOR]) +
    Math.abs(to[ANCHOR + 1]) +
    Math.abs(to[ANCHOR + 2])
  return { ...frame, second: swept, extent, error: SEPARATION_ERROR_RATIO * extent }
}

/** The simplex of `bounds` is what the search starts from. */
function exactSweepMeets({ frame, motionA, motionB }: MovingPair, duration: number): boolean {
  const { first, second } = frame
  const range = inputRangeOf(first, second)
  for (const value of [1, duration, motionA.vx, motionA.vy, motionA.vz, motionB.vx, motionB.vy, motionB.vz]) {
    includeInput(range, value)
  }
  return exactly(range, 2 * CORES_DEGREE, (ring) => {
    const way = exactWay(ring, { frame, motionA, motionB }, duration)
    return searchMeets(ring, first, second, way)
  })
}

function exactWay<T>(
  ring: Ring<T>,
  { motionA, motionB }: Pick<MovingPair, 'frame' | 'motionA' | 'motionB'>,
  duration: number,
): Exact<T> {
  const { of, sub } = ring
  const relative: Exact<T> = [
    sub(of(motionB.vx), of(motionA.vx)),
    sub(of(motionB.vy), of(motionA.vy)),
    sub(of(motionB.vz), of(motionA.vz)),
  ]
  return times(ring, of(duration), relative)
}

/** Where rounding is tried first, it may go in circles; exact steps are a few. */
const LEAST_STEP_LIMIT = 64

function searchMeets<T>(ring: Ring<T>, first: Body, second: Body, way: Exact<T>): boolean {
  const { count } = second
  const one = ring.of(1)
  const offset = exactOffset(ring, first, second)
  // Index j + count: the second's point j at the end.
  const pointOf = (i: number, j: number): Exact<T> => {
    const there = minus(ring, plus(ring, offset, exactVertex(ring, first, i)), exactVertex(ring, second, j % count))
    const start = times(ring, one, there)
    return j < count ? start : minus(ring, start, way)
  }
  const { simplex } = bounds
  let points: Exact<T>[] = []
  for (let m = 0; m < simplex.count; m++) points.push(pointOf(simplex.indexA[m], simplex.indexB[m]))
  const limit = LEAST_STEP_LIMIT + first.count + 2 * count
  for (let step = 0; ; step++) {
    const face = nearestFace(ring, points)
    points = face.members.map((m) => points[m])
    const { toward } = face
    if (isZero(ring, toward)) return true
    const j = lowest(ring, second, toward, -1)
    const atEnd = ring.sign(dot(ring, toward, way)) > 0
    const candidate = pointOf(lowest(ring, first, toward, 1), atEnd ? j + count : j)
    const isNearer = signOfDifference(ring, dot(ring, toward, candidate), dot(ring, toward, points[0])) < 0
    if (!isNearer || step > limit) {
      const sum = ring.add(ring.of(first.numbers[RADIUS]), ring.of(second.numbers[RADIUS]))
      const skins = ring.mul(sum, one)
      const { over, under } = face.square
      return ring.sign(ring.sub(over, ring.mul(ring.mul(skins, skins), under))) <= 0
    }
    points.push(candidate)
  }
}
