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
import { slabEntryTime } from '../../core2d/broad-phase/moving-boxes.ts'
import type { Obstacle } from '../../core2d/motion/leaf-impact.ts'
import type { Trajectory } from '../../core2d/motion/trajectory.ts'
import { measureOuterBox, sweptBox } from '../../core2d/queries/body-boxes.ts'
import type { Bounds } from '../../core2d/queries/bounds.ts'
import { type Body, createBody, X, Y } from '../../core2d/shape/body.ts'
import { createMotion, isMovedBySpin, type Motion } from '../../core2d/shape/motion.ts'
import { createPlacement, moveTo, type Placement } from '../../core2d/shape/position.ts'
import { type Accepts, sortById } from '../state/filter.ts'
import { PLANE } from '../state/geometry.ts'
import {
  bodiesInBox,
  bodyAt,
  boxAt,
  hasBody,
  heldBodyAt,
  idAt,
  mayMove,
  motionAt,
  type PlaneView,
  reachOf,
  slotLimit,
} from '../state/view.ts'
import { costlyPath, fetchBody, isCostly, type PathQuery } from './scene-tasks.ts'
import { PATH_SLACK_RATIO } from './tolerances.ts'

/** The body is convex. */
interface TrajectoryQuery extends PathQuery {
  accepts: Accepts
  /** Most bodies that the path may come near. */
  maxObstacles: number
}

export interface TrajectoryAnswer {
  /** Obstacles are indices of `slots`. */
  path: Trajectory
  /** Bodies near the path, by id. */
  slots: number[]
  ids: string[]
}

/** One straight stretch of the path. */
interface Leg {
  from: number
  to: number
  x: number
  y: number
  vx: number
  vy: number
}

const motion = createMotion()
const box = new Float64Array(4)

/** A search in progress. */
interface Search {
  view: PlaneView
  query: TrajectoryQuery
  /** The body's box about its position. */
  outline: Bounds
  movers: readonly number[]
  /** By slot: the bodies known to lie near the path. */
  obstacles: Map<number, Obstacle>
  pace: Pace
}

/** The path; null if it comes near more bodies than it may. */
export function* queryTrajectory(view: PlaneView, query: TrajectoryQuery): FarSlices<TrajectoryAnswer | null> {
  const { body, duration } = query
  const pace = new Pace()
  const start = { x: body.numbers[X], y: body.numbers[Y] }
  const placement = createPlacement(body)
  measureOuterBox(body, box, 0)
  const outline = { minX: box[0] - start.x, minY: box[1] - start.y, maxX: box[2] - start.x, maxY: box[3] - start.y }
  const movers = yield* listMovers(view, query, pace)
  const obstacles = new Map<number, Obstacle>()
  const search: Search = { view, query, outline, movers, obstacles, pace }
  let legs: Leg[] = [{ from: 0, to: duration, ...start, vx: query.motion.vx, vy: query.motion.vy }]
  let answer: TrajectoryAnswer | null = null
  for (;;) {
    const added = yield* addObstacles(search, legs)
    if (obstacles.size > query.maxObstacles) return null
    if (added === 0 && answer !== null) return answer
    const slots = [...obstacles.keys()]
    yield* sortById(view, slots, pace)
    const path = yield* followPath(search, placement, start, slots)
    answer = { path, slots, ids: slots.map((slot) => idAt(view, slot)) }
    legs = legsOf(path, start, query.motion)
    if (pace.isDue(slots.length * (1 + path.bounces.length))) yield
  }
}

/** The path among the obstacles; the body is left where it ended. */
function* followPath(
  { view, query, obstacles }: Search,
  placement: Placement,
  start: { x: number; y: number },
  slots: readonly number[],
): FarSlices<Trajectory> {
  const listed = slots.map((slot) => obstacles.get(slot) as Obstacle)
  const { path, x, y } = yield* costlyPath(view, query, slots, listed, () => moveTo(placement, start.x, start.y))
  moveTo(placement, x, y)
  return path
}

/** The bodies that move, apart from spin. */
function* listMovers(view: PlaneView, { accepts }: TrajectoryQuery, pace: Pace): Slices<number[]> {
  const slots: number[] = []
  const limit = mayMove(view) ? slotLimit(view) : 0
  for (let slot = 0; slot < limit; slot++) {
    if (pace.isDue(1)) yield
    if (!hasBody(view, slot) || !accepts(slot)) continue
    motionAt(view, slot, motion)
    if (motion.vx !== 0 || motion.vy !== 0) slots.push(slot)
  }
  return slots
}

