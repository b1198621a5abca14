/**
 * A list of pairs of boxes as broad phases fill it: with a limit on its length and on the box tests made for it, so that no
 * input keeps a broad phase busy for ever.
 */
import { BOX_TEST_COUNT } from './tolerances.ts'

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

/** Empties the list; the box tests stay counted. */
export function clearPairs(list: PairList): void {
  list.count = 0
}

/** Adds the pair in either order; false when the list is full, and the pair is not taken. */
export function addPair(list: PairList, i: number, j: number): boolean {
  const { count } = list
  if (count === list.limit) return false
  if (count === list.first.length) grow(list)
  list.first[count] = Math.min(i, j)
  list.second[count] = Math.max(i, j)
  list.count = count + 1
  return true
}

function grow(list: PairList): void {
  list.first = doubled(list.first)
  list.second = doubled(list.second)
}

function doubled(array: Int32Array): Int32Array {
  const larger = new Int32Array(2 * array.length)
  larger.set(array)
  return larger
}

/** Sorts by first, then by second, by counting. All indices are below `itemCount`. O(pairs + items). */
export function sortPairs(list: PairList, itemCount: number): void {
  const { count, first, second } = list
  const starts = new Int32Array(itemCount + 1)
  const middleFirst = new Int32Array(count)
  const middleSecond = new Int32Array(count)
  distribute(second, first, second, count, starts, middleFirst, middleSecond)
  starts.fill(0)
  distribute(middleFirst, middleFirst, middleSecond, count, starts, first, second)
}

/** One stable pass of a counting sort. */
function distribute(
  keys: Int32Array,
  first: Int32Array,
  second: Int32Array,
  count: number,
  starts: Int32Array,
  firstOut: Int32Array,
  secondOut: Int32Array,
): void {
  for (let k = 0; k < count; k++) starts[keys[k] + 1]++
  for (let i = 1; i < starts.length; i++) starts[i] += starts[i - 1]
  for (let k = 0; k < count; k++) {
    const at = starts[keys[k]]++
    firstOut[at] = first[k]
    secondOut[at] = second[k]
  }
}
