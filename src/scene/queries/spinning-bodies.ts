/**
 * Bodies of a scene that turn, and what paths they may come near: a path among obstacles is followed as if none of them turned.
 */

import type { FarSlices } from '../../containers/far-call.ts'
import { Pace } from '../../containers/pace.ts'
import { compareIds } from '../../containers/ranking.ts'
import { sweptBox } from '../../core2d/measures/swept-box.ts'
import { createMotion, isMovedBySpin } from '../../core2d/shape/motion.ts'
import { fetchBody, isDear } from '../state/dear-body.ts'
import type { Accepts } from '../state/filter.ts'
import { bodyAt, hasBody, idAt, mayMove, motionAt, slotLimit, type View } from '../state/view.ts'

/** A straight stretch of a path, as the box of everything that is covered on it. */
export interface Stretch {
  minX: number
  minY: number
  maxX: number
  maxY: number
}

const motion = createMotion()

/**
 * The first body by id that may be met on one of the stretches, at any time within the duration, and looks different as it turns;
 * null when there is none.
 */
export function* findSpinner(
  view: View,
  accepts: Accepts,
  stretches: readonly Stretch[],
  duration: number,
): FarSlices<string | null> {
  const pace = new Pace()
  let first: string | null = null
  for (let slot = 0; slot < slotLimit(view) && mayMove(view); slot++) {
    if (pace.isDue(1)) yield
    if (!hasBody(view, slot)) continue
    motionAt(view, slot, motion)
    if (motion.spin === 0 || !accepts(slot)) continue
    const id = idAt(view, slot)
    if (first !== null && compareIds(first, id) < 0) continue
    const body = isDear(view, slot) ? yield* fetchBody(view, slot) : bodyAt(view, slot)
    motionAt(view, slot, motion)
    if (!isMovedBySpin(body, body)) continue
    const { minX, minY, maxX, maxY } = sweptBox(body, motion, duration)
    const isNear = stretches.some((box) => box.minX <= maxX && box.minY <= maxY && box.maxX >= minX && box.maxY >= minY)
    if (isNear) first = id
    if (pace.isDue(stretches.length)) yield
  }
  return first
}
