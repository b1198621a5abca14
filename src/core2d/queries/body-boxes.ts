/**
 * The axis-aligned boxes of many bodies, as broad phases take them, with an exact answer to whether two of them meet.
 *
 * Method: a side is the extreme of position + vertex ± radius, a sum that doubles often do not hold. The side is then kept
 * as an expansion too, and the box is rounded outward: boxes that are apart are apart for certain, and of those that meet within
 * rounding the expansions decide.
 * Frame: world. The box of a curve at an angle, and of rotated vertices, is that of the body as it was rounded; the curve's
 * is a few roundoffs wider. Half-planes are unbounded but for the side that an axis-aligned one ends at.
 */

import { spend } from '../../containers/budget.ts'
import {
  type Expansion,
  expansionEstimate,
  expansionNegate,
  expansionOf,
  expansionSign,
  expansionSum,
  sumError,
} from '../../numeric/expansion.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import {
  type Body,
  COMPOSITE,
  COS,
  type Composite,
  isCored,
  isCurved,
  OFFSET,
  RADIUS,
  SIN,
  UNIT_X,
  UNIT_Y,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../shape/body.ts'
import { kindOf } from '../shape/kinds.ts'
import type { Motion } from '../shape/motion.ts'
import { SWEPT_SLACK_RATIO } from '../tolerances.ts'
import { type Bounds, bounds, createBounds } from './bounds.ts'

export interface BodyBoxes {
  count: number
  /** Of body i at 4i…4i+3: min x, min y, max x, max y, rounded outward. */
  boxes: Float64Array
  /** How much each side may be too far out. */
  errors: Float64Array
  /** The sides that no double holds. */
  exact: Map<number, Expansion>
}

/** Greatest height along one of the four directions so far: `value` give or take `error`; `exact` is null when it is `value`. */
interface Height {
  value: number
  error: number
  exact: Expansion | null
}

/** Left, down, right, up: the sides of a box in their order. */
const heights: readonly Height[] = [0, 1, 2, 3].map(() => ({ value: 0, error: 0, exact: null }))
const extremes = new Float64Array(4)

/** For up to `capacity` bodies. */
export function createBodyBoxes(capacity: number): BodyBoxes {
  return { count: 0, boxes: new Float64Array(4 * capacity), errors: new Float64Array(4 * capacity), exact: new Map() }
}

/** Appends the box of a body. O(points). */
export function addBodyBox(list: BodyBoxes, body: Body): void {
  for (const height of heights) {
    height.value = -Infinity
    height.error = 0
    height.exact = null
  }
  if (body.kind === COMPOSITE) {
    const { parts, partCount } = body.composite as Composite
    for (let p = 0; p < partCount; p++) {
      const { body: part, outline } = parts[p]
      if (outline === null) includeConvex(part)
      else includePoints(part, outline.vertices, 0, outline.vertexCount, 0)
    }
  } else {
    includeConvex(body)
  }
  const index = list.count++
  for (let side = 0; side < 4; side++) putSide(list, 4 * index + side, side < 2, heights[side])
}

function putSide({ boxes, errors, exact }: BodyBoxes, at: number, isLow: boolean, height: Height): void {
  const outer = height.value + height.error
  boxes[at] = isLow ? -outer : outer
  errors[at] = 2 * height.error
  if (height.exact !== null) exact.set(at, isLow ? expansionNegate(height.exact) : height.exact)
}

function includeConvex(body: Body): void {
  if (isCored(body)) includePoints(body, body.numbers, body.vertices, body.count, body.numbers[RADIUS])
  else if (isCurved(body)) includeCurve(body)
  else includeHalfplane(body)
}

function includePoints(pose: Body, points: ArrayLike<number>, start: number, count: number, radius: number): void {
  extremes.fill(-Infinity)
  spend(count)
  for (let i = 0; i < count; i++) {
    const x = points[start + 2 * i]
    const y = points[start + 2 * i + 1]
    if (-x > extremes[0]) extremes[0] = -x
    if (-y > extremes[1]) extremes[1] = -y
    if (x > extremes[2]) extremes[2] = x
    if (y > extremes[3]) extremes[3] = y
  }
  for (let side = 0; side < 4; side++) raise(side, pose, extremes[side], radius)
}

const curveBox = new Float64Array(4)

