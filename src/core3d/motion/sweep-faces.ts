/**
 * Two bodies that move without turning: when they meet and part, over faces of their difference, of curved and skinned pairs over contacts of
 * their parts (below); pairs that rounding leaves open are left to `linear-sweep.ts`.
 *
 * Method: they meet while the line of their relative motion is in the difference first − second. A triangle of the difference's points
 * that the line goes through is moved out by farthest points until it lies in the face through which the line enters, and in that
 * through which it leaves (G. Snethen, "XenoCollide: Complex collision made simple", Game Programming Gems 7 (2008), as column
 * generation of a linear program). The triangle bounds the end from one side, the plane through it from the other: both are proven.
 * Two balls have a closed form.
 * Frame: world axes; lengths along the way of the second, seen from the first. Cost: O(points) a step, a dozen steps.
 */

import { spend } from '../../containers/budget.ts'
import { dotLess } from '../../numeric/expansion.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { isSafeExtent } from '../../numeric/safe-range.ts'
import { createDifferencePlaces, putDifference } from '../narrow-phase/gjk.ts'
import { createNearContact } from '../narrow-phase/near-contact.ts'
import { createPairFrame, type PairFrame } from '../narrow-phase/pair-frame.ts'
import { type Meeting, settleMeeting } from '../narrow-phase/smooth-contact.ts'
import { HIT, MISS, UNSURE, type Verdict } from '../ray/ray-line.ts'
import { ANCHOR, CENTER, POINTS, RADIUS, REACH } from '../shape/body.ts'
import { topPoint } from '../shape/kinds.ts'
import {
  CURVED_SWEEP_GAINS,
  FACE_SWEEP_COUNT,
  FACE_SWEEP_LEAN,
  FACE_SWEEP_SLACK_RATIO,
  FACE_SWEEP_STEEPNESS,
  LARGEST_SAFE_SPEED,
  NEAR_EDGE_RATIO,
  NORMAL_GAP_RATIO,
  THICK_SKIN_RATIO,
} from '../tolerances.ts'
import { type MovingPair, placeAt } from './moving-pair.ts'
import type { SweepInterval } from './sweep-interval.ts'

interface FaceSweep {
  /** Whether they meet at the start. */
  meetsAtStart: boolean
  /** When they meet first, 0 at the earliest, and when they part, whether or not the motion lasts that long. */
  enter: number
  leave: number
  /** Whether they meet first over a face of the difference, well off its edges, or are balls; false at the start. */
  hasNormal: boolean
  /** Unit vector from the first to the second there, if so. */
  nx: number
  ny: number
  nz: number
}

export function createFaceSweep(): FaceSweep {
  return { meetsAtStart: false, enter: 0, leave: 0, hasNormal: false, nx: 0, ny: 0, nz: 0 }
}

/** Numbers of a point of the difference: x, y, z, its shadow along the way, and which core points it is made of. */
const SIZE = 7
/** Three corners of a triangle, a point beyond it, the triangle that the search begins with. */
const NEXT = 3 * SIZE
const FIRST = 4 * SIZE
/** Four corners of a face, around the line. */
const AROUND = FIRST + NEXT
const p = new Float64Array(AROUND + 4 * SIZE)

/** The line: a point of it, its unit direction, and two unit vectors across that are right-handed with it. */
const line = { ox: 0, oy: 0, oz: 0, x: 0, y: 0, z: 0, ux: 0, uy: 0, uz: 0, vx: 0, vy: 0, vz: 0 }

/** One end of the line's stretch in the difference, between bounds, with the outward unit normal. */
interface StretchEnd {
  at: number
  /** Height along the normal, from the line's own point; NaN where it ends on no face. */
  height: number
  slack: number
  /** How far off the edges of its face it lies at least, seen along the line. */
  inside: number
  nx: number
  ny: number
  nz: number
}

const entry: StretchEnd = { at: 0, height: NaN, slack: 0, inside: 0, nx: 0, ny: 0, nz: 0 }
const exit: StretchEnd = { at: 0, height: NaN, slack: 0, inside: 0, nx: 0, ny: 0, nz: 0 }

/**
 * The pair is of core points without skins, or of two balls; velocity is that of the second, seen from the first. Fills `out` on a hit.
 * When they part is Infinity where it is not wanted, unless they meet at the start, and NaN where it is left open.
 */
