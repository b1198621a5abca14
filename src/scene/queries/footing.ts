/**
 * What a character stands on, the step onto what is low, and the way down to the ground.
 *
 * A step, as character controllers take it: up by at most `stepHeight`, forward, and down again. It counts if the character then stands
 * on ground whose height over its lowest point at the start is at most `stepHeight`. The place where both touch tells that, not how far
 * the character was lifted: so a round body steps onto the same edges as one with corners, and no higher where it is asked again.
 *
 * Ground is what is met straight down and is not too steep. On an edge, where the normal of the contact leans as the body is round, the
 * surface beside the edge tells how steep it is.
 * Frame: world.
 */

import type { FarSlices } from '../../containers/far-call.ts'
import type { Kinds } from '../state/geometry.ts'
import { bodyAt } from '../state/view.ts'
import { type Climb, dot, type Gait, lengthOf, type Place, type Stop, step } from './gait.ts'
import { hitOf } from './ray-cast.ts'
import { fetchBody, isCostly } from './scene-tasks.ts'
import { BESIDE_EDGE_RATIO, STANDING_RATIO, TOUCH_RATIO } from './tolerances.ts'

export interface Footing extends Climb {
  /** How high a step may be; 0: it takes none. */
  stepHeight: number
  /** How far down it follows the ground that it stood on; null: it does not, and what it stands on is not asked. */
  snap: number | null
}

/** How a character walks, as requests say it: lengths, and the angle from level in radians. */
export interface Steps {
  maxSlope?: number
  stepHeight?: number
  snapToGround?: number
}

/** Nothing is farther away. */
const FARTHEST = 1e100

/** How steep the body climbs; null where any slope will do. */
export function climbOf({ maxSlope }: Steps, up: Place): Climb | null {
  // An upright surface, or one that hangs over, leads up at none.
  if (maxSlope === undefined || maxSlope >= Math.PI) return null
  return { up, least: Math.cos(maxSlope) }
}

/** Cosine of the angle from level of the steepest ground where any slope will do: an upright surface is none. */
const LEAST_GROUND = 2 ** -20

/** Steps and ground; null where neither is asked for. */
export function footingOf({ maxSlope, stepHeight, snapToGround }: Steps, up: Place): Footing | null {
  if (stepHeight === undefined && snapToGround === undefined) return null
  const least = maxSlope === undefined ? LEAST_GROUND : Math.max(Math.cos(Math.min(maxSlope, Math.PI)), LEAST_GROUND)
  const inReach = (length: number): number => Math.min(length, FARTHEST)
  return {
    up,
    least,
    stepHeight: inReach(stepHeight ?? 0),
    snap: snapToGround === undefined ? null : inReach(snapToGround),
  }
}

/** A step that was taken. */
interface Stepped {
  /** Share of the motion that it was. */
  share: number
  /** Of the way: where it was highest. */
  corners: Place[]
  ground: Stop
}

/** Shares of half of the body's width by which a step leads forward at most, one tried after the other: behind a narrow one may be a pit. */
const STEP_SHARES = [1, 2 ** -4] as const

/** Share of a step that has to lead forward: what is less, rounding may make of a wall. */
const LEAST_STEP_SHARE = 2 ** -10

/** The ground at the body's feet, or as far below as it follows the ground; null: there is none. */
export function* standsOn<K extends Kinds>(gait: Gait<K>, footing: Footing): FarSlices<Stop | null> {
  const stops = yield* gait.look(footing.up.map((x) => -x * (standing(gait) + (footing.snap ?? 0))))
  return yield* firstGround(gait, footing, stops)
}

/** Moves the body down to the ground, if that is no farther than `snap` below, and tells what it stands on. */
export function* stand<K extends Kinds>(gait: Gait<K>, footing: Footing, snap: number): FarSlices<Stop | null> {
  const way = footing.up.map((x) => -x * (standing(gait) + snap))
  const ground = yield* firstGround(gait, footing, yield* gait.look(way))
  if (ground !== null && snap > 0) yield* gait.go(way, false)
  return ground
}

/** How far below the body what it stands on may be. */
function standing<K extends Kinds>({ reach }: Gait<K>): number {
  return STANDING_RATIO * reach
}

function* firstGround<K extends Kinds>(gait: Gait<K>, climb: Climb, stops: readonly Stop[]): FarSlices<Stop | null> {
  for (const stop of stops) if (yield* isGround(gait, climb, stop)) return stop
  return null
}

