/** Whether two convex bodies that meet on their way overlap there, or only touch but for rounding. Frame: world. */

import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { separate } from '../narrow-phase/dispatch.ts'
import { createSeparation } from '../narrow-phase/separation.ts'
import { type Body, createBody } from '../shape/body.ts'
import { isCurved } from '../shape/kinds.ts'
import type { Motion } from '../shape/motion.ts'
import { moveBy } from '../shape/placement.ts'
import { CURVE_GAP_RATIO } from '../tolerances.ts'

const separation = createSeparation()
const movedA = createBody()
const movedB = createBody()

/** Whether the bodies overlap at time t by more than rounding of the way and of the depth; `isStrict`: or at all. */
export function isDeepAt(a: Body, motionA: Motion, b: Body, motionB: Motion, t: number, isStrict = false): boolean {
  const ax = t * motionA.vx
  const ay = t * motionA.vy
  const bx = t * motionB.vx
  const by = t * motionB.vy
  const { error, extent } = separate(moveBy(a, ax, ay, movedA), moveBy(b, bx, by, movedB), separation)
  if (separation.relation >= 0 || isStrict) return separation.relation < 0
  const way = Math.abs(ax) + Math.abs(ay) + Math.abs(bx) + Math.abs(by)
  const curve = isCurved(a) || isCurved(b) ? CURVE_GAP_RATIO * extent : 0
  return separation.value < -(2 * error + 4 * UNIT_ROUNDOFF * way + curve)
}