export function sweepFaces(
  frame: PairFrame,
  velocity: readonly [number, number, number],
  duration: number,
  wantsLeave: boolean,
  out: FaceSweep,
): Verdict {
  const [x, y, z] = velocity
  const size = Math.max(Math.abs(x), Math.abs(y), Math.abs(z))
  if (!(size < LARGEST_SAFE_SPEED && size > 1 / LARGEST_SAFE_SPEED && isSafeExtent(frame.extent))) return UNSURE
  const speed = Math.sqrt(x * x + y * y + z * z)
  isCurved = false
  setLine(x / speed, y / speed, z / speed)
  const way = speed * duration
  const isBall = frame.first.count === 1 && frame.second.count === 1
  if (!isBall && passesBy(frame, way)) return MISS
  const verdict = isBall ? castBall(frame) : enterBare(frame)
  if (verdict !== HIT) return verdict
  const entered = settleEntry(frame, way)
  if (entered !== HIT) return entered
  out.enter = hasEntered ? 0 : Math.min(entryTime(velocity, speed), duration)
  out.leave = Infinity
  if (hasEntered || wantsLeave) {
    const left = isBall || leaveBare(frame) ? settleExit(frame, way) : UNSURE
    if (hasEntered && left !== HIT) return left
    out.leave = left === HIT ? Math.max(exit.at / speed, out.enter) : NaN
  }
  out.meetsAtStart = hasEntered
  out.hasNormal = !hasEntered && entry.inside > leastInside(frame)
  out.nx = entry.nx
  out.ny = entry.ny
  out.nz = entry.nz
  return HIT
}

/** Whether the line has entered the difference before the start, for certain. */
let hasEntered = false

/** Whether they meet at the start, if they have not parted by then, or come together on the way. */
function settleEntry({ extent }: PairFrame, way: number): Verdict {
  const slack = entry.slack + 4 * UNIT_ROUNDOFF * Math.min(way, extent)
  hasEntered = entry.at + slack < 0
  if (entry.at - slack > way) return MISS
  if (!(slack <= FACE_SWEEP_SLACK_RATIO * extent)) return UNSURE
  return hasEntered || (entry.at - slack > 0 && entry.at + slack < way) ? HIT : UNSURE
}

/** Whether those that have come together before the start are together then; of others whether it is known when they part. */
function settleExit({ extent }: PairFrame, way: number): Verdict {
  const slack = exit.slack + 4 * UNIT_ROUNDOFF * Math.min(way, extent)
  if (hasEntered && exit.at + slack < 0) return MISS
  if (!(slack <= FACE_SWEEP_SLACK_RATIO * extent)) return UNSURE
  return !hasEntered || exit.at - slack > 0 ? HIT : UNSURE
}

function setLine(x: number, y: number, z: number): void {
  line.x = x
  line.y = y
  line.z = z
  // Across the way and the axis that it is farthest from.
  const least = Math.min(Math.abs(x), Math.abs(y), Math.abs(z))
  const isX = Math.abs(x) === least
  const isY = !isX && Math.abs(y) === least
  const ux = isX ? 0 : isY ? -z : y
  const uy = isX ? z : isY ? 0 : -x
  const uz = isX ? -y : isY ? x : 0
  const length = Math.sqrt(ux * ux + uy * uy + uz * uz)
  line.ux = ux / length
  line.uy = uy / length
  line.uz = uz / length
  line.vx = y * line.uz - z * line.uy
  line.vy = z * line.ux - x * line.uz
  line.vz = x * line.uy - y * line.ux
}

/** Across a face that is square to an axis it is the quotient of two coordinates. */
function entryTime([x, y, z]: readonly [number, number, number], speed: number): number {
  const { nx, ny, nz, at, height } = entry
  const isAlongAxis = (nx === 0 ? 1 : 0) + (ny === 0 ? 1 : 0) + (nz === 0 ? 1 : 0) === 2
  return isAlongAxis && !Number.isNaN(height) ? height / (nx * x + ny * y + nz * z) : at / speed
}

