/**
 * Sorting many numbers to an order of indices, and long lists in slices.
 *
 * Method: the numbers are sorted by themselves, without a function, which is several times faster; then each index looks up its
 * place. Long lists are sorted in runs, which are then merged by twos, so that a sort never blocks for long.
 */

import { type Pace, type Slices, spend } from './budget.ts'

/** Beside an index of fewer than this many numbers, a double has room for a number below 2^26. */
const INDEX_ROOM = 2 ** 27

/**
 * The places i of a list, from `from` to before `to`, in order of `numbers[stride · i]`, of equal ones the first place first. The numbers are
 * whole, from 0 to below 2^26; quicker than `orderOfKeys`. Cost O(n log n).
 */
export function orderOfWhole(numbers: Int32Array, from: number, to: number, stride = 1): Int32Array {
  const count = to - from
  if (count === 1) return Int32Array.of(from)
  spend(count)
  const keys = new Float64Array(count)
  for (let i = from; i < to; i++) keys[i - from] = numbers[stride * i] * INDEX_ROOM + i
  keys.sort()
  const order = new Int32Array(count)
  for (let i = 0; i < count; i++) order[i] = keys[i] % INDEX_ROOM
  return order
}

/** So many numbers are sorted at once, or merged between two looks at the pace. */
const WHOLE_COUNT = 2 ** 12

/** `orderOfWhole` of the first `count` places, with pauses, in which the numbers must stay as they are: sorted runs are merged by twos. */
export function* orderOfWholeInSlices(
  numbers: Int32Array,
  count: number,
  stride: number,
  pace: Pace,
): Slices<Int32Array> {
  let keys = new Float64Array(count)
  let merged = new Float64Array(count)
  for (let start = 0; start < count; start += WHOLE_COUNT) {
    const end = Math.min(start + WHOLE_COUNT, count)
    for (let i = start; i < end; i++) keys[i] = numbers[stride * i] * INDEX_ROOM + i
    keys.subarray(start, end).sort()
    if (pace.isDue(2 * (end - start))) yield
  }
  for (let width = WHOLE_COUNT; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width) {
      const middle = Math.min(start + width, count)
      const end = Math.min(start + 2 * width, count)
      let i = start
      let j = middle
      for (let at = start; at < end; ) {
        const stop = Math.min(at + WHOLE_COUNT, end)
        for (; at < stop; at++) merged[at] = j === end || (i < middle && keys[i] < keys[j]) ? keys[i++] : keys[j++]
        if (pace.isDue(WHOLE_COUNT >> 2)) yield
      }
    }
    ;[keys, merged] = [merged, keys]
  }
  const order = new Int32Array(count)
  for (let at = 0; at < count; ) {
    const stop = Math.min(at + WHOLE_COUNT, count)
    for (; at < stop; at++) order[at] = keys[at] % INDEX_ROOM
    if (pace.isDue(WHOLE_COUNT >> 2)) yield
  }
  return order
}

/** Indices in order of their keys, of equal ones by `compare` (if that is 0 too, in any order). No key is NaN. Cost O(n log n). */
export function orderOfKeys(keys: Float64Array, compare: (i: number, j: number) => number): Int32Array {
  const count = keys.length
  spend(2 * sortingSteps(count))
  const sorted = new Float64Array(count)
  // −0 is 0: it would be sorted apart.
  for (let i = 0; i < count; i++) sorted[i] = keys[i] + 0
  sorted.sort()
  const order = new Int32Array(count)
  /** Of the first place of each key, how many of its places have been given away. */
  const filled = new Int32Array(count)
  for (let i = 0; i < count; i++) {
    const place = firstPlace(sorted, keys[i])
    order[place + filled[place]++] = i
  }
  for (let place = 0; place < count; place += filled[place]) {
    if (filled[place] > 1) order.subarray(place, place + filled[place]).sort(compare)
  }
  return order
}

function firstPlace(sorted: Float64Array, key: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle] < key) low = middle + 1
    else high = middle
  }
  return low
}

const RUN_LENGTH = 2 ** 10

/** Sorts the list in place; equal ones keep their order. Nobody else may touch it before the end. */
export function* sortInSlices<Item>(list: Item[], compare: (a: Item, b: Item) => number, pace: Pace): Slices<void> {
  if (list.length <= RUN_LENGTH) {
    list.sort(compare)
    return
  }
  let from: Item[] = []
  for (let start = 0; start < list.length; start += RUN_LENGTH) {
    for (const item of list.slice(start, start + RUN_LENGTH).sort(compare)) from.push(item)
    if (pace.isDue(RUN_LENGTH)) yield
  }
  let to = list
  for (let length = RUN_LENGTH; length < list.length; length *= 2) {
    for (let start = 0; start < list.length; start += 2 * length) {
      const middle = Math.min(start + length, list.length)
      const end = Math.min(start + 2 * length, list.length)
      let i = start
      let j = middle
      for (let k = start; k < end; k++) {
        const takesFirst = j >= end || (i < middle && compare(from[i], from[j]) <= 0)
        to[k] = takesFirst ? from[i++] : from[j++]
        if (pace.isDue(1)) yield
      }
    }
    const merged = to
    to = from
    from = merged
  }
  if (from !== list) for (let k = 0; k < list.length; k++) list[k] = from[k]
}

/** Steps of sorting `count` items by comparing them: their number times its logarithm. */
export function sortingSteps(count: number): number {
  return count * (32 - Math.clz32(count))
}
