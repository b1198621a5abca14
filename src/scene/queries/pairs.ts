/**
 * The query `pairs`: all pairs of bodies of a scene that touch or overlap.
 *
 * Method: the pairs whose boxes overlap are listed first (`near-pairs.ts`) and then decided one by one; in the order of ids, if there
 * may be more than the limit. Without a list, the tree is asked for each body: pairs are found in the order of slots and, if there are
 * more than the limit, again in the order of ids up to the limit. So the pairs that are cut off depend on the ids alone.
 */

import { Pace, type Slices } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { createItemList } from '../../containers/item-list.ts'
import type { PairList } from '../../containers/pair-list.ts'
import { compareIds } from '../../containers/ranking.ts'
import { sortInSlices } from '../../containers/sorting.ts'
import { type Accepts, sortById } from '../state/filter.ts'
import { forEach, type Kinds } from '../state/geometry.ts'
import { APART, MEETS, putBack, UNKNOWN } from '../state/kept-pairs.ts'
import { bodiesInBox, bodyAt, boxAt, hasBody, heldBodyAt, idAt, slotLimit, type View } from '../state/view.ts'
import { describeBody } from './described-body.ts'
import { bodiesOf, type NearPairs, nearPairs, type PairsMethod } from './near-pairs.ts'
import { costlyContact, costlyMeeting, fetchBody, isCostly, isLight } from './scene-tasks.ts'

interface PairsQuery {
  /** Both bodies of a pair must pass. */
  accepts: Accepts
  /** How pairs whose boxes meet are found; `auto` when absent. */
  method?: PairsMethod
  contacts: boolean
  limit: number
}

export interface MetPair<K extends Kinds = Kinds> {
  slotA: number
  slotB: number
  /** Lower than `idB`. */
  idA: string
  idB: string
  contact: K['contact'] | null
}

export interface PairsAnswer<K extends Kinds = Kinds> {
  /** By id of A, then of B. */
  pairs: MetPair<K>[]
  truncated: boolean
}

/** With more near pairs than one per so many bodies, the bodies are sorted by id instead of the pairs. */
const RANKED_SHARE_COUNT = 4
/** Pairs that are put in order in addition to 1.25 times those that the limit leaves room for: not all of them meet. */
const MORE_COUNT = 2 ** 10
/** Pairs that are processed between two checks of the pace. */
const PAIRS_AT_ONCE = 2 ** 11

const owns = forEach(({ createBody }) => createBody())
const box = new Float64Array(6)

export function* queryPairs<K extends Kinds>(view: View<K>, query: PairsQuery): FarSlices<PairsAnswer<K>> {
  const { geometry } = view.table
  const own: K['body'] = owns[geometry.dimension]
  const { accepts, contacts, method = 'auto' } = query
  const pace = new Pace()
  const slots: number[] = []
  for (let slot = 0; slot < slotLimit(view); slot++) {
    if (pace.isDue(1)) yield
    if (hasBody(view, slot) && accepts(slot)) slots.push(slot)
  }
  const answer = (yield* pairsOfSlots(view, slots, query, method, pace)) as PairsAnswer<K>
  for (const pair of answer.pairs) {
    if (!contacts) break
    const found: K['contact'] = geometry.createContact()
    pair.contact = found
    const { slotA, slotB } = pair
    const a = isCostly(view, slotA) ? yield* fetchBody(view, slotA) : heldBodyAt(view, slotA, own)
    const b = isCostly(view, slotB) ? yield* fetchBody(view, slotB) : bodyAt(view, slotB)
    const points = geometry.points(a) + geometry.points(b)
    const describeA = () => describeBody(view, slotA)
    if (isLight(geometry, a, b)) geometry.contact(a, b, found)
    else yield* costlyContact(geometry, a, describeA, b, () => describeBody(view, slotB), found)
    if (pace.isDue(points)) yield
  }
  return answer
}

/** The pairs, without contacts. */
function* pairsOfSlots(
  view: View,
  slots: number[],
  query: PairsQuery,
  method: PairsMethod,
  pace: Pace,
): FarSlices<PairsAnswer> {
  const near = yield* nearPairs(view, slots, method, pace)
  if (near === null) return yield* pairsByTree(view, slots, query, pace)
  try {
    return yield* decidePairs(view, slots, near, query.limit, pace)
  } finally {
    if (near.kept !== null) putBack(view.table, near.kept)
  }
}

