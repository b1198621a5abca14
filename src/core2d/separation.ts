/**
 * The record that every pair function fills: how far apart two bodies are, along what, and where.
 *
 * Frame: world axes, origin at the anchor of A, the pair function's first body; B's anchor stands at (dx, dy). The normal
 * points from A to B.
 * Signs: `relation` is the exact sign of the separation (−1 overlapping, 0 touching, 1 separated) and `value` never
 * contradicts it.
 */

import type { Sign } from './exact-ring.ts'
import { type FeatureCode, NO_FEATURE } from './feature.ts'
import { LEAST_GAP_RATIO } from './tolerances.ts'

export type Relation = Sign

export interface Separation {
  relation: Relation
  /** Signed distance of the surfaces; −Infinity when no translation separates (two half-planes that face each other). */
  value: number
  nx: number
  ny: number
  /** Nearest (or, overlapping, deepest) surface points of A and of B. */
  ax: number
  ay: number
  bx: number
  by: number
  featureA: FeatureCode
  featureB: FeatureCode
  /** Whose edge gave the normal (1: A, 2: B, 0: nobody's), and which edge of the reduced body. */
  face: 0 | 1 | 2
  edge: number
  /** Where `face` is set and the other body has core points: its vertex nearest to (or deepest behind) the face. */
  vertex: number
}

export function createSeparation(): Separation {
  return {
    relation: 1,
    value: 0,
    nx: 0,
    ny: 0,
    ax: 0,
    ay: 0,
    bx: 0,
    by: 0,
    featureA: NO_FEATURE,
    featureB: NO_FEATURE,
    face: 0,
    edge: 0,
    vertex: 0,
  }
}

/** Normal and witness points from the nearest core points `p` (of A) and `q` (of B) and the skins around them. */
export function setWitness(
  s: Separation,
  px: number,
  py: number,
  radiusA: number,
  qx: number,
  qy: number,
  radiusB: number,
): void {
  s.ax = px + s.nx * radiusA
  s.ay = py + s.ny * radiusA
  s.bx = qx - s.nx * radiusB
  s.by = qy - s.ny * radiusB
}

/** Makes `value` agree with an exactly decided relation. `extent`: the pair's size. */
export function settle(s: Separation, relation: Relation, extent: number): void {
  // A product of signs can be −0.
  s.relation = relation === 0 ? 0 : relation
  if (relation === 0) s.value = 0
  else if (relation > 0 && !(s.value > 0)) s.value = extent * LEAST_GAP_RATIO
  else if (relation < 0 && !(s.value < 0)) s.value = -extent * LEAST_GAP_RATIO
}
