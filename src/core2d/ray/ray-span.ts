/**
 * The part of a ray's line that lies in a body: where it enters and leaves, and what that means for the ray.
 *
 * Every ray function fills a span in rounded arithmetic and asks `settleSpan` whether its signs are beyond doubt; where
 * they are not, it calls its exact counterpart.
 * Frame: as in `ray-line.ts`; `enter` and `leave` are measured from the anchor's foot, normals are world directions.
 */
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { type FeatureCode, NO_FEATURE } from '../feature.ts'
import type { RayLine } from './ray-line.ts'

export interface RaySpan {
  /** The ray's origin is in the body. */
  inside: boolean
  /** The ray leaves the body within its length. */
  exits: boolean
  enter: number
  enterNx: number
  enterNy: number
  enterFeature: FeatureCode
  leave: number
  leaveNx: number
  leaveNy: number
  leaveFeature: FeatureCode
}

export function createRaySpan(): RaySpan {
  return {
    inside: false,
    exits: false,
    enter: 0,
    enterNx: 0,
    enterNy: 0,
    enterFeature: NO_FEATURE,
    leave: 0,
    leaveNx: 0,
    leaveNy: 0,
    leaveFeature: NO_FEATURE,
  }
}

export const MISS = 0
export const HIT = 1
/** Rounding leaves it open. */
export const UNSURE = 2
export type Verdict = typeof MISS | typeof HIT | typeof UNSURE

/**
 * What the span's ends, known to within their slacks and non-empty for certain, mean for the ray.
 * `size`: bound on |enter| and |leave| where the line meets the body.
 */
export function settleSpan(
  line: RayLine,
  span: RaySpan,
  enterSlack: number,
  leaveSlack: number,
  size: number,
): Verdict {
  const { along, maxDistance } = line
  const rounding = 8 * UNIT_ROUNDOFF * (Math.abs(along) + size) + line.floor
  return settleDistances(
    span,
    along + span.enter,
    enterSlack + rounding,
    along + span.leave,
    leaveSlack + rounding,
    maxDistance,
  )
}

/** The same for ends given by their distances from the origin. */
export function settleDistances(
  span: RaySpan,
  enter: number,
  enterSlack: number,
  leave: number,
  leaveSlack: number,
  maxDistance: number,
): Verdict {
  if (leave < -leaveSlack || enter > maxDistance + enterSlack) return MISS
  if (enter > enterSlack) {
    if (enter > maxDistance - enterSlack) return UNSURE
    span.inside = false
  } else if (enter < -enterSlack && leave > leaveSlack) span.inside = true
  else return UNSURE
  if (leave <= maxDistance - leaveSlack) span.exits = true
  else if (leave > maxDistance + leaveSlack) span.exits = false
  else return UNSURE
  return HIT
}

/** Records exactly decided signs. */
export function settleExactly(span: RaySpan, inside: boolean, exits: boolean): true {
  span.inside = inside
  span.exits = exits
  return true
}

export function setEnter(span: RaySpan, at: number, nx: number, ny: number, feature: FeatureCode): void {
  span.enter = at
  span.enterNx = nx
  span.enterNy = ny
  span.enterFeature = feature
}

export function setLeave(span: RaySpan, at: number, nx: number, ny: number, feature: FeatureCode): void {
  span.leave = at
  span.leaveNx = nx
  span.leaveNy = ny
  span.leaveFeature = feature
}
