/**
 * Whether two convex bodies meet, and how far apart they are: the one way to ask about a pair.
 *
 * Method: pairs in one order (`pair-frame.ts`); half-spaces and pairs of core points have files of their own, the rest goes by the
 * bounds of GJK, and by exact algebra where these leave open which side of touching the pair is on (`quadric-any.ts`).
 * Frame: world.
 */

import { HALFSPACE, POINTS } from '../shape/body.ts'
import { boundDistance, createBounds } from './gjk.ts'
import { separateHalfspace } from './halfspace-any.ts'
import type { PairFrame } from './pair-frame.ts'
import { pointsMeet, separatePoints } from './points-points.ts'
import { quadricMeets, separateQuadric } from './quadric-any.ts'
import { createSeparation, type Separation } from './separation.ts'
import { sharpen } from './smooth-contact.ts'

const bounds = createBounds()
const separation = createSeparation()

/** Whether the closed sets meet. The pair is in order, and of a size whose products stay in range. */
export function meets(frame: PairFrame): boolean {
  const { first, second } = frame
  if (second.kind === HALFSPACE) {
    separateHalfspace(frame, separation)
    return separation.meet
  }
  boundDistance(frame, bounds)
  if (first.kind === POINTS && second.kind === POINTS) return pointsMeet(frame, bounds)
  sharpen(frame, bounds)
  return quadricMeets(frame, bounds)
}

/** Everything about the pair. */
export function separate(frame: PairFrame, out: Separation): void {
  const { first, second } = frame
  if (second.kind === HALFSPACE) separateHalfspace(frame, out)
  else {
    boundDistance(frame, bounds)
    if (first.kind === POINTS && second.kind === POINTS) separatePoints(frame, bounds, out)
    else {
      sharpen(frame, bounds)
      separateQuadric(frame, bounds, out)
    }
  }
}
