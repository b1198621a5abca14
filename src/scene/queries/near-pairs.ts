/**
 * Broad phase of the query `pairs`: the pairs of bodies whose boxes overlap, by the requested method or one that suits.
 *
 * Method: brute force, strips (sweep and prune) and the spatial hash start from the boxes of the accepted bodies. `auto` keeps its
 * pairs with the scene (`state/kept-pairs.ts`) and updates those of bodies that were written since: through the tree if they are few,
 * and otherwise from all boxes, with the verdicts of unchanged pairs. There is no list if few of many bodies are accepted, if most bodies
 * overlap most others, or if the tree was requested: then `pairs.ts` asks the tree body by body.
 */

import type { Pace, Slices } from '../../containers/budget.ts'
import { createItemList } from '../../containers/item-list.ts'
import {
  addPair,
  BOX_TEST_COUNT,
  createPairList,
  type PairList,
  sortPairsInSlices,
} from '../../containers/pair-list.ts'
import type { BroadPhaseMethod } from '../../core2d/broad-phase/broad-phase.ts'
import { isMuchChanged, type KeptPairs, keepPairs, MOST_PAIRS, putBack, UNKNOWN } from '../state/kept-pairs.ts'
import { bodiesInBox, boxAt, hasBody, hasChanged, slotLimit, type View } from '../state/view.ts'

export type PairsMethod = BroadPhaseMethod | 'auto'

/** Pairs of slots, the lower one first, and the verdict on each. */
export interface NearPairs {
  readonly list: PairList
  readonly verdicts: Uint8Array
  /** The kept pairs that they are part of, to be put back; null if they are not kept. */
  readonly kept: KeptPairs | null
}

/** Pairs of fewer bodies are not kept. */
const LEAST_BODIES = 256
let leastBodies = LEAST_BODIES

/** For tests: keeps the pairs of small scenes too, or again of large ones only. */
export function keepPairsOfFew(few: boolean): void {
  leastBodies = few ? 0 : LEAST_BODIES
}

/** At least one in so many bodies must be accepted, or there is no list. */
const ASKED_SHARE_COUNT = 8
/** If more than one in so many has changed, the pairs of all boxes are computed again. */
const CHANGED_SHARE_COUNT = 8
/** Box tests per body after which `auto` gives up the list. */
const TESTS_PER_BODY_COUNT = 2 ** 8
/** Pairs that are processed between two checks of the pace. */
const PAIRS_AT_ONCE = 2 ** 11
/** Cost of one box query of the tree, in points of bodies. */
const TREE_POINTS = 8

const box = new Float64Array(6)
const otherBox = new Float64Array(6)

/** At least all pairs of accepted bodies; null if asking the tree body by body is better. `slots`: the accepted bodies, in order. */
export function* nearPairs(
  view: View,
  slots: readonly number[],
  method: PairsMethod,
  pace: Pace,
): Slices<NearPairs | null> {
  if (method === 'dynamic-tree') return null
  if (method !== 'auto') return loose(yield* pairsOfBoxes(view, slots, method, pace))
  const { table, count } = view
  const { pairs } = table
  if (pairs !== null && !pairs.isBusy && pairs.version <= view.version) {
    pairs.isBusy = true
    let isWhole = false
    try {
      isWhole = yield* repair(view, pairs, pace)
    } finally {
      if (!isWhole) putBack(table, pairs)
    }
    return isWhole ? { list: pairs.list, verdicts: pairs.verdicts, kept: pairs } : null
  }
  if (ASKED_SHARE_COUNT * slots.length < count) return null
  if (pairs !== null || count < leastBodies) return loose(yield* pairsOfBoxes(view, slots, 'auto', pace))
  const list = yield* pairsOfBoxes(view, yield* bodiesOf(view, pace), 'auto', pace)
  if (list === null || table.pairs !== null) return loose(list)
  const changed = new Set(view.changed.keys())
  for (let slot = slotLimit(view); slot < table.used; slot++) changed.add(slot)
  if (isMuchChanged(table, changed)) return loose(list)
  const kept = keepPairs(table, view.version, list, changed)
  kept.isBusy = true
  return { list, verdicts: kept.verdicts, kept }
}

