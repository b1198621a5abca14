/**
 * The query `time-of-impact`: when the moving bodies of a scene first meet other bodies, and each other.
 *
 * Method: a box encloses everything that a body covers within the duration; the time of impact is computed for pairs whose boxes
 * overlap. The boxes of moving bodies are in a tree of their own.
 */

import { Pace } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { createItemList } from '../../containers/item-list.ts'
import { Ranking } from '../../containers/ranking.ts'
import { buildDynamicTree } from '../../core/dynamic-tree-build.ts'
import type { Want } from '../../core/want.ts'
import { createDynamicTree } from '../../core2d/broad-phase/dynamic-tree.ts'
import { queryBox } from '../../core2d/broad-phase/dynamic-tree-queries.ts'
import { createTimeOfImpact, type TimeOfImpact, timeOfImpact } from '../../core2d/motion/time-of-impact.ts'
import { sweptBox } from '../../core2d/queries/body-boxes.ts'
import { createBody } from '../../core2d/shape/body.ts'
import { createMotion } from '../../core2d/shape/motion.ts'
import type { Accepts } from '../state/filter.ts'
import { PLANE } from '../state/geometry.ts'
import {
  bodiesInBox,
  bodyAt,
  hasBody,
  heldBodyAt,
  idAt,
  mayMove,
  motionAt,
  type PlaneView,
  slotLimit,
} from '../state/view.ts'
import { describeBody } from './described-body.ts'
import { costlyImpact, fetchBody, isCostly, isLight } from './scene-tasks.ts'

interface ImpactQuery {
  duration: number
  ignoreSeparating: boolean
  want: Want
  /** Both bodies of a pair must pass. */
  accepts: Accepts
  limit: number
}

interface ImpactPair {
  slotA: number
  slotB: number
  /** Lower than `idB`. */
  idA: string
  idB: string
  found: TimeOfImpact
}

interface ImpactAnswer {
  /** By time, then by id of A, then of B. */
  impacts: ImpactPair[]
  truncated: boolean
}

interface Movers {
  slots: number[]
  /** Place of a slot in the list. */
  indexOf: Map<number, number>
  /** The box of everything that each covers. */
  boxes: Float64Array
}

const motion = createMotion()
const otherMotion = createMotion()
const found = createTimeOfImpact()

export function* queryTimeOfImpact(view: PlaneView, query: ImpactQuery): FarSlices<ImpactAnswer> {
  const { accepts, limit } = query
  const pace = new Pace()
  const impacts = new Ranking<ImpactPair>(limit)
  const movers = yield* listMovers(view, query, pace)
  const { slots, indexOf, boxes } = movers
  const tree = createDynamicTree()
  buildDynamicTree(tree, boxes, slots.length)
  const near = createItemList()
  const moving = createItemList()
  const held = createBody()
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i]
    bodiesInBox(view, boxes.subarray(4 * i, 4 * i + 4), near)
    queryBox(tree, boxes, i, moving)
    const others: number[] = []
    for (let k = 0; k < near.count; k++) {
      const other = near.items[k]
      if (!indexOf.has(other) && accepts(other)) others.push(other)
      if (pace.isDue(1)) yield
    }
    for (let k = 0; k < moving.count; k++) {
      if (moving.items[k] > i) others.push(slots[moving.items[k]])
      if (pace.isDue(1)) yield
    }
    if (pace.isDue(1)) yield
    if (others.length === 0) continue
    const body = isCostly(view, slot) ? yield* fetchBody(view, slot) : heldBodyAt(view, slot, held)
    for (const other of others) {
      const points = yield* addImpact(view, query, slot, body, other, impacts)
      if (impacts.isFull) yield* impacts.makeRoom(pace)
      if (pace.isDue(points)) yield
    }
  }
  const { ranked, truncated } = yield* impacts.finish(pace)
  return { impacts: ranked.map(({ value }) => value), truncated }
}

function* listMovers(view: PlaneView, { duration, accepts }: ImpactQuery, pace: Pace): FarSlices<Movers> {
  const slots: number[] = []
  const indexOf = new Map<number, number>()
  const boxes: number[] = []
  const limit = mayMove(view) ? slotLimit(view) : 0
  for (let slot = 0; slot < limit; slot++) {
    if (pace.isDue(1)) yield
    if (!hasBody(view, slot)) continue
    motionAt(view, slot, motion)
    if ((motion.vx === 0 && motion.vy === 0 && motion.spin === 0) || !accepts(slot)) continue
    const body = isCostly(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
    motionAt(view, slot, motion)
    const { minX, minY, maxX, maxY } = sweptBox(body, motion, duration)
    indexOf.set(slot, slots.length)
    slots.push(slot)
    boxes.push(minX, minY, maxX, maxY)
  }
  return { slots, indexOf, boxes: Float64Array.from(boxes) }
}

/** Adds the impact of two bodies, if they meet; returns its cost in points. */
function* addImpact(
  view: PlaneView,
  { duration, ignoreSeparating, want }: ImpactQuery,
  slot: number,
  body: ReturnType<typeof createBody>,
  other: number,
  impacts: Ranking<ImpactPair>,
): FarSlices<number> {
  const otherBody = isCostly(view, other) ? yield* fetchBody(view, other) : bodyAt(view, other)
  motionAt(view, slot, motion)
  motionAt(view, other, otherMotion)
  const id = idAt(view, slot)
  const otherId = idAt(view, other)
  const inOrder = id < otherId
  const points = PLANE.points(body) + PLANE.points(otherBody)
  const [a, motionA, slotA] = inOrder ? [body, motion, slot] : [otherBody, otherMotion, other]
  const [b, motionB, slotB] = inOrder ? [otherBody, otherMotion, other] : [body, motion, slot]
  let impact = found
  if (isLight(PLANE, a, b) && motionA.spin === 0 && motionB.spin === 0) {
    timeOfImpact(a, motionA, b, motionB, duration, ignoreSeparating, want, found)
  } else {
    const movingA = { body: a, motion: { ...motionA }, describe: () => describeBody(view, slotA) }
    const movingB = { body: b, motion: { ...motionB }, describe: () => describeBody(view, slotB) }
    impact = yield* costlyImpact(PLANE, movingA, movingB, { duration, ignoreSeparating, want }, found)
  }
  if (impact.hit) {
    const idA = inOrder ? id : otherId
    const idB = inOrder ? otherId : id
    // No id has a space in it, so this orders by A first, then by B.
    const key = `${idA} ${idB}`
    if (impacts.takes(impact.time, key)) {
      impacts.add(impact.time, key, { slotA, slotB, idA, idB, found: { ...impact } })
    }
  }
  return points
}