function* isGround<K extends Kinds>(gait: Gait<K>, climb: Climb, stop: Stop): FarSlices<boolean> {
  if (dot(stop.normal, climb.up) >= climb.least) return true
  const top = yield* topAt(gait, climb.up, stop)
  return top !== null && dot(top, climb.up) >= climb.least
}

/** Unit normal of the surface that is seen from above right beside a contact, into the body that was met; null where that is a wall. */
function* topAt<K extends Kinds>(gait: Gait<K>, up: Place, { slot, point, normal }: Stop): FarSlices<Place | null> {
  const inward = step(normal, up, -dot(normal, up))
  const across = lengthOf(inward)
  if (!(across > 0)) return normal
  const off = BESIDE_EDGE_RATIO * gait.reach
  const beside = step(point, inward, -off / across)
  return yield* normalAt(gait, slot, step(beside, up, 4 * off), step(beside, up, -4 * off))
}

/** Unit normal where a ray meets a body; null where it does not, or begins inside. */
function* normalAt<K extends Kinds>(
  { view, pace }: Gait<K>,
  slot: number,
  from: Place,
  to: Place,
): FarSlices<Place | null> {
  const { geometry } = view.table
  const body = isCostly(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
  const ray = geometry.createRay()
  geometry.setRay(ray, from, to)
  const hit = yield* hitOf(view, ray, slot, body, 'hit')
  const normal = hit === null ? null : geometry.normalOf(hit)
  if (pace.isDue(geometry.points(body))) yield
  return normal
}

/** Whether a contact stops a body that wants to go forward: by a wall, or by an edge, on which one that is round would slide up and off. */
function* isObstacle<K extends Kinds>(
  gait: Gait<K>,
  { up, least }: Climb,
  stop: Stop,
  forward: Place,
): FarSlices<boolean> {
  const { normal } = stop
  if (dot(normal, forward) >= 0) return false
  if (dot(normal, up) < least) return true
  const top = yield* topAt(gait, up, stop)
  return top !== null && dot(top, up) > dot(normal, up) + BESIDE_EDGE_RATIO
}

/** Steps onto what has stopped the rest of a motion; null, and the body stays, where it is no step. */
export function* stepUp<K extends Kinds>(
  gait: Gait<K>,
  footing: Footing,
  rest: Place,
  stops: readonly Stop[],
): FarSlices<Stepped | null> {
  const { up, stepHeight } = footing
  const forward = step(rest, up, -dot(rest, up))
  const length = lengthOf(forward)
  if (!(stepHeight > 0) || !(length > TOUCH_RATIO * lengthOf(rest))) return null
  let isStopped = false
  for (const stop of stops) isStopped ||= yield* isObstacle(gait, footing, stop, forward)
  if (!isStopped) return null
  const half = gait.width(forward.map((x) => x / length)) / 2
  for (const share of STEP_SHARES) {
    const stepped = yield* stepForward(gait, footing, forward, Math.min(1, (share * half) / length))
    if (stepped !== null) return stepped
    if (length <= STEP_SHARES[1] * half) break
  }
  return null
}

/** A step that leads a share of the way forward at most. */
function* stepForward<K extends Kinds>(
  gait: Gait<K>,
  footing: Footing,
  forward: Place,
  share: number,
): FarSlices<Stepped | null> {
  const { up, stepHeight, snap } = footing
  const from = gait.position()
  const feet = gait.lowest(up)
  const slack = TOUCH_RATIO * (from.reduce((sum, x) => sum + Math.abs(x), 0) + gait.reach + stepHeight)
  yield* gait.go(
    up.map((x) => x * stepHeight),
    false,
  )
  const raised = gait.position()
  const rise = dot(step(raised, from, -1), up)
  const leg =
    rise > 0
      ? yield* gait.go(
          forward.map((x) => share * x),
          false,
        )
      : null
  if (leg !== null && leg.passed > LEAST_STEP_SHARE) {
    const highest = gait.position()
    const landing = yield* gait.go(
      up.map((x) => -x * (rise + (snap ?? 0) + standing(gait))),
      false,
    )
    const ground = yield* firstGround(gait, footing, landing.stops)
    if (ground !== null && dot(ground.point, up) - feet <= stepHeight + slack) {
      return { share: share * leg.passed, corners: [raised, highest], ground }
    }
  }
  gait.put(from)
  return null
}
