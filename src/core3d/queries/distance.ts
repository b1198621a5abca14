/**
 * The distance query: how far apart two bodies are, and their nearest points; a common point when they meet.
 * Frame: the answer is in world coordinates; the normal points from A to B.
 */

import { scaleNumbers, scaleSigned } from '../../numeric/safe-range.ts'
import { createSeparation, type PairFrame, pairInRange, type Separation } from '../narrow-phase/pair-frame.ts'
import { separate } from '../narrow-phase/separate.ts'
import type { Body } from '../shape/body.ts'

export interface Distance {
  distance: number
  ax: number
  ay: number
  az: number
  bx: number
  by: number
  bz: number
  /** False when the distance is 0: points that coincide have no direction. */
  hasNormal: boolean
  nx: number
  ny: number
  nz: number
}

export function createDistance(): Distance {
  return { distance: 0, ax: 0, ay: 0, az: 0, bx: 0, by: 0, bz: 0, hasNormal: false, nx: 0, ny: 0, nz: 0 }
}

const separation = createSeparation()

export function distance(a: Body, b: Body, out: Distance): void {
  const frame = pairInRange(a, b)
  separate(frame, separation)
  setDistance(frame, separation, out)
  if (frame.exponent === 0) return
  out.distance = out.hasNormal ? scaleSigned(out.distance, frame.exponent) : 0
  scaleNumbers(out, ['ax', 'ay', 'az', 'bx', 'by', 'bz'], frame.exponent)
}

/** The separation as the answer to the pair as it was asked about, at the scale of the frame. */
export function setDistance(frame: PairFrame, separation: Separation, out: Distance): void {
  const { normal } = separation
  const from = frame.swapped ? separation.b : separation.a
  const to = frame.swapped ? separation.a : separation.b
  const side = frame.swapped ? -1 : 1
  out.distance = separation.distance
  out.ax = from[0]
  out.ay = from[1]
  out.az = from[2]
  out.bx = to[0]
  out.by = to[1]
  out.bz = to[2]
  out.hasNormal = !separation.meet
  // + 0: no negative zeros.
  out.nx = side * normal[0] + 0
  out.ny = side * normal[1] + 0
  out.nz = side * normal[2] + 0
}
