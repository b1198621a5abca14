/**
 * Balls and capsules that move without turning against boxes, rounded or not, and against each other: when they meet and part, in
 * closed form; what rounding leaves open is left to `linear-sweep.ts`.
 *
 * Method: along each axis of a box a point lies outside by what is cut off from its coordinate. So the square of the distance is a
 * convex function of the time, and of the place on a capsule's axis, made of quadratic pieces, one for each set of axes along which
 * the point lies outside: the faces, edges and corners of C. Ericson, Real-Time Collision Detection (2005), section 5.5.7. Steps from
 * piece to piece end at the least distance, then at the roots on either side of it. A segment is a box of one length, a point one of
 * none. The last step starts from the place at that time, rounded once.
 * Bound: distances are good to the error of a height, ε. With a least distance g below the radius r, at s along the way, the
 * chords of a convex function put a root, found at e to within ε, within 2ε·|s − e| / (r − g − 2ε). A least distance of more than r + 4ε is a miss.
 * Frame: the box's own axes, from its first corner; lengths along the way of the second, seen from the first. Cost: some dozen looks
 * of thirty products.
 */

import { spend } from '../../containers/budget.ts'
import { dotLess } from '../../numeric/expansion.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { isSafeExtent } from '../../numeric/safe-range.ts'
import { putAcross } from '../narrow-phase/facing-feature.ts'
import { HIT, MISS, UNSURE, type Verdict } from '../ray/ray-line.ts'
import { ANCHOR, type Body, CENTER, RADIUS, REACH, ROTATION, VERTICES } from '../shape/body.ts'
import { topPoint } from '../shape/kinds.ts'
import {
  FACE_SWEEP_SLACK_RATIO,
  LARGEST_SAFE_SPEED,
  LAST_STEP_RATIO,
  PIECE_STEP_COUNT,
  THICK_SKIN_RATIO,
} from '../tolerances.ts'
import { type MovingPair, placedAlong, setPlace } from './moving-pair.ts'
import type { SweepInterval } from './sweep-interval.ts'

/** The box's axes, three unit vectors. */
const axes = new Float64Array(9)
const across = axes.subarray(3)

/** In those axes: the first body's start point, its axis from there, its way; and what the last look saw. */
const START = 0
const AXIS = 3
const WAY = 6
/** From the box to the nearest point of the axis; 0 along axes where that lies between its faces. */
const OFF = 9
/** The square of its length, half of what that grows by along the way, and half of what that grows by. */
const SQUARE = 12
const SLOPE = 13
const BEND = 14
/** Where on the axis the nearest point lies, from 0 to 1. */
const SHARE = 15
/** The lengths of the box. */
const SIZE = 16
/** In world axes: from the first to the second, where they meet, and the extent of the pair there. */
const NORMAL = 19
const EXTENT = 22
const s = new Float64Array(23)

/** Which quadratic piece the last look was in. */
let piece = 0