function includeCurve(body: Body): void {
  const turned = body.numbers[SIN] !== 0 || body.numbers[COS] !== 1
  const wider = turned ? 1 + 8 * UNIT_ROUNDOFF : 1
  kindOf(body).setBox(body, curveBox)
  for (let side = 0; side < 4; side++) raise(side, body, wider * (side < 2 ? -curveBox[side] : curveBox[side]), 0)
}

function includeHalfplane(body: Body): void {
  const { numbers } = body
  const unitX = numbers[UNIT_X]
  const unitY = numbers[UNIT_Y]
  const offset = numbers[OFFSET]
  const end = unitX === -1 ? 0 : unitY === -1 ? 1 : unitX === 1 ? 2 : unitY === 1 ? 3 : -1
  const isAligned = end >= 0 && (unitX === 0 || unitY === 0)
  for (let side = 0; side < 4; side++) {
    if (isAligned && side === end) {
      raise(side, body, offset, 0)
    } else {
      heights[side].value = Infinity
      heights[side].error = 0
      heights[side].exact = null
    }
  }
}

/** Makes a height at least that of position + `vertex` + `radius`, both counted along the direction of the side. */
function raise(side: number, { numbers }: Body, vertex: number, radius: number): void {
  const x = numbers[X]
  const y = numbers[Y]
  const xLow = numbers[X_LOW]
  const yLow = numbers[Y_LOW]
  const height = heights[side]
  if (height.value === Infinity) return
  const sign = side < 2 ? -1 : 1
  const position = sign * (side % 2 === 0 ? x : y)
  const low = sign * (side % 2 === 0 ? xLow : yLow)
  const placed = position + vertex
  const rounded = placed + radius
  const value = rounded + low
  const first = sumError(position, vertex, placed)
  const second = sumError(placed, radius, rounded)
  const third = sumError(rounded, low, value)
  if (first === 0 && second === 0 && third === 0) {
    if (isHigher(value, 0, null, height)) setHeight(height, value, 0, null)
    return
  }
  const error = 8 * UNIT_ROUNDOFF * (Math.abs(position) + Math.abs(vertex) + radius + Math.abs(low))
  if (value + error < height.value - height.error) return
  let exact = expansionSum(expansionOf(value), expansionOf(third))
  exact = expansionSum(exact, expansionOf(second))
  exact = expansionSum(exact, expansionOf(first))
  if (isHigher(value, error, exact, height)) {
    if (exact.length < 2) setHeight(height, expansionEstimate(exact), 0, null)
    else setHeight(height, value, error, exact)
  }
}

function setHeight(height: Height, value: number, error: number, exact: Expansion | null): void {
  height.value = value
  height.error = error
  height.exact = exact
}

function isHigher(value: number, error: number, exact: Expansion | null, than: Height): boolean {
  if (exact === null && than.exact === null) return value > than.value
  if (value - error > than.value + than.error) return true
  if (value + error < than.value - than.error) return false
  const difference = expansionSum(exact ?? expansionOf(value), expansionNegate(than.exact ?? expansionOf(than.value)))
  return expansionSign(difference) > 0
}

/** Whether two bodies' boxes, unrounded, have a point in common, when the rounded ones do. */
export function exactBoxesMeet(list: BodyBoxes, i: number, j: number): boolean {
  const a = 4 * i
  const b = 4 * j
  return (
    isAtMost(list, a, b + 2) && isAtMost(list, b, a + 2) && isAtMost(list, a + 1, b + 3) && isAtMost(list, b + 1, a + 3)
  )
}

/** Whether one low side lies at or below another high one. */
function isAtMost({ boxes, errors, exact }: BodyBoxes, low: number, high: number): boolean {
  const doubt = errors[low] + errors[high]
  if (doubt === 0) return boxes[low] <= boxes[high]
  // The difference of the rounded sides has an error of its own, which is less than the doubt.
  if (boxes[high] - boxes[low] > 2 * doubt) return true
  const from = exact.get(low) ?? expansionOf(boxes[low])
  const to = exact.get(high) ?? expansionOf(boxes[high])
  return expansionSign(expansionSum(to, expansionNegate(from))) >= 0
}

// The axis-aligned box of everything that a moving body covers, rounded outward.
//
// Method: the outer box of the body where it does not move, else its tight bounds, widened by the error of the sines of its turns.

const box = new Float64Array(4)

