/**
 * Cylinders and capsules about points with a skin, near the least.
 *
 * Method: with the direction of the axis given, the least cylinder stands on the least circle about the points seen along it (below), and
 * the capsule of that circle is as short as its caps allow. Directions of faces, edges and boxes are tried, and the best of them turned
 * by a pattern search; capsules are then made thicker while that shortens them enough.
 * Frame: that of the points, in units near their size. Cost: O(n) for each direction, of which there are some hundreds.
 */

import { spend } from '../../containers/budget.ts'
import { patternSearch, type Steps } from '../../numeric/pattern-search.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { cross, type Vector } from '../shape/body.ts'
import type { Span } from './span.ts'
import { acrossOf, type Least, unitOf } from './turned-box.ts'

/** About an axis: its direction, the middle of the body's extent on it, radius with the skin, and half its length. */
export interface AxisFit {
  axis: Vector
  middle: Vector
  radius: number
  /** Half the height of a cylinder, half the core of a capsule. */
  half: number
  measure: number
}

export type Round = 'cylinder' | 'capsule'

const START_COUNT = 3
/** Of the pattern search, the first in radians. */
const STEPS: Steps = { first: 0.1, halvingCount: 32, roundCount: 96 }
/** How often a capsule is made thicker, and by which part of its radius at first. */
const THICKER_COUNT = 200
const FIRST_THICKER = 0.25

/** The best of some directions, and what is found around them. */
export function leastAbout(span: Span, directions: readonly Vector[], round: Round, kind: Least): AxisFit {
  const starts = directions.map((axis) => fitAlong(span, axis, round, kind, 1)).sort((a, b) => a.measure - b.measure)
  let best = starts[0]
  for (const start of starts.slice(0, START_COUNT)) {
    const found = searched(span, start, round, kind)
    if (found.measure < best.measure) best = found
  }
  return round === 'capsule' ? thickened(span, best, kind) : best
}

/** The points seen along an axis, three numbers each, of which the third is free. */
let scratch = new Float64Array(64)

/** `thicker`: the radius over the least one. */
export function fitAlong(span: Span, axis: Vector, round: Round, kind: Least, thicker: number): AxisFit {
  const { points, count, skin } = span
  const u = acrossOf(axis)
  const v = cross(axis, u)
  spend(1 + (count >> 1))
  if (scratch.length < 3 * count) scratch = new Float64Array(6 * count)
  const flat = scratch
  const [ux, uy, uz] = u
  const [vx, vy, vz] = v
  for (let i = 0; i < 3 * count; i += 3) {
    const x = points[i]
    const y = points[i + 1]
    const z = points[i + 2]
    flat[i] = ux * x + uy * y + uz * z
    flat[i + 1] = vx * x + vy * y + vz * z
  }
  findCircle(flat, count)
  const { x: cx, y: cy } = circle
  let square = 0
  for (let i = 0; i < 3 * count; i += 3) {
    flat[i + 2] = (flat[i] - cx) * (flat[i] - cx) + (flat[i + 1] - cy) * (flat[i + 1] - cy)
    if (flat[i + 2] > square) square = flat[i + 2]
  }
  const wide = square * thicker * thicker
  // Of a cylinder the ends of the extent, of a capsule where its caps begin.
  let [start, end] = [Infinity, -Infinity]
  for (let i = 0; i < 3 * count; i += 3) {
    const height = axis[0] * points[i] + axis[1] * points[i + 1] + axis[2] * points[i + 2]
    const reach = round === 'cylinder' ? 0 : Math.sqrt(wide - flat[i + 2])
    if (height + reach < start) start = height + reach
    if (height - reach > end) end = height - reach
  }
  const isLong = round === 'cylinder' || end > start
  const half = isLong ? (end - start) / 2 + (round === 'cylinder' ? skin : 0) : 0
  const at = start + (end - start) / 2
  const radius = Math.sqrt(wide) + skin
  return {
    axis,
    middle: [0, 1, 2].map((k) => cx * u[k] + cy * v[k] + at * axis[k]) as unknown as Vector,
    radius,
    half,
    measure: measureOf(radius, half, round, kind),
  }
}

/**
 * Without the factor π. A cylinder counts as thick and long as it is by rounding, so that a needle encloses a needle, not a disc without
 * height.
 */
function measureOf(radius: number, half: number, round: Round, kind: Least): number {
  if (round === 'capsule') {
    const size = 2 * half
    return kind === 'volume' ? radius * radius * ((4 / 3) * radius + size) : 2 * radius * (2 * radius + size)
  }
  const thick = radius + UNIT_ROUNDOFF
  const size = 2 * (half + UNIT_ROUNDOFF)
  return kind === 'volume' ? thick * thick * size : 2 * thick * (thick + size)
}