/** The near pairs of accepted bodies that meet, sorted. */
function* decidePairs(
  view: View,
  slots: readonly number[],
  near: NearPairs,
  limit: number,
  pace: Pace,
): FarSlices<PairsAnswer> {
  const { list, verdicts } = near
  const picked = yield* pickPairs(view, slots, near, pace)
  const isRanked = picked.length > limit || RANKED_SHARE_COUNT * picked.length > slots.length
  const ranks = isRanked ? yield* ranksOf(view, slots, near, pace) : null
  const ranked = ranks === null ? null : yield* rankPairs(list, picked, ranks, pace)
  const pairs: MetPair[] = []
  const ids = new Map<number, string>()
  const idOf = (slot: number) => {
    const known = ids.get(slot)
    if (known !== undefined) return known
    const id = idAt(view, slot)
    ids.set(slot, id)
    return id
  }
  // not shared, because it is held over pauses
  const held = view.table.geometry.createBody()
  let heldSlot = -1
  let a: Kinds['body'] = held
  do {
    const wanted = limit - pairs.length
    const block = ranked === null ? picked : yield* nextRanked(ranked, 1.25 * wanted + MORE_COUNT, pace)
    for (const k of block) {
      const isTurned = ranks !== null && ranks[list.first[k]] > ranks[list.second[k]]
      const slot = isTurned ? list.second[k] : list.first[k]
      const other = isTurned ? list.first[k] : list.second[k]
      if (verdicts[k] === UNKNOWN) {
        if (slot !== heldSlot) a = isCostly(view, slot) ? yield* fetchBody(view, slot) : heldBodyAt(view, slot, held)
        heldSlot = slot
        verdicts[k] = (yield* meet(view, a, slot, other, pace)) ? MEETS : APART
      } else if (pace.isDue(1)) yield
      if (verdicts[k] === MEETS) pairs.push(pairOf(slot, idOf(slot), other, idOf(other)))
      if (pairs.length > limit) break
    }
  } while (ranked !== null && hasMore(ranked) && pairs.length <= limit)
  if (ranked === null) yield* sortPairsById(pairs, pace)
  const truncated = pairs.length > limit
  if (truncated) pairs.length = limit
  return { pairs, truncated }
}

/** The indices of the near pairs of accepted bodies that are not known to be apart. */
function* pickPairs(
  view: View,
  slots: readonly number[],
  { list, verdicts }: NearPairs,
  pace: Pace,
): Slices<Int32Array> {
  const areAsked = new Uint8Array(slotLimit(view))
  for (const slot of slots) areAsked[slot] = 1
  const { first, second, count } = list
  const picked = new Int32Array(count)
  let length = 0
  for (let from = 0; from < count; from += PAIRS_AT_ONCE) {
    const to = Math.min(from + PAIRS_AT_ONCE, count)
    for (let k = from; k < to; k++) {
      picked[length] = k
      length += areAsked[first[k]] & areAsked[second[k]] & +(verdicts[k] !== APART)
    }
    if (pace.isDue((to - from) >> 1)) yield
  }
  return picked.subarray(0, length)
}

/** The rank of each slot's body in the order of ids, kept with the pairs. */
function* ranksOf(view: View, slots: readonly number[], { kept }: NearPairs, pace: Pace): Slices<Int32Array> {
  if (kept !== null && kept.ranks !== null) return kept.ranks
  const isPresent = view.changed.size === 0 && view.table.used === slotLimit(view)
  const arrivals = kept?.arrivals
  const order = kept === null ? [...slots] : yield* bodiesOf(view, pace)
  yield* sortById(view, order, pace)
  const ranks = new Int32Array(slotLimit(view))
  for (let place = 0; place < order.length; place++) ranks[order[place]] = place
  if (kept !== null && isPresent && kept.arrivals === arrivals) kept.ranks = ranks
  return ranks
}

/** Finds the pairs body by body, through the tree. `slots` may be sorted. */
function* pairsByTree(view: View, slots: number[], query: PairsQuery, pace: Pace): FarSlices<PairsAnswer> {
  const { limit } = query
  let pairs = yield* pairsInOrder(view, slots, query, (slot, other) => other > slot, pace)
  const truncated = pairs.length > limit
  if (truncated) {
    yield* sortById(view, slots, pace)
    const isLater = (slot: number, other: number) => compareIds(idAt(view, slot), idAt(view, other)) < 0
    pairs = yield* pairsInOrder(view, slots, query, isLater, pace)
  }
  yield* sortPairsById(pairs, pace)
  if (truncated) pairs.length = limit
  return { pairs, truncated }
}

function sortPairsById(pairs: MetPair[], pace: Pace): Slices<void> {
  return sortInSlices(pairs, (a, b) => compareIds(a.idA, b.idA) || compareIds(a.idB, b.idB), pace)
}

/** The pairs of each body with later ones, body by body, until there are more than the limit. */
function* pairsInOrder(
  view: View,
  slots: readonly number[],
  { accepts, limit }: PairsQuery,
  isLater: (slot: number, other: number) => boolean,
  pace: Pace,
): FarSlices<MetPair[]> {
  const pairs: MetPair[] = []
  const near = createItemList()
  // not shared, because it is held over pauses
  const held = view.table.geometry.createBody()
  for (const slot of slots) {
    if (pace.isDue(1)) yield
    boxAt(view, slot, box)
    bodiesInBox(view, box, near)
    let a: Kinds['body'] | null = null
    for (let k = 0; k < near.count; k++) {
      const other = near.items[k]
      if (other === slot || !isLater(slot, other) || !accepts(other)) {
        if (pace.isDue(1)) yield
        continue
      }
      a ??= isCostly(view, slot) ? yield* fetchBody(view, slot) : heldBodyAt(view, slot, held)
      if (yield* meet(view, a, slot, other, pace)) pairs.push(pairOf(slot, idAt(view, slot), other, idAt(view, other)))
    }
    if (pairs.length > limit) break
  }
  return pairs
}