/** Two balls, whose difference is one. */
function castBall({ first, second, dx, dy, dz, extent, error }: PairFrame): Verdict {
  const radius = first.numbers[RADIUS] + second.numbers[RADIUS]
  const along = -(dx * line.x + dy * line.y + dz * line.z)
  const x = -dx - along * line.x
  const y = -dy - along * line.y
  const z = -dz - along * line.z
  const square = radius * radius - (x * x + y * y + z * z)
  const margin = 4 * error * (radius + Math.sqrt(x * x + y * y + z * z) + error)
  if (square < -margin) return MISS
  if (!(square > margin)) return UNSURE
  const half = Math.sqrt(square)
  const slack = margin / half + error
  if (slack > FACE_SWEEP_SLACK_RATIO * extent) return UNSURE
  entry.height = NaN
  entry.at = along - half
  exit.at = along + half
  entry.slack = exit.slack = slack
  entry.inside = Infinity
  setNormal(entry, (-half * line.x - x) / radius, (-half * line.y - y) / radius, (-half * line.z - z) / radius)
  return HIT
}

function setNormal(end: StretchEnd, x: number, y: number, z: number): void {
  end.nx = x
  end.ny = y
  end.nz = z
}

/** Sets where the line enters the difference, after a triangle that it goes through. */
function enterBare(frame: PairFrame): Verdict {
  line.ox = line.oy = line.oz = 0
  const verdict = findTriangle(frame)
  if (verdict !== HIT) return verdict
  for (let i = 0; i < NEXT; i++) p[FIRST + i] = p[i]
  return refine(frame, -1, entry) ? HIT : UNSURE
}

/** Sets where it leaves it, from that triangle; false where rounding leaves it open. */
function leaveBare(frame: PairFrame): boolean {
  for (let i = 0; i < NEXT; i++) p[i] = p[FIRST + i]
  return refine(frame, 1, exit)
}

/** Finds three points of the difference whose shadow holds the line's, counter-clockwise; or that the line misses it. */
function findTriangle(frame: PairFrame): Verdict {
  const { first, second, dx, dy, dz } = frame
  const cx = first.numbers[CENTER] - second.numbers[CENTER] - dx - line.ox
  const cy = first.numbers[CENTER + 1] - second.numbers[CENTER + 1] - dy - line.oy
  const cz = first.numbers[CENTER + 2] - second.numbers[CENTER + 2] - dz - line.oz
  const cu = cx * line.ux + cy * line.uy + cz * line.uz
  const cv = cx * line.vx + cy * line.vy + cz * line.vz
  let verdict = reachAcross(frame, 0, cu === 0 && cv === 0 ? 1 : -cu, -cv)
  if (verdict !== HIT) return verdict
  verdict = reachAcross(frame, SIZE, -p[3], -p[4])
  if (verdict !== HIT) return verdict
  for (let step = 0; step < FACE_SWEEP_COUNT; step++) {
    const u0 = p[3]
    const v0 = p[4]
    const u1 = p[SIZE + 3]
    const v1 = p[SIZE + 4]
    const c01 = u0 * v1 - v0 * u1
    // Across the edge, towards the line's shadow.
    const side = c01 < 0 ? -1 : 1
    verdict = reachAcross(frame, 2 * SIZE, side * (v0 - v1), side * (u1 - u0))
    if (verdict !== HIT) return verdict
    const u2 = p[2 * SIZE + 3]
    const v2 = p[2 * SIZE + 4]
    const c12 = side * (u1 * v2 - v1 * u2)
    const c20 = side * (u2 * v0 - v2 * u0)
    if (!(side * c01 + c12 + c20 > 0)) return UNSURE
    if (c12 >= 0 && c20 >= 0) {
      if (side < 0) swapCorners()
      return findInnerDistance(frame)
    }
    copyPoint(2 * SIZE, c12 < 0 ? 0 : SIZE)
  }
  return UNSURE
}

/** How far inside the difference the line surely passes, seen along it. */
let innerDistance = 0

