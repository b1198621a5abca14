/**
 * The overlap query: do two closed bodies meet, decided exactly, with a certificate that can be checked by itself.
 * Frame: the answer is in world coordinates; the axis points from A to B.
 */

import { orderPair } from '../narrow-phase/pair-frame.ts'
import { meets } from '../narrow-phase/separate.ts'
import type { Body } from '../shape/body.ts'
import { isSafeExtent, pairExponent, scaleBody } from '../shape/body-scaling.ts'
import { createDistance, distance } from './distance.ts'

export interface Overlap {
  overlap: boolean
  /** When apart: unit axis and the gap between the two bodies' supports along it. */
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
  return { overlap: false, nx: 0, ny: 0, nz: 0, gap: 0, px: 0, py: 0, pz: 0 }
}

const nearest = createDistance()

/** Whether the closed sets meet. */
export function bodiesMeet(a: Body, b: Body): boolean {
  const frame = orderPair(a, b)
  const exponent = isSafeExtent(frame.extent) ? 0 : pairExponent(frame)
  return exponent === 0 ? meets(frame) : meets(orderPair(scaleBody(a, exponent), scaleBody(b, exponent)))
}

/** The same with a certificate: the direction of the nearest points is the axis of the widest gap, which is the distance. */
export function overlap(a: Body, b: Body, out: Overlap): void {
  distance(a, b, nearest)
  out.overlap = !nearest.hasNormal
  out.nx = nearest.nx
  out.ny = nearest.ny
  out.nz = nearest.nz
  out.gap = nearest.distance
  out.px = nearest.ax
  out.py = nearest.ay
  out.pz = nearest.az
}
