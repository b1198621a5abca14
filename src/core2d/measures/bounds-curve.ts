/**
 * The greatest height of a curve that turns about a pivot while the pivot travels.
 *
 * Method: the height is speed·t plus a function of the angle alone, so the greatest lies in the last turn within the time,
 * or in the first if the pivot travels downwards. That turn is cut at even angles and where an ellipse's own support
 * changes its curvature, peaks or dips; between neighbouring cuts with a change of the derivative's sign the maximum is
 * closed in on by bisection. The support of an ellipse is in closed form here, that of other curves their row's.
 * Frame: heights along a fixed direction, counted from the pivot at time 0.
 */

import { spend } from '../../containers/budget.ts'
import type { Orbit } from '../../numeric/orbit.ts'
import { BISECTION_COUNT } from '../../numeric/roundoff.ts'
import { vectorLength } from '../../numeric/vector-length.ts'
import { type Body, ELLIPSE } from '../shape/body.ts'
import { createBoundaryPoint } from '../shape/ellipse.ts'
import { curveOf } from '../shape/kinds.ts'

/** Even cuts of a turn, and those that the ellipse adds: four peaks and dips, four changes of curvature. */
const EVEN_COUNT = 32
const CUT_COUNT = EVEN_COUNT + 1 + 8
const cuts = new Float64Array(CUT_COUNT)

/** Height and its derivative by the time at the last evaluation. */
let height = 0
let slope = 0

const rim = createBoundaryPoint()

/** The curve's anchor moves as the orbit says; (directionX, directionY): the unit vector along which heights are taken. */
export function highestOfCurve(orbit: Orbit, body: Body, directionX: number, directionY: number): number {
  const { along, speed, spin, duration } = orbit
  const { cos: bodyX, sin: bodyY, rx, ry } = body
  const axisX = directionX * bodyX + directionY * bodyY
  const axisY = directionX * bodyY - directionY * bodyX
  spend(CUT_COUNT)
  const start =
    along +
    (body.kind === ELLIPSE
      ? vectorLength(rx * axisX, ry * axisY)
      : curveOf(body).support(body, directionX, directionY, rim))
  if (spin === 0) return start + Math.max(0, speed * duration)
  const turn = spin * duration
  const whole = Math.abs(turn) > 2 * Math.PI
  // Angles count from the end of the time when the last turn is looked at, from its start otherwise.
  const fromEnd = whole && speed > 0
  const span = whole ? 2 * Math.PI * Math.sign(spin) : turn
  const low = fromEnd ? -span : 0
  const cos = fromEnd ? orbit.cos : 1
  const sin = fromEnd ? orbit.sin : 0
  const place: Place = {
    along: cos * along - sin * orbit.across,
    across: sin * along + cos * orbit.across,
    axisX: cos * axisX - sin * axisY,
    axisY: sin * axisX + cos * axisY,
    rx,
    ry,
    speed,
    spin,
    body,
    directionX: cos * directionX + sin * directionY,
    directionY: cos * directionY - sin * directionX,
  }
  const travel = fromEnd ? speed * duration : 0
  setCuts(place, low, span)
  let highest = -Infinity
  measure(place, cuts[0])
  for (let i = 1; i < CUT_COUNT; i++) {
    highest = Math.max(highest, height)
    const before = slope
    measure(place, cuts[i])
    if (before > 0 && slope < 0) {
      highest = Math.max(highest, height)
      climb(place, cuts[i - 1], cuts[i])
      highest = Math.max(highest, height)
      measure(place, cuts[i])
    }
  }
  return Math.max(highest, height) + travel
}

/** The curve at the angle 0: anchor and first axis; and its motion. (directionX, directionY): the direction as the curve sees it. */
interface Place {
  along: number
  across: number
  axisX: number
  axisY: number
  rx: number
  ry: number
  speed: number
  spin: number
  body: Body
  directionX: number
  directionY: number
}

/** Cuts from `low` to `low` + `span`, in order of the turning. */
function setCuts({ axisX, axisY, rx, ry }: Place, low: number, span: number): void {
  for (let i = 0; i <= EVEN_COUNT; i++) cuts[i] = low + (span * i) / EVEN_COUNT
  const axis = Math.atan2(axisY, axisX)
  const bend = Math.atan2(Math.sqrt(rx), Math.sqrt(ry))
  let count = EVEN_COUNT + 1
  for (let quarter = 0; quarter < 4; quarter++) {
    const square = (quarter * Math.PI) / 2 - axis
    cuts[count++] = clampTurn(square, low, span)
    cuts[count++] = clampTurn((quarter >> 1) * Math.PI + (quarter % 2 === 0 ? bend : -bend) - axis, low, span)
  }
  cuts.sort()
  if (span < 0) cuts.reverse()
}

/** The same angle within the span, or an end of it when it does not come by. */
function clampTurn(angle: number, low: number, span: number): number {
  const turn = 2 * Math.PI
  const least = span > 0 ? low : low + span
  const shifted = angle - turn * Math.floor((angle - least) / turn)
  return Math.min(shifted, least + Math.abs(span))
}

function measure(place: Place, angle: number): void {
  if (place.body.kind === ELLIPSE) measureEllipse(place, angle)
  else measureCurve(place, angle)
}

function measureCurve(place: Place, angle: number): void {
  const { along, across, body, directionX, directionY, speed, spin } = place
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  const nx = cos * directionX + sin * directionY
  const ny = cos * directionY - sin * directionX
  const reach = curveOf(body).support(body, nx, ny, rim)
  height = speed * (angle / spin) + (cos * along - sin * across) + reach
  slope = speed - spin * (sin * along + cos * across) + spin * (rim.x * ny - rim.y * nx)
}

function measureEllipse({ along, across, axisX, axisY, rx, ry, speed, spin }: Place, angle: number): void {
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  const x = cos * axisX - sin * axisY
  const y = sin * axisX + cos * axisY
  const reach = vectorLength(rx * x, ry * y)
  height = speed * (angle / spin) + (cos * along - sin * across) + reach
  slope = speed - spin * (sin * along + cos * across)
  if (reach > 0) slope -= spin * (rx * (x / reach) * rx - ry * (x / reach) * ry) * y
}

/** Leaves the maximum between two cuts in `height`. */
function climb(place: Place, from: number, to: number): void {
  let low = from
  let high = to
  let best = -Infinity
  for (let i = 0; i < BISECTION_COUNT; i++) {
    const middle = low + (high - low) / 2
    if (middle === low || middle === high) break
    spend(1)
    measure(place, middle)
    best = Math.max(best, height)
    if (slope > 0) low = middle
    else high = middle
  }
  height = Math.max(best, height)
}
