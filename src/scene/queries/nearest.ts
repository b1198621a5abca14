/**
 * The query `nearest`: the bodies of a scene that are nearest to a probe, by exact distance.
 *
 * Method: best first (`core/dynamic-tree-nearest.ts`). The tree returns the nearest boxes in order, a few more than
 * the bodies that are wanted, and the distances of those bodies are computed until no remaining box is nearer than the last of the
 * nearest bodies. If the boxes do not reach that far, the tree is asked for more; no distance is computed twice. If very many bodies
 * are wanted, or many are equally near, all boxes are sorted instead, with pauses.
 */

import { Pace, type Slices } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { compareIds } from '../../containers/ranking.ts'
import { sortInSlices } from '../../containers/sorting.ts'
import { createNearestList, nearestItems } from '../../core/dynamic-tree-nearest.ts'
import type { Accepts } from '../state/filter.ts'
import type { Kinds } from '../state/geometry.ts'
import {
  bodyAt,
  boxAt,
  hasBody,
  hasChanged,
  idAt,
  reachOf,
  slotLimit,
  type View,
  visitUnbounded,
} from '../state/view.ts'
import { type Describe, describeBody, UNDESCRIBED } from './described-body.ts'
import { costlyDistance, fetchBody, isCostly, isLight } from './scene-tasks.ts'
import { DISTANCE_SLACK_RATIO } from './tolerances.ts'

interface NearestBodiesQuery<K extends Kinds> {
  /** Must not change until the end. */
  probe: K['body']
  describe?: Describe
  /** How many, at most. */
  count: number
  /** How far, at most; may be infinite. */
  maxDistance: number
  accepts: Accepts
}

export interface NearBody<K extends Kinds> {
  slot: number
  id: string
  /** From the probe, A, to the body, B. */
  distance: K['distance']
}

/** Boxes in the first request, besides 1.5 times the bodies that are wanted; and how many times as many in each next one. */
const MORE_COUNT = 8
const GROWTH_FACTOR = 4

/** Most boxes that the tree is asked for, because it does not pause; and most that it visits to find them. */
const MOST_WALKED = 2 ** 12
const MOST_LOOKS = 2 ** 14

/** Bodies in order of the distance of their boxes; all bodies up to `complete` are included. */
interface Waiting {
  waiting: { slot: number; gap: number }[]
  complete: number
}

const box = new Float64Array(6)
const listed = createNearestList()

