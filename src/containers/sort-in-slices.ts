/**
 * Sorts in slices: so many things that sorting them at once would hold everything up.
 *
 * Method: runs are sorted, then merged by twos.
 */
import type { Pace, Slices } from './pace.ts'

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