/** Sets it by the triangle, and where the line goes through an edge of that by what lies beyond; UNSURE where it may only graze. */
function findInnerDistance(frame: PairFrame): Verdict {
  const room = 4 * frame.error
  let near = -1
  let least = Infinity
  innerDistance = Infinity
  for (let i = 0; i < NEXT; i += SIZE) {
    const distance = distanceInside(i, (i + SIZE) % NEXT)
    if (distance < least) {
      if (near >= 0) innerDistance = Math.min(innerDistance, least)
      least = distance
      near = i
    } else innerDistance = Math.min(innerDistance, distance)
  }
  if (!(innerDistance > room)) return UNSURE
  if (least > (isCurved ? NEAR_EDGE_RATIO * innerDistance : room)) {
    innerDistance = least
    return HIT
  }
  const after = (near + SIZE) % NEXT
  reachAcross(frame, NEXT, p[after + 4] - p[near + 4], p[near + 3] - p[after + 3])
  const beyond = Math.min(innerDistance, distanceInside(near, NEXT), distanceInside(NEXT, after))
  innerDistance = Math.max(least, beyond)
  return innerDistance > room ? HIT : UNSURE
}

/** How far to the left of the way from one corner to another the line lies, seen along it. */
function distanceInside(a: number, b: number): number {
  const u = p[b + 3] - p[a + 3]
  const v = p[b + 4] - p[a + 4]
  return (p[a + 3] * p[b + 4] - p[a + 4] * p[b + 3]) / Math.sqrt(u * u + v * v)
}

function copyPoint(from: number, to: number): void {
  for (let i = 0; i < SIZE; i++) p[to + i] = p[from + i]
}

function swapCorners(): void {
  for (let i = 0; i < SIZE; i++) {
    const own = p[SIZE + i]
    p[SIZE + i] = p[2 * SIZE + i]
    p[2 * SIZE + i] = own
  }
}

/**
 * Puts the farthest point along a vector across the line. The line misses the difference where it passes beyond that point.
 */
function reachAcross(frame: PairFrame, at: number, u: number, v: number): Verdict {
  putFarthest(frame, at, u * line.ux + v * line.vx, u * line.uy + v * line.vy, u * line.uz + v * line.vz)
  const height = u * p[at + 3] + v * p[at + 4]
  if (height > 0) return HIT
  const length = Math.sqrt(u * u + v * v)
  return height < -4 * frame.error * length ? MISS : UNSURE
}

/** The point of the difference farthest along a vector, counted from the line's own point. */
function putFarthest(frame: PairFrame, at: number, nx: number, ny: number, nz: number): void {
  const { first, second, dx, dy, dz } = frame
  spend(1 + ((first.count + second.count) >> 2))
  if (isCurved) {
    putCurved(frame, at, nx, ny, nz)
    return
  }
  const a = first.local + 3 * topPoint(first, nx, ny, nz)
  const b = second.local + 3 * topPoint(second, -nx, -ny, -nz)
  const x = first.numbers[a] - second.numbers[b] - dx - line.ox
  const y = first.numbers[a + 1] - second.numbers[b + 1] - dy - line.oy
  const z = first.numbers[a + 2] - second.numbers[b + 2] - dz - line.oz
  putPoint(at, x, y, z)
}

function putPoint(at: number, x: number, y: number, z: number): void {
  p[at] = x
  p[at + 1] = y
  p[at + 2] = z
  p[at + 3] = x * line.ux + y * line.uy + z * line.uz
  p[at + 4] = x * line.vx + y * line.vy + z * line.vz
}

/** Moves the triangle out to the face where the line enters (side −1) or leaves the difference; false where rounding leaves it open. */
function refine(frame: PairFrame, side: -1 | 1, end: StretchEnd): boolean {
  for (let step = 0; step < FACE_SWEEP_COUNT; step++) {
    const ax = p[SIZE] - p[0]
    const ay = p[SIZE + 1] - p[1]
    const az = p[SIZE + 2] - p[2]
    const bx = p[2 * SIZE] - p[0]
    const by = p[2 * SIZE + 1] - p[1]
    const bz = p[2 * SIZE + 2] - p[2]
    const nx = side * (ay * bz - az * by)
    const ny = side * (az * bx - ax * bz)
    const nz = side * (ax * by - ay * bx)
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz)
    putFarthest(frame, NEXT, nx, ny, nz)
    const gain = nx * (p[NEXT] - p[0]) + ny * (p[NEXT + 1] - p[1]) + nz * (p[NEXT + 2] - p[2])
    if (!(gain > frame.error * length)) {
      setNormal(end, nx / length, ny / length, nz / length)
      const edges = Math.sqrt((ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz))
      return length > FACE_SWEEP_STEEPNESS * edges && crossFace(frame, side, end)
    }
    if (!exchange()) return false
  }
  return false
}

