/**
 * A pair that moves against each other: where the second is, seen from the first, at any time.
 *
 * Method: offset and relative velocity are exact sums, kept to twice the digits and rounded once at each time, so that neither the
 * distance from an origin nor speeds that both share cost anything.
 * Frame: world axes; offsets lead from the first body to the second.
 */

import { productError, sumError } from '../../numeric/expansion.ts'
import { vectorLength3d } from '../../numeric/safe-range.ts'
import { putExactDifference } from '../../numeric/twofold.ts'
import type { PairFrame } from '../narrow-phase/pair-frame.ts'
import { ANCHOR, type Body, POSITION, REACH } from '../shape/body.ts'
import type { Motion } from '../shape/motion.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'

export interface MovingPair {
  frame: PairFrame
  motionA: Motion
  motionB: Motion
  /** Of positions: three twofold numbers. */
  offset: Float64Array
  /** Of the second, seen from the first. */
  velocity: Float64Array
  /** Its length. */
  speed: number
}

/** Where a pair keeps its offset and velocity. */
type MovingPlace = Pick<MovingPair, 'offset' | 'velocity'>

export function createMovingPlace(): MovingPlace {
  return { offset: new Float64Array(6), velocity: new Float64Array(6) }
}

const shared = createMovingPlace()

/** The pair in the order of its frame. It is good until the next one is made in the same place. */
export function movingPair(frame: PairFrame, motionA: Motion, motionB: Motion, place = shared): MovingPair {
  const { offset, velocity } = place
  const first = frame.swapped ? motionB : motionA
  const second = frame.swapped ? motionA : motionB
  for (let k = 0; k < 3; k++) {
    putExactDifference(offset, 2 * k, frame.second.numbers[POSITION + k], frame.first.numbers[POSITION + k])
  }
  putExactDifference(velocity, 0, second.vx, first.vx)
  putExactDifference(velocity, 2, second.vy, first.vy)
  putExactDifference(velocity, 4, second.vz, first.vz)
  const speed = vectorLength3d(velocity[0], velocity[2], velocity[4])
  return { frame, motionA: first, motionB: second, offset, velocity, speed }
}

/** The offset of the positions at the time last asked for: three twofold numbers. */
const place = new Float64Array(6)

/** Sets where the second is at a time, for `placedAlong`. */
export function setPlace({ offset, velocity }: MovingPair, time: number): void {
  for (let k = 0; k < 6; k += 2) {
    const way = velocity[k] * time
    const sum = way + offset[k]
    const rest = productError(velocity[k], time, way) + velocity[k + 1] * time + offset[k + 1]
    place[k] = sum
    place[k + 1] = sumError(way, offset[k], sum) + rest
  }
}

/** How far a point of the second lies from one of the first along axis k, both counted from their positions, rounded once. */
export function placedAlong(k: number, from: number, to: number): number {
  const way = to - from
  const sum = place[2 * k] + way
  return sum + (sumError(place[2 * k], way, sum) + (place[2 * k + 1] + sumError(to, -from, way)))
}

/** The offset of the positions at a time along axis k, rounded once. */
export function offsetAt(pair: MovingPair, k: number, time: number): number {
  setPlace(pair, time)
  return place[2 * k] + place[2 * k + 1]
}

/** Sets how the pair lies at a time, of bodies that may have been turned meanwhile. */
export function placeAt(pair: MovingPair, first: Body, second: Body, time: number, out: PairFrame): void {
  const a = first.numbers
  const b = second.numbers
  setPlace(pair, time)
  out.first = first
  out.second = second
  out.swapped = pair.frame.swapped
  out.dx = placedAlong(0, a[ANCHOR], b[ANCHOR])
  out.dy = placedAlong(1, a[ANCHOR + 1], b[ANCHOR + 1])
  out.dz = placedAlong(2, a[ANCHOR + 2], b[ANCHOR + 2])
  out.extent = Math.abs(out.dx) + Math.abs(out.dy) + Math.abs(out.dz) + 2 * (a[REACH] + b[REACH])
  out.error = SEPARATION_ERROR_RATIO * out.extent
}