/** Of the time from 0 to `duration`; infinite where the body has no bounds. */
export function sweptBox(body: Body, motion: Motion, duration: number): Bounds {
  const out = createBounds()
  if (duration === 0 || (motion.vx === 0 && motion.vy === 0 && motion.spin === 0)) {
    measureOuterBox(body, box, 0)
    out.minX = box[0]
    out.minY = box[1]
    out.maxX = box[2]
    out.maxY = box[3]
    return out
  }
  bounds(body, motion, duration, out)
  const { minX, minY, maxX, maxY } = out
  const size =
    Math.abs(body.numbers[X]) +
    Math.abs(body.numbers[Y]) +
    Math.max(Math.abs(minX), Math.abs(maxX)) +
    Math.max(Math.abs(minY), Math.abs(maxY))
  // An infinite side says nothing about the others.
  const pad = SWEPT_SLACK_RATIO * (size < Infinity ? size : finiteSize(body, out))
  out.minX = minX - pad
  out.minY = minY - pad
  out.maxX = maxX + pad
  out.maxY = maxY + pad
  return out
}

function finiteSize({ numbers }: Body, { minX, minY, maxX, maxY }: Bounds): number {
  const x = numbers[X]
  const y = numbers[Y]
  let size = Math.abs(x) + Math.abs(y)
  for (const side of [minX, minY, maxX, maxY]) if (Math.abs(side) < Infinity) size += Math.abs(side)
  return size
}

// The axis-aligned box of a body as it stands, rounded outward: bodies meet only where their boxes do.
//
// Method: the box of core points and a skin is what the points span, which does not hang on where the body stands, and its position;
// each sum is taken as it is where it is exact, and widened by a bound on its error where it is not. All other bodies are
// measured by `body-boxes.ts`, which keeps what rounding leaves. `bounds.ts` is for the tight box, which is rounded to nearest.
// Frame: world.

/** The box around the core points of a body, seen from its position, and the radius of the skin around them. */
interface Extents {
  minX: number
  minY: number
  maxX: number
  maxY: number
  radius: number
}

export function createExtents(): Extents {
  return { minX: 0, minY: 0, maxX: 0, maxY: 0, radius: 0 }
}

const list = createBodyBoxes(1)
const own = createExtents()

/** Puts the box of a body at out[at…]: min x, min y, max x, max y; infinite where it has no bounds. Cost O(points). */
export function measureOuterBox(body: Body, out: Float64Array, at: number): void {
  if (measureExtents(body, own)) {
    placeExtents(own, body.numbers[X], body.numbers[Y], out, at)
    return
  }
  list.count = 0
  list.exact.clear()
  addBodyBox(list, body)
  for (let k = 0; k < 4; k++) out[at + k] = list.boxes[k]
}

/** The box of a body with these extents at (x, y), put at out[at…]. */
export function placeExtents(extents: Extents, x: number, y: number, out: Float64Array, at: number): void {
  const { minX, minY, maxX, maxY, radius } = extents
  out[at] = -farSide(-x, -minX, radius)
  out[at + 1] = -farSide(-y, -minY, radius)
  out[at + 2] = farSide(x, maxX, radius)
  out[at + 3] = farSide(y, maxY, radius)
}

/** position + extent + radius, rounded up. */
function farSide(position: number, extent: number, radius: number): number {
  const placed = position + extent
  const side = placed + radius
  if (sumError(position, extent, placed) === 0 && sumError(placed, radius, side) === 0) return side
  return side + 4 * UNIT_ROUNDOFF * (Math.abs(position) + Math.abs(extent) + radius)
}

/** False, and nothing of use in `out`, for a body that is more than core points and a skin at a position that is one double each. */
export function measureExtents(body: Body, out: Extents): boolean {
  const { vertices, count, numbers } = body
  const radius = numbers[RADIUS]
  const xLow = numbers[X_LOW]
  const yLow = numbers[Y_LOW]
  if (!isCored(body) || xLow !== 0 || yLow !== 0) return false
  out.minX = Infinity
  out.minY = Infinity
  out.maxX = -Infinity
  out.maxY = -Infinity
  out.radius = radius
  for (let i = 0; i < 2 * count; i += 2) {
    out.minX = Math.min(out.minX, numbers[vertices + i])
    out.minY = Math.min(out.minY, numbers[vertices + i + 1])
    out.maxX = Math.max(out.maxX, numbers[vertices + i])
    out.maxY = Math.max(out.maxY, numbers[vertices + i + 1])
  }
  return true
}
