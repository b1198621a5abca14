/**
 * A pair that moves against each other: where the second is, seen from the first, at any time.
 *
 * Method: offset and relative velocity are exact sums, kept to twice the digits and rounded once at each time, so that neither the
 * distance from an origin nor speeds that both share cost anything.
 * Frame: world axes; offsets lead from the first body to the second.
 */

import { sumError } from '../../numeric/expansion.ts'
import { vectorLength3d } from '../../numeric/safe-range.ts'
import { putExactDifference, putProduct, putSum } from '../../numeric/twofold.ts'
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

const slots = new Float64Array(6)

/** The offset of the positions at a time along axis k, rounded once. */
export function offsetAt(pair: MovingPair, k: number, time: number): number {
  offsetAlong(pair, k, time)
  return slots[0] + slots[1]
}

/** Sets the first slot, to twice the digits. */
function offsetAlong({ offset, velocity }: MovingPair, k: number, time: number): void {
  slots[0] = time
  slots[1] = 0
  slots[2] = velocity[2 * k]
  slots[3] = velocity[2 * k + 1]
  putProduct(slots, 0, 0, 2)
  slots[2] = offset[2 * k]
  slots[3] = offset[2 * k + 1]
  putSum(slots, 0, 0, 2, 1)
}

/** Sets how the pair lies at a time, of bodies that may have been turned meanwhile. */
export function placeAt(pair: MovingPair, first: Body, second: Body, time: number, out: PairFrame): void {
  const along = (k: number): number => {
    offsetAlong(pair, k, time)
    const anchor = second.numbers[ANCHOR + k] - first.numbers[ANCHOR + k]
    const rest = sumError(second.numbers[ANCHOR + k], -first.numbers[ANCHOR + k], anchor)
    const sum = slots[0] + anchor
    return sum + (sumError(slots[0], anchor, sum) + (slots[1] + rest))
  }
  out.first = first
  out.second = second
  out.swapped = pair.frame.swapped
  out.dx = along(0)
  out.dy = along(1)
  out.dz = along(2)
  out.extent =
    Math.abs(out.dx) + Math.abs(out.dy) + Math.abs(out.dz) + 2 * (first.numbers[REACH] + second.numbers[REACH])
  out.error = SEPARATION_ERROR_RATIO * out.extent
}
