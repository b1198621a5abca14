/**
 * The record that every pair function fills: how far apart two bodies are, along what, and where.
 *
 * Frame: world axes, origin at the anchor of A, the pair function's first body; B's anchor stands at (dx, dy) of
 * `Frame`. The normal points from A to B.
 * Signs: `relation` is the exact sign of the separation (−1 overlapping, 0 touching, 1 separated) and `value` never
 * contradicts it.
 */

import type { Sign } from '../../numeric/exact-ring.ts'
import { type FeatureCode, NO_FEATURE } from '../feature.ts'
import { type Body, RADIUS } from '../shape/body.ts'
import type { Frame } from '../shape/position.ts'
import { LEAST_GAP_RATIO } from '../tolerances.ts'

export type Relation = Sign

/** Normal, witness points and features: the part that all answers about two bodies share. */
export interface Witnesses {
  /** From A to B. */
  nx: number
  ny: number
  /** Nearest (or, overlapping, deepest) surface points of A and of B. */
  ax: number
  ay: number
  bx: number
  by: number
  featureA: FeatureCode
  featureB: FeatureCode
}

export interface Separation extends Witnesses {
  relation: Relation
  /** Signed distance of the surfaces; −Infinity when no translation separates (two half-planes whose normals are not opposite). */
  value: number
  /** Whose edge gave the normal (1: A, 2: B, 0: nobody's), and which edge of the reduced body. */
  face: 0 | 1 | 2
  edge: number
  /** Where `face` is set and the other body has core points: its vertex nearest to (or deepest behind) the face. */
  vertex: number
  /** Core points between which the gap lies: the same twice for a corner. Set where both bodies have core points. */
  a0: number
  a1: number
  b0: number
  b1: number
  /** No other face than the one of an overlap lies farther out than this; the greatest of doubles where that was not asked. */
  rival: number
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
    a0: 0,
    a1: 0,
    b0: 0,
    b1: 0,
    rival: Number.MAX_VALUE,
  }
}

/** Sets the core points of a gap between edge (i, j) of the owner and a corner of the other, A being the owner or not. */
export function setFacePoints(s: Separation, ownedByA: boolean, i: number, j: number, vertex: number): void {
  s.a0 = ownedByA ? i : vertex
  s.a1 = ownedByA ? j : vertex
  s.b0 = ownedByA ? vertex : i
  s.b1 = ownedByA ? vertex : j
}

/** Moves the witness points from the cores, where they were put, to the surfaces of the skins around them. */
export function addSkins(s: Separation, a: Body, b: Body): void {
  s.ax += s.nx * a.numbers[RADIUS]
  s.ay += s.ny * a.numbers[RADIUS]
  s.bx -= s.nx * b.numbers[RADIUS]
  s.by -= s.ny * b.numbers[RADIUS]
}

/** Makes `value` agree with an exactly decided relation. */
export function settle(s: Separation, relation: Relation, { extent }: Frame): void {
  // A product of signs can be −0.
  s.relation = relation === 0 ? 0 : relation
  if (relation === 0) s.value = 0
  else if (relation > 0 && !(s.value > 0)) s.value = extent * LEAST_GAP_RATIO
  else if (relation < 0 && !(s.value < 0)) s.value = -extent * LEAST_GAP_RATIO
}

/** Says that the bodies are apart, and no more. */
export function setApart(s: Separation): void {
  s.relation = 1
  s.value = Infinity
}

/** Exchanges the roles of A and B. */
export function swapWitnesses(w: Witnesses): void {
  const { ax, ay, featureA } = w
  w.nx = -w.nx
  w.ny = -w.ny
  w.ax = w.bx
  w.ay = w.by
  w.bx = ax
  w.by = ay
  w.featureA = w.featureB
  w.featureB = featureA
}
