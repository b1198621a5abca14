/** What a sweep without spin finds: the time that two bodies spend in each other. */

import { type FeatureCode, NO_FEATURE } from '../feature.ts'
import type { Meeting } from '../ray/crossing-time.ts'

export interface Sweep {
  /** They meet at the start. */
  inside: boolean
  /** First and last instant of the contact; `leave` is Infinity when it lies beyond the duration (`exits` is false then). */
  enter: number
  leave: number
  exits: boolean
  /** At `enter`, from A to B; not set when they meet at the start. */
  nx: number
  ny: number
  featureA: FeatureCode
  featureB: FeatureCode
  /** Core points between which the bodies touch at `enter`: the same twice for a vertex; −1 when there are none. */
  a0: number
  a1: number
  b0: number
  b1: number
  /** The same at `leave`; not set when that lies beyond the duration. */
  end: Meeting
}

export function createSweep(): Sweep {
  return {
    inside: false,
    enter: 0,
    leave: Infinity,
    exits: false,
    nx: 0,
    ny: 0,
    featureA: NO_FEATURE,
    featureB: NO_FEATURE,
    a0: -1,
    a1: -1,
    b0: -1,
    b1: -1,
    end: { a0: -1, a1: -1, b0: -1, b1: -1 },
  }
}
