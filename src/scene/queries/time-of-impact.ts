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
import type { Accepts } from '../state/filter.ts'
import { forEach, type Kinds } from '../state/geometry.ts'
import {
  bodiesInBox,
  bodyAt,
  hasBody,
  heldBodyAt,
  idAt,
  mayMove,
  motionAt,
  slotLimit,
  type View,
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

interface ImpactPair<K extends Kinds> {
  slotA: number
  slotB: number
  /** Lower than `idB`. */
  idA: string
  idB: string
  found: K['impact']
}

interface ImpactAnswer<K extends Kinds> {
  /** By time, then by id of A, then of B. */
  impacts: ImpactPair<K>[]
  truncated: boolean
}

interface Movers {
  slots: number[]
  /** Place of a slot in the list. */
  indexOf: Map<number, number>
  /** The box of everything that each covers. */
  boxes: Float64Array
}

const box = new Float64Array(6)
const scratch = forEach(({ createMotion, createImpact }) => ({
  motion: createMotion(),
  otherMotion: createMotion(),
  found: createImpact(),
}))

export function* queryTimeOfImpact<K extends Kinds>(view: View<K>, query: ImpactQuery): FarSlices<ImpactAnswer<K>> {
  const { geometry } = view.table
  const sides = 2 * geometry.axes
  const { accepts, limit } = query
  const pace = new Pace()
  const impacts = new Ranking<ImpactPair<K>>(limit)
  const movers = yield* listMovers(view, query, pace)
  const { slots, indexOf, boxes } = movers
  const tree = geometry.createTree(0)
  buildDynamicTree(tree, boxes, slots.length)
  const near = createItemList()
  const moving = createItemList()
  const held: K['body'] = geometry.createBody()
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i]
    const swept = boxes.subarray(sides * i, sides * (i + 1))
    bodiesInBox(view, swept, near)
    geometry.queryBox(tree, swept, moving)
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

function* listMovers<K extends Kinds>(
  view: View<K>,
  { duration, accepts }: ImpactQuery,
  pace: Pace,
): FarSlices<Movers> {
  const slots: number[] = []
  const indexOf = new Map<number, number>()
  const boxes: number[] = []
  const { geometry } = view.table
  const sides = 2 * geometry.axes
  const motion: K['motion'] = scratch[geometry.dimension].motion
  const limit = mayMove(view) ? slotLimit(view) : 0
  for (let slot = 0; slot < limit; slot++) {
    if (pace.isDue(1)) yield
    if (!hasBody(view, slot)) continue
    motionAt(view, slot, motion)
    if ((!geometry.travels(motion) && !geometry.spins(motion)) || !accepts(slot)) continue
    const body = isCostly(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
    motionAt(view, slot, motion)
    geometry.measureSweptBox(body, motion, duration, box, 0)
    indexOf.set(slot, slots.length)
    slots.push(slot)
    for (let side = 0; side < sides; side++) boxes.push(box[side])
  }
  return { slots, indexOf, boxes: Float64Array.from(boxes) }
}

/** Adds the impact of two bodies, if they meet; returns its cost in points. */
function* addImpact<K extends Kinds>(
  view: View<K>,
  { duration, ignoreSeparating, want }: ImpactQuery,
  slot: number,
  body: K['body'],
  other: number,
  impacts: Ranking<ImpactPair<K>>,
): FarSlices<number> {
  const { geometry } = view.table
  const own = scratch[geometry.dimension]
  const motion: K['motion'] = own.motion
  const otherMotion: K['motion'] = own.otherMotion
  const found: K['impact'] = own.found
  const otherBody = isCostly(view, other) ? yield* fetchBody(view, other) : bodyAt(view, other)
  motionAt(view, slot, motion)
  motionAt(view, other, otherMotion)
  const id = idAt(view, slot)
  const otherId = idAt(view, other)
  const inOrder = id < otherId
  const points = geometry.points(body) + geometry.points(otherBody)
  const [a, motionA, slotA] = inOrder ? [body, motion, slot] : [otherBody, otherMotion, other]
  const [b, motionB, slotB] = inOrder ? [otherBody, otherMotion, other] : [body, motion, slot]
  let impact = found
  if (isLight(geometry, a, b) && !geometry.spins(motionA) && !geometry.spins(motionB)) {
    geometry.timeOfImpact(a, motionA, b, motionB, duration, ignoreSeparating, want, found)
  } else {
    const movingA = { body: a, motion: { ...motionA }, describe: () => describeBody(view, slotA) }
    const movingB = { body: b, motion: { ...motionB }, describe: () => describeBody(view, slotB) }
    impact = yield* costlyImpact(geometry, movingA, movingB, { duration, ignoreSeparating, want }, found)
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
