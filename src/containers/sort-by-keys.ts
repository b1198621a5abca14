/**
 * The order of many numbers, as indices.
 *
 * Method: the numbers are sorted by themselves, without a function, which is several times faster; then each index looks up
 * its place.
 */
import { spend } from './budget.ts'
import { sortingSteps } from './sorting-steps.ts'

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
