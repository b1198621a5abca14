/**
 * How a body is put where it overlaps nothing, in one dimension: what `separate` and `place` are made of. Places, ways and normals are
 * vectors of as many numbers as the dimension has.
 */

import type { Pace } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { createItemList } from '../../containers/item-list.ts'
import type { Accepts } from '../state/filter.ts'
import type { Kinds, WayOut } from '../state/geometry.ts'
import { bodiesInBox, type View, weightAt } from '../state/view.ts'
import type { Describe } from './described-body.ts'
import { costlyEscape } from './scene-tasks.ts'
import { bodiesOf } from './walker.ts'

/** As many numbers as the dimension has. */
export type Place = readonly number[]

/** The bodies in the way, in the order in which they were found, and how many points they have. */
export interface InTheWay {
  slots: Set<number>
  points: number
}

export interface Placing<K extends Kinds = Kinds> {
  readonly view: View<K>
  readonly accepts: Accepts
  readonly describe: Describe
  readonly pace: Pace
  /** The body at its position. */
  readonly body: K['body']
  position(): number[]
  put(place: Place): void
  /** What the body overlaps, and how many points each has. Touching does not count. */
  overlapped(): FarSlices<readonly { slot: number; points: number }[]>
  /** Puts the body where the way out ends: if that is in something by rounding, next to it, as near as doubles get. False: it stands anywhere. */
  settle(from: Place, out: WayOut): FarSlices<boolean>
  /** The same, off whatever it still overlaps there by rounding. */
  stand(from: Place, out: WayOut): FarSlices<boolean>
  /** The way out of a body that is larger by a few rounding errors, with a limited number of steps; null if that finds none. */
  wayOutGrown(inTheWay: InTheWay): FarSlices<WayOut | null>
}

/** The shortest way out of the union of the bodies in the way. */
export function wayOut<K extends Kinds>(placing: Placing<K>, { slots, points }: InTheWay): FarSlices<WayOut> {
  const { view, body, describe } = placing
  return costlyEscape(view, slots, points, body, describe, () => bodiesOf(placing, slots))
}

export function addTo(inTheWay: InTheWay, slot: number, points: number): void {
  if (inTheWay.slots.has(slot)) return
  inTheWay.slots.add(slot)
  inTheWay.points += points
}

const near = createItemList()
const box = new Float64Array(6)

/** Adds the bodies that the body may meet on a way of length `reach`. */
export function* addAround<K extends Kinds>(
  { view, body, accepts, pace }: Placing<K>,
  reach: number,
  inTheWay: InTheWay,
): FarSlices<void> {
  const { geometry } = view.table
  const { axes } = geometry
  geometry.measureOuterBox(body, box, 0)
  for (let side = 0; side < 2 * axes; side++) box[side] += side < axes ? -reach : reach
  bodiesInBox(view, box, near)
  for (const slot of near.items.slice(0, near.count)) {
    if (accepts(slot)) addTo(inTheWay, slot, weightAt(view, slot))
    if (pace.isDue(1)) yield
  }
}
