/**
 * The pairs of a scene's bodies whose boxes meet, by the method asked for or one that suits.
 *
 * Method: brute force, strips or a hash start from the boxes of those who are asked about. `auto` keeps what it found with the
 * scene (`table/kept-pairs.ts`) and looks anew at the bodies that have been written to since: each by itself through the tree
 * where they are few, and else at all boxes at once, taking over what is known of pairs that have stayed. Where few of many bodies
 * are asked about, where most bodies meet most others, and where the tree itself is asked for, there is no list: `pairs.ts` goes
 * from body to body then.
 */

import type { Pace, Slices } from '../../containers/pace.ts'
import {
  addPair,
  BOX_TEST_COUNT,
  createPairList,
  type PairList,
  sortPairsInSlices,
} from '../../containers/pair-list.ts'
import {
  type BoxesMethod,
  type BroadPhaseMethod,
  boxPairsInSlices,
  pickMethod,
} from '../../core2d/broad-phase/broad-phase.ts'
import { createItemList } from '../../core2d/bvh/dynamic-tree-queries.ts'
import { bodiesInBox, boxAt, hasBody, hasChanged, slotLimit, type View } from '../state/view.ts'
import { isMuchChanged, type KeptPairs, keepPairs, MOST_PAIRS, putBack, UNKNOWN } from '../table/kept-pairs.ts'

export type PairsMethod = BroadPhaseMethod | 'auto'

/** Pairs of slots, the lower one first, and what is known of each. */
export interface NearPairs {
  readonly list: PairList
  readonly verdicts: Uint8Array
  /** The kept pairs that they are part of, to be put back; null if they are not kept. */
  readonly kept: KeptPairs | null
}

/** Fewer bodies are looked at anew each time. */
const LEAST_BODIES = 256
let leastBodies = LEAST_BODIES

/** For tests: keeps the pairs of small scenes too, or again of large ones only. */
export function keepPairsOfFew(few: boolean): void {
  leastBodies = few ? 0 : LEAST_BODIES
}

/** One in so many bodies must be asked about for all to be looked at. */
const ASKED_SHARE_COUNT = 8
/** Where more than one in so many has changed, all boxes are looked at. */
const CHANGED_SHARE_COUNT = 8
/** Box tests for each body, after which `auto` leaves the rest to the tree. */
const TESTS_PER_BODY_COUNT = 2 ** 8
/** Pairs that are gone through between two looks at the pace. */
const PAIRS_AT_ONCE = 2 ** 11
/** Cost of one box query of the tree, in points of bodies. */
const TREE_POINTS = 8

const box = new Float64Array(4)
const otherBox = new Float64Array(4)

/** All pairs of those asked about at least; null where it is better to go from body to body. `slots`: those asked about, in order. */
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

/** The pairs among some bodies, sorted; null where there are too many. */
function* pairsOfBoxes(
  view: View,
  slots: readonly number[],
  method: BoxesMethod | 'auto',
  pace: Pace,
): Slices<PairList | null> {
  const { length } = slots
  const boxes = new Float64Array(4 * length)
  for (let k = 0; k < length; k++) {
    boxAt(view, slots[k], box)
    boxes.set(box, 4 * k)
    if (pace.isDue(1)) yield
  }
  const isAuto = method === 'auto'
  const picked = isAuto ? pickMethod(boxes, length).method : method
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
  if (!(yield* boxPairsInSlices(picked, boxes, length, 0, list, pace))) return null
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
 * Adds the pairs of some bodies, `areAsked` by slot, among each other and, unless `onlyThem`, with all others; false when the list
 * was full before the end.
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
  // They are found whether their boxes meet or not.
  const hasUnbounded = table.unbounded.size > 0 || (old !== null && old.unbounded.size > 0)
  const found = createItemList()
  for (const slot of slots) {
    boxAt(view, slot, box)
    bodiesInBox(view, box[0], box[1], box[2], box[3], found)
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

/** Whether the box of a body meets the one at hand. */
function meetsBox(view: View, slot: number): boolean {
  boxAt(view, slot, otherBox)
  return box[0] <= otherBox[2] && otherBox[0] <= box[2] && box[1] <= otherBox[3] && otherBox[1] <= box[3]
}

/** Brings the pairs to the version of the view; false where there are too many now. They are not complete before the end. */
function* repair(view: View, pairs: KeptPairs, pace: Pace): Slices<boolean> {
  const { changed } = pairs
  pairs.version = Infinity
  pairs.changed = new Set()
  const limit = slotLimit(view)
  const areChanged = new Uint8Array(limit)
  const slots: number[] = []
  for (const slot of changed) {
    // What the view does not see is for a later question to repair.
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
      // without a branch, which could not be foreseen
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
  // A verdict goes along in the last two bits of the second slot.
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
      // Boxes that have not changed meet as before: all that is known is found again.
      if (known.first[next] !== fresh.first[k] || known.second[next] >> 2 !== fresh.second[k]) continue
      taken[k] = known.second[next++] & 3
    }
    if (pace.isDue(to - from)) yield
  }
  return taken
}
