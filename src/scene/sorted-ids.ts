/**
 * Slots in the order of their ids, sorted in slices: a scene may have so many that sorting them at once would hold everything up.
 *
 * Method: runs are sorted, then merged by twos.
 */
import type { Pace, Slices } from '../containers/pace.ts'
import { compareIds } from './ranking.ts'
import { idAt, type View } from './view.ts'

const RUN_LENGTH = 2 ** 10

/** Sorts the slots in place. */
export function* sortById(view: View, slots: number[], pace: Pace): Slices<void> {
  const ids = slots.map((slot) => idAt(view, slot))
  let from = slots.map((_, k) => k)
  for (let start = 0; start < from.length; start += RUN_LENGTH) {
    const run = from.slice(start, start + RUN_LENGTH).sort((i, j) => compareIds(ids[i], ids[j]))
    for (let k = 0; k < run.length; k++) from[start + k] = run[k]
    if (pace.isDue(run.length)) yield
  }
  let to = [...from]
  for (let length = RUN_LENGTH; length < from.length; length *= 2) {
    for (let start = 0; start < from.length; start += 2 * length) {
      const middle = Math.min(start + length, from.length)
      const end = Math.min(start + 2 * length, from.length)
      let i = start
      let j = middle
      for (let k = start; k < end; k++) {
        const takesFirst = j >= end || (i < middle && compareIds(ids[from[i]], ids[from[j]]) <= 0)
        to[k] = takesFirst ? from[i++] : from[j++]
        if (pace.isDue(1)) yield
      }
    }
    const merged = to
    to = from
    from = merged
  }
  const sorted = from.map((k) => slots[k])
  for (let k = 0; k < slots.length; k++) slots[k] = sorted[k]
}
