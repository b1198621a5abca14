/**
 * The bodies of a scene a page at a time, in the order of their slots: a body keeps its slot for as long as it is there, so a
 * body that is there from the first page to the last is listed once, whatever comes and goes meanwhile.
 */

import { Pace, type Slices } from '../../containers/pace.ts'
import { createItemList } from '../../core2d/bvh/dynamic-tree-queries.ts'
import type { Bounds } from '../../core2d/measures/bounds.ts'
import type { Accepts } from './filter.ts'
import { bodiesInBox, hasBody, slotLimit, type View } from './view.ts'

export interface BodyListQuery {
  accepts: Accepts
  /** Only bodies whose boxes meet it, and those without bounds; null for all. */
  box: Bounds | null
  /** Slot of the last body that is known; −1 for none. */
  after: number
}

/**
 * Tells `takes` the slots that follow: it returns how much work each was, in points, or −1 where there is no room for it. Whether
 * there would have been more.
 */
export function* listBodies(view: View, query: BodyListQuery, takes: (slot: number) => number): Slices<boolean> {
  const { accepts, box, after } = query
  const pace = new Pace()
  if (box === null) {
    for (let slot = after + 1; slot < slotLimit(view); slot++) {
      const work = hasBody(view, slot) && accepts(slot) ? takes(slot) : 0
      if (work < 0) return true
      if (pace.isDue(1 + work)) yield
    }
    return false
  }
  const near = createItemList()
  bodiesInBox(view, box.minX, box.minY, box.maxX, box.maxY, near)
  const slots = near.items.subarray(0, near.count).filter((slot) => slot > after)
  for (const slot of slots.sort()) {
    const work = accepts(slot) ? takes(slot) : 0
    if (work < 0) return true
    if (pace.isDue(1 + work)) yield
  }
  return false
}
