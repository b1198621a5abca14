/**
 * A pair of which at least one body turns: how it lies at a time, and for how long it certainly stays apart.
 *
 * Method: along the direction between their nearest points the pair has a gap. A point of a body at r from its position has the height
 * r·m along the direction m, which changes at the rate (ω × r)·m = r·(m × ω), and bends by no more than ω² times its distance from the
 * axis. So the gap at τ is at least that of the supports along m + τ·(m × ω), less what bends: a concave function, of which any place
 * above 0 is safe all the way there. Near a contact it is right to second order (conservative advancement: B. Mirtich, "Impulse-based
 * Dynamic Simulation of Rigid Body Systems", 1996).
 * Frame: world axes, origin at the first body's position; directions lead from the first to the second.
 */

import { fallTime } from '../../numeric/orbit.ts'
import { vectorLength3d } from '../../numeric/safe-range.ts'
import { createDepth, leastDepth, measureDepth, measureHalfspaceDepth } from '../narrow-phase/depth.ts'
import { type Bounds, boundDistance, boundDistanceAgain, createBounds } from '../narrow-phase/gjk.ts'
import { createNearContact, findNearContact } from '../narrow-phase/near-contact.ts'
import type { PairFrame } from '../narrow-phase/pair-frame.ts'
import { boundCurved, type NearContact, settleFrom } from '../narrow-phase/smooth-contact.ts'
import { ANCHOR, type Body, createBody, HALFSPACE, OFFSET, POINTS, RADIUS, REACH, UNIT } from '../shape/body.ts'
import { kindOf } from '../shape/kinds.ts'
import { isTurnedBy, type Motion, turnAgain, turnBody, turningRadius, turningRate } from '../shape/motion.ts'
import {
  CURVED_LOOK_WEIGHT,
  LIGHT_POINT_COUNT,
  OPEN_GAP_RATIO,
  SAFE_STEP_COUNT,
  SHALLOW_DEPTH_RATIO,
  THICK_SKIN_RATIO,
  TOUCHING_COUNT,
} from '../tolerances.ts'
import { type MovingPair, placeAt } from './moving-pair.ts'
import { ballRadius, type NearSpan, nearSpan } from './near-span.ts'

export interface Turning {
  body: Body
  motion: Motion
  /** Radians per second; 0 where the spin moves no point. */
  rate: number
  /** No point is farther from the axis. */
  radius: number
  /** As `ballRadius` has it. */
  ball: number
  /** As it is at the time that was looked at. Until it is posed as a whole its `VERTICES` and its surface are those of an earlier look. */
  posed: Body
  slot: Body
}

export interface AdvancingPair {
  pair: MovingPair
  first: Turning
  second: Turning
  /** The time of the pose. */
  time: number
  /** How the pair lies then, its bodies as posed. */
  now: PairFrame
  /** The result of GJK; of no meaning for half-spaces. */
  bounds: Bounds
  /** Whether that is of this pair, at another time. */
  isWarm: boolean
  /** The contact that a close look has found. */
  near: NearContact
  /** Where a sweep has found the pair to meet. */
  contact: FoundContact
  /** Of the surfaces, from below, along the direction. */
  gap: number
  /** How deep they lie in each other, of a pair that was found sunk in. */
  depth: number
  mx: number
  my: number
  mz: number
  /** How fast the gap changes there. */
  slope: number
  /** The cost of one look and the sum so far, in looks at a pair of few core points. */
  weight: number
  looks: number
  /** No point of one comes nearer to one of the other any faster; Infinity where a half-space turns. */
  fastest: number
  /** When they may meet. */
  span: NearSpan
}

interface FoundContact {
  /** NaN where it is not known. */
  time: number
  /** As it lies then. */
  near: NearContact
}

/** Slots that an advancing pair writes to. */
interface AdvancingSlots {
  first: Body
  second: Body
  bounds: Bounds
  near: NearContact
  contact: FoundContact
}

export function createAdvancingSlots(): AdvancingSlots {
  return {
    first: createBody(),
    second: createBody(),
    bounds: createBounds(),
    near: createNearContact(),
    contact: { time: NaN, near: createNearContact() },
  }
}

const shared = createAdvancingSlots()

function turning(body: Body, motion: Motion, slot: Body): Turning {
  const rate = turningRate(body, motion)
  const radius = rate > 0 ? turningRadius(body, motion) : 0
  return { body, motion, rate, radius, ball: ballRadius(body, rate > 0), posed: body, slot }
}

