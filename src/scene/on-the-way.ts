// The bodies that something on its way may meet, as a list: to look at one by one, with pauses.

import type { MovingBox } from '../core2d/dynamic-tree-queries.ts'
import type { Accepts } from './filter.ts'
import { type View, visitOnTheWay } from './view.ts'

export interface OnTheWay {
  slot: number
  /** When at the earliest. */
  time: number
}

/** Those whose boxes the moving box may meet within the time `limit`, in no particular order. */
export function listOnTheWay(view: View, moving: MovingBox, limit: number, accepts: Accepts): OnTheWay[] {
  const listed: OnTheWay[] = []
  visitOnTheWay(view, moving, limit, (slot, time) => {
    if (accepts(slot)) listed.push({ slot, time })
    return limit
  })
  return listed
}

export function compareTimes(a: OnTheWay, b: OnTheWay): number {
  return a.time - b.time
}