/** Whether two bodies meet; `a` is the one in `slot`. */
function* meet<K extends Kinds>(
  view: View<K>,
  a: K['body'],
  slot: number,
  other: number,
  pace: Pace,
): FarSlices<boolean> {
  const { geometry } = view.table
  const b = isCostly(view, other) ? yield* fetchBody(view, other) : bodyAt(view, other)
  const points = geometry.points(a) + geometry.points(b)
  const describeA = () => describeBody(view, slot)
  const meets = isLight(geometry, a, b)
    ? geometry.bodiesMeet(a, b)
    : yield* costlyMeeting(geometry, a, describeA, b, () => describeBody(view, other))
  if (pace.isDue(points)) yield
  return meets
}

function pairOf(slot: number, id: string, other: number, otherId: string): MetPair {
  return id < otherId
    ? { slotA: slot, slotB: other, idA: id, idB: otherId, contact: null }
    : { slotA: other, slotB: slot, idA: otherId, idB: id, contact: null }
}

// Pairs in the order of their bodies' ids, in blocks.
//
// Method: bodies are ranked by id, and the pairs of a block are radix-sorted by the higher rank and then by the lower one. A block takes
// as many lower ranks as it needs for the wanted number of pairs.

interface RankedPairs {
  readonly list: PairList
  /** Indices of the pairs in the list, and the lower rank of each. */
  readonly picked: Int32Array
  readonly lows: Int32Array
  /** How many pairs have each rank as their lower one. */
  readonly counts: Int32Array
  /** By slot. */
  readonly ranks: Int32Array
  /** Pairs with a lower rank below this have been returned. */
  next: number
}

function* rankPairs(list: PairList, picked: Int32Array, ranks: Int32Array, pace: Pace): Slices<RankedPairs> {
  const { first, second } = list
  const lows = new Int32Array(picked.length)
  const counts = new Int32Array(ranks.length)
  for (let from = 0; from < picked.length; from += PAIRS_AT_ONCE) {
    const to = Math.min(from + PAIRS_AT_ONCE, picked.length)
    for (let k = from; k < to; k++) {
      const low = Math.min(ranks[first[picked[k]]], ranks[second[picked[k]]])
      lows[k] = low
      counts[low]++
    }
    if (pace.isDue(to - from)) yield
  }
  return { list, picked, lows, counts, ranks, next: 0 }
}

/** Whether there may be more pairs. */
function hasMore({ next, counts }: RankedPairs): boolean {
  return next < counts.length
}

/** The next pairs in order, as indices in the list: at least as many as are wanted, or all that remain. */
function* nextRanked(ranked: RankedPairs, wanted: number, pace: Pace): Slices<Int32Array> {
  const { list, picked, lows, counts, ranks, next: from } = ranked
  const { first, second } = list
  let to = from
  let count = 0
  while (to < counts.length && count < wanted) count += counts[to++]
  ranked.next = to
  const places = new Int32Array(count)
  const blockLows = new Int32Array(count)
  const highs = new Int32Array(count)
  let length = 0
  for (let start = 0; start < picked.length && length < count; start += PAIRS_AT_ONCE) {
    const end = Math.min(start + PAIRS_AT_ONCE, picked.length)
    for (let k = start; k < end; k++) {
      if (lows[k] < from || lows[k] >= to) continue
      places[length] = picked[k]
      blockLows[length] = lows[k] - from
      highs[length++] = Math.max(ranks[first[picked[k]]], ranks[second[picked[k]]])
    }
    if (pace.isDue((end - start) >> 1)) yield
  }
  const byHigh = yield* dealt(highs, null, ranks.length, pace)
  const order = yield* dealt(blockLows, byHigh, to - from, pace)
  for (let k = 0; k < count; k++) order[k] = places[order[k]]
  return order
}

/** Counting sort: the indices of keys below `keyCount` in the order of the keys. Stable with respect to `given`, or to the indices. */
function* dealt(keys: Int32Array, given: Int32Array | null, keyCount: number, pace: Pace): Slices<Int32Array> {
  const { length } = keys
  const starts = new Int32Array(keyCount + 1)
  for (let from = 0; from < length; from += PAIRS_AT_ONCE) {
    const to = Math.min(from + PAIRS_AT_ONCE, length)
    for (let k = from; k < to; k++) starts[keys[k] + 1]++
    if (pace.isDue((to - from) >> 1)) yield
  }
  for (let key = 0; key < keyCount; key++) starts[key + 1] += starts[key]
  const order = new Int32Array(length)
  for (let from = 0; from < length; from += PAIRS_AT_ONCE) {
    const to = Math.min(from + PAIRS_AT_ONCE, length)
    for (let k = from; k < to; k++) {
      const place = given === null ? k : given[k]
      order[starts[keys[place]]++] = place
    }
    if (pace.isDue(to - from)) yield
  }
  return order
}
