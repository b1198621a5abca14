/**
 * How high a body reaches along an axis of the world while it turns about its position and travels.
 *
 * Method: a core point goes round its circle, whose height along an axis is one of a point on a circle in a plane
 * (`numeric/orbit.ts`). Of a curved body the height is a function of the angle alone plus what it travels, so the greatest
 * lies in the last turn within the time, or in the first if it travels downwards; that turn is cut evenly, and where the height stops
 * rising between two cuts the maximum is closed in on by bisection. A body seen turning is a direction turning the other way.
 * Frame: world axes, heights counted from the position at time 0.
 */

import { spend } from '../../containers/budget.ts'
import { highestOnOrbit, type Orbit } from '../../numeric/orbit.ts'
import { BISECTION_COUNT } from '../../numeric/roundoff.ts'
import { vectorLength } from '../../numeric/vector-length.ts'
import { type Body, POINTS, RADIUS, VERTICES } from '../shape/body.ts'
import { kindOf } from '../shape/kinds.ts'
import type { Motion } from '../shape/motion.ts'
import { LEAST_TURN, TURN_CUT_COUNT } from '../tolerances.ts'

/** A turn about an axis for a time, and the circle of the direction that is asked about. */
export interface Turning {
  /** The unit axis, radians per second about it, and for how long. */
  ux: number
  uy: number
  uz: number
  rate: number
  duration: number
  /** Cosine and sine of the whole turn. */
  cos: number
  sin: number
}

export function createTurning(): Turning {
  return { ux: 0, uy: 0, uz: 0, rate: 0, duration: 0, cos: 1, sin: 0 }
}

/** Sets the turn of a motion; false when nothing turns, or by too little to see. */
export function setTurning({ wx, wy, wz }: Motion, duration: number, out: Turning): boolean {
  const largest = Math.max(Math.abs(wx), Math.abs(wy), Math.abs(wz))
  if (largest === 0 || duration === 0) return false
  const x = wx / largest
  const y = wy / largest
  const z = wz / largest
  const length = vectorLength(vectorLength(x, y), z)
  out.ux = x / length
  out.uy = y / length
  out.uz = z / length
  out.rate = largest * length
  out.duration = duration
  if (out.rate * duration < LEAST_TURN) return false
  out.cos = Math.cos(out.rate * duration)
  out.sin = Math.sin(out.rate * duration)
  return true
}

const orbit: Orbit = { along: 0, across: 0, speed: 0, spin: 0, duration: 0, cos: 1, sin: 0 }

/** Greatest height along axis k (side 1), or its opposite (−1), of a bounded body that travels at `speed` along that. Cost O(points). */
export function highestTurning(body: Body, turning: Turning, k: number, side: 1 | -1, speed: number): number {
  return body.kind === POINTS
    ? highestPoint(body, turning, k, side, speed)
    : highestCurve(body, turning, k, side, speed)
}

function highestPoint({ numbers, count }: Body, turning: Turning, k: number, side: 1 | -1, speed: number): number {
  const { ux, uy, uz } = turning
  const own = k === 0 ? ux : k === 1 ? uy : uz
  spend(4 * count)
  orbit.speed = speed
  orbit.spin = turning.rate
  orbit.duration = turning.duration
  orbit.cos = turning.cos
  orbit.sin = turning.sin
  let highest = -Infinity
  for (let at = VERTICES; at < VERTICES + 3 * count; at += 3) {
    const x = numbers[at]
    const y = numbers[at + 1]
    const z = numbers[at + 2]
    const axial = own * (ux * x + uy * y + uz * z)
    const cross = k === 0 ? uy * z - uz * y : k === 1 ? uz * x - ux * z : ux * y - uy * x
    orbit.along = side * (numbers[at + k] - axial)
    orbit.across = -side * cross
    const height = side * axial + highestOnOrbit(orbit)
    if (height > highest) highest = height
  }
  return highest + numbers[RADIUS]
}

/** The direction as the body sees it: a part along the axis, and the circle of the rest. */
const axial = new Float64Array(3)
const cosine = new Float64Array(3)
const sine = new Float64Array(3)
const farthest = new Float64Array(3)
/** What was evaluated last. A record, because doubles that functions share are boxed. */
const last = { height: 0, slope: 0 }

function highestCurve(body: Body, turning: Turning, k: number, side: 1 | -1, speed: number): number {
  const { rate, duration } = turning
  const turn = rate * duration
  const whole = turn > 2 * Math.PI
  const fromEnd = whole && speed > 0
  setCircle(turning, k, side, fromEnd)
  const span = whole ? 2 * Math.PI : turn
  const low = fromEnd ? -span : 0
  const drift = speed / rate
  spend(TURN_CUT_COUNT)
  measure(body, low, drift)
  let { height: highest, slope: before } = last
  for (let i = 1; i <= TURN_CUT_COUNT; i++) {
    const from = low + (span * (i - 1)) / TURN_CUT_COUNT
    const to = low + (span * i) / TURN_CUT_COUNT
    measure(body, to, drift)
    const { slope } = last
    if (last.height > highest) highest = last.height
    if (before > 0 && slope < 0) highest = Math.max(highest, climb(body, from, to, drift))
    before = slope
  }
  return highest + (fromEnd ? speed * duration : 0)
}

/** Angles count from the start, or from the end of the time. */
function setCircle({ ux, uy, uz, cos, sin }: Turning, k: number, side: 1 | -1, fromEnd: boolean): void {
  const own = side * (k === 0 ? ux : k === 1 ? uy : uz)
  const x = k === 0 ? side : 0
  const y = k === 1 ? side : 0
  const z = k === 2 ? side : 0
  axial[0] = own * ux
  axial[1] = own * uy
  axial[2] = own * uz
  // turned back: against the axis
  const c = fromEnd ? cos : 1
  const s = fromEnd ? sin : 0
  const across = [y * uz - z * uy, z * ux - x * uz, x * uy - y * ux]
  const along = [x - axial[0], y - axial[1], z - axial[2]]
  for (let i = 0; i < 3; i++) {
    cosine[i] = c * along[i] + s * across[i]
    sine[i] = c * across[i] - s * along[i]
  }
}

/** Height and its derivative by the angle. `drift`: what it travels in a radian. */
function measure(body: Body, angle: number, drift: number): void {
  const c = Math.cos(angle)
  const s = Math.sin(angle)
  const x = axial[0] + c * cosine[0] + s * sine[0]
  const y = axial[1] + c * cosine[1] + s * sine[1]
  const z = axial[2] + c * cosine[2] + s * sine[2]
  farthest.fill(0)
  kindOf(body).support(body, x, y, z, farthest)
  const [px, py, pz] = farthest
  last.height = drift * angle + (x * px + y * py + z * pz)
  last.slope =
    drift +
    ((c * sine[0] - s * cosine[0]) * px + (c * sine[1] - s * cosine[1]) * py + (c * sine[2] - s * cosine[2]) * pz)
}

/** The maximum between two cuts. */
function climb(body: Body, from: number, to: number, drift: number): number {
  let low = from
  let high = to
  let best = -Infinity
  for (let i = 0; i < BISECTION_COUNT; i++) {
    const middle = low + (high - low) / 2
    if (middle === low || middle === high) break
    spend(1)
    measure(body, middle, drift)
    if (last.height > best) best = last.height
    if (last.slope > 0) low = middle
    else high = middle
  }
  return best
}
