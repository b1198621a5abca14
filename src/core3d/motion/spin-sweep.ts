/**
 * When two bodies of which at least one turns first meet, and when they part.
 *
 * Method: leaps until their gap is within rounding of touching (`first-contact.ts`), and spans over which they overlap for certain until
 * they part (`parting.ts`). Where spans leave that open they move on by their depth over the greatest speed that any of their points have
 * to each other. Bodies that just touch are followed until they have parted or sunk in.
 * Frame: world axes.
 */

import { spend } from '../../containers/budget.ts'
import { fallTime } from '../../numeric/orbit.ts'
import { ADVANCEMENT_COUNT, UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { vectorLength3d } from '../../numeric/safe-range.ts'
import { createDepth, measureDepth } from '../narrow-phase/depth.ts'
import { meets } from '../narrow-phase/separate.ts'
import {
  ANCHOR,
  type Body,
  CONE,
  CYLINDER,
  cross,
  dot,
  HALFSPACE,
  OFFSET,
  POINTS,
  RADIUS,
  REACH,
  ROTATION,
  VERTICES,
  type Vector,
} from '../shape/body.ts'
import { kindOf } from '../shape/kinds.ts'
import { isParallel, type Motion } from '../shape/motion.ts'
import {
  BISECTION_COUNT,
  LEAP_RATIO,
  LONGEST_STRIDE_COUNT,
  NARROW_COUNT,
  PARTING_SEARCH_COUNT,
  PROBE_COUNT,
  SEPARATION_ERROR_RATIO,
  STAY_PROBE_COUNT,
  STAY_SHORT_COUNT,
  STAY_SHORT_SHARE,
  STAY_STEP_COUNT,
  STRIDE_SHARE,
  TOUCHING_COUNT,
} from '../tolerances.ts'
import {
  type AdvancingPair,
  depthAt,
  look,
  lookClosely,
  poseWhole,
  relationAt,
  type Turning,
} from './advancing-pair.ts'
import { advance } from './first-contact.ts'
import { levelPair } from './level-pair.ts'
import { offsetAt } from './moving-pair.ts'
import { createParting, findParting, heldUntil } from './parting.ts'
import { clearInterval, type SweepInterval } from './sweep-interval.ts'

/** As `sweepLinear`, up to `duration`; `wantsLeave`: also finds when they part, no later than the duration. */
export function sweepSpinning(state: AdvancingPair, duration: number, wantsLeave: boolean, out: SweepInterval): void {
  clearInterval(out)
  out.meetsAtStart = false
  out.hit = false
  const [soonest] = state.span
  if (soonest > duration) return
  out.meetsAtStart = soonest === 0 && meets(state.pair.frame)
  out.hit = out.meetsAtStart || (duration > 0 && areSkewAtOnce(state))
  const level = levelPair(state, duration)
  const followed = level === null ? state : level.sides
  // Level with a half-space they touch, or as good as that, all the time.
  if (followed === null) out.hit = true
  else if (!out.hit && level === null && duration > 0 && soonest === 0 && isNear(state)) {
    // Apart, but by no more than rounding: it meets what it goes into, not what it parts from or stays beside.
    sweepLetGo(state, duration, wantsLeave, out)
    return
  } else if (!out.hit) advance(followed, 0, duration, level === null && duration > 0 && soonest === 0, out)
  if (followed !== null && out.hit && out.converged && wantsLeave) findLeave(followed, duration, out)
}

function isNear(state: AdvancingPair): boolean {
  look(state, 0)
  return state.gap <= state.now.error
}

/** Whether they are half-spaces that turn against each other: planes that are not parallel meet, however far away. */
function areSkewAtOnce({ first, second }: AdvancingPair): boolean {
  if (first.body.kind !== HALFSPACE || second.body.kind !== HALFSPACE) return false
  const { wx, wy, wz } = first.motion
  return wx !== second.motion.wx || wy !== second.motion.wy || wz !== second.motion.wz
}

/**
 * Sets `out`, which `sweepSpinning` has filled, to the first meeting after the bodies, which touch at the start, have parted;
 * `wantsLeave`: as there.
 */
export function sweepLetGo(state: AdvancingPair, duration: number, wantsLeave: boolean, out: SweepInterval): void {
  const level = levelPair(state, duration)
  const followed = level === null ? state : level.sides
  if (!wantsLeave && followed !== null && level !== null) findLeave(followed, duration, out)
  // Prisms of a level pair may lie in each other sideways: they are let go when they part.
  const from = level === null ? 0 : out.leave
  if (level === null) out.converged = true
  out.hit = !out.converged
  out.enter = Math.min(from, duration)
  if (followed === null || out.hit || !(from < duration)) return
  const next = whatNext(followed, from, duration, level === null)
  out.converged = next.isSure && !(level !== null && next.relation < 0)
  // Where that is open one may follow.
  out.hit = next.relation < 0 || !out.converged
  if (out.hit) {
    out.enter = Math.max(next.from, from)
    if (out.enter > 0) out.leave = Infinity
    if (wantsLeave && out.converged && out.leave === Infinity) findLeave(followed, duration, out)
  }
  if (out.hit || next.relation === 0) return
  advance(followed, next.after, duration, false, out)
  if (wantsLeave && out.hit && out.converged) findLeave(followed, duration, out)
}

/** Sets `out` to when they next meet from a time on, or if `wantsLeave`, to whether they meet then, and when they part. */
export function sweepFrom(
  state: AdvancingPair,
  from: number,
  duration: number,
  wantsLeave: boolean,
  out: SweepInterval,
): void {
  clearInterval(out)
  out.meetsAtStart = false
  out.hit = false
  out.enter = from
  if (from > Math.min(duration, state.span[1])) return
  const level = levelPair(state, duration)
  const followed = level === null ? state : level.sides
  if (followed === null) out.hit = true
  else if (!wantsLeave) advance(followed, from, duration, false, out)
  else if (relationAt(followed, from) <= 0) {
    out.hit = true
    findLeave(followed, duration, out)
  }
}

const parting = createParting()

/**
 * Finds when they part. Where `parting.ts` leaves that open they are followed: between two times at which they overlap they do so all
 * the while, if both depths together are no less than what they can move against each other meanwhile.
 */
function findLeave(state: AdvancingPair, duration: number, out: SweepInterval): void {
  const { fastest } = state
  // Planes that turn against each other meet all the while.
  if (!(fastest > 0) || state.first.body.kind === HALFSPACE) return
  findParting(state, out.enter, duration, out.mx, out.my, out.mz, parting)
  if (parting.sure >= duration) {
    out.leave = parting.leave
    return
  }
  let time = parting.sure
  let depth = 0
  let stride = 1
  let searches = 0
  for (state.looks = 0; state.looks < ADVANCEMENT_COUNT; ) {
    const held = heldUntil(time)
    if (held >= parting.end) {
      out.leave = parting.leave
      return
    }
    if (held > time) {
      time = held
      depth = 0
    }
    if (!(depth > 0)) {
      const relation = relationAt(state, time)
      if (relation > 0) {
        out.leave = time
        return
      }
      if (relation === 0) {
        const next = whatNext(state, time, duration)
        if (!next.isSure) out.converged = false
        if (next.relation > 0) out.leave = next.before
        else if (next.relation === 0 && !next.isSure) out.leave = next.from
        if (next.relation >= 0) return
        time = next.after
        if (searches++ < PARTING_SEARCH_COUNT) {
          // They have sunk in by little, from where spans hold them, and steps by so small a depth would hardly lead on.
          findParting(state, time, duration, 0, 0, 0, parting)
          if (parting.sure >= duration) {
            out.leave = parting.leave
            return
          }
          time = Math.max(time, parting.sure)
        }
        continue
      }
      depth = state.depth
    }
    const least = depth / fastest
    if (!(time + least < duration)) return
    const ahead = Math.min(time + stride * least, duration)
    if (!(ahead > time)) break
    const there = depthAt(state, ahead)
    const way = (ahead - time) * fastest
    const isSure = stride === 1 || (there > 0 && depth + there >= way)
    // As far as both depths will reach if the depth goes on changing like that.
    stride = Math.min(Math.max(1, STRIDE_SHARE / (1 + (depth - there) / way)), LONGEST_STRIDE_COUNT)
    if (!isSure) continue
    if (ahead === duration && there > 0) return
    time = ahead
    depth = there
  }
  out.leave = time
  out.converged = false
}

// The next change of bodies that touch while they turn: they part, sink in, or go on touching.
//
// Method: they are looked at by instants that double. Where these come to a way on which much may have happened unseen, or are too
// many, the answer is not sure.

interface Next {
  relation: -1 | 0 | 1
  /** Up to when they are known to touch, or where that is asked, not to go into each other, by a plane between them. */
  from: number
  /** The last instant at which they were seen touching. */
  before: number
  /** The first at which they are not. */
  after: number
  /** Whether nothing else can have come between, but for what an instant hides. */
  isSure: boolean
}

/**
 * The next change of bodies that touch at a time; `isLetGo`: after the last instant at which a plane that goes with one of them surely parts
 * the two, whether or not they touch all the while.
 */
function whatNext(state: AdvancingPair, start: number, duration: number, isLetGo = false): Next {
  let from = start
  const through = (): Next => ({ relation: 0, from: duration, before: duration, after: duration, isSure: true })
  if (keepsPose(state)) return through()
  const { now } = state
  const pace = paceOf(state)
  const leap = (LEAP_RATIO * now.extent) / pace
  const least = (TOUCHING_COUNT * now.error) / pace
  let instant = least
  let before = from
  let isSure = true
  for (let looks = 0; looks < PROBE_COUNT && before < duration && state.looks < ADVANCEMENT_COUNT; looks++) {
    if (looks === STAY_PROBE_COUNT) {
      const { until, touches } = stayInTouch(state, start, duration)
      if (until > before && (touches || isLetGo)) {
        if (until >= duration) return through()
        from = until
        before = until
        instant = least
      }
    }
    instant = Math.max(instant, 2 * UNIT_ROUNDOFF * before, Number.MIN_VALUE)
    const after = Math.min(duration, before + instant)
    isSure &&= after - from <= leap
    const relation = relationAt(state, after)
    if (relation !== 0) {
      const last = after - before > NARROW_COUNT * least ? narrow(state, before, after, relation) : before
      return { relation, from, before: last, after, isSure: isSure || last <= from }
    }
    before = after
    instant *= 2
  }
  return { relation: 0, from, before, after: duration, isSure: isSure && !(before < duration) }
}

/** How fast points near the contact move against each other at most. */
function paceOf({ fastest, pair, first, second, now }: AdvancingPair): number {
  if (fastest < Infinity) return fastest
  // A half-space turns: where the other body is.
  const far = vectorLength3d(now.dx, now.dy, now.dz) + 2 * now.first.numbers[REACH]
  return pair.speed + first.rate * Math.min(first.radius, far) + second.rate * far
}

/** The last instant at which they still touch, to what rounding lets one tell, between one at which they do and one at which they do not. */
function narrow(state: AdvancingPair, before: number, after: number, relation: -1 | 1): number {
  const unit = UNIT_ROUNDOFF / SEPARATION_ERROR_RATIO
  let last = before
  let end = after
  for (let step = 0; step < BISECTION_COUNT; step++) {
    const middle = last / 2 + end / 2
    if (!(middle > last && middle < end)) break
    // Gaps are good to less than the bound that holds for all.
    const isOver = relation > 0 ? isOpen(state, middle, unit) : relationAt(state, middle) < 0
    if (isOver) end = middle
    else last = middle
  }
  return last
}

function isOpen(state: AdvancingPair, time: number, part: number): boolean {
  look(state, time)
  return state.gap > part * state.now.error
}

// Whether bodies that turn always lie in the same way to each other: two that turn as one, or one that turns about the axis of
// another, as round a ball in the middle.
//
// Method: by rounded products, so that it is known of what lies along an axis of the world, or is made of short numbers.
// Cost O(points).

function keepsPose({ first, second, pair }: AdvancingPair): boolean {
  const { offset, speed } = pair
  if (speed !== 0) return false
  if (first.rate > 0 && second.rate > 0) return turnAlike(first.motion, second.motion) && isOnAxis(offset, first.motion)
  if (first.rate > 0) return isRoundAxis(second.body, offset, 1, first.motion)
  return isRoundAxis(first.body, offset, -1, second.motion)
}

function turnAlike(a: Motion, b: Motion): boolean {
  return a.wx === b.wx && a.wy === b.wy && a.wz === b.wz
}

function isOnAxis(offset: Float64Array, { wx, wy, wz }: Motion): boolean {
  return isParallel(offset[0], offset[2], offset[4], wx, wy, wz)
}

/** Whether the body is the same after every turn about the axis of another, from which it lies at the offset one way or the other. */
function isRoundAxis({ kind, count, numbers }: Body, offset: Float64Array, side: 1 | -1, motion: Motion): boolean {
  const { wx, wy, wz } = motion
  if (kind === POINTS) {
    for (let at = VERTICES; at < VERTICES + 3 * count; at += 3) {
      const [x, y, z] = [0, 1, 2].map((k) => side * offset[2 * k] + numbers[at + k])
      if (!isParallel(x, y, z, wx, wy, wz)) return false
    }
    return true
  }
  if (kind !== CYLINDER && kind !== CONE) return false
  return (
    isOnAxis(offset, motion) &&
    isParallel(numbers[ROTATION + 1], numbers[ROTATION + 4], numbers[ROTATION + 7], wx, wy, wz)
  )
}

// Bodies that touch and turn without going into each other: one tips over its edge on a floor, or swings on a hinge along a wall.
//
// Method: a plane that goes with one of the two, and has it on one side, has the other on its other side for as long as no corner of
// that comes down to it. The height of a corner over the plane, and how fast that changes, is known, and how it bends is bounded, so
// each corner is safe up to the root of a parabola: from there the pair is looked at anew, until a corner has come down (conservative
// advancement, as in `advancing-pair.ts`). What stays where it is, as points on the axis do, keeps its height.
// Cost: O(points) a step.

interface Stay {
  /** Up to when they surely do not go into each other. */
  until: number
  /** Whether they surely touch all the while. */
  touches: boolean
}

/** Of a pair that touches at a time. */
function stayInTouch(state: AdvancingPair, from: number, duration: number): Stay {
  let time = from
  let touches = true
  let short = 0
  for (let step = 0; step < STAY_STEP_COUNT && short < STAY_SHORT_COUNT && time < duration; step++) {
    const best = longestStay(state, time, duration - time)
    const next = Math.min(duration, time + best.until)
    if (!(next > time)) break
    short = next - time < STAY_SHORT_SHARE * (time - from) ? short + 1 : 0
    touches &&= best.touches
    time = next
  }
  return { until: time, touches: touches && time > from }
}

/** By the best of some planes, from a time on; `until` counts from there. */
function longestStay(state: AdvancingPair, time: number, limit: number): Stay {
  const best = { until: 0, touches: false }
  for (const m of planesAt(state, time)) {
    for (const isFirst of [true, false]) {
      const stay = stayOver(state, time, m, isFirst, limit)
      if (stay.until > best.until || (stay.until === best.until && stay.touches)) {
        best.until = stay.until
        best.touches = stay.touches
      }
    }
  }
  return best
}

const depth = createDepth()

/** Directions, from the first to the second, of planes between the two: where an edge touches an edge, the outermost ones too. */
function planesAt(state: AdvancingPair, time: number): Vector[] {
  look(state, time)
  poseWhole(state, time)
  const { now, bounds, first, second } = state
  if (now.second.kind === HALFSPACE) return [[state.mx, state.my, state.mz]]
  measureDepth(now, bounds, depth)
  const axis = first.rate > 0 ? first.motion : second.motion
  const rate = first.rate > 0 ? first.rate : second.rate
  const n: Vector = [depth.nx, depth.ny, depth.nz]
  const across = cross(n, [axis.wx / rate, axis.wy / rate, axis.wz / rate])
  return [0, 1, -1].map((side): Vector => {
    const [x, y, z] = n.map((value, k) => value + side * across[k])
    const length = vectorLength3d(x, y, z)
    state.gap = -Infinity
    lookClosely(state, x / length, y / length, z / length)
    return [state.mx, state.my, state.mz]
  })
}

function stayOver(state: AdvancingPair, time: number, m: Vector, isFirst: boolean, limit: number): Stay {
  const { pair, now } = state
  const owner = isFirst ? state.first : state.second
  const other = isFirst ? state.second : state.first
  if (other.posed.kind !== POINTS) return NEVER
  const side = isFirst ? 1 : -1
  const up: Vector = [side * m[0], side * m[1], side * m[2]]
  const apart: Vector = [side * offsetAt(pair, 0, time), side * offsetAt(pair, 1, time), side * offsetAt(pair, 2, time)]
  const velocity: Vector = [side * pair.velocity[0], side * pair.velocity[2], side * pair.velocity[4]]
  return stayOverPlane({ owner, other, up, apart, velocity, speed: pair.speed, error: now.error, limit })
}

const NEVER: Stay = { until: 0, touches: false }

interface Above {
  owner: Turning
  other: Turning
  /** Out of the owner. */
  up: Vector
  /** From the position of the owner to that of the other, and how it changes. */
  apart: Vector
  velocity: Vector
  speed: number
  error: number
  limit: number
}

function stayOverPlane({ owner, other, up, apart, velocity, speed, error, limit }: Above): Stay {
  const { numbers, count } = other.posed
  const top = topOf(owner.posed, up) + numbers[RADIUS]
  const spin = spinOf(owner)
  const turning = spinOf(other)
  const tilting = cross(spin, up)
  // A plane that stands still is come down to by what turns about an axis across it, and no faster.
  const lean = owner.rate > 0 || other.rate === 0 ? 1 : lengthOf(cross(up, turning)) / other.rate
  const sink = owner.rate > 0 ? speed : Math.abs(dot(up, velocity))
  let until = limit
  let touches = false
  spend(1 + count)
  for (let i = 0; i < count; i++) {
    const at = VERTICES + 3 * i
    const own: Vector = [numbers[at], numbers[at + 1], numbers[at + 2]]
    const place: Vector = [apart[0] + own[0], apart[1] + own[1], apart[2] + own[2]]
    const round = cross(turning, own)
    const moving: Vector = [velocity[0] + round[0], velocity[1] + round[1], velocity[2] + round[2]]
    const height = dot(up, place) - top
    if (height < -TOUCHING_COUNT * error) return NEVER
    const rate = dot(up, moving) + dot(tilting, place)
    const swing = lengthOf(round)
    // How far it is from either axis: nothing brings what is on both any farther than the velocity does.
    const off = owner.rate > 0 ? lengthOf(cross(spin, place)) / owner.rate : 0
    const wander = 2 * (off + (other.rate > 0 ? swing / other.rate : 0))
    if (sink * limit + wander <= error) {
      // It keeps its height. It does not leave the other where it keeps its place on it, or where that has no end.
      touches ||=
        height <= TOUCHING_COUNT * error && (owner.posed.kind === HALFSPACE || speed * limit + wander <= error)
      continue
    }
    const fast = swing + speed
    const bend = other.rate * swing * lean + owner.rate * (2 * fast + owner.rate * (off + fast * limit))
    until = Math.min(until, fallTime(Math.max(height, 0), rate, bend))
  }
  return { until, touches }
}

function spinOf({ rate, motion }: Turning): Vector {
  return rate > 0 ? [motion.wx, motion.wy, motion.wz] : [0, 0, 0]
}

const point = new Float64Array(3)

/** How high the body reaches along a direction, from its position. */
function topOf(body: Body, [x, y, z]: Vector): number {
  const { kind, numbers } = body
  if (kind === HALFSPACE) return numbers[OFFSET]
  point.fill(0)
  kindOf(body).support(body, x, y, z, point)
  const along = (k: number): number => numbers[ANCHOR + k] + point[k]
  return along(0) * x + along(1) * y + along(2) * z + numbers[RADIUS]
}

function lengthOf([x, y, z]: Vector): number {
  return vectorLength3d(x, y, z)
}
