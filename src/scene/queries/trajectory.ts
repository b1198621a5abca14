/**
 * The query `trajectory`: the path of a body that bounces off the bodies of a scene.
 *
 * Method: the path is computed among the bodies known to lie near it, at first those near the straight way. Then the tree is
 * searched for other bodies near that path. If there are some, the path is computed again with them; if there are none, it is the path
 * among all bodies of the scene, to the last bit, because a body that is not met changes nothing.
 */

import { Pace, type Slices } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { createItemList } from '../../containers/item-list.ts'
import { compareIds } from '../../containers/ranking.ts'
import { type Accepts, sortById } from '../state/filter.ts'
import type { Geometry, Kinds, Obstacle } from '../state/geometry.ts'
import {
  bodiesInBox,
  bodyAt,
  boxAt,
  hasBody,
  heldBodyAt,
  idAt,
  mayMove,
  motionAt,
  reachOf,
  slotLimit,
  type View,
} from '../state/view.ts'
import { costlyPath, fetchBody, isCostly, type PathQuery } from './scene-tasks.ts'
import { BOUNCE_TIME_RATIO, PATH_SLACK_RATIO } from './tolerances.ts'

/** The body is convex. */
interface TrajectoryQuery<K extends Kinds> extends PathQuery<K> {
  accepts: Accepts
  /** Most bodies that the path may come near. */
  maxObstacles: number
}

export interface TrajectoryAnswer<K extends Kinds> {
  /** Obstacles are indices of `slots`. */
  path: K['path']
  /** Bodies near the path, by id. */
  slots: number[]
  ids: string[]
}

/** One straight stretch of the path. */
interface Leg {
  from: number
  to: number
  /** Position of the body at its beginning. */
  start: readonly number[]
  velocity: readonly number[]
}

const box = new Float64Array(6)

/** A search in progress. */
interface Search<K extends Kinds> {
  view: View<K>
  query: TrajectoryQuery<K>
  /** The body's box about its position: its low sides, then its high ones. */
  outline: Float64Array
  movers: readonly number[]
  /** By slot: the bodies known to lie near the path. */
  obstacles: Map<number, Obstacle<K>>
  pace: Pace
}

/** The path; null if it comes near more bodies than it may. */
export function* queryTrajectory<K extends Kinds>(
  view: View<K>,
  query: TrajectoryQuery<K>,
): FarSlices<TrajectoryAnswer<K> | null> {
  const { geometry } = view.table
  const { body, motion, duration } = query
  const pace = new Pace()
  const start = geometry.positionOf(body)
  const outline = outlineOf(geometry, body)
  const movers = yield* listMovers(view, query, pace)
  const obstacles = new Map<number, Obstacle<K>>()
  const search: Search<K> = { view, query, outline, movers, obstacles, pace }
  let legs: Leg[] = [{ from: 0, to: duration, start, velocity: geometry.velocityOf(motion) }]
  let answer: TrajectoryAnswer<K> | null = null
  for (;;) {
    const added = yield* addObstacles(search, legs)
    if (obstacles.size > query.maxObstacles) return null
    if (added === 0 && answer !== null) return answer
    const slots = [...obstacles.keys()]
    yield* sortById(view, slots, pace)
    const path = yield* followPath(search, start, slots)
    answer = { path, slots, ids: slots.map((slot) => idAt(view, slot)) }
    legs = legsOf(geometry, path, start, motion)
    if (pace.isDue(slots.length * (1 + path.bounces.length))) yield
  }
}

function outlineOf<K extends Kinds>(geometry: Geometry<K>, body: K['body']): Float64Array {
  const { axes } = geometry
  const position = geometry.positionOf(body)
  geometry.measureOuterBox(body, box, 0)
  return Float64Array.from({ length: 2 * axes }, (_, side) => box[side] - position[side % axes])
}

/** The path among the obstacles; the body is left where it ended. */
function* followPath<K extends Kinds>(
  { view, query, obstacles }: Search<K>,
  start: readonly number[],
  slots: readonly number[],
): FarSlices<K['path']> {
  const { geometry } = view.table
  const listed = slots.map((slot) => obstacles.get(slot) as Obstacle<K>)
  const { path, position } = yield* costlyPath(view, query, slots, listed, () => geometry.moveTo(query.body, start))
  geometry.moveTo(query.body, position)
  return path
}

/** The bodies that move, apart from spin. */
function* listMovers<K extends Kinds>(view: View<K>, { accepts }: TrajectoryQuery<K>, pace: Pace): Slices<number[]> {
  const { geometry } = view.table
  const motion: K['motion'] = geometry.createMotion()
  const slots: number[] = []
  const limit = mayMove(view) ? slotLimit(view) : 0
  for (let slot = 0; slot < limit; slot++) {
    if (pace.isDue(1)) yield
    if (!hasBody(view, slot) || !accepts(slot)) continue
    motionAt(view, slot, motion)
    if (geometry.travels(motion)) slots.push(slot)
  }
  return slots
}

function legsOf<K extends Kinds>(
  geometry: Geometry<K>,
  { bounces, time }: K['path'],
  start: readonly number[],
  motion: K['motion'],
): Leg[] {
  const { axes } = geometry
  const legs: Leg[] = []
  let leg: Leg = { from: 0, to: time, start, velocity: geometry.velocityOf(motion) }
  for (const bounce of bounces) {
    legs.push({ ...leg, to: bounce.time })
    const numbers = geometry.bounceNumbers(bounce)
    const velocity = numbers.slice(2 + axes, 2 + 2 * axes)
    leg = { from: bounce.time, to: time, start: numbers.slice(2, 2 + axes), velocity }
  }
  legs.push(leg)
  return legs
}

