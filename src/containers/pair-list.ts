/**
 * A list of pairs of boxes as broad phases fill it: with a limit on its length and on the box tests made for it, so that no
 * input keeps a broad phase busy for ever.
 */

import { finishAtOnce, Pace, type Slices } from './budget.ts'

/**
 * Box tests after which a broad phase gives up and leaves the rest to a tree, which cannot be made to test so many: about half
 * a second. Reached by brute force from 23,000 boxes on, and by the others where nearly all boxes share a cell or a line.
 */
export const BOX_TEST_COUNT = 2 ** 28

export interface PairList {
  count: number
  /** Pair k is (first[k], second[k]), first < second. */
  first: Int32Array
  second: Int32Array
  /** Most pairs it takes. */
  limit: number
  /** Box tests made so far, and after how many to give up. */
  boxTests: number
  budget: number
}

export function createPairList(limit: number, budget: number = BOX_TEST_COUNT): PairList {
  return { count: 0, first: new Int32Array(64), second: new Int32Array(64), limit, boxTests: 0, budget }
}

/** Steps of box tests: with their boxes in a row, many are made in the time of one step. */
export function boxTestSteps(count: number): number {
  return 1 + (count >> 3)
}

/** Empties the list; the box tests stay counted. */
export function clearPairs(list: PairList): void {
  list.count = 0
}

/** Adds the pair in either order; false when the list is full, and the pair is not taken. */
export function addPair(list: PairList, i: number, j: number): boolean {
  const { count } = list
  if (count === list.limit) return false
  reservePairs(list, count + 1)
  list.first[count] = Math.min(i, j)
  list.second[count] = Math.max(i, j)
  list.count = count + 1
  return true
}

/** Makes room for `count` pairs, whatever the limit. */
export function reservePairs(list: PairList, count: number): void {
  if (count <= list.first.length) return
  const capacity = Math.max(count, 2 * list.first.length)
  list.first = extended(list.first, capacity)
  list.second = extended(list.second, capacity)
}

function extended(array: Int32Array, capacity: number): Int32Array {
  const larger = new Int32Array(capacity)
  larger.set(array)
  return larger
}

/** As many entries are gone through between two looks at the pace. */
const ENTRIES_AT_ONCE = 2 ** 11

/** Sorts by first, then by second. All indices are below `itemCount`. O(pairs + items). */
export function sortPairs(list: PairList, itemCount: number): void {
  finishAtOnce(sortPairsInSlices(list, itemCount, new Pace()))
}

/**
 * `sortPairs` with pauses, during which nothing else may touch the list: the pairs are dealt out to their second boxes, then, in the order
 * of these, to their first ones.
 */
export function* sortPairsInSlices(list: PairList, itemCount: number, pace: Pace): Slices<void> {
  const { count, first, second } = list
  if (count < 2) return
  const dealt = new Int32Array(count)
  const secondEnds = yield* startsOf(second, count, itemCount, pace)
  for (let from = 0; from < count; from += ENTRIES_AT_ONCE) {
    const to = Math.min(from + ENTRIES_AT_ONCE, count)
    for (let k = from; k < to; k++) dealt[secondEnds[second[k]]++] = first[k]
    if (pace.isDue(to - from)) yield
  }
  const firstEnds = yield* startsOf(first, count, itemCount, pace)
  for (let j = 0, from = 0; from < count; from += ENTRIES_AT_ONCE) {
    const to = Math.min(from + ENTRIES_AT_ONCE, count)
    for (let k = from; k < to; k++) {
      while (secondEnds[j] <= k) j++
      second[firstEnds[dealt[k]]++] = j
    }
    if (pace.isDue(to - from)) yield
  }
  for (let i = 0, from = 0; from < count; from += ENTRIES_AT_ONCE) {
    const to = Math.min(from + ENTRIES_AT_ONCE, count)
    for (let k = from; k < to; k++) {
      while (firstEnds[i] <= k) i++
      first[k] = i
    }
    if (pace.isDue(to - from)) yield
  }
}

/** Where the pairs of each item begin when they are sorted by this end. */
function* startsOf(items: Int32Array, count: number, itemCount: number, pace: Pace): Slices<Int32Array> {
  const starts = new Int32Array(itemCount)
  for (let from = 0; from < count; from += ENTRIES_AT_ONCE) {
    const to = Math.min(from + ENTRIES_AT_ONCE, count)
    for (let k = from; k < to; k++) starts[items[k]]++
    if (pace.isDue(to - from)) yield
  }
  let start = 0
  for (let i = 0; i < itemCount; i++) {
    const own = starts[i]
    starts[i] = start
    start += own
  }
  if (pace.isDue(itemCount >> 3)) yield
  return starts
}