/** It is good until the next one is made in the same slots. */
export function advancingPair(pair: MovingPair, slots = shared): AdvancingPair {
  const { frame, motionA, motionB, speed } = pair
  const { bounds, near } = slots
  const first = turning(frame.first, motionA, slots.first)
  const second = turning(frame.second, motionB, slots.second)
  slots.contact.time = NaN
  const share = ({ rate, radius }: Turning): number => (rate === 0 ? 0 : rate * radius)
  return {
    pair,
    first,
    second,
    time: 0,
    now: { ...frame },
    bounds,
    isWarm: false,
    near,
    contact: slots.contact,
    gap: 0,
    depth: 0,
    mx: 0,
    my: 0,
    mz: 0,
    slope: 0,
    weight: weightOf(frame),
    looks: 0,
    fastest: speed + share(first) + share(second),
    span: nearSpan(pair, first, second),
  }
}

function weightOf({ first, second }: PairFrame): number {
  if (first.kind === POINTS && second.kind === POINTS) return 1 + (first.count + second.count) / LIGHT_POINT_COUNT
  return second.kind === HALFSPACE ? 1 : CURVED_LOOK_WEIGHT
}

/** Whether any point of the pair is moved by a spin. */
export function turns({ frame, motionA, motionB }: MovingPair): boolean {
  return isTurnedBy(frame.first, motionA) || isTurnedBy(frame.second, motionB)
}

/** Sets how the pair lies at a time. */
export function pose(state: AdvancingPair, time: number): void {
  const { first, second, pair, now } = state
  state.time = time
  poseBody(first, time)
  poseBody(second, time)
  placeAt(pair, first.posed, second.posed, time, now)
}

function poseBody(side: Turning, time: number): void {
  const { body, motion, rate, posed, slot } = side
  if (rate === 0) return
  if (posed === slot) turnAgain(body, motion, time, slot)
  else turnBody(body, motion, time, slot)
  side.posed = slot
}

/** Sets how the pair lies at a time, with all that its bodies have. */
export function poseWhole(state: AdvancingPair, time: number): void {
  state.first.posed = state.first.body
  state.second.posed = state.second.body
  pose(state, time)
}

/** Sets gap and direction at a time. */
export function look(state: AdvancingPair, time: number): void {
  pose(state, time)
  state.looks += state.weight
  const { now, bounds } = state
  if (now.second.kind === HALFSPACE) {
    lookAtHalfspace(state)
    return
  }
  if (now.first.kind === POINTS && now.second.kind === POINTS) {
    if (state.isWarm) boundDistanceAgain(now, bounds)
    else boundDistance(now, bounds)
    state.isWarm = true
  } else if (!(state.gap > 0 && settleFrom(now, -state.mx, -state.my, -state.mz, bounds))) boundCurved(now, bounds)
  state.gap = bounds.lower - (now.first.numbers[RADIUS] + now.second.numbers[RADIUS])
  state.mx = -bounds.nx
  state.my = -bounds.ny
  state.mz = -bounds.nz
}

/** Sets gap and direction of the pair as it was last looked at once more, from a direction near its own, where it is near touching. */
export function lookClosely(state: AdvancingPair, nx: number, ny: number, nz: number): void {
  const { now, near } = state
  if (now.second.kind === HALFSPACE) return
  const gap = nearGap(state, nx, ny, nz)
  if (!(gap > state.gap)) return
  state.gap = gap
  state.mx = near.nx
  state.my = near.ny
  state.mz = near.nz
}

/** The gap of the pair as it was last posed, which is about to touch or has just sunk in, from a direction near its own. Sets `near`. */
export function nearGap(state: AdvancingPair, nx: number, ny: number, nz: number): number {
  const { now, near, bounds } = state
  state.looks += state.weight
  findNearContact(now, nx, ny, nz, near, state.isWarm ? bounds.simplex : null)
  return near.gap - (now.first.numbers[RADIUS] + now.second.numbers[RADIUS])
}

/** Whether skins keep the cores of the pair, as last looked at, so far apart about a contact that the way between them has a direction. */
export function hasDirection({ now: { first, second, extent }, bounds }: AdvancingPair): boolean {
  const skins = first.numbers[RADIUS] + second.numbers[RADIUS]
  return skins > THICK_SKIN_RATIO * extent && bounds.upper > OPEN_GAP_RATIO * extent
}

/** Looks once more where the points of a close look are farther apart than its gap. */
export function comeCloser(state: AdvancingPair): void {
  const { now, near } = state
  const isShallow = Math.abs(state.gap) <= SHALLOW_DEPTH_RATIO * now.extent
  if (isShallow && offContact(state) > now.error) state.gap = nearGap(state, near.nx, near.ny, near.nz)
}

/** How far apart the points of a close look are beside its gap. */
function offContact({ near, now, gap }: AdvancingPair): number {
  const { a, b, nx, ny, nz } = near
  const way = gap + now.first.numbers[RADIUS] + now.second.numbers[RADIUS]
  const x = b[0] + now.dx - a[0] - way * nx
  const y = b[1] + now.dy - a[1] - way * ny
  const z = b[2] + now.dz - a[2] - way * nz
  return Math.abs(x) + Math.abs(y) + Math.abs(z)
}

