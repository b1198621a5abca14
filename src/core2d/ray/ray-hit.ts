/** What a ray cast answers. Frame: world. */

import { type FeatureCode, NO_FEATURE } from '../feature.ts'

/**
 * What a body that contains the origin, boundary included, counts as: a hit at distance 0 without a normal, no hit, or a
 * hit where the ray leaves it (none when that lies beyond maxDistance or never comes).
 */
export type StartInside = 'hit' | 'ignore' | 'exit'

export interface RayHit {
  /** World length from the origin. */
  distance: number
  /** Point = origin + fraction · direction; the largest double where that is beyond all doubles. */
  fraction: number
  x: number
  y: number
  /** False where the origin is inside and counts as the hit. */
  hasNormal: boolean
  nx: number
  ny: number
  feature: FeatureCode
  /** Part of a composite that the feature belongs to; 0 for convex bodies. */
  part: number
  startedInside: boolean
  /** Whether the ray leaves the body within maxDistance, and where. */
  hasExit: boolean
  exitDistance: number
  exitX: number
  exitY: number
  exitNx: number
  exitNy: number
}

export function createRayHit(): RayHit {
  return {
    distance: 0,
    fraction: 0,
    x: 0,
    y: 0,
    hasNormal: false,
    nx: 0,
    ny: 0,
    feature: NO_FEATURE,
    part: 0,
    startedInside: false,
    hasExit: false,
    exitDistance: 0,
    exitX: 0,
    exitY: 0,
    exitNx: 0,
    exitNy: 0,
  }
}