function searched(span: Span, from: AxisFit, round: Round, kind: Least): AxisFit {
  return patternSearch(from, STEPS, (start, step) => {
    const { axis } = start
    const u = acrossOf(axis)
    const v = cross(axis, u)
    let best = start
    for (let move = 0; move < 8; move++) {
      const [a, b] = [step * Math.cos((move * Math.PI) / 4), step * Math.sin((move * Math.PI) / 4)]
      const turned = unitOf([0, 1, 2].map((k) => axis[k] + a * u[k] + b * v[k]) as unknown as Vector)
      const found = fitAlong(span, turned, round, kind, 1)
      if (found.measure < best.measure) best = found
    }
    return best
  })
}

/** A thicker capsule may be so much shorter that it is less. */
function thickened(span: Span, from: AxisFit, kind: Least): AxisFit {
  let best = from
  let thicker = 1
  let step = FIRST_THICKER
  for (let i = 0; i < THICKER_COUNT && step > FIRST_THICKER / 4096; i++) {
    const next = [thicker + step, Math.max(1, thicker - step)].find((scale) => {
      const found = fitAlong(span, best.axis, 'capsule', kind, scale)
      if (!(found.measure < best.measure)) return false
      best = found
      return true
    })
    if (next === undefined) step /= 2
    else thicker = next
  }
  return best
}

// The least circle about points of a plane, by doubles, good to some roundoffs as a rule.
//
// Method: as `numeric/least-ball.ts`: the farthest point joins the two or three that the circle stands on, and the least circle of these is one
// of those through two or three of them.

/** Points that a circle stands on are replaced so many times at most. */
const PIVOT_COUNT = 32

/** The circle, and one that is tried. Records, because doubles that functions share are boxed. */
const circle = { x: 0, y: 0, square: 0 }
const trial = { x: 0, y: 0, square: 0 }
const least = { x: 0, y: 0, square: 0 }
const stand = new Int32Array(4)
const kept = new Int32Array(3)

function findCircle(flat: Float64Array, count: number): void {
  let size = 1
  stand[0] = 0
  circle.x = flat[0]
  circle.y = flat[1]
  circle.square = 0
  for (let pivot = 0; pivot < PIVOT_COUNT; pivot++) {
    spend(1 + (count >> 3))
    let farthest = 0
    let most = -1
    for (let i = 0; i < 3 * count; i += 3) {
      const dx = flat[i] - circle.x
      const dy = flat[i + 1] - circle.y
      const square = dx * dx + dy * dy
      if (square > most) {
        most = square
        farthest = i
      }
    }
    if (most <= circle.square * (1 + SQUARE_SLACK)) return
    stand[size] = farthest
    size = circleOfFew(flat, size + 1)
    if (size === 0) return
    circle.x = least.x
    circle.y = least.y
    circle.square = least.square
    for (let k = 0; k < size; k++) stand[k] = kept[k]
  }
}

const SQUARE_SLACK = 2048 * UNIT_ROUNDOFF

/** Sets the least circle of up to four points, and the points that it stands on; returns how many these are. */
function circleOfFew(flat: Float64Array, size: number): number {
  least.square = Infinity
  let found = 0
  const last = size - 1
  for (let i = 0; i < last; i++) {
    setDiameter(flat, stand[i], stand[last])
    if (isLeastOf(flat, size)) {
      found = 2
      kept[0] = stand[i]
      kept[1] = stand[last]
    }
  }
  // A circle through three is the least one only where none on two of them will do.
  if (found > 0) return found
  for (let i = 0; i < last; i++) {
    for (let j = i + 1; j < last; j++) {
      if (!setThrough(flat, stand[i], stand[j], stand[last]) || !isLeastOf(flat, size)) continue
      found = 3
      kept[0] = stand[i]
      kept[1] = stand[j]
      kept[2] = stand[last]
    }
  }
  return found
}

/** Takes the circle that is tried if it holds the points and is the least so far. */
function isLeastOf(flat: Float64Array, size: number): boolean {
  if (!(trial.square < least.square)) return false
  const bound = trial.square * (1 + SQUARE_SLACK)
  for (let k = 0; k < size; k++) {
    const dx = flat[stand[k]] - trial.x
    const dy = flat[stand[k] + 1] - trial.y
    if (dx * dx + dy * dy > bound) return false
  }
  least.x = trial.x
  least.y = trial.y
  least.square = trial.square
  return true
}

function setDiameter(flat: Float64Array, a: number, b: number): void {
  const dx = (flat[b] - flat[a]) / 2
  const dy = (flat[b + 1] - flat[a + 1]) / 2
  trial.x = flat[a] + dx
  trial.y = flat[a + 1] + dy
  trial.square = dx * dx + dy * dy
}

/** False for points on one line. */
function setThrough(flat: Float64Array, a: number, b: number, c: number): boolean {
  const bx = flat[b] - flat[a]
  const by = flat[b + 1] - flat[a + 1]
  const cx = flat[c] - flat[a]
  const cy = flat[c + 1] - flat[a + 1]
  const twice = 2 * (bx * cy - by * cx)
  if (twice === 0) return false
  const b2 = bx * bx + by * by
  const c2 = cx * cx + cy * cy
  const x = (cy * b2 - by * c2) / twice
  const y = (bx * c2 - cx * b2) / twice
  trial.x = flat[a] + x
  trial.y = flat[a + 1] + y
  trial.square = x * x + y * y
  return true
}
