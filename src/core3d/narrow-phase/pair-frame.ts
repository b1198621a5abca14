/**
 * A pair of bodies in one canonical order, with the vector between them.
 *
 * Two bodies are taken in the order of their kinds and numbers, so that swapping them swaps the answer to the last bit. The
 * vector between their anchors is the exact sum of four numbers, rounded once; all rounded work is done with numbers of the pair's
 * own size, wherever in the world it stands.
 * Frame: world axes; (dx, dy, dz) leads from the anchor of the first to that of the second.
 */

import { sumError } from '../../numeric/expansion.ts'
import { isSafeExtent } from '../../numeric/safe-range.ts'
import { ANCHOR, type Body, HALFSPACE, OFFSET, POSITION, REACH } from '../shape/body.ts'
import { pairExponent, scaleBody } from '../shape/body-scaling.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'

export interface PairFrame {
  first: Body
  second: Body
  /** Whether the first is the caller's B. */
  swapped: boolean
  dx: number
  dy: number
  dz: number
  /** No two points of the pair are farther apart; of half-spaces, none that matters. */
  extent: number
  /** Bound on the rounding error of a height. */
  error: number
  /** The bodies are the caller's divided by 2^exponent: lengths of answers have to be multiplied by it. */
  exponent: number
}

/** To be filled before it is read. */
export function createPairFrame(): PairFrame {
  const none = null as never
  return { first: none, second: none, swapped: false, dx: 0, dy: 0, dz: 0, extent: 0, error: 0, exponent: 0 }
}

/** Puts the pair in order. Cost O(1) for pairs that differ in kind, count or place. */
export function orderPair(a: Body, b: Body): PairFrame {
  const swapped = comesAfter(a, b)
  const first = swapped ? b : a
  const second = swapped ? a : b
  const dx = anchorDifference(first, second, 0)
  const dy = anchorDifference(first, second, 1)
  const dz = anchorDifference(first, second, 2)
  const extent = Math.abs(dx) + Math.abs(dy) + Math.abs(dz) + 2 * (first.numbers[REACH] + second.numbers[REACH])
  return { first, second, swapped, dx, dy, dz, extent, error: SEPARATION_ERROR_RATIO * extent, exponent: 0 }
}

/**
 * The pair in order, in a range where products of its lengths neither over- nor underflow: where its extent is not safe, the frame
 * is that of both bodies divided by 2^exponent, as new ones.
 */
export function pairInRange(a: Body, b: Body): PairFrame {
  const frame = orderPair(a, b)
  return isSafeExtent(frame.extent) ? frame : scaledPair(frame, a, b)
}

function scaledPair(frame: PairFrame, a: Body, b: Body): PairFrame {
  const exponent = pairExponent(frame)
  return exponent === 0 ? frame : { ...orderPair(scaleBody(a, exponent), scaleBody(b, exponent)), exponent }
}

/** Whether `a` comes after `b`. */
function comesAfter(a: Body, b: Body): boolean {
  if (a.kind !== b.kind) return a.kind > b.kind
  if (a.count !== b.count) return a.count > b.count
  const end = a.kind === HALFSPACE ? OFFSET + 1 : a.local
  for (let i = 0; i < end; i++) if (a.numbers[i] !== b.numbers[i]) return a.numbers[i] > b.numbers[i]
  return false
}

/** (position + anchor of b) − (position + anchor of a) along axis k, rounded once. */
function anchorDifference(a: Body, b: Body, k: number): number {
  const place = b.numbers[POSITION + k] - a.numbers[POSITION + k]
  const placeRest = sumError(b.numbers[POSITION + k], -a.numbers[POSITION + k], place)
  const anchor = b.numbers[ANCHOR + k] - a.numbers[ANCHOR + k]
  const anchorRest = sumError(b.numbers[ANCHOR + k], -a.numbers[ANCHOR + k], anchor)
  const sum = place + anchor
  return sum + (sumError(place, anchor, sum) + (placeRest + anchorRest))
}

// The result of the narrow phase about a pair in order: the sign of its separation, and its nearest points.

/** −1 overlapping, 0 touching, 1 apart. */
export type Relation = -1 | 0 | 1

export interface Separation {
  /** Whether the closed sets have a point in common: exact where the pair's exactness is promised. */
  meet: boolean
  /** Distance of the surfaces, 0 where they meet. */
  distance: number
  /** Nearest points of the surfaces, in the world; one point of both where they meet. */
  a: Float64Array
  b: Float64Array
  /** Unit vector from the first to the second; 0 0 0 where they meet. */
  normal: Float64Array
}

export function createSeparation(): Separation {
  return { meet: false, distance: 0, a: new Float64Array(3), b: new Float64Array(3), normal: new Float64Array(3) }
}
