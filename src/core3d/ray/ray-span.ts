/**
 * The part of a ray's line that lies in a body: where it enters and leaves, within which bounds that is known, and what it means for
 * the ray.
 *
 * Method: ends are kept as intervals (R. E. Moore, Interval Analysis, 1966). Every ray function fills a span in rounded arithmetic and
 * asks `settle` whether its signs are beyond doubt; where they are not, it calls its exact counterpart.
 * Frame: as in `ray-line.ts`: ends are measured from the anchor's foot, normals are world directions.
 */

import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { RAY_POINT_RATIO } from '../tolerances.ts'
import type { RayLine } from './ray-line.ts'

export const MISS = 0
export const HIT = 1
/** Rounding leaves it open. */
export const UNSURE = 2
export type Verdict = typeof MISS | typeof HIT | typeof UNSURE

/** One end of a span. */
export interface SpanEnd {
  at: number
  /** It lies between these. */
  low: number
  high: number
  nx: number
  ny: number
  nz: number
  /** What of the body lies there: one core point, two, the corners of a face of its surface (`face` ≥ 0), or none of these. */
  first: number
  second: number
  face: number
}

export interface RaySpan {
  /** The ray's origin is in the body. */
  inside: boolean
  /** The ray leaves the body within its length. */
  exits: boolean
  enter: SpanEnd
  leave: SpanEnd
}

function createEnd(): SpanEnd {
  return { at: 0, low: 0, high: 0, nx: 0, ny: 0, nz: 0, first: -1, second: -1, face: -1 }
}

export function createRaySpan(): RaySpan {
  return { inside: false, exits: false, enter: createEnd(), leave: createEnd() }
}

export function setPlace(end: SpanEnd, at: number, slack: number): void {
  end.at = at
  end.low = at - slack
  end.high = at + slack
}

export function setNormal(end: SpanEnd, nx: number, ny: number, nz: number): void {
  end.nx = nx
  end.ny = ny
  end.nz = nz
}

/** Names no core point for the surface, one for a vertex, two for an edge. */
export function setFeature(end: SpanEnd, first: number, second: number): void {
  end.first = first
  end.second = second
  end.face = -1
}

export function setFace(end: SpanEnd, face: number): void {
  end.first = -1
  end.second = -1
  end.face = face
}

/** What a span that is not empty for certain means for the ray. `reach`: of the body. */
export function settle(line: RayLine, span: RaySpan, reach: number): Verdict {
  const { along, floor, maxDistance } = line
  const { enter, leave } = span
  const rounding = 8 * UNIT_ROUNDOFF * (Math.abs(along) + Math.abs(enter.at)) + floor
  const enterLow = along + enter.low - rounding
  const enterHigh = along + enter.high + rounding
  const leaving = 8 * UNIT_ROUNDOFF * (Math.abs(along) + Math.abs(leave.at)) + floor
  const leaveLow = along + leave.low - leaving
  const leaveHigh = along + leave.high + leaving
  if (leaveHigh < 0 || enterLow > maxDistance) return MISS
  if (enterLow > 0) {
    if (enterHigh > maxDistance) return UNSURE
    span.inside = false
  } else if (enterHigh < 0 && leaveLow > 0) span.inside = true
  else return UNSURE
  if (leaveHigh <= maxDistance) span.exits = true
  else if (leaveLow > maxDistance) span.exits = false
  else return UNSURE
  const tolerance = RAY_POINT_RATIO * reach + 4 * rounding
  return enter.high - enter.low > tolerance || leave.high - leave.low > tolerance ? UNSURE : HIT
}
