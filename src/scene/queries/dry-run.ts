/**
 * Dry run of operations: which bodies each changed body would newly overlap.
 */

import { Pace } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { createItemList } from '../../containers/item-list.ts'
import { compareIds, Ranking } from '../../containers/ranking.ts'
import { sortInSlices } from '../../containers/sorting.ts'
import type { Relation } from '../../core2d/queries/overlap.ts'
import { bodiesIn, PendingBodies } from '../keeper/write-checks.ts'
import { boxInTree, placeInTree } from '../state/body-cache.ts'
import { type BodyTable, createTableLike, takeSlot, writeRow } from '../state/body-table.ts'
import { idOf } from '../state/ids.ts'
import type { Operation } from '../state/operation.ts'
import { bodiesInBox, bodyAt, findBody, heldBodyAt, idAt, presentView, type View } from '../state/view.ts'
import { describeBody } from './described-body.ts'
import { costlyRelation, fetchBody, isCostly, isLight } from './scene-tasks.ts'

interface NewOverlap {
  /** The changed body, and the one that it would newly overlap; both ways when both are changed. */
  id: string
  other: string
  relation: Relation
}

export interface DryRun {
  /** The bodies that the operations put, move or patch, and that would exist afterwards, by id. */
  changed: string[]
  /** By id of the changed body, then of the other. */
  overlaps: NewOverlap[]
  truncated: boolean
}

/** A dry run in progress. */
interface Trial {
  view: View
  /** The bodies that the operations touch, before and after. */
  after: PendingBodies
  /** The bodies that they leave. */
  changes: View
  overlaps: Ranking<NewOverlap>
  pace: Pace
}

/**
 * The operations must have passed `check`. `limit`: most overlaps in the answer. Bodies are tested in the order of their
 * ids, until more than `maxPairs` pairs were near each other; then the answer is truncated.
 */
export function* dryRun(
  view: View,
  operations: readonly Operation[],
  limit: number,
  maxPairs: number,
): FarSlices<DryRun> {
  const pace = new Pace()
  const after = new PendingBodies(bodiesIn(view))
  yield* after.addInSlices(1, operations, pace)
  const changes = createTableLike(view.table, 0)
  for (const body of after.changes()) {
    if (body === null) continue
    const row = takeSlot(changes, body.id)
    writeRow(changes, row, body, true)
    placeInTree(changes, row)
    if (pace.isDue(1)) yield
  }
  const overlaps = new Ranking<NewOverlap>(limit)
  const { digest } = view
  const changedView = presentView({ version: 0, digest, table: changes, views: new Set<View>(), front: null })
  const trial: Trial = { view, after, changes: changedView, overlaps, pace }
  const changed = Array.from({ length: changes.used }, (_, row) => idOf(changes.ids, row))
  yield* sortInSlices(changed, compareIds, pace)
  let looked = 0
  let done = 0
  for (; done < changed.length && looked <= maxPairs; done++) {
    looked += yield* addOverlaps(trial, findBody(changedView, changed[done]))
  }
  const { ranked, truncated } = yield* overlaps.finish(pace)
  return { changed, overlaps: ranked.map(({ value }) => value), truncated: truncated || done < changed.length }
}

/** Adds what the body in a row of the changes would newly overlap; returns how many bodies were near. */
function* addOverlaps({ view, after, changes, overlaps, pace }: Trial, row: number): FarSlices<number> {
  const { geometry } = view.table
  const id = idAt(changes, row)
  const body = isCostly(changes, row) ? yield* fetchBody(changes, row) : heldBodyAt(changes, row, geometry.createBody())
  const slot = findBody(view, id)
  const isFormerCostly = slot >= 0 && isCostly(view, slot)
  const former = isFormerCostly
    ? yield* fetchBody(view, slot)
    : slot < 0
      ? null
      : heldBodyAt(view, slot, geometry.createBody())
  const describe = () => describeBody(changes, row)
  const describeFormer = () => describeBody(view, slot)
  const near = createItemList()
  const sides = boxOf(changes.table, row)
  const others: { view: View; slot: number }[] = []
  bodiesInBox(changes, sides, near)
  for (let k = 0; k < near.count; k++) {
    if (near.items[k] !== row) others.push({ view: changes, slot: near.items[k] })
    if (pace.isDue(1)) yield
  }
  if (!after.isCleared) {
    bodiesInBox(view, sides, near)
    for (let k = 0; k < near.count; k++) {
      if (!after.isAbout(idAt(view, near.items[k]))) others.push({ view, slot: near.items[k] })
      if (pace.isDue(2)) yield
    }
  }
  for (const other of others) {
    const otherBody = isCostly(other.view, other.slot)
      ? yield* fetchBody(other.view, other.slot)
      : bodyAt(other.view, other.slot)
    const points = geometry.points(body) + geometry.points(otherBody)
    const relation = isLight(geometry, body, otherBody)
      ? geometry.relate(body, otherBody)
      : yield* costlyRelation(geometry, body, describe, otherBody, () => describeBody(other.view, other.slot))
    if (pace.isDue(points)) yield
    if (relation > 0) continue
    const otherId = idAt(other.view, other.slot)
    const otherSlot = findBody(view, otherId)
    if (former !== null && otherSlot >= 0) {
      const formerOther = isCostly(view, otherSlot) ? yield* fetchBody(view, otherSlot) : bodyAt(view, otherSlot)
      const before = isLight(geometry, former, formerOther)
        ? geometry.relate(former, formerOther)
        : yield* costlyRelation(geometry, former, describeFormer, formerOther, () => describeBody(view, otherSlot))
      if (before <= 0) continue
    }
    const key = `${id} ${otherId}`
    if (overlaps.takes(0, key)) overlaps.add(0, key, { id, other: otherId, relation })
    if (overlaps.isFull) yield* overlaps.makeRoom(pace)
  }
  return others.length
}

/** A box that no body without bounds is beside. */
function boxOf(table: BodyTable, row: number): Float64Array {
  const { axes } = table.geometry
  return boxInTree(table, row) ?? Float64Array.from({ length: 2 * axes }, (_, k) => (k < axes ? -Infinity : Infinity))
}
