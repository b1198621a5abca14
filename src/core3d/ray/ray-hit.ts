/** What a ray cast answers. Frame: world. */

import type { FeatureKind } from '../feature.ts'
import type { Body } from '../shape/body.ts'
import { surfaceOf } from '../shape/core-surface.ts'

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
  z: number
  /** False where the origin is inside and counts as the hit. */
  hasNormal: boolean
  nx: number
  ny: number
  nz: number
  /** What of the body is hit; null where the origin is inside and counts as the hit. Skins count to what they surround. */
  feature: FeatureKind | null
  /** The core points of a vertex or edge, the face of the core's surface; −1 for none: see `featureVertices`. */
  first: number
  second: number
  face: number
  startedInside: boolean
  /** Whether the ray leaves the body within maxDistance, and where. */
  hasExit: boolean
  exitDistance: number
  exitX: number
  exitY: number
  exitZ: number
  exitNx: number
  exitNy: number
  exitNz: number
}

export function createRayHit(): RayHit {
  return {
    distance: 0,
    fraction: 0,
    x: 0,
    y: 0,
    z: 0,
    hasNormal: false,
    nx: 0,
    ny: 0,
    nz: 0,
    feature: null,
    first: -1,
    second: -1,
    face: -1,
    startedInside: false,
    hasExit: false,
    exitDistance: 0,
    exitX: 0,
    exitY: 0,
    exitZ: 0,
    exitNx: 0,
    exitNy: 0,
    exitNz: 0,
  }
}

/** The caller's indices of the vertex hit, of an edge's ends, or around a face, counter-clockwise from outside; none of surfaces and half-spaces. */
export function featureVertices(body: Body, { first, second, face }: RayHit): number[] {
  const { names } = body
  if (face >= 0) {
    const { starts, corners } = surfaceOf(body)
    return Array.from(corners.subarray(starts[face], starts[face + 1]), (i) => names[i])
  }
  if (first < 0) return []
  return second < 0 ? [names[first]] : [names[first], names[second]]
}
