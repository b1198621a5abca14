/** What a question about a time of impact answers. */

import { NO_FEATURE } from '../feature.ts'
import type { Witnesses } from '../narrow-phase/separation.ts'

/** The witnesses are those at `time`; while the bodies overlap at the start, those of their contact. */
export interface TimeOfImpact extends Witnesses {
  hit: boolean
  time: number
  hasNormal: boolean
  /** Parts of composites that the features belong to; 0 for convex bodies. */
  partA: number
  partB: number
  /** First later instant at which the two part, within the duration. */
  hasExit: boolean
  exitTime: number
  /** They meet (touching included) at the start. */
  startedOverlapping: boolean
  /** False when the iteration limit was reached: `time` is then a moment before which there is no contact, or `exitTime` one before which they do not part. */
  converged: boolean
}

export function createTimeOfImpact(): TimeOfImpact {
  return {
    hit: false,
    time: 0,
    hasNormal: false,
    nx: 0,
    ny: 0,
    ax: 0,
    ay: 0,
    bx: 0,
    by: 0,
    featureA: NO_FEATURE,
    featureB: NO_FEATURE,
    partA: 0,
    partB: 0,
    hasExit: false,
    exitTime: 0,
    startedOverlapping: false,
    converged: true,
  }
}
