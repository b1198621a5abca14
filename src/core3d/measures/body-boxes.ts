/**
 * The axis-aligned boxes of many bodies in space, as broad phases take them, with an exact answer to whether two of them meet.
 *
 * Method: boxes are those of `bounds.ts`, rounded outward: boxes that are apart are apart for certain. A side is a sum of position,
 * extreme and skin; one that no double holds is kept as an expansion too, and of boxes that meet within rounding the expansions
 * decide.
 * Frame: world. The box of turned points is that of the points as they were rounded; that of a curved body at an angle is a few
 * roundoffs wider. Half-spaces are unbounded but for the side that one along an axis ends at.
 */

import {
  type Expansion,
  expansionNegate,
  expansionOf,
  expansionSign,
  expansionSum,
  sumError,
} from '../../numeric/expansion.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { type Body, HALFSPACE, OFFSET, POINTS, POSITION, RADIUS } from '../shape/body.ts'
import { kindOf } from '../shape/kinds.ts'
import { bounds, createBounds, sideOf } from './bounds.ts'

export interface BodyBoxes {
  count: number
  /** Of body i at 6i…6i+5: min x, y, z, max x, y, z, rounded outward. */
  boxes: Float64Array
  /** The sides that no double holds. */
  exact: Map<number, Expansion>
}

const found = createBounds()
const extremes = new Float64Array(6)

/** For up to `capacity` bodies. */
export function createBodyBoxes(capacity: number): BodyBoxes {
  return { count: 0, boxes: new Float64Array(6 * capacity), exact: new Map() }
}

/** Appends the box of a body. O(points). */
export function addBodyBox(list: BodyBoxes, body: Body): void {
  const at = 6 * list.count++
  bounds(body, found)
  list.boxes.set(found.min, at)
  list.boxes.set(found.max, at + 3)
  // The box of a curved body at an angle is a bound, and meant as it was rounded.
  if (body.kind !== POINTS && body.kind !== HALFSPACE && !body.aligned) return
  kindOf(body).setBox(body, extremes)
  const { numbers, kind } = body
  for (let side = 0; side < 6; side++) {
    if (!Number.isFinite(list.boxes[at + side])) continue
    const sign = side < 3 ? -1 : 1
    const skin = kind === POINTS ? sign * numbers[RADIUS] : 0
    const core =
      kind === HALFSPACE ? sign * numbers[OFFSET] : skin === 0 ? extremes[side] : sideOf(body, side % 3, sign)
    addSide(list, at + side, numbers[POSITION + (side % 3)], core, skin)
  }
}

function addSide({ exact }: BodyBoxes, side: number, place: number, core: number, skin: number): void {
  const placed = place + core
  const rounded = placed + skin
  if (sumError(place, core, placed) === 0 && sumError(placed, skin, rounded) === 0) return
  exact.set(side, expansionSum(expansionSum(expansionOf(place), expansionOf(core)), expansionOf(skin)))
}

/** Whether two bodies' boxes, unrounded, have a point in common, when the rounded ones do. */
export function exactBoxesMeet(list: BodyBoxes, i: number, j: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    if (!isAtMost(list, 6 * i + axis, 6 * j + 3 + axis) || !isAtMost(list, 6 * j + axis, 6 * i + 3 + axis)) return false
  }
  return true
}

/** Whether one low side lies at or below another high one. */
function isAtMost({ boxes, exact }: BodyBoxes, low: number, high: number): boolean {
  const from = exact.get(low)
  const to = exact.get(high)
  if (from === undefined && to === undefined) return boxes[low] <= boxes[high]
  // Rounding moved neither by more than two units in the last place, each of up to two roundoffs.
  const doubt = 16 * UNIT_ROUNDOFF * (Math.abs(boxes[low]) + Math.abs(boxes[high]))
  // Sides of half-spaces may be infinite.
  if (doubt === Infinity) return boxes[low] <= boxes[high]
  if (boxes[high] - boxes[low] > doubt) return true
  const difference = expansionSum(to ?? expansionOf(boxes[high]), expansionNegate(from ?? expansionOf(boxes[low])))
  return expansionSign(difference) >= 0
}