/** Adds the bodies that the path may meet; returns how many. */
function* addObstacles<K extends Kinds>(
  { view, query: { accepts, maxObstacles }, outline, movers, obstacles, pace }: Search<K>,
  legs: readonly Leg[],
): FarSlices<number> {
  const { geometry } = view.table
  const isMoving = new Set(movers)
  const near = createItemList()
  const before = obstacles.size
  for (const leg of legs) {
    const stretch = stretchOf(view, outline, leg)
    bodiesInBox(view, stretch.covered, near)
    const resting = near.items.slice(0, near.count)
    for (let k = 0; k < resting.length + movers.length; k++) {
      if (pace.isDue(1)) yield
      const isMover = k >= resting.length
      const slot = isMover ? movers[k - resting.length] : resting[k]
      if (obstacles.has(slot) || (!isMover && (isMoving.has(slot) || !accepts(slot)))) continue
      if (obstacles.size > maxObstacles) return obstacles.size - before
      const motion: K['motion'] = geometry.createMotion()
      motionAt(view, slot, motion)
      boxAt(view, slot, box)
      if (!mayMeet(geometry, stretch, motion)) continue
      const body = isCostly(view, slot)
        ? yield* fetchBody(view, slot)
        : heldBodyAt<K>(view, slot, geometry.createBody())
      obstacles.set(slot, { body, motion })
      if (pace.isDue(geometry.points(body))) yield
    }
  }
  return obstacles.size - before
}

/** What a body may come near on one stretch of its path. */
interface Stretch {
  from: number
  /** How long it lasts. */
  passed: number
  velocity: readonly number[]
  /** Of coordinates and lengths: how near that is. */
  slackRatio: number
  /** The box around the body at its beginning, and that around everything it covers, as much wider. */
  start: Float64Array
  covered: Float64Array
}

function stretchOf<K extends Kinds>(view: View<K>, outline: Float64Array, leg: Leg): Stretch {
  const { axes, dimension } = view.table.geometry
  const slackRatio = PATH_SLACK_RATIO[dimension]
  const { from, to, velocity } = leg
  const speed = Math.hypot(...velocity)
  const size = sumOf(outline)
  // what is met as good as with the last of it may go before that
  const passed = to - from + (speed > 0 && size < Infinity ? BOUNCE_TIME_RATIO * (to + size / speed) : 0)
  const slack = slackRatio * (reachOf(view) + sumOf(leg.start) + size + passed * sumOf(velocity))
  const start = outline.map((side, k) => side + leg.start[k % axes] + (k < axes ? -slack : slack))
  const covered = start.map((side, k) => {
    const way = passed * velocity[k % axes]
    return side + (k < axes ? Math.min(0, way) : Math.max(0, way))
  })
  return { from, passed, velocity, slackRatio, start, covered }
}

/** Of their magnitudes; infinite ones are left out. */
function sumOf(numbers: ArrayLike<number>): number {
  let sum = 0
  for (let k = 0; k < numbers.length; k++) if (Math.abs(numbers[k]) < Infinity) sum += Math.abs(numbers[k])
  return sum
}

/** Whether a body with the box in `box` may come near on the stretch. */
function mayMeet<K extends Kinds>(
  geometry: Geometry<K>,
  { from, passed, velocity, slackRatio, start }: Stretch,
  motion: K['motion'],
): boolean {
  const { axes } = geometry
  const own = geometry.velocityOf(motion)
  const slack = slackRatio * (from + passed) * geometry.speed(motion)
  let enter = 0
  let leave = passed
  for (let k = 0; k < axes; k++) {
    // from the near to the far side of the body's box, grown by that of the one that flies
    const near = box[k] + from * own[k] - start[axes + k] - slack
    const far = box[axes + k] + from * own[k] - start[k] + slack
    const speed = velocity[k] - own[k]
    if (speed === 0) {
      if (near > 0 || far < 0) return false
      continue
    }
    enter = Math.max(enter, (speed > 0 ? near : far) / speed)
    leave = Math.min(leave, (speed > 0 ? far : near) / speed)
  }
  return enter <= leave
}

/**
 * The first body by id that the path may come near at any time within the duration and that looks different as it turns; null when
 * there is none. The path was found as if no body turned, so such a body makes it wrong. `start`: where the path began; the body of
 * the query lies where it ended.
 */
export function* findSpinner<K extends Kinds>(
  view: View<K>,
  { body, motion: own, duration, accepts }: TrajectoryQuery<K>,
  path: K['path'],
  start: readonly number[],
): FarSlices<string | null> {
  const { geometry } = view.table
  const motion: K['motion'] = geometry.createMotion()
  const outline = outlineOf(geometry, body)
  const covered = legsOf(geometry, path, start, own).map((leg) => stretchOf(view, outline, leg).covered)
  const pace = new Pace()
  let first: string | null = null
  for (let slot = 0; slot < slotLimit(view) && mayMove(view); slot++) {
    if (pace.isDue(1)) yield
    if (!hasBody(view, slot)) continue
    motionAt(view, slot, motion)
    if (!geometry.spins(motion) || !accepts(slot)) continue
    const id = idAt(view, slot)
    if (first !== null && compareIds(first, id) < 0) continue
    const other: K['body'] = isCostly(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
    motionAt(view, slot, motion)
    if (!geometry.isTurnedBy(other, motion)) continue
    geometry.measureSweptBox(other, motion, duration, box, 0)
    if (covered.some((each) => boxMeets(geometry.axes, each))) first = id
    if (pace.isDue(covered.length)) yield
  }
  return first
}

/** Whether a box meets the one in `box`. */
function boxMeets(axes: number, sides: Float64Array): boolean {
  for (let k = 0; k < axes; k++) if (sides[k] > box[axes + k] || sides[axes + k] < box[k]) return false
  return true
}
