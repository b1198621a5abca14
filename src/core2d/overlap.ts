/**
 * The overlap query: do two closed bodies meet, decided exactly, with a certificate that can be checked by itself.
 * Frame: the answer is in world coordinates; the axis points from A to B.
 */
import type { Body } from './body.ts'
import { commonPoint, createPoint } from './common-point.ts'
import { separate, toWorld } from './pair.ts'
import { createSeparation, type Relation } from './separation.ts'

export type { Relation }

export interface Overlap {
  /** −1 overlapping, 0 touching, 1 separated. */
  relation: Relation
  /** When separated: unit axis and the gap between the two bodies' supports along it. */
  hasAxis: boolean
  nx: number
  ny: number
  gap: number
  /** Otherwise: a point of both. */
  px: number
  py: number
}

export function createOverlap(): Overlap {
  return { relation: 1, hasAxis: false, nx: 0, ny: 0, gap: 0, px: 0, py: 0 }
}

const separation = createSeparation()
const shared = createPoint()

/** Exact sign of the separation alone. */
export function relate(a: Body, b: Body): Relation {
  separate(a, b, separation)
  return separation.relation
}

export function overlap(a: Body, b: Body, out: Overlap): void {
  const { first, second, swapped, dx, dy, error } = separate(a, b, separation)
  out.relation = separation.relation
  out.hasAxis = separation.relation > 0
  if (out.hasAxis) {
    // The direction of the nearest points is the axis of the widest gap, which is the distance.
    out.nx = swapped ? -separation.nx : separation.nx
    out.ny = swapped ? -separation.ny : separation.ny
    out.gap = separation.value
    return
  }
  commonPoint(first, second, dx, dy, error, separation, shared)
  out.px = toWorld(first.x, first.anchorX, shared.x)
  out.py = toWorld(first.y, first.anchorY, shared.y)
}
