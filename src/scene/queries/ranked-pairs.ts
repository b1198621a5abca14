/**
 * Pairs in the order of their bodies' ids, as many as are wanted at a time.
 *
 * Method: the bodies are ranked by their ids. Pairs are dealt out by the higher of their ranks and then, in that order, by the lower
 * one; of the lower ranks only as many at a time as bring the pairs that are wanted.
 */

import type { Pace, Slices } from '../../containers/pace.ts'
import type { PairList } from '../../containers/pair-list.ts'

export interface RankedPairs {
  readonly list: PairList
  /** Places of the pairs in the list, and the lower rank of each. */
  readonly picked: Int32Array
  readonly lows: Int32Array
  /** How many pairs have each rank for the lower one. */
  readonly counts: Int32Array
  /** By slot. */
  readonly ranks: Int32Array
  /** Pairs of lower ranks have been handed out. */
  next: number
}

/** Pairs that are gone through between two looks at the pace. */
const PAIRS_AT_ONCE = 2 ** 11

export function* rankPairs(list: PairList, picked: Int32Array, ranks: Int32Array, pace: Pace): Slices<RankedPairs> {
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

/** Whether pairs may be left. */
export function hasMore({ next, counts }: RankedPairs): boolean {
  return next < counts.length
}

/** The next pairs in order, as places in the list: at least as many as are wanted, or all that are left. */
export function* nextRanked(ranked: RankedPairs, wanted: number, pace: Pace): Slices<Int32Array> {
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

/** The places of keys below `keyCount` in the order of the keys; places of the same stay in the order given, or of the places. */
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
