/** All answers of the core about one pair, as plain records that can be compared. */

import type { Vec2 } from '../../../schemas/vector.ts'
import { featureIndex, featureKind } from '../../../src/core2d/feature.ts'
import type { Relation } from '../../../src/core2d/narrow-phase/separation.ts'
import { contact, createContact } from '../../../src/core2d/queries/contact.ts'
import { createDistance, distance } from '../../../src/core2d/queries/distance.ts'
import { createOverlap, overlap } from '../../../src/core2d/queries/overlap.ts'
import { type Body, COMPOSITE } from '../../../src/core2d/shape/body.ts'
import type { Pair } from '../families/pair-families.ts'
import { prepare } from './slots.ts'

export interface DistanceAnswer {
  distance: number
  pointA: Vec2
  pointB: Vec2
  normal: Vec2 | null
}

export interface ContactPointAnswer {
  position: Vec2
  separation: number
  a: string
  b: string
  /** The children of compounds that lead to the features. */
  pathA: readonly number[]
  pathB: readonly number[]
}

export interface ContactAnswer {
  relation: Relation
  separation: number
  normal: Vec2 | null
  points: ContactPointAnswer[]
  translation: Vec2
  /** False where a concave pair's shortest translation was out of reach. */
  exact: boolean
}

export interface OverlapAnswer {
  relation: Relation
  axis: { normal: Vec2; gap: number } | null
  point: Vec2 | null
}

export function overlapAnswer({ a, b }: Pair): OverlapAnswer {
  const out = createOverlap()
  overlap(prepare(a), prepare(b), out)
  return {
    relation: out.relation,
    axis: out.hasAxis ? { normal: { x: out.nx, y: out.ny }, gap: out.gap } : null,
    // Concave bodies may be apart without an axis between them.
    point: out.relation > 0 ? null : { x: out.px, y: out.py },
  }
}

export function distanceAnswer({ a, b }: Pair): DistanceAnswer {
  const out = createDistance()
  distance(prepare(a), prepare(b), out)
  return {
    distance: out.distance,
    pointA: { x: out.ax, y: out.ay },
    pointB: { x: out.bx, y: out.by },
    normal: out.hasNormal ? { x: out.nx, y: out.ny } : null,
  }
}

export function contactAnswer({ a, b }: Pair, maxDistance = 0): ContactAnswer {
  const out = createContact()
  const slotA = prepare(a)
  const slotB = prepare(b)
  contact(slotA, slotB, maxDistance, out)
  return {
    relation: out.relation,
    separation: out.separation,
    normal: out.hasNormal ? { x: out.nx, y: out.ny } : null,
    points: out.points.slice(0, out.count).map((point) => ({
      position: { x: point.x, y: point.y },
      separation: point.separation,
      a: `${featureKind(point.featureA)} ${featureIndex(point.featureA)}`,
      b: `${featureKind(point.featureB)} ${featureIndex(point.featureB)}`,
      pathA: pathOf(slotA, point.partA),
      pathB: pathOf(slotB, point.partB),
    })),
    translation: { x: out.tx, y: out.ty },
    exact: out.exact,
  }
}

export function pathOf({ kind, composite }: Body, part: number): readonly number[] {
  return kind === COMPOSITE && composite !== null ? composite.parts[part].path : []
}

export function negated(v: Vec2): Vec2 {
  return { x: 0 - v.x, y: 0 - v.y }
}

export function apart(p: Vec2, q: Vec2): number {
  return Math.hypot(p.x - q.x, p.y - q.y)
}