/** The pair is of core points, with a skin. Fills `out` on a hit; `leave` is good to the last digits where it is wanted, and NaN where that is left open. */
export function sweepRound(pair: MovingPair, duration: number, wantsLeave: boolean, out: SweepInterval): Verdict {
  const { frame, speed, velocity } = pair
  const { first, second, extent, error, dx, dy, dz } = frame
  if (first.count > 2 || (second.count > 2 && !second.isBox)) return UNSURE
  if (!(speed < LARGEST_SAFE_SPEED && speed > 1 / LARGEST_SAFE_SPEED && isSafeExtent(extent))) return UNSURE
  const a = first.numbers
  const b = second.numbers
  const ux = velocity[0] / speed
  const uy = velocity[2] / speed
  const uz = velocity[4] / speed
  // From the middle of the first to that of the second; both lie within their reach of it.
  const cx = dx + b[CENTER] - a[CENTER]
  const cy = dy + b[CENTER + 1] - a[CENTER + 1]
  const cz = dz + b[CENTER + 2] - a[CENTER + 2]
  const middle = -(cx * ux + cy * uy + cz * uz)
  const wx = cx + middle * ux
  const wy = cy + middle * uy
  const wz = cz + middle * uz
  const reach = a[REACH] + b[REACH] + 4 * error
  const way = speed * duration
  if (wx * wx + wy * wy + wz * wz > reach * reach || middle + reach < 0 || middle - reach > way) return MISS
  spend(4)
  setAxes(second)
  setOwn(WAY, -ux, -uy, -uz)
  const end = first.local + 3 * (first.count - 1)
  setOwn(AXIS, a[end], a[end + 1], a[end + 2])
  setOwn(START, -(dx + middle * ux), -(dy + middle * uy), -(dz + middle * uz))
  s[SHARE] = 0.5
  const radius = a[RADIUS] + b[RADIUS]
  const least = findLeast(reach)
  if (!(least < Infinity)) return UNSURE
  const distance = Math.sqrt(s[SQUARE])
  // The least distance lies on a line that hardly rises or falls.
  const tilt = distance > 0 ? (Math.abs(s[SLOPE]) / distance) * 2 * reach : 0
  if (distance - tilt > radius + 4 * error) return MISS
  const room = radius - distance - 2 * error
  if (!(room > 0)) return UNSURE
  const from = findRoot(-1, -reach, least, radius, error)
  const to = findRoot(1, least, reach, radius, error)
  const slack = (2 * error * (least - from)) / room
  const leaving = (2 * error * (to - least)) / room
  if (!(Math.max(slack, leaving) < FACE_SWEEP_SLACK_RATIO * extent)) return UNSURE
  const rounding = error + 4 * UNIT_ROUNDOFF * way
  if (middle + to + leaving + rounding < 0 || middle + from - slack - rounding > way) return MISS
  const leave = wantsLeave ? closeIn(pair, 1, (middle + to) / speed, radius) : (middle + to) / speed
  const starts = middle + from + slack + rounding < 0 && middle + to - leaving - rounding > 0
  if (!starts && !(middle + from - slack - rounding > 0 && middle + from + slack + rounding < way)) return UNSURE
  const enter = starts ? 0 : closeIn(pair, -1, (middle + from) / speed, radius)
  // What the bound holds for and what the last step found are one.
  const most = FACE_SWEEP_SLACK_RATIO * extent
  if (!starts && !(enter >= 0 && Math.abs(enter * speed - (middle + from)) < most)) return UNSURE
  const isLeft = leave >= enter && Math.abs(leave * speed - (middle + to)) < most
  out.hit = true
  out.meetsAtStart = starts
  out.enter = Math.min(enter, duration)
  out.leave = isLeft ? leave : NaN
  out.hasNormal = !starts && radius > THICK_SKIN_RATIO * s[EXTENT]
  out.nx = s[NORMAL]
  out.ny = s[NORMAL + 1]
  out.nz = s[NORMAL + 2]
  return HIT
}

function setAxes({ numbers, count, isBox, local }: Body): void {
  if (isBox) {
    const r = ROTATION
    for (let k = 0; k < 3; k++) {
      const at = local + (3 << k)
      const x = numbers[r + k]
      const y = numbers[r + 3 + k]
      const z = numbers[r + 6 + k]
      axes[3 * k] = x
      axes[3 * k + 1] = y
      axes[3 * k + 2] = z
      s[SIZE + k] = numbers[at] * x + numbers[at + 1] * y + numbers[at + 2] * z
    }
    return
  }
  const at = local + 3 * (count - 1)
  const x = numbers[at]
  const y = numbers[at + 1]
  const z = numbers[at + 2]
  const length = Math.sqrt(x * x + y * y + z * z)
  setFrame(length > 0 ? x / length : 1, length > 0 ? y / length : 0, length > 0 ? z / length : 0)
  s[SIZE] = length
  s[SIZE + 1] = 0
  s[SIZE + 2] = 0
}

/** The first axis is given. */
function setFrame(x: number, y: number, z: number): void {
  axes[0] = x
  axes[1] = y
  axes[2] = z
  putAcross(x, y, z, across)
}

function setOwn(at: number, x: number, y: number, z: number): void {
  s[at] = axes[0] * x + axes[1] * y + axes[2] * z
  s[at + 1] = axes[3] * x + axes[4] * y + axes[5] * z
  s[at + 2] = axes[6] * x + axes[7] * y + axes[8] * z
}

