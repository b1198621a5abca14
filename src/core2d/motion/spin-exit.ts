/**
 * When two convex bodies that meet part again, of which at least one spins.
 *
 * Method: rounds of steps in which they certainly still meet, each the longest of several proofs:
 *   cores overlap    no face of either core has got in front of a vertex of the other: the separating-axis test, each
 *                    face's height over one vertex bounded to second order (as in `advancing-axis.ts`)
 *   skins overlap    a core point of one stays within the sum of the skins from a core point, or an edge, of the other
 *   in an ellipse    a surface point of the other stays inside it
 *   discs            the discs inside them that no spin moves overlap
 *   depth            a depth shrinks no faster than points of the two can move against each other
 * Near the exit the feature that parts last is the one that is followed, so the steps converge quadratically.
 * Frame: world axes, origin at A's pivot; steps count from the moment the bodies are posed at.
 */

import { spend } from '../../containers/budget.ts'
import { fallTime } from '../../numeric/orbit.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { rootOfProduct, vectorLength } from '../../numeric/safe-range.ts'
import { grantSteps, takeStep } from '../../numeric/step-budget.ts'
import { orderPair, separate } from '../narrow-phase/dispatch.ts'
import { lowestVertex } from '../narrow-phase/sat.ts'
import { createSeparation } from '../narrow-phase/separation.ts'
import {
  type Body,
  CENTER_X,
  CENTER_Y,
  COS,
  ELLIPSE,
  following,
  HALFPLANE,
  isCurved,
  LOCAL,
  RADIUS,
  REACH,
  RX,
  RY,
  SIN,
  UNIT_X,
  UNIT_Y,
  X,
  Y,
} from '../shape/body.ts'
import { kindOf } from '../shape/kinds.ts'
import type { Motion } from '../shape/motion.ts'
import { ELLIPSE_ERROR_RATIO, FAR_RATIO, LEAST_AXIS_RATIO, SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { createAxis, measureAxis, setAxis } from './advancing-axis.ts'
import { createSpinSweep, type Mover, motionBound, poseSpinSweep, type SpinSweep, setSpinSweep } from './moving-pair.ts'

export interface SpinExit {
  time: number
  /** False when `time` is only a moment before which they do not part. */
  converged: boolean
}

export function createSpinExit(): SpinExit {
  return { time: 0, converged: true }
}

const sweep = createSpinSweep()
const axis = createAxis()
const separation = createSeparation()
const discA = createCoreDisc()
const discB = createCoreDisc()
/** A direction for `lowestVertex`. */
const toward = [0.5, 0.5]

/** The current round; module scratch. A record, because a double in a variable that functions share is boxed. */
const state = {
  /** Rounding error, sum of the skins, and how far apart counts as parted. */
  error: 0,
  skins: 0,
  level: 0,
  /** Of the last proof: the separation, or a bound from below that is exact near the exit, where `axis` is its axis. */
  value: 0,
  /** How long no face has risen over `ceiling` in front of the other core. */
  ceiling: 0,
  step: 0,
  /** A line of a body's core: its normal, its height over the anchor, and the bound on what pivots add to second derivatives over it. */
  nx: 0,
  ny: 0,
  offset: 0,
  drift: 0,
  /** Height of a point of the other body over it, its rate and the bound on its second derivative. */
  height: 0,
  rate: 0,
  bend: 0,
}

/** Newton steps back from where a pair is known to have parted: they halve a stretch of 2⁻²⁰ down to rounding. */
const NEWTON_COUNT = 32

/**
 * Fills `out` with the first moment in [from, to] after which the bodies, which meet at `from`, are apart, and returns
 * true; false when they meet to the end. Pivots as in `sweepSpin`.
 */
export function exitSpin(
  a: Body,
  motionA: Motion,
  pivotA: Body,
  b: Body,
  motionB: Motion,
  pivotB: Body,
  from: number,
  to: number,
  out: SpinExit,
): boolean {
  if (!orderPair(a, b).swapped) return exitOrdered(a, motionA, pivotA, b, motionB, pivotB, from, to, out)
  return exitOrdered(b, motionB, pivotB, a, motionA, pivotA, from, to, out)
}

function exitOrdered(
  a: Body,
  motionA: Motion,
  pivotA: Body,
  b: Body,
  motionB: Motion,
  pivotB: Body,
  from: number,
  to: number,
  out: SpinExit,
): boolean {
  out.time = from
  out.converged = true
  if (!setSpinSweep(sweep, a, motionA, pivotA, b, motionB, pivotB, from, to) || sweep.cut) return true
  const halfplane = b.kind === HALFPLANE
  if (a.kind === HALFPLANE && shareWedge(a, b)) return false
  const round = isCurved(a) || isCurved(b)
  state.skins = round || halfplane ? 0 : a.numbers[RADIUS] + b.numbers[RADIUS]
  if (state.skins > 0) {
    sweep.a.posed.numbers[RADIUS] = 0
    sweep.b.posed.numbers[RADIUS] = 0
  }
  setCoreDisc(sweep.a, discA)
  setCoreDisc(sweep.b, discB)
  let clock = 0
  let byDiscs = false
  const steps = grantSteps()
  while (takeStep(steps)) {
    poseSpinSweep(sweep, clock)
    setError(clock, round)
    state.value = -Infinity
    // Once they have been followed to their end, rounding must not make them a stairway.
    let step: number = byDiscs ? 0 : discsMeetFor(sweep, discA, discB, clock)
    byDiscs = step > 0
    if (byDiscs) {
      // Nothing else needs to be looked at.
    } else if (halfplane) step = stayInHalfplane()
    else if (round) step = stayWithCurve()
    else step = state.skins > 0 ? staySkinned() : stayInFaces(state.level)
    if (state.value >= state.level - state.error) {
      out.time = Math.max(from, sweep.start + (clock + opening(clock)) / sweep.rate)
      return true
    }
    const next = clock + step
    if (next >= sweep.end) {
      out.time = sweep.start + sweep.end / sweep.rate
      return sweep.discsPart
    }
    if (next === clock && !byDiscs) break
    clock = next
  }
  out.time = sweep.start + clock / sweep.rate
  out.converged = false
  return true
}

/**
 * Whether two half-planes meet whatever their offsets: they do unless their normals are opposite, which those of
 * half-planes that turn against each other are for single instants only.
 */
function shareWedge(a: Body, b: Body): boolean {
  if (sweep.a.spin !== sweep.b.spin) return true
  separate(a, b, separation)
  return separation.nx === 0 && separation.ny === 0
}

function setError(clock: number, round: boolean): void {
  const { a, b, dx, dy } = sweep
  const extent = Math.abs(dx) + Math.abs(dy) + a.reach + a.posed.numbers[REACH] + b.reach + b.posed.numbers[REACH]
  state.error = SEPARATION_ERROR_RATIO * extent + sweep.doubt + sweep.doubtRate * clock
  if (round) state.error += ELLIPSE_ERROR_RATIO * extent
  state.level = 4 * state.error
}

/**
 * When, before the moment the bodies are posed at, the gap along `axis` opened: Newton's method, which halves the way to
 * an opening that a touch has made tangential.
 */
function opening(clock: number): number {
  setAxis(axis, sweep)
  const least = UNIT_ROUNDOFF * (state.error / SEPARATION_ERROR_RATIO)
  let tau = 0
  for (let step = 0; step < NEWTON_COUNT && tau > -clock; step++) {
    spend(1 + ((sweep.a.body.count + sweep.b.body.count) >> 2))
    const gap = axis.gap - state.skins
    if (!(gap > least && axis.rate > 0)) break
    tau = Math.max(-clock, tau - gap / axis.rate)
    measureAxis(axis, sweep, tau)
  }
  return tau
}

/** Lays `axis` along the pair's nearest features. */
function takeAxis(swapped: boolean): void {
  const { face, nx, ny } = separation
  axis.nx = swapped ? -nx : nx
  axis.ny = swapped ? -ny : ny
  axis.spin = face === 0 ? 0 : faceOwner(swapped).spin
}

function faceOwner(swapped: boolean): Mover {
  return (separation.face === 1) === swapped ? sweep.b : sweep.a
}

/** The half-plane's lowest point is followed. */
function stayInHalfplane(): number {
  const { b } = sweep
  axis.nx = -b.posed.numbers[UNIT_X]
  axis.ny = -b.posed.numbers[UNIT_Y]
  axis.spin = b.spin
  setAxis(axis, sweep)
  state.value = axis.gap
  const step = fallTime(Math.max(0, state.level - state.value), -axis.rate, axis.bend + axis.a.bend + axis.b.bend)
  return b.spin === 0 ? step : Math.min(step, 1 / Math.abs(b.spin))
}

/** Cores apart by no more than the skins, or overlapping. */
function staySkinned(): number {
  const { a, b, dx, dy } = sweep
  const { swapped } = separate(a.posed, b.posed, separation)
  const core = separation.value
  state.value = core - state.skins
  const least = (state.level - state.value) / motionBound(sweep)
  if (core < 0) return Math.max(least, stayInFacesOnly())
  if (state.value >= state.level - state.error) {
    takeAxis(swapped)
    return 0
  }
  const origin = swapped ? b.posed : a.posed
  const ax = origin.numbers[X] + (swapped ? separation.bx : separation.ax)
  const ay = origin.numbers[Y] + (swapped ? separation.by : separation.ay)
  const bx = origin.numbers[X] + (swapped ? separation.ax : separation.bx) - dx
  const by = origin.numbers[Y] + (swapped ? separation.ay : separation.by) - dy
  const x = dx + bx - ax
  const y = dy + by - ay
  const x1 = sweep.vx - b.spin * by + a.spin * ay
  const y1 = sweep.vy + b.spin * bx - a.spin * ax
  const bend = b.spin * b.spin * vectorLength(bx, by) + a.spin * a.spin * vectorLength(ax, ay)
  const points = pointsStayWithin(x, y, x1, y1, bend, state.skins + state.level, sweep.end)
  const beside = separation.face === 0 ? 0 : stayBesideFace(swapped)
  return Math.max(least, points, beside)
}

/** The separating-axis proof for cores that overlap; leaves `value` alone. */
function stayInFacesOnly(): number {
  const kept = state.value
  const step = stayInFaces(0)
  state.value = kept
  return step
}

/** How long a vertex of one core stays within the skins of the edge that it is nearest to on the other. */
function stayBesideFace(swapped: boolean): number {
  const owner = faceOwner(swapped)
  const { posed } = owner
  const { edge } = separation
  const other = owner === sweep.a ? sweep.b : sweep.a
  const vertex = other.posed.count > 1 ? separation.vertex : 0
  const nx = posed.numbers[posed.normals + 2 * edge]
  const ny = posed.numbers[posed.normals + 2 * edge + 1]
  const next = following(posed, edge)
  const length = vectorLength(
    posed.numbers[LOCAL + 2 * next] - posed.numbers[LOCAL + 2 * edge],
    posed.numbers[LOCAL + 2 * next + 1] - posed.numbers[LOCAL + 2 * edge + 1],
  )
  const room = state.skins + state.level
  setDrift(owner)
  takeLine(nx, ny, posed.numbers[posed.offsets + edge])
  setFaceHeight(owner, other, vertex)
  const over = fallTime(Math.max(0, room - state.height), -state.rate, state.bend)
  const under = fallTime(Math.max(0, room + state.height), state.rate, state.bend)
  const foot = posed.numbers[LOCAL + 2 * edge] * -ny + posed.numbers[LOCAL + 2 * edge + 1] * nx
  takeLine(-ny, nx, foot)
  setFaceHeight(owner, other, vertex)
  const before = fallTime(Math.max(0, state.height), state.rate, state.bend)
  const beyond = fallTime(Math.max(0, length - state.height), -state.rate, state.bend)
  const most = owner.spin === 0 ? Infinity : 1 / Math.abs(owner.spin)
  return Math.min(most, over, under, before, beyond)
}

/** Takes the owner's line at `offset` over its anchor along (nx, ny), fixed to it. */
function takeLine(nx: number, ny: number, offset: number): void {
  state.nx = nx
  state.ny = ny
  state.offset = offset
}

/** Sets how far the pivots bend the way of a point over any line of the owner. */
function setDrift({ spin }: Mover): void {
  state.drift = spin * spin * vectorLength(sweep.dx, sweep.dy) + 3 * Math.abs(spin) * sweep.speed
}

/** Measures a vertex over the owner's line in `state`. */
function setFaceHeight(owner: Mover, other: Mover, vertex: number): void {
  const { nx, ny, offset, drift } = state
  const side = owner === sweep.a ? 1 : -1
  const dx = side * sweep.dx
  const dy = side * sweep.dy
  const { spin } = owner
  const turn = other.spin - spin
  const qx = other.turnedX + other.posed.numbers[LOCAL + 2 * vertex]
  const qy = other.turnedY + other.posed.numbers[LOCAL + 2 * vertex + 1]
  state.height = nx * (dx - owner.turnedX + qx) + ny * (dy - owner.turnedY + qy) - offset
  state.rate = side * (nx * sweep.vx + ny * sweep.vy) + spin * (nx * dy - ny * dx) + turn * (ny * qx - nx * qy)
  state.bend = drift + turn * turn * other.far[vertex]
}

/** How long no face of either core rises over `ceiling` in front of the other. Sets `value` and `axis` by the highest. */
function stayInFaces(ceiling: number): number {
  const { a, b } = sweep
  state.value = -Infinity
  if (a.posed.count === 1 && b.posed.count === 1) {
    // Two points.
    state.value = vectorLength(sweep.dx + b.turnedX - a.turnedX, sweep.dy + b.turnedY - a.turnedY)
    axis.nx = 0
    axis.ny = 0
    return Math.max(0, ceiling - state.value) / motionBound(sweep)
  }
  state.ceiling = ceiling
  state.step = Infinity
  if (a.spin !== 0) state.step = 1 / Math.abs(a.spin)
  if (b.spin !== 0) state.step = Math.min(state.step, 1 / Math.abs(b.spin))
  stayBehindFaces(a, b)
  stayBehindFaces(b, a)
  return state.step
}

/** Shortens `step` for the faces of one core. Any vertex bounds a face's height, so most are settled by the last one. */
function stayBehindFaces(owner: Mover, other: Mover): void {
  const { count, normals, offsets, numbers } = owner.posed
  if (count === 1) return
  let probe = 0
  setDrift(owner)
  for (let i = 0; i < count; i++) {
    takeLine(numbers[normals + 2 * i], numbers[normals + 2 * i + 1], numbers[offsets + i])
    setFaceHeight(owner, other, probe)
    if (isSettled()) continue
    probe = lowestVertex(other.posed, numbers, normals + 2 * i, 1, probe)
    setFaceHeight(owner, other, probe)
    stayBehind(owner, numbers, normals + 2 * i)
  }
  if (count > 2) return
  // A segment has ends as well: its two sides say nothing about what lies in line with it.
  for (let side = -1; side <= 1; side += 2) {
    toward[0] = side * numbers[normals + 1]
    toward[1] = -side * numbers[normals]
    const end = Math.max(0, toward[0] * numbers[LOCAL + 2] + toward[1] * numbers[LOCAL + 3])
    probe = lowestVertex(other.posed, toward, 0, 1, probe)
    takeLine(toward[0], toward[1], end)
    setFaceHeight(owner, other, probe)
    stayBehind(owner, toward, 0)
  }
}

/** Whether the height measured last changes nothing: it is not the highest, and stays below the ceiling for the step. */
function isSettled(): boolean {
  const { height, rate, bend, step, value, ceiling } = state
  return height <= value && height + step * (rate + 0.5 * bend * step) <= ceiling
}

/** Takes account of a face over whose lowest vertex the height was measured last. */
function stayBehind(owner: Mover, directions: readonly number[], at: number): void {
  const { height, rate, bend, step, value, ceiling } = state
  if (height > value) {
    state.value = height
    const side = owner === sweep.a ? 1 : -1
    axis.nx = side * directions[at]
    axis.ny = side * directions[at + 1]
    axis.spin = owner.spin
  }
  if (height >= ceiling) state.step = 0
  else if (!(height + step * (rate + 0.5 * bend * step) <= ceiling)) {
    state.step = Math.min(step, fallTime(ceiling - height, -rate, bend))
  }
}

function stayWithCurve(): number {
  const { a, b } = sweep
  const { swapped } = separate(a.posed, b.posed, separation)
  state.value = separation.value
  if (state.value >= state.level - state.error) {
    takeAxis(swapped)
    return 0
  }
  const origin = swapped ? b.posed : a.posed
  const ax = origin.numbers[X] + (swapped ? separation.bx : separation.ax)
  const ay = origin.numbers[Y] + (swapped ? separation.by : separation.ay)
  const bx = origin.numbers[X] + (swapped ? separation.ax : separation.bx)
  const by = origin.numbers[Y] + (swapped ? separation.ay : separation.by)
  let step = (state.level - state.value) / motionBound(sweep)
  if (a.posed.kind === ELLIPSE) step = Math.max(step, stayInEllipse(a, b, bx, by))
  if (b.posed.kind === ELLIPSE) step = Math.max(step, stayInEllipse(b, a, ax, ay))
  return step
}

/** How long the point of `guest` that is now at (px, py) stays inside the ellipse, all seen from the turning ellipse. */
function stayInEllipse(ellipse: Mover, guest: Mover, px: number, py: number): number {
  const { posed, spin } = ellipse
  const side = ellipse === sweep.a ? 1 : -1
  const { numbers } = posed
  const cos = numbers[COS]
  const sin = numbers[SIN]
  const least = LEAST_AXIS_RATIO * posed.numbers[REACH]
  const rx = Math.max(posed.numbers[RX], least)
  const ry = Math.max(posed.numbers[RY], least)
  // One that rounding hides holds nothing, and shares of its axes might overflow.
  if (state.level * FAR_RATIO > Math.max(rx, ry)) return 0
  const dx = side * sweep.dx
  const dy = side * sweep.dy
  const qx = px - (side > 0 ? sweep.dx : 0)
  const qy = py - (side > 0 ? sweep.dy : 0)
  const turn = guest.spin - spin
  const x = px - posed.numbers[X]
  const y = py - posed.numbers[Y]
  const vx = side * sweep.vx + spin * dy - turn * qy
  const vy = side * sweep.vy - spin * dx + turn * qx
  const bend =
    spin * spin * vectorLength(dx, dy) + 3 * Math.abs(spin) * sweep.speed + turn * turn * vectorLength(qx, qy)
  const most = spin === 0 ? sweep.end : Math.min(sweep.end, 1 / Math.abs(spin))
  return pointsStayWithin(
    (cos * x + sin * y) / rx,
    (cos * y - sin * x) / ry,
    (cos * vx + sin * vy) / rx,
    (cos * vy - sin * vx) / ry,
    bend / Math.min(rx, ry),
    1 + state.level / Math.max(rx, ry),
    most,
  )
}

// The disc inside a body that its spin does not move: two bodies meet for certain while these discs do.
//
// Frame: relative to the mover's pivot; about it if the body spins, else about the mean of the vertices.

interface CoreDisc {
  x: number
  y: number
  /** Negative when the pivot lies outside the body. */
  radius: number
}

function createCoreDisc(): CoreDisc {
  return { x: 0, y: 0, radius: 0 }
}

/** Cost O(vertices). */
function setCoreDisc({ body, omega, armX, armY }: Mover, out: CoreDisc): void {
  const { count } = body
  const spins = omega !== 0
  out.x = spins || count === 0 ? 0 : body.numbers[CENTER_X]
  out.y = spins || count === 0 ? 0 : body.numbers[CENTER_Y]
  out.radius = kindOf(body).innerRadius(body, out.x - armX, out.y - armY)
}

/** How long after the clock's moment the discs certainly meet; 0 when they do not, Infinity when they always will. */
function discsMeetFor(sweep: SpinSweep, a: CoreDisc, b: CoreDisc, clock: number): number {
  const x = sweep.dx + b.x - a.x
  const y = sweep.dy + b.y - a.y
  const { vx, vy, speed } = sweep
  const doubt = SEPARATION_ERROR_RATIO * (Math.abs(x) + Math.abs(y) + a.radius + b.radius)
  const radius = a.radius + b.radius - doubt - sweep.doubt - sweep.doubtRate * clock
  const distance = vectorLength(x, y)
  if (!(a.radius >= 0 && b.radius >= 0 && distance < radius)) return 0
  if (speed === 0) return Infinity
  const along = (x * vx + y * vy) / speed
  const across = Math.min(radius, Math.abs((x * vy - y * vx) / speed))
  return Math.max(0, rootOfProduct(radius - across, radius + across) - along) / speed
}

// How long a moving point certainly stays within a circle about the origin.
//
// Method: its distance at τ is at most |p + v·τ| + ½·bend·τ², a convex function of τ: Newton's method closes in on the
// root from above, and the chord from 0 to any point above the root ends below it.

/** Newton steps at most: they halve the way to a root that is nearly double, down to rounding. */
const POINT_NEWTON_COUNT = 64

/**
 * Longest proven τ ≤ limit; 0 when the point, at (px, py) with velocity (vx, vy) and acceleration of at most `bend`, is
 * outside `radius` already.
 */
function pointsStayWithin(
  px: number,
  py: number,
  vx: number,
  vy: number,
  bend: number,
  radius: number,
  limit: number,
): number {
  const start = vectorLength(px, py)
  if (start >= radius) return 0
  const speed = vectorLength(vx, vy)
  let high = limit
  if (speed > 0) high = Math.min(high, (radius + start) / speed)
  if (bend > 0) high = Math.min(high, Math.sqrt((2 * radius) / bend))
  // At rest for good.
  if (!(high < Infinity)) return limit
  let far = 0
  for (let round = 0; round <= POINT_NEWTON_COUNT; round++) {
    const x = px + vx * high
    const y = py + vy * high
    const distance = vectorLength(x, y)
    far = distance + 0.5 * bend * high * high
    if (far <= radius) return high
    // The chord then reaches half of the way at least.
    if (round === POINT_NEWTON_COUNT || far - radius <= radius - start) break
    const slope = (distance > 0 ? (x * vx + y * vy) / distance : speed) + bend * high
    const next = high - (far - radius) / slope
    if (!(next > 0 && next < high)) break
    high = next
  }
  return (high * (radius - start)) / (far - start)
}
