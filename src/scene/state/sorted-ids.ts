// Slots in the order of their ids.

import type { Pace, Slices } from '../../containers/pace.ts'
import { compareIds } from '../../containers/ranking.ts'
import { sortInSlices } from '../../containers/sort-in-slices.ts'
import { idAt, type View } from './view.ts'

/** Sorts the slots in place. */
export function* sortById(view: View, slots: number[], pace: Pace): Slices<void> {
  const named: { slot: number; id: string }[] = []
  for (const slot of slots) {
    named.push({ slot, id: idAt(view, slot) })
    if (pace.isDue(1)) yield
  }
  yield* sortInSlices(named, (a, b) => compareIds(a.id, b.id), pace)
  for (let k = 0; k < slots.length; k++) slots[k] = named[k].slot
}