function legsOf({ bounces, time }: Trajectory, start: { x: number; y: number }, { vx, vy }: Motion): Leg[] {
  const legs: Leg[] = []
  let leg: Leg = { from: 0, to: time, ...start, vx, vy }
  for (const { time: at, leavesX, leavesY, afterX, afterY } of bounces) {
    legs.push({ ...leg, to: at })
    leg = { from: at, to: time, x: leavesX, y: leavesY, vx: afterX, vy: afterY }
  }
  legs.push(leg)
  return legs
}

/** Adds the bodies that the path may meet; returns how many. */
function* addObstacles(
  { view, query: { accepts, maxObstacles }, outline, movers, obstacles, pace }: Search,
  legs: readonly Leg[],
): FarSlices<number> {
  const isMoving = new Set(movers)
  const near = createItemList()
  const before = obstacles.size
  for (const leg of legs) {
    const { x, y, vx, vy, from, to } = leg
    const passed = to - from
    const pad = PATH_SLACK_RATIO * (reachOf(view) + Math.abs(x) + Math.abs(y) + passed * (Math.abs(vx) + Math.abs(vy)))
    const minX = x + outline.minX - pad
    const minY = y + outline.minY - pad
    const maxX = x + outline.maxX + pad
    const maxY = y + outline.maxY + pad
    const endX = passed * vx
    const endY = passed * vy
    const passedBox = Float64Array.of(
      minX + Math.min(0, endX),
      minY + Math.min(0, endY),
      maxX + Math.max(0, endX),
      maxY + Math.max(0, endY),
    )
    bodiesInBox(view, passedBox, near)
    const resting = near.items.slice(0, near.count)
    for (let k = 0; k < resting.length + movers.length; k++) {
      if (pace.isDue(1)) yield
      const isMover = k >= resting.length
      const slot = isMover ? movers[k - resting.length] : resting[k]
      if (obstacles.has(slot) || (!isMover && (isMoving.has(slot) || !accepts(slot)))) continue
      if (obstacles.size > maxObstacles) return obstacles.size - before
      motionAt(view, slot, motion)
      const { vx: ovx, vy: ovy } = motion
      boxAt(view, slot, box)
      const entry = slabEntryTime(
        box[0] + from * ovx - maxX,
        box[2] + from * ovx - minX,
        box[1] + from * ovy - maxY,
        box[3] + from * ovy - minY,
        vx - ovx,
        vy - ovy,
        passed,
      )
      if (entry === Infinity) continue
      const body = isCostly(view, slot) ? yield* fetchBody(view, slot) : heldBodyAt(view, slot, createBody())
      const obstacle = { body, motion: { vx: ovx, vy: ovy, spin: 0 } }
      obstacles.set(slot, obstacle)
      if (pace.isDue(PLANE.points(obstacle.body))) yield
    }
  }
  return obstacles.size - before
}

/**
 * The first body by id that the path may come near at any time within the duration and that looks different as it turns; null when
 * there is none. The path was found as if no body turned, so such a body makes it wrong. `start`: where the path began; the body of
 * the query lies where it ended.
 */
export function* findSpinner(
  view: PlaneView,
  { body, motion: own, duration, accepts }: TrajectoryQuery,
  path: Trajectory,
  start: { x: number; y: number },
): FarSlices<string | null> {
  const boxes = boxesOf(legsOf(path, start, own), body)
  const pace = new Pace()
  let first: string | null = null
  for (let slot = 0; slot < slotLimit(view) && mayMove(view); slot++) {
    if (pace.isDue(1)) yield
    if (!hasBody(view, slot)) continue
    motionAt(view, slot, motion)
    if (motion.spin === 0 || !accepts(slot)) continue
    const id = idAt(view, slot)
    if (first !== null && compareIds(first, id) < 0) continue
    const other = isCostly(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
    motionAt(view, slot, motion)
    if (!isMovedBySpin(other, other)) continue
    const { minX, minY, maxX, maxY } = sweptBox(other, motion, duration)
    const isNear = boxes.some(
      (each) => each.minX <= maxX && each.minY <= maxY && each.maxX >= minX && each.maxY >= minY,
    )
    if (isNear) first = id
    if (pace.isDue(boxes.length)) yield
  }
  return first
}

/** The box of everything that the body covers on each leg. */
function boxesOf(legs: readonly Leg[], body: Body): Bounds[] {
  measureOuterBox(body, box, 0)
  const [left, bottom, right, top] = [
    box[0] - body.numbers[X],
    box[1] - body.numbers[Y],
    box[2] - body.numbers[X],
    box[3] - body.numbers[Y],
  ]
  return legs.map(({ from, to, x, y, vx, vy }) => {
    const dx = (to - from) * vx
    const dy = (to - from) * vy
    return {
      minX: x + Math.min(0, dx) + left,
      minY: y + Math.min(0, dy) + bottom,
      maxX: x + Math.max(0, dx) + right,
      maxY: y + Math.max(0, dy) + top,
    }
  })
}