/** Puts the nearest points of the last look where a close look has its own. */
export function takePoints({ bounds: { simplex }, near, mx, my, mz }: AdvancingPair): void {
  near.nx = mx
  near.ny = my
  near.nz = mz
  for (let k = 0; k < 3; k++) {
    let a = 0
    let b = 0
    for (let i = 0; i < simplex.count; i++) {
      a += simplex.weights[i] * simplex.a[3 * i + k]
      b += simplex.weights[i] * simplex.b[3 * i + k]
    }
    near.a[k] = a
    near.b[k] = b
  }
}

/** How fast the gap changes: as the nearest points move apart. */
export function nearestSlope({ first, second, near, pair, mx, my, mz }: AdvancingPair): number {
  const { velocity } = pair
  const along = mx * velocity[0] + my * velocity[2] + mz * velocity[4]
  return along + swingAlong(second, near.b, mx, my, mz) - swingAlong(first, near.a, mx, my, mz)
}

/** How fast a point of the body, from its anchor, moves along a direction as the body turns. */
function swingAlong({ rate, motion, posed }: Turning, from: Float64Array, mx: number, my: number, mz: number): number {
  if (rate === 0) return 0
  const { numbers } = posed
  const { wx, wy, wz } = motion
  const x = numbers[ANCHOR] + from[0]
  const y = numbers[ANCHOR + 1] + from[1]
  const z = numbers[ANCHOR + 2] + from[2]
  return mx * (wy * z - wz * y) + my * (wz * x - wx * z) + mz * (wx * y - wy * x)
}

const point = new Float64Array(3)

function lookAtHalfspace(state: AdvancingPair): void {
  const { first, second, dx, dy, dz } = state.now
  const { numbers } = second
  state.mx = -numbers[UNIT]
  state.my = -numbers[UNIT + 1]
  state.mz = -numbers[UNIT + 2]
  point.fill(0)
  if (first.kind !== HALFSPACE) kindOf(first).support(first, state.mx, state.my, state.mz, point)
  const height = (dx - point[0]) * state.mx + (dy - point[1]) * state.my + (dz - point[2]) * state.mz
  state.gap = height - numbers[OFFSET] - first.numbers[RADIUS]
}

/** How high the body reaches along a vector, counted from its position, without its skin. */
function support(body: Body, x: number, y: number, z: number): number {
  if (body.kind === HALFSPACE) return 0
  point.fill(0)
  kindOf(body).support(body, x, y, z, point)
  const { numbers } = body
  return (numbers[ANCHOR] + point[0]) * x + (numbers[ANCHOR + 1] + point[1]) * y + (numbers[ANCHOR + 2] + point[2]) * z
}

/** One body along the direction: what the axis makes of it. */
interface Swing {
  /** m × ω. */
  x: number
  y: number
  z: number
  bend: number
  height: number
  /** How fast the highest point rises. */
  rate: number
}

const swingA: Swing = { x: 0, y: 0, z: 0, bend: 0, height: 0, rate: 0 }
const swingB: Swing = { ...swingA }

function setSwing({ posed, motion, rate, radius }: Turning, mx: number, my: number, mz: number, out: Swing): void {
  out.height = support(posed, mx, my, mz)
  out.bend = 0
  out.rate = 0
  if (rate === 0) return
  const x = my * motion.wz - mz * motion.wy
  const y = mz * motion.wx - mx * motion.wz
  const z = mx * motion.wy - my * motion.wx
  const { numbers } = posed
  out.x = x
  out.y = y
  out.z = z
  out.bend = Math.sqrt(x * x + y * y + z * z) * rate * radius
  out.rate =
    (numbers[ANCHOR] + point[0]) * x + (numbers[ANCHOR + 1] + point[1]) * y + (numbers[ANCHOR + 2] + point[2]) * z
}

function rise({ posed, rate }: Turning, swing: Swing, mx: number, my: number, mz: number, time: number): number {
  if (rate === 0) return 0
  return support(posed, mx + time * swing.x, my + time * swing.y, mz + time * swing.z) - swing.height
}

/** How fast the second moves along the direction. */
let along = 0

/** Sets how fast the gap changes along the direction. */
export function setSlope(state: AdvancingPair): void {
  const { first, second, pair, mx, my, mz } = state
  setSwing(first, mx, my, mz, swingA)
  setSwing(second, -mx, -my, -mz, swingB)
  const { velocity } = pair
  along = mx * velocity[0] + my * velocity[2] + mz * velocity[4]
  state.slope = along - swingA.rate - swingB.rate
}