/** Goes over to that of the triangles from the new point to two of the old that the line goes through: the largest, if that is not one. */
function exchange(): boolean {
  const u = p[NEXT + 3]
  const v = p[NEXT + 4]
  let largest = 0
  let out = -1
  for (let i = 0; i < NEXT; i += SIZE) {
    const after = (i + SIZE) % NEXT
    const before = u * p[i + 4] - v * p[i + 3]
    const beyond = p[after + 3] * v - p[after + 4] * u
    if (!(before >= 0 && beyond >= 0)) continue
    const size = before + beyond + (p[i + 3] * p[after + 4] - p[i + 4] * p[after + 3])
    if (size <= largest) continue
    largest = size
    out = (after + SIZE) % NEXT
  }
  if (out >= 0) copyPoint(NEXT, out)
  return out >= 0
}

/** Sets where the line goes through the face; false where that is too nearly along it. */
function crossFace(frame: PairFrame, side: -1 | 1, end: StretchEnd): boolean {
  const { first, second, error } = frame
  const { nx, ny, nz } = end
  const slope = nx * line.x + ny * line.y + nz * line.z
  if (!(side * slope > FACE_SWEEP_STEEPNESS)) return false
  end.height = nx * p[0] + ny * p[1] + nz * p[2]
  end.at = end.height / slope
  const room = 4 * error
  end.slack = (2 * room) / Math.abs(slope)
  const inside = Math.min(distanceInside(0, SIZE), distanceInside(SIZE, 2 * SIZE), distanceInside(2 * SIZE, 0))
  end.inside = inside > leastInside(frame) || side > 0 ? inside : insideFace(frame, end)
  if (!(inside > -room)) return false
  // Past the triangle by no more than that: the difference is convex, and falls off by no more than from there to its farthest end.
  const size = 4 * (first.numbers[REACH] + second.numbers[REACH])
  if (inside < room) end.slack += (2 * room * size) / innerDistance
  return true
}

/** So far off the edges of a face its normal is that of the way between the bodies a little before they meet. */
function leastInside({ extent }: PairFrame): number {
  return 2 * NORMAL_GAP_RATIO * extent
}

/** How far off the edges of the whole face it lies at least: off those between its points farthest along four ways across. */
function insideFace(frame: PairFrame, { nx, ny, nz }: StretchEnd): number {
  const { ux, uy, uz, vx, vy, vz } = line
  for (let k = 0; k < 4; k++) {
    const at = AROUND + SIZE * k
    const u = AROUND_U[k] * FACE_SWEEP_LEAN
    const v = AROUND_V[k] * FACE_SWEEP_LEAN
    putFarthest(frame, at, nx + u * ux + v * vx, ny + u * uy + v * vy, nz + u * uz + v * vz)
    const height = nx * (p[at] - p[0]) + ny * (p[at + 1] - p[1]) + nz * (p[at + 2] - p[2])
    if (!(height > -4 * frame.error)) return 0
  }
  let inside = Infinity
  for (let k = 0; k < 4; k++) {
    const distance = distanceInside(AROUND + SIZE * k, AROUND + SIZE * ((k + 1) % 4))
    // A corner may be the farthest along two of them.
    if (distance < inside) inside = distance
  }
  return inside
}

/** Counter-clockwise around the line, seen along it. */
const AROUND_U = [1, 0, -1, 0]
const AROUND_V = [0, 1, 0, -1]

// A pair of which one body at least is curved, or has a skin.
//
// Method: skins belong to the difference, whose points have no faces to lie in. So the triangle is moved out until it tells about
// which parts of the bodies meet, and Newton's method finds the contact of these, and when they come to it, at once
// (`narrow-phase/smooth-contact.ts`). It is proven as any is: a point of the difference, and a plane beyond which there is none.
// Frame: as above; the line goes through the origin.

