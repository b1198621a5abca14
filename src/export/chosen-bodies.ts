// The bodies of a view that are exported, and the box around them. Cost O(slots), some bytes of memory for each body.

import type { Pace, Slices } from '../containers/pace.ts'
import type { Bounds } from '../core2d/measures/bounds.ts'
import { type Accepts, orderById } from '../scene/state/filter.ts'
import { boxAt, hasBody, slotLimit, type View } from '../scene/state/view.ts'

export interface ChosenBodies {
  /** By id. */
  slots: Int32Array
  /** Around those that have bounds, rounded outward; null without any. */
  bounds: Bounds | null
  /** The first of the others. */
  unbounded: number[]
}

/** Of bodies without bounds, that are told apart. */
const MOST_UNBOUNDED = 50

const box = new Float64Array(4)

/** `within`: a box that theirs meet, null for all; those without bounds meet every box. */
export function* chooseBodies(view: View, accepts: Accepts, within: Bounds | null, pace: Pace): Slices<ChosenBodies> {
  const slots = new Int32Array(view.count)
  const bounds: Bounds = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity }
  const unbounded: number[] = []
  let count = 0
  for (let slot = 0; slot < slotLimit(view); slot++) {
    if (pace.isDue(1)) yield
    if (!hasBody(view, slot) || !accepts(slot)) continue
    boxAt(view, slot, box)
    const [minX, minY, maxX, maxY] = box
    const isBounded = minX > -Infinity && minY > -Infinity && maxX < Infinity && maxY < Infinity
    if (isBounded && within !== null) {
      if (minX > within.maxX || maxX < within.minX || minY > within.maxY || maxY < within.minY) continue
    }
    slots[count++] = slot
    if (!isBounded) {
      if (unbounded.length < MOST_UNBOUNDED) unbounded.push(slot)
      continue
    }
    bounds.minX = Math.min(bounds.minX, minX)
    bounds.minY = Math.min(bounds.minY, minY)
    bounds.maxX = Math.max(bounds.maxX, maxX)
    bounds.maxY = Math.max(bounds.maxY, maxY)
  }
  const chosen = slots.subarray(0, count)
  yield* orderById(view, chosen, pace)
  return { slots: chosen, bounds: bounds.minX <= bounds.maxX ? bounds : null, unbounded }
}