function loose(list: PairList | null): NearPairs | null {
  return list === null ? null : { list, verdicts: new Uint8Array(list.count), kept: null }
}

/** The slots of all bodies, in order. */
export function* bodiesOf(view: View, pace: Pace): Slices<number[]> {
  const slots: number[] = []
  for (let slot = 0; slot < slotLimit(view); slot++) {
    if (hasBody(view, slot)) slots.push(slot)
    if (pace.isDue(1)) yield
  }
  return slots
}

/** The pairs among some bodies, sorted; null if there are too many. */
function* pairsOfBoxes(view: View, slots: readonly number[], method: PairsMethod, pace: Pace): Slices<PairList | null> {
  const { length } = slots
  const { geometry } = view.table
  const sides = 2 * geometry.axes
  const boxes = new Float64Array(sides * length)
  for (let k = 0; k < length; k++) {
    boxAt(view, slots[k], box)
    for (let side = 0; side < sides; side++) boxes[sides * k + side] = box[side]
    if (pace.isDue(1)) yield
  }
  const isAuto = method === 'auto'
  const picked = geometry.methodFor(method, boxes, length)
  const tests = isAuto
    ? Math.min(BOX_TEST_COUNT, TESTS_PER_BODY_COUNT * (TESTS_PER_BODY_COUNT + length))
    : BOX_TEST_COUNT
  const list = createPairList(MOST_PAIRS, tests)
  if (picked === 'dynamic-tree') {
    const areAsked = new Uint8Array(slotLimit(view))
    for (const slot of slots) areAsked[slot] = 1
    if (!(yield* addByTree(view, slots, areAsked, true, list, pace))) return null
    yield* sortPairsInSlices(list, slotLimit(view), pace)
    return list
  }
  if (!(yield* geometry.boxPairsInSlices(picked, boxes, length, list, pace))) return null
  yield* sortPairsInSlices(list, length, pace)
  const { first, second, count } = list
  for (let from = 0; from < count; from += PAIRS_AT_ONCE) {
    const to = Math.min(from + PAIRS_AT_ONCE, count)
    for (let k = from; k < to; k++) {
      first[k] = slots[first[k]]
      second[k] = slots[second[k]]
    }
    if (pace.isDue((to - from) >> 2)) yield
  }
  return list
}

/**
 * Adds the pairs of some bodies (`areAsked`, by slot) among each other and, unless `onlyThem`, with all others; false if the list is
 * full before the end.
 */
function* addByTree(
  view: View,
  slots: Iterable<number>,
  areAsked: Uint8Array,
  onlyThem: boolean,
  list: PairList,
  pace: Pace,
): Slices<boolean> {
  const { table, old } = view
  // the tree returns unbounded bodies for every box
  const hasUnbounded = table.unbounded.size > 0 || (old !== null && old.unbounded.size > 0)
  const found = createItemList()
  for (const slot of slots) {
    boxAt(view, slot, box)
    bodiesInBox(view, box, found)
    for (let k = 0; k < found.count; k++) {
      const other = found.items[k]
      const isLater = areAsked[other] === 1 ? other > slot : !onlyThem
      if (!isLater || (hasUnbounded && !meetsBox(view, other))) continue
      if (!addPair(list, slot, other)) return false
    }
    if (pace.isDue(TREE_POINTS + found.count)) yield
  }
  return true
}

/** Whether the box of a body overlaps the one in `box`. */
function meetsBox(view: View, slot: number): boolean {
  boxAt(view, slot, otherBox)
  const { axes } = view.table.geometry
  for (let k = 0; k < axes; k++) if (box[k] > otherBox[axes + k] || otherBox[k] > box[axes + k]) return false
  return true
}