/** Whether the difference is that of a curved pair, with its skins, or of one that has but these. */
let isCurved = false
let curvedSkin = 0
const places = createDifferencePlaces(1)
const now = createPairFrame()
const near = createNearContact()
const meeting: Meeting = {
  x: 0,
  y: 0,
  z: 0,
  skins: 0,
  moved: 0,
  cornersA: new Int32Array(3),
  cornersB: new Int32Array(3),
  isEntry: false,
  isClear: false,
}

function putCurved(frame: PairFrame, at: number, nx: number, ny: number, nz: number): void {
  putDifference(frame, nx, ny, nz, places, 0)
  const { w, indexA, indexB } = places
  const skin = curvedSkin === 0 ? 0 : curvedSkin / Math.sqrt(nx * nx + ny * ny + nz * nz)
  putPoint(at, w[0] + skin * nx, w[1] + skin * ny, w[2] + skin * nz)
  p[at + 5] = indexA[0]
  p[at + 6] = indexB[0]
}

/** As `sweepFaces`, of any pair of bounded bodies. */
export function sweepCurved(pair: MovingPair, duration: number, wantsLeave: boolean, out: SweepInterval): Verdict {
  const { frame, speed, velocity } = pair
  const { first, second, extent } = frame
  if (!(speed < LARGEST_SAFE_SPEED && speed > 1 / LARGEST_SAFE_SPEED && isSafeExtent(extent))) return UNSURE
  isCurved = true
  curvedSkin = first.numbers[RADIUS] + second.numbers[RADIUS]
  setLine(velocity[0] / speed, velocity[2] / speed, velocity[4] / speed)
  line.ox = line.oy = line.oz = 0
  const way = speed * duration
  if (passesBy(frame, way)) return MISS
  const verdict = findTriangle(frame)
  if (verdict !== HIT) return verdict
  for (let i = 0; i < NEXT; i++) p[FIRST + i] = p[i]
  if (!comeTo(pair, -1, entry)) return UNSURE
  const entered = settleEntry(frame, way)
  if (entered !== HIT) return entered
  out.enter = hasEntered ? 0 : Math.min(contactTime, duration)
  // Thin skins leave their direction open.
  const isSkinned = curvedSkin === 0 || curvedSkin > THICK_SKIN_RATIO * extent
  out.hasNormal = !hasEntered && meeting.isClear && isSkinned
  setContact(pair, out)
  out.leave = Infinity
  if (hasEntered || wantsLeave) {
    for (let i = 0; i < NEXT; i++) p[i] = p[FIRST + i]
    const left = comeTo(pair, 1, exit) ? settleExit(frame, way) : UNSURE
    if (hasEntered && left !== HIT) return left
    out.leave = left === HIT ? Math.max(contactTime, out.enter) : NaN
  }
  out.hit = true
  out.meetsAtStart = hasEntered
  return HIT
}

/** Whether balls about the bodies miss each other. */
function passesBy({ first, second, dx, dy, dz, error }: PairFrame, way: number): boolean {
  const a = first.numbers
  const b = second.numbers
  const x = dx + b[CENTER] - a[CENTER]
  const y = dy + b[CENTER + 1] - a[CENTER + 1]
  const z = dz + b[CENTER + 2] - a[CENTER + 2]
  const along = -(x * line.x + y * line.y + z * line.z)
  const u = x * line.ux + y * line.uy + z * line.uz
  const v = x * line.vx + y * line.vy + z * line.vz
  const reach = a[REACH] + b[REACH] + 4 * error
  return u * u + v * v > reach * reach || along + reach < 0 || along - reach > way
}

/** Sets where the line enters (side −1) or leaves the difference, from a triangle that it goes through; false where that is left open. */
function comeTo(pair: MovingPair, side: -1 | 1, end: StretchEnd): boolean {
  const { frame } = pair
  for (const gain of CURVED_SWEEP_GAINS) {
    if (!moveTriangle(frame, side, gain * frame.extent, end)) return false
    const slope = end.nx * line.x + end.ny * line.y + end.nz * line.z
    if (side * slope > FACE_SWEEP_STEEPNESS && meetNear(pair, side, end.height / slope, end)) return true
  }
  return false
}

