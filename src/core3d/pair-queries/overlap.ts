/**
 * The overlap query: do two closed bodies meet, and their insides, decided exactly, with a certificate that can be checked by itself.
 * Frame: the answer is in world coordinates; the axis points from A to B.
 */

import { isSafeExtent, scaleBy, scaleSigned } from '../../numeric/safe-range.ts'
import { certified } from '../containment/certified-point.ts'
import { orderPair, type PairFrame } from '../narrow-phase/pair-frame.ts'
import { meets, relate as relatePair } from '../narrow-phase/separate.ts'
import type { Relation } from '../narrow-phase/separation.ts'
import type { Body } from '../shape/body.ts'
import { pairExponent, scaleBody } from '../shape/body-scaling.ts'
import { createDistance, distance } from './distance.ts'

export type { Relation }

export interface Overlap {
  /** −1 overlapping, 0 touching, 1 separated. */
  relation: Relation
  /** When separated: unit axis and the gap between the two bodies' supports along it. */
  nx: number
  ny: number
  nz: number
  gap: number
  /** Otherwise: a point of both. */
  px: number
  py: number
  pz: number
}

export function createOverlap(): Overlap {
  return { relation: 1, nx: 0, ny: 0, nz: 0, gap: 0, px: 0, py: 0, pz: 0 }
}

const nearest = createDistance()

/** Whether the closed sets meet. */
export function bodiesMeet(a: Body, b: Body): boolean {
  const frame = orderPair(a, b)
  const exponent = isSafeExtent(frame.extent) ? 0 : pairExponent(frame)
  return exponent === 0 ? meets(frame) : meets(orderPair(scaleBody(a, exponent), scaleBody(b, exponent)))
}

/** Whether the pair overlaps, touches or is separated: the sign of its separation. */
export function relate(a: Body, b: Body): Relation {
  const frame = orderPair(a, b)
  const exponent = isSafeExtent(frame.extent) ? 0 : pairExponent(frame)
  return exponent === 0 ? relatePair(frame) : relatePair(orderPair(scaleBody(a, exponent), scaleBody(b, exponent)))
}

/** The same with a certificate: the direction of the nearest points is the axis of the widest gap, which is the distance. */
export function overlap(a: Body, b: Body, out: Overlap): void {
  const frame = orderPair(a, b)
  const exponent = isSafeExtent(frame.extent) ? 0 : pairExponent(frame)
  if (exponent === 0) overlapInRange(a, b, frame, out)
  else overlapScaled(a, b, exponent, out)
}

/** Measures the pair divided by 2^exponent. */
function overlapScaled(a: Body, b: Body, exponent: number, out: Overlap): void {
  const [one, other] = [scaleBody(a, exponent), scaleBody(b, exponent)]
  overlapInRange(one, other, orderPair(one, other), out)
  out.gap = out.relation > 0 ? scaleSigned(out.gap, exponent) : 0
  out.px = scaleBy(out.px, exponent)
  out.py = scaleBy(out.py, exponent)
  out.pz = scaleBy(out.pz, exponent)
}

function overlapInRange(a: Body, b: Body, frame: PairFrame, out: Overlap): void {
  distance(a, b, nearest)
  out.relation = nearest.hasNormal ? 1 : relatePair(frame)
  out.nx = nearest.nx
  out.ny = nearest.ny
  out.nz = nearest.nz
  out.gap = nearest.distance
  const point = [nearest.ax, nearest.ay, nearest.az] as const
  const [x, y, z] = out.relation > 0 ? point : certified(frame, out.relation, point)
  out.px = x
  out.py = y
  out.pz = z
}