/** Sees the pair so far along the way from the start point. */
function look(at: number): void {
  const x = s[START] + at * s[WAY]
  const y = s[START + 1] + at * s[WAY + 1]
  const z = s[START + 2] + at * s[WAY + 2]
  const ax = s[AXIS]
  const ay = s[AXIS + 1]
  const az = s[AXIS + 2]
  let share = s[SHARE]
  let sideX = sideOf(x + share * ax, s[SIZE])
  let sideY = sideOf(y + share * ay, s[SIZE + 1])
  let sideZ = sideOf(z + share * az, s[SIZE + 2])
  let way = 0
  let isEnd = false
  let isGoal = false
  // Along the axis to where the distance is least, over ends of stretches that each coordinate comes by once.
  for (;;) {
    const ox = offOf(x + share * ax, s[SIZE], sideX)
    const oy = offOf(y + share * ay, s[SIZE + 1], sideY)
    const oz = offOf(z + share * az, s[SIZE + 2], sideZ)
    const slope = ox * ax + oy * ay + oz * az
    const bend = (sideX === 0 ? 0 : ax * ax) + (sideY === 0 ? 0 : ay * ay) + (sideZ === 0 ? 0 : az * az)
    const toward = slope > 0 ? -1 : slope < 0 ? 1 : 0
    if (toward === 0 || toward === -way || isEnd || isGoal) {
      const vx = sideX === 0 ? 0 : s[WAY]
      const vy = sideY === 0 ? 0 : s[WAY + 1]
      const vz = sideZ === 0 ? 0 : s[WAY + 2]
      const across = (vx * ax + vy * ay + vz * az) / Math.sqrt(bend)
      const square = vx * vx + vy * vy + vz * vz
      s[OFF] = ox
      s[OFF + 1] = oy
      s[OFF + 2] = oz
      s[SQUARE] = ox * ox + oy * oy + oz * oz
      s[SLOPE] = ox * vx + oy * vy + oz * vz
      s[BEND] = isEnd || !(bend > 0) ? square : Math.max(square - across * across, 0)
      s[SHARE] = share
      piece = sideX + 4 * sideY + 16 * sideZ + 64 * (isEnd ? 1 + share : 3)
      return
    }
    way = toward
    const end = way > 0 ? 1 : 0
    const goal = bend > 0 ? share - slope / bend : way * Infinity
    const endX = endOf(x, ax, s[SIZE], sideX, way)
    const endY = endOf(y, ay, s[SIZE + 1], sideY, way)
    const endZ = endOf(z, az, s[SIZE + 2], sideZ, way)
    const next = way > 0 ? Math.min(goal, end, endX, endY, endZ) : Math.max(goal, end, endX, endY, endZ)
    share = next
    if (next === goal) isGoal = true
    else if (next === end) isEnd = true
    else if (next === endX) sideX += way * Math.sign(ax)
    else if (next === endY) sideY += way * Math.sign(ay)
    else sideZ += way * Math.sign(az)
  }
}

/** On which side of the stretch from 0 a coordinate lies: −1 below, 0 within, 1 above; of a point 2 always. */
function sideOf(at: number, length: number): number {
  return length === 0 ? 2 : at < 0 ? -1 : at > length ? 1 : 0
}

function offOf(at: number, length: number, side: number): number {
  return side < 0 ? at : side > 0 ? at - length : 0
}

/** Where on the axis, on the way along it, a coordinate comes to the end of the part below, within or above the stretch. */
function endOf(at: number, rate: number, length: number, side: number, way: number): number {
  const ahead = side === 2 ? 0 : way * rate
  if (ahead > 0) return side < 0 ? -at / rate : side === 0 ? (length - at) / rate : way * Infinity
  if (ahead < 0) return side > 0 ? (length - at) / rate : side === 0 ? -at / rate : way * Infinity
  return way * Infinity
}

/** Looks where the distance is least and returns how far that is from the start point; Infinity where the search does not end. */
function findLeast(reach: number): number {
  let at = 0
  let low = -reach
  let high = reach
  let before = -1
  for (let step = 0; step < PIECE_STEP_COUNT; step++) {
    look(at)
    if (s[SQUARE] === 0 || piece === before || s[SLOPE] === 0 || !(s[BEND] > 0)) return at
    if (s[SLOPE] > 0) high = at
    else low = at
    const next = at - s[SLOPE] / s[BEND]
    const isInside = next > low && next < high
    before = isInside ? piece : -1
    at = isInside ? next : (low + high) / 2
  }
  return Infinity
}

/**
 * Where between two places the distance comes down to the radius (side −1), from beyond it at the first, or goes up to it, within the
 * error of a distance; NaN where the search does not end.
 */
function findRoot(side: -1 | 1, low: number, high: number, radius: number, error: number): number {
  let outer = side < 0 ? low : high
  let inner = side < 0 ? high : low
  let at = outer
  for (let step = 0; step < PIECE_STEP_COUNT; step++) {
    look(at)
    const distance = Math.sqrt(s[SQUARE])
    if (Math.abs(distance - radius) < error) return at
    const isOuter = distance > radius && side * s[SLOPE] > 0
    if (isOuter) outer = at
    else inner = at
    const next = at + rootStep(side, radius, distance)
    if (side * (next - inner) > 0 && side * (outer - next) > 0) at = next
    // The tangent never passes the root from outside.
    else at = isOuter ? at + ((radius - distance) * distance) / s[SLOPE] : (outer + inner) / 2
  }
  return NaN
}