/** Moves the triangle out while that gains as much; sets its normal and height. */
function moveTriangle(frame: PairFrame, side: -1 | 1, least: number, end: StretchEnd): boolean {
  for (let step = 0; step < FACE_SWEEP_COUNT; step++) {
    const ax = p[SIZE] - p[0]
    const ay = p[SIZE + 1] - p[1]
    const az = p[SIZE + 2] - p[2]
    const bx = p[2 * SIZE] - p[0]
    const by = p[2 * SIZE + 1] - p[1]
    const bz = p[2 * SIZE + 2] - p[2]
    const nx = side * (ay * bz - az * by)
    const ny = side * (az * bx - ax * bz)
    const nz = side * (ax * by - ay * bx)
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz)
    if (!(length > 0)) return false
    putFarthest(frame, NEXT, nx / length, ny / length, nz / length)
    const height = (nx * p[0] + ny * p[1] + nz * p[2]) / length
    const farthest = (nx * p[NEXT] + ny * p[NEXT + 1] + nz * p[NEXT + 2]) / length
    if (!(farthest - height > least)) {
      setNormal(end, nx / length, ny / length, nz / length)
      end.height = height
      return true
    }
    if (!exchange()) return false
  }
  return false
}

/** Sets the end by the contact of the parts that the triangle's corners lie on. */
function meetNear(pair: MovingPair, side: -1 | 1, at: number, end: StretchEnd): boolean {
  const { frame, speed, velocity } = pair
  const { first, second } = frame
  placeAt(pair, first, second, at / speed, now)
  meeting.x = line.x
  meeting.y = line.y
  meeting.z = line.z
  meeting.skins = curvedSkin
  meeting.isEntry = side < 0
  for (let i = 0; i < 3; i++) {
    meeting.cornersA[i] = p[SIZE * i + 5]
    meeting.cornersB[i] = p[SIZE * i + 6]
  }
  if (!settleMeeting(now, end.nx, end.ny, end.nz, meeting, near)) return false
  const { nx, ny, nz } = near
  const slope = nx * line.x + ny * line.y + nz * line.z
  if (!(side * slope > FACE_SWEEP_STEEPNESS)) return false
  // From the place at that time, rounded once.
  const time = (at + meeting.moved) / speed
  placeAt(pair, first, second, time, now)
  const isCored = first.kind === POINTS && second.kind === POINTS
  const gap = isCored ? gapAlong(nx, ny, nz) : -putDifference(now, nx, ny, nz, places, 0) - curvedSkin
  contactTime = time - gap / (nx * velocity[0] + ny * velocity[2] + nz * velocity[4])
  end.at = contactTime * speed
  setNormal(end, nx, ny, nz)
  const room = 4 * frame.error
  const size = 4 * (first.numbers[REACH] + second.numbers[REACH])
  end.slack = (2 * room) / Math.abs(slope) + (2 * room * size) / innerDistance
  return Math.abs(gap) < FACE_SWEEP_SLACK_RATIO * frame.extent
}

/** When the contact is, which has been found last. */
let contactTime = 0

/** How far the points of the contact, on flat parts, are apart along a unit vector but for rounding, beyond the skins. */
function gapAlong(nx: number, ny: number, nz: number): number {
  const { a, b } = near
  const open = dotLess(nx, ny, nz, now.dx + b[0] - a[0], now.dy + b[1] - a[1], now.dz + b[2] - a[2], curvedSkin)
  return open - (curvedSkin * dotLess(nx, ny, nz, nx, ny, nz, 1)) / 2
}

/** Sets the contact that `near` has. */
function setContact({ frame }: MovingPair, out: SweepInterval): void {
  const a = frame.first.numbers
  const b = frame.second.numbers
  out.nx = near.nx
  out.ny = near.ny
  out.nz = near.nz
  out.px = a[ANCHOR] + middle(near.a[0], a[RADIUS] * near.nx, now.dx + near.b[0], b[RADIUS] * near.nx)
  out.py = a[ANCHOR + 1] + middle(near.a[1], a[RADIUS] * near.ny, now.dy + near.b[1], b[RADIUS] * near.ny)
  out.pz = a[ANCHOR + 2] + middle(near.a[2], a[RADIUS] * near.nz, now.dz + near.b[2], b[RADIUS] * near.nz)
  out.hasPoint = true
}

/** Between the surfaces of two skins about points. */
function middle(a: number, skinA: number, b: number, skinB: number): number {
  return (a + skinA) / 2 + (b - skinB) / 2
}
