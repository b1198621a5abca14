/**
 * The bounds query: the axis-aligned box of a body, or of everything it covers while it moves.
 *
 * Method: the box of a convex hull is that of its points, so core points are followed one by one (`numeric/orbit.ts`), the
 * skin is added at the end, and curves are followed by their support. Each side of the box is the
 * greatest height along one of four directions.
 * Frame: the answer is in world coordinates; heights are counted from the body's position at the start.
 */

import { spend } from '../../containers/budget.ts'
import { highestOnOrbit, type Orbit } from '../../numeric/orbit.ts'
import { BISECTION_COUNT } from '../../numeric/roundoff.ts'
import { vectorLength } from '../../numeric/safe-range.ts'
import {
  type Body,
  COMPOSITE,
  COS,
  type Composite,
  ELLIPSE,
  isCored,
  isCurved,
  OFFSET,
  RADIUS,
  RX,
  RY,
  SIN,
  UNIT_X,
  UNIT_Y,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../shape/body.ts'
import { createBoundaryPoint } from '../shape/ellipse.ts'
import { curveOf } from '../shape/kinds.ts'
import type { Motion } from '../shape/motion.ts'

/** Infinite where a half-plane reaches to infinity. */
export interface Bounds {
  minX: number
  minY: number
  maxX: number
  maxY: number
}

export function createBounds(): Bounds {
  return { minX: 0, minY: 0, maxX: 0, maxY: 0 }
}

/** The four directions: right, up, left, down. */
const RIGHT_PARTS = [1, 0, -1, 0] as const
const UP_PARTS = [0, 1, 0, -1] as const

const orbit: Orbit = { along: 0, across: 0, speed: 0, spin: 0, duration: 0, cos: 1, sin: 0 }
/** Greatest heights along the four directions so far; module scratch. */
const heights = new Float64Array(4)
/** How far the body travels along each, if it does. */
const travels = new Float64Array(4)

/** Fills `out` with the tight box of the body over [0, duration]; `duration` 0 for the body as it stands. Cost O(points). */
export function bounds(body: Body, motion: Motion, duration: number, out: Bounds): void {
  heights.fill(-Infinity)
  orbit.duration = duration
  orbit.spin = duration > 0 ? motion.spin : 0
  const turn = orbit.spin * duration
  orbit.cos = turn === 0 ? 1 : Math.cos(turn)
  orbit.sin = turn === 0 ? 0 : Math.sin(turn)
  for (let side = 0; side < 4; side++) {
    const speed = RIGHT_PARTS[side] * motion.vx + UP_PARTS[side] * motion.vy
    travels[side] = Math.max(0, speed * duration)
  }
  if (body.kind === COMPOSITE) addComposite(body, motion)
  else addConvex(body, body.numbers[X_LOW], body.numbers[Y_LOW], motion)
  out.maxX = body.numbers[X] + heights[0]
  out.maxY = body.numbers[Y] + heights[1]
  out.minX = body.numbers[X] - heights[2]
  out.minY = body.numbers[Y] - heights[3]
}

function addComposite(body: Body, motion: Motion): void {
  const { parts, partCount } = body.composite as Composite
  for (let p = 0; p < partCount; p++) {
    const { body: part, outline } = parts[p]
    const dx = part.numbers[X] - body.numbers[X] + part.numbers[X_LOW]
    const dy = part.numbers[Y] - body.numbers[Y] + part.numbers[Y_LOW]
    if (outline === null) addConvex(part, dx, dy, motion)
    else addPoints(outline.vertices, 0, outline.vertexCount, 0, dx, dy, motion)
  }
}

/** The body stands at (dx, dy) from the pivot. */
function addConvex(body: Body, dx: number, dy: number, motion: Motion): void {
  if (isCored(body)) addPoints(body.numbers, body.vertices, body.count, body.numbers[RADIUS], dx, dy, motion)
  else if (isCurved(body)) addCurve(body, dx, dy, motion)
  else addHalfplane(body, dx, dy)
}

/** Core points, which begin at `start`, with a skin of `radius`. */
function addPoints(
  points: ArrayLike<number>,
  start: number,
  count: number,
  radius: number,
  dx: number,
  dy: number,
  { vx, vy, spin }: Motion,
): void {
  const turns = orbit.spin !== 0
  spend(turns ? 4 * count : count)
  for (let i = 0; i < count; i++) {
    const x = points[start + 2 * i] + dx
    const y = points[start + 2 * i + 1] + dy
    const far = turns ? vectorLength(x, y) : 0
    for (let side = 0; side < 4; side++) {
      const cos = RIGHT_PARTS[side]
      const sin = UP_PARTS[side]
      const along = cos * x + sin * y
      let height = along + travels[side]
      if (turns) {
        if (far + travels[side] + radius <= heights[side]) continue
        orbit.along = along
        orbit.across = cos * y - sin * x
        orbit.speed = cos * vx + sin * vy
        orbit.spin = spin
        height = highestOnOrbit(orbit)
      }
      if (height + radius > heights[side]) heights[side] = height + radius
    }
  }
}

function addCurve(body: Body, dx: number, dy: number, { vx, vy }: Motion): void {
  for (let side = 0; side < 4; side++) {
    const cos = RIGHT_PARTS[side]
    const sin = UP_PARTS[side]
    orbit.along = cos * dx + sin * dy
    orbit.across = cos * dy - sin * dx
    orbit.speed = cos * vx + sin * vy
    const height = highestOfCurve(orbit, body, cos, sin)
    if (height > heights[side]) heights[side] = height
  }
}

/** Bounded only along its own normal, and only if that is an axis and stays one. */
function addHalfplane({ numbers }: Body, dx: number, dy: number): void {
  const unitX = numbers[UNIT_X]
  const unitY = numbers[UNIT_Y]
  const offset = numbers[OFFSET]
  for (let side = 0; side < 4; side++) {
    const isNormal = unitX === RIGHT_PARTS[side] && unitY === UP_PARTS[side] && orbit.spin === 0
    const height = isNormal ? RIGHT_PARTS[side] * dx + UP_PARTS[side] * dy + offset + travels[side] : Infinity
    if (height > heights[side]) heights[side] = height
  }
}

// The greatest height of a curve that turns about a pivot while the pivot travels.
//
// Method: the height is speed·t plus a function of the angle alone, so the greatest lies in the last turn within the time,
// or in the first if the pivot travels downwards. That turn is cut at even angles and where an ellipse's own support
// changes its curvature, peaks or dips; between neighbouring cuts with a change of the derivative's sign the maximum is
// closed in on by bisection. The support of an ellipse is in closed form here, that of other curves their row's.
// Frame: heights along a fixed direction, counted from the pivot at time 0.

/** Even cuts of a turn, and those that the ellipse adds: four peaks and dips, four changes of curvature. */
const EVEN_COUNT = 32
const CUT_COUNT = EVEN_COUNT + 1 + 8
const cuts = new Float64Array(CUT_COUNT)

/** Height and its derivative by the time at the last evaluation. */
let height = 0
let slope = 0

const rim = createBoundaryPoint()

/** The curve's anchor moves as the orbit says; (directionX, directionY): the unit vector along which heights are taken. */
function highestOfCurve(orbit: Orbit, body: Body, directionX: number, directionY: number): number {
  const { along, speed, spin, duration } = orbit
  const { numbers } = body
  const bodyX = numbers[COS]
  const bodyY = numbers[SIN]
  const rx = numbers[RX]
  const ry = numbers[RY]
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

/** The angle plus whole turns so that it lies within the span, or the nearer end of the span. */
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