/** By distance, then by id. */
export function* queryNearest<K extends Kinds>(view: View<K>, query: NearestBodiesQuery<K>): FarSlices<NearBody<K>[]> {
  const { geometry } = view.table
  const { probe, describe = UNDESCRIBED, count, maxDistance } = query
  const near: NearBody<K>[] = []
  if (count < 1) return near
  geometry.measureOuterBox(probe, box, 0)
  const from = Float64Array.from(box)
  const slack = DISTANCE_SLACK_RATIO * (reachOf(view) + geometry.positionSize(probe))
  const pace = new Pace()
  const seen = new Set<number>()
  for (let most = Math.ceil(1.5 * count) + MORE_COUNT; ; most *= GROWTH_FACTOR) {
    const nearest = most <= MOST_WALKED ? nearestBoxes(view, query, from, most, maxDistance + slack) : null
    const { waiting, complete } = nearest ?? (yield* allBoxes(view, query, from, maxDistance + slack, pace))
    for (const { slot, gap } of waiting) {
      if (gap - slack > lastOf(near, count, maxDistance)) return near
      if (seen.has(slot)) continue
      seen.add(slot)
      const body = isCostly(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
      const points = geometry.points(probe) + geometry.points(body)
      const found = geometry.createDistance()
      if (isLight(geometry, probe, body)) geometry.distance(probe, body, found)
      else yield* costlyDistance(geometry, probe, describe, body, () => describeBody(view, slot), found)
      if (found.distance <= maxDistance) insert(near, { slot, id: idAt(view, slot), distance: found }, count)
      if (pace.isDue(points)) yield
    }
    if (complete - slack > lastOf(near, count, maxDistance) || complete === Infinity) return near
  }
}

/**
 * The bodies with boxes up to the distance `complete`, nearest first: about `most`, or all. Unbounded ones count as near. Null where
 * that takes long.
 */
function nearestBoxes<K extends Kinds>(
  view: View<K>,
  { accepts }: NearestBodiesQuery<K>,
  from: Float64Array,
  most: number,
  maxDistance: number,
): Waiting | null {
  const { table, old, oldSlots } = view
  if (table.unbounded.size > MOST_WALKED) return null
  const waiting: Waiting['waiting'] = []
  let complete = Infinity
  visitUnbounded(view, (slot) => {
    if (accepts(slot)) waiting.push({ slot, gap: 0 })
  })
  const query = { box: from, count: most, maxDistance, slack: 0, mostLooks: MOST_LOOKS }
  for (const rows of [table, old]) {
    if (rows === null) continue
    const slotOf = (row: number) => (rows === old ? oldSlots[row] : row)
    const gap = (row: number) => {
      const isThere = rows === old || !hasChanged(view, row)
      return isThere && accepts(slotOf(row)) ? gapOf(view, from, rows.tree.itemBoxes, row) : Infinity
    }
    if (!nearestItems(rows.tree, query, gap, listed)) return null
    for (let k = 0; k < listed.count; k++) waiting.push({ slot: slotOf(listed.items[k]), gap: listed.distances[k] })
    if (listed.count === most) complete = Math.min(complete, listed.distances[most - 1])
  }
  // a body beyond the end of one list may come before the end of the other
  const near = waiting.filter(({ gap }) => gap <= complete)
  return { waiting: near.sort((a, b) => a.gap - b.gap), complete }
}

/** All bodies with boxes up to a distance, nearest first. */
function* allBoxes<K extends Kinds>(
  view: View<K>,
  { accepts }: NearestBodiesQuery<K>,
  from: Float64Array,
  maxDistance: number,
  pace: Pace,
): Slices<Waiting> {
  const waiting: Waiting['waiting'] = []
  for (let slot = 0; slot < slotLimit(view); slot++) {
    if (pace.isDue(1)) yield
    if (!hasBody(view, slot) || !accepts(slot)) continue
    boxAt(view, slot, box)
    const gap = gapOf(view, from, box, 0)
    if (gap <= maxDistance) waiting.push({ slot, gap })
  }
  yield* sortInSlices(waiting, (a, b) => a.gap - b.gap, pace)
  return { waiting, complete: Infinity }
}

/** Distance between a box and one of a list, to a few rounding errors. */
function gapOf(view: View, a: Float64Array, boxes: Float64Array, index: number): number {
  const { axes } = view.table.geometry
  const at = 2 * axes * index
  const dx = Math.max(a[0] - boxes[at + axes], boxes[at] - a[axes], 0)
  const dy = Math.max(a[1] - boxes[at + axes + 1], boxes[at + 1] - a[axes + 1], 0)
  return axes === 2 ? Math.hypot(dx, dy) : Math.hypot(dx, dy, Math.max(a[2] - boxes[at + 5], boxes[at + 2] - a[5], 0))
}

/** The distance of the last body of a full list; `otherwise` if the list has room. */
function lastOf(near: readonly NearBody<Kinds>[], count: number, otherwise: number): number {
  return near.length < count ? otherwise : near[count - 1].distance.distance
}

function insert<K extends Kinds>(near: NearBody<K>[], body: NearBody<K>, count: number): void {
  let low = 0
  let high = near.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(near[middle], body)) low = middle + 1
    else high = middle
  }
  near.splice(low, 0, body)
  if (near.length > count) near.pop()
}

function isBefore(a: NearBody<Kinds>, b: NearBody<Kinds>): boolean {
  const apart = a.distance.distance - b.distance.distance
  return apart < 0 || (apart === 0 && compareIds(a.id, b.id) < 0)
}
