/**
 * Whether two convex bodies meet, and how far apart they are: the one way to ask about a pair.
 *
 * Method: pairs in one order (`pair-frame.ts`); half-spaces and pairs of core points have files of their own, the rest goes by the
 * bounds of GJK, and by exact algebra where these leave open which side of touching the pair is on (`quadric-any.ts`).
 * Frame: world.
 */

import { HALFSPACE, POINTS, RADIUS } from '../shape/body.ts'
import { meetBoxes } from './box-box.ts'
import { createDepth, type Depth, measureDepth, measureHalfspaceDepth } from './depth.ts'
import { boundDistance, createBounds } from './gjk.ts'
import { relateHalfspace, separateHalfspace } from './halfspace-any.ts'
import type { PairFrame } from './pair-frame.ts'
import { pointsMeet, relatePoints, separatePoints } from './points-points.ts'
import { quadricMeets, relateQuadric, separateQuadric } from './quadric-any.ts'
import { createSeparation, type Relation, type Separation } from './separation.ts'
import { boundCurved } from './smooth-contact.ts'

const bounds = createBounds()
const separation = createSeparation()

/** Whether the closed sets meet. The pair is in order, and of a size whose products stay in range. */
export function meets(frame: PairFrame): boolean {
  if (frame.second.kind === HALFSPACE) {
    separateHalfspace(frame, separation)
    return separation.meet
  }
  if (!isCored(frame)) {
    boundCurved(frame, bounds, clearSkins(frame))
    return quadricMeets(frame, bounds)
  }
  boundDistance(frame, bounds)
  return pointsMeet(frame, bounds)
}

const boxDepth = createDepth()

/** Whether the pair overlaps, touches or is apart: the sign of its separation. As exact as whether it meets. */
export function relate(frame: PairFrame): Relation {
  if (frame.second.kind === HALFSPACE) return relateHalfspace(frame)
  if (meetBoxes(frame, boxDepth)) return -1
  if (!isCored(frame)) {
    boundCurved(frame, bounds, clearSkins(frame))
    return relateQuadric(frame, bounds)
  }
  boundDistance(frame, bounds)
  return relatePoints(frame, bounds)
}

/** Everything about the pair. */
export function separate(frame: PairFrame, out: Separation): void {
  if (frame.second.kind === HALFSPACE) {
    separateHalfspace(frame, out)
    return
  }
  if (isCored(frame)) {
    boundDistance(frame, bounds)
    separatePoints(frame, bounds, out)
  } else separateQuadric(frame, bounds, boundCurved(frame, bounds, clearSkins(frame)), out)
}

/** How far apart or how deep in each other they are: of a pair that meets the depth, of others all else. Returns whether they meet. */
export function measure(frame: PairFrame, apart: Separation, depth: Depth): boolean {
  if (frame.second.kind === HALFSPACE) {
    separateHalfspace(frame, apart)
    if (apart.meet) measureHalfspaceDepth(frame, depth)
    return apart.meet
  }
  if (meetBoxes(frame, depth)) return true
  if (!isCored(frame)) {
    const isSettled = boundCurved(frame, bounds)
    separateQuadric(frame, bounds, isSettled, apart)
    if (apart.meet) measureDepth(frame, bounds, depth, isSettled)
    return apart.meet
  }
  boundDistance(frame, bounds)
  const isMet = pointsMeet(frame, bounds)
  if (isMet) measureDepth(frame, bounds, depth)
  else separatePoints(frame, bounds, apart)
  return isMet
}

/** Cores that are nearer to each other than that meet by their skins for certain. */
function clearSkins({ first, second, error }: PairFrame): number {
  return first.numbers[RADIUS] + second.numbers[RADIUS] - error
}

function isCored({ first, second }: PairFrame): boolean {
  return first.kind === POINTS && second.kind === POINTS
}