/** From the last look to the root of its piece on that side; NaN where that has none. */
function rootStep(side: -1 | 1, radius: number, distance: number): number {
  const rest = (distance - radius) * (distance + radius)
  const slope = side * s[SLOPE]
  const root = Math.sqrt(slope * slope - s[BEND] * rest)
  return slope > 0 ? (side * -rest) / (slope + root) : (side * (root - slope)) / s[BEND]
}

/** The time at which they come together (side −1) or part, from one that is near it, to the last digits; −1 where there is none. */
function closeIn(pair: MovingPair, side: -1 | 1, near: number, radius: number): number {
  const { frame, speed } = pair
  const a = frame.first.numbers
  const b = frame.second.numbers
  let time = near
  for (let step = 0; step < PIECE_STEP_COUNT; step++) {
    setPlace(pair, time)
    const x = placedAlong(0, a[ANCHOR], b[ANCHOR])
    const y = placedAlong(1, a[ANCHOR + 1], b[ANCHOR + 1])
    const z = placedAlong(2, a[ANCHOR + 2], b[ANCHOR + 2])
    setOwn(START, -x, -y, -z)
    look(0)
    const rest = rootStep(side, radius, Math.sqrt(s[SQUARE]))
    const size = Math.abs(x) + Math.abs(y) + Math.abs(z) + 2 * (a[REACH] + b[REACH])
    if (!(Math.abs(rest) < Infinity)) return -1
    if (Math.abs(rest) <= LAST_STEP_RATIO * size) {
      s[EXTENT] = size
      return side < 0 ? lastTime(pair, time, radius) : time + rest / speed
    }
    time += rest / speed
  }
  return -1
}

/**
 * The time at which they come together, where the direction is known: by the height of the farthest core points themselves, which no axes have rounded, less
 * that along the edges from there to the contact, which rounding tilts.
 */
function lastTime({ frame, velocity }: MovingPair, time: number, radius: number): number {
  const { first, second } = frame
  setNormal()
  const x = s[NORMAL]
  const y = s[NORMAL + 1]
  const z = s[NORMAL + 2]
  const i = first.count === 1 ? 0 : topPoint(first, x, y, z)
  const j = topPoint(second, -x, -y, -z)
  const a = first.numbers
  const b = second.numbers
  const atA = VERTICES + 3 * i
  const atB = VERTICES + 3 * j
  const open = alongNormal(
    placedAlong(0, a[atA], b[atB]),
    placedAlong(1, a[atA + 1], b[atB + 1]),
    placedAlong(2, a[atA + 2], b[atB + 2]),
    radius,
  )
  let rest = 0
  if (first.count > 1) rest += (i - s[SHARE]) * risingEdge(first, 1)
  const last = second.count > 2 ? 3 : second.count - 1
  for (let k = 0; k < last; k++) {
    const at = s[START + k] + s[SHARE] * s[AXIS + k]
    const share = at <= 0 ? 0 : at >= s[SIZE + k] ? 1 : at / s[SIZE + k]
    const end = (j >> k) & 1
    if (share !== end) rest += (share - end) * risingEdge(second, 1 << k)
  }
  // Along the unit vector.
  const gap = open + (rest - (radius * alongNormal(x, y, z, 1)) / 2)
  const rate = x * velocity[0] + y * velocity[2] + z * velocity[4]
  return rate < 0 ? time - gap / rate : time
}

/** How much the way from the first core point to another rises along the normal: rounding, where the contact lies along it. */
function risingEdge({ numbers, local }: Body, to: number): number {
  const at = local + 3 * to
  return alongNormal(numbers[at], numbers[at + 1], numbers[at + 2], 0)
}

function alongNormal(x: number, y: number, z: number, less: number): number {
  return dotLess(s[NORMAL], s[NORMAL + 1], s[NORMAL + 2], x, y, z, less)
}

/** From the first to the second, as the last look saw them. */
function setNormal(): void {
  const length = -Math.sqrt(s[SQUARE])
  const x = s[OFF] / length
  const y = s[OFF + 1] / length
  const z = s[OFF + 2] / length
  s[NORMAL] = axes[0] * x + axes[3] * y + axes[6] * z
  s[NORMAL + 1] = axes[1] * x + axes[4] * y + axes[7] * z
  s[NORMAL + 2] = axes[2] * x + axes[5] * y + axes[8] * z
}