/** How long the gap, which is open, certainly stays so after the time last looked at; at most `limit`. Sets the slope. */
export function safeStep(state: AdvancingPair, limit: number): number {
  const { second, gap } = state
  if (second.rate > 0 && second.posed.kind === HALFSPACE) return halfspaceStep(state, limit)
  setSlope(state)
  // The tangent lies above: its root is the last place to look at.
  const last = Math.min(limit, fallTime(gap, state.slope, swingA.bend + swingB.bend))
  const part = safePart(state, last, state.now.error / 2)
  return part < limit ? Math.max(part, reachStep(state, limit)) : part
}

/** At least the gap so long after the time last looked at; a concave function of that. */
function gapAfter({ first, second, mx, my, mz, gap }: AdvancingPair, time: number): number {
  const risen = rise(first, swingA, mx, my, mz, time) + rise(second, swingB, -mx, -my, -mz, time)
  return gap + along * time - risen - ((swingA.bend + swingB.bend) / 2) * time * time
}

/** The greatest time up to `last` that is known to be safe, but for rounding, of a concave gap: chords lie below it. */
function safePart(state: AdvancingPair, last: number, rounding: number): number {
  const there = gapAfter(state, last)
  if (there >= -rounding) return last
  let safe = 0
  let height = state.gap
  for (let round = 0; round < SAFE_STEP_COUNT; round++) {
    const next = safe + (last - safe) * (height / (height - there))
    const found = gapAfter(state, next)
    if (!(next > safe) || !(found >= -rounding)) break
    if (found <= 0) return next
    safe = next
    height = found
  }
  return safe
}

/** However a body turns it stays within its reach: far away that says more. */
function reachStep({ first, second, now, gap }: AdvancingPair, limit: number): number {
  if (now.second.kind === HALFSPACE || first.rate + second.rate === 0) return 0
  const turned =
    (first.rate === 0 ? 0 : first.ball - swingA.height) + (second.rate === 0 ? 0 : second.ball - swingB.height)
  const clear = gap - turned
  if (!(clear > 0)) return 0
  return along < 0 ? Math.min(limit, clear / -along) : limit
}

/** A half-space that turns: its boundary passes a point at the speed of the spin times the distance from where it turns. */
function halfspaceStep(state: AdvancingPair, limit: number): number {
  const { first, second, now, gap, pair } = state
  const far = vectorLength3d(now.dx, now.dy, now.dz) + 2 * now.first.numbers[REACH]
  const speed = pair.speed + first.rate * first.radius
  // As far again may pass meanwhile.
  const fastest = speed + second.rate * 2 * far
  state.slope = -fastest
  const room = speed > 0 ? far / speed : Infinity
  return Math.min(limit, room, gap / fastest)
}

// Whether a pair of which at least one body turns overlaps, touches or is apart at a time.
//
// Method: bounds of the distance, and where they leave it open the depth. What is within some errors of a height counts as touching.

const depth = createDepth()

/** A depth that the pair surely has at a time; 0 or less where it touches, or is apart. */
export function depthAt(state: AdvancingPair, time: number): number {
  look(state, time)
  const { now, bounds, gap } = state
  if (gap > 0) return -gap
  // A pair that GJK does not find deep seldom is.
  if (now.second.kind !== HALFSPACE && (bounds.simplex.holds === 2 || bounds.upper > OPEN_GAP_RATIO * now.extent)) {
    state.looks++
    const least = leastDepth(now, bounds)
    if (least > SHALLOW_DEPTH_RATIO * now.extent) return least
  }
  return relate(state) < 0 ? state.depth : 0
}

/** −1 sunk in, 0 touching within rounding, 1 apart, at a time. Sets the depth of what is not apart. */
export function relationAt(state: AdvancingPair, time: number): -1 | 0 | 1 {
  look(state, time)
  return relate(state)
}

/** The relation at the time last looked at. */
function relate(state: AdvancingPair): -1 | 0 | 1 {
  const { now, bounds } = state
  const margin = TOUCHING_COUNT * now.error
  if (state.gap > margin) return 1
  if (now.second.kind === HALFSPACE) {
    measureHalfspaceDepth(now, depth)
    state.depth = depth.depth
    return depth.depth > margin ? -1 : 0
  }
  // As dear as the look itself, or more.
  state.looks += state.weight
  measureDepth(now, bounds, depth)
  state.depth = depth.depth
  if (depth.depth > SHALLOW_DEPTH_RATIO * now.extent) return -1
  const isCored = now.first.kind === POINTS && now.second.kind === POINTS
  if (isCored && depth.depth > margin) return -1
  // Of what nearly touches, either may be off by more than that: by a direction, or, of curved bodies, by slivers.
  lookClosely(state, depth.nx, depth.ny, depth.nz)
  if (state.gap > margin) return 1
  state.depth = Math.min(depth.depth, Math.max(-state.gap, 0))
  return state.depth > margin ? -1 : 0
}