/** Updates the pairs to the version of the view; false if there are too many now. They are incomplete until the end. */
function* repair(view: View, pairs: KeptPairs, pace: Pace): Slices<boolean> {
  const { changed } = pairs
  pairs.version = Infinity
  pairs.changed = new Set()
  const limit = slotLimit(view)
  const areChanged = new Uint8Array(limit)
  const slots: number[] = []
  for (const slot of changed) {
    // changes after the version of the view are left to a later query
    if (hasChanged(view, slot)) pairs.changed.add(slot)
    if (slot < limit) areChanged[slot] = 1
    if (slot < limit && hasBody(view, slot)) slots.push(slot)
    if (pace.isDue(1)) yield
  }
  if (CHANGED_SHARE_COUNT * slots.length > view.count) {
    const list = yield* pairsOfBoxes(view, yield* bodiesOf(view, pace), 'auto', pace)
    if (list === null) return false
    pairs.verdicts = yield* takenOver(pairs, areChanged, list, pace)
    pairs.list = list
  } else {
    const kept = yield* keepUnchanged(pairs, areChanged, pace)
    if (!(yield* addByTree(view, slots, areChanged, false, pairs.list, pace))) return false
    const verdicts = new Uint8Array(pairs.list.count)
    verdicts.set(pairs.verdicts.subarray(0, kept))
    pairs.verdicts = verdicts
  }
  pairs.version = view.version
  return true
}

/** Drops the pairs of bodies that have changed; returns how many are left. */
function* keepUnchanged({ list, verdicts }: KeptPairs, areChanged: Uint8Array, pace: Pace): Slices<number> {
  const { first, second, count } = list
  let kept = 0
  for (let from = 0; from < count; from += PAIRS_AT_ONCE) {
    const to = Math.min(from + PAIRS_AT_ONCE, count)
    for (let k = from; k < to; k++) {
      first[kept] = first[k]
      second[kept] = second[k]
      verdicts[kept] = verdicts[k]
      // without a branch, which the processor could not predict
      kept += 1 - (areChanged[first[k]] | areChanged[second[k]])
    }
    if (pace.isDue(to - from)) yield
  }
  list.count = kept
  return kept
}

/** The verdicts of the old list for the pairs of a new list, which is sorted. */
function* takenOver(
  { list, verdicts }: KeptPairs,
  areChanged: Uint8Array,
  fresh: PairList,
  pace: Pace,
): Slices<Uint8Array> {
  // the last two bits of the second slot carry the verdict
  const known = createPairList(MOST_PAIRS)
  known.first = new Int32Array(list.count)
  known.second = new Int32Array(list.count)
  for (let from = 0; from < list.count; from += PAIRS_AT_ONCE) {
    const to = Math.min(from + PAIRS_AT_ONCE, list.count)
    for (let k = from; k < to; k++) {
      const first = list.first[k]
      const second = list.second[k]
      if (verdicts[k] === UNKNOWN || areChanged[first] + areChanged[second] > 0) continue
      known.first[known.count] = first
      known.second[known.count++] = 4 * second + verdicts[k]
    }
    if (pace.isDue(to - from)) yield
  }
  yield* sortPairsInSlices(known, 4 * areChanged.length, pace)
  const taken = new Uint8Array(fresh.count)
  let next = 0
  for (let from = 0; from < fresh.count; from += PAIRS_AT_ONCE) {
    const to = Math.min(from + PAIRS_AT_ONCE, fresh.count)
    for (let k = from; k < to && next < known.count; k++) {
      // unchanged boxes overlap as before, so every known pair is found again
      if (known.first[next] !== fresh.first[k] || known.second[next] >> 2 !== fresh.second[k]) continue
      taken[k] = known.second[next++] & 3
    }
    if (pace.isDue(to - from)) yield
  }
  return taken
}
