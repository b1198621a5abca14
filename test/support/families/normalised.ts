/** Brings a pair to an extent near 1 by an exact power of two, so that checks in doubles neither overflow nor underflow. */

import type { Vec2 } from '../../../schemas/vector.ts'
import { type MeasuredBody, measuredBody } from '../../oracle/measured-bodies.ts'
import { pairExtent, pairTolerance } from './extent.ts'
import { type Pair, scaledPair } from './pair-families.ts'
import { positionOf } from './transform.ts'

export interface Frame {
  /** Lengths of the pair times k are lengths here. */
  k: number
  a: MeasuredBody
  b: MeasuredBody
  tolerance: number
  /** A world point in this frame. */
  toFrame(x: number, y: number): Vec2
}

/** The pair measured in a frame of its own: A's position is the origin, the extent is between 1 and 2. */
export function frameOf(pair: Pair): Frame {
  const extent = pairExtent(pair.a, pair.b)
  // Not so large that a position overflows.
  const most = 2 ** (1000 - Math.max(0, ...[pair.a, pair.b].map(positionOf).map(exponentOf)))
  const k = extent > 0 ? Math.min(most, 2 ** Math.min(1000, -Math.floor(Math.log2(extent)))) : 1
  const { a, b } = scaledPair(pair, k)
  const reference = positionOf(a)
  return {
    k,
    a: measuredBody(a, reference),
    b: measuredBody(b, reference),
    tolerance: pairTolerance(a, b),
    toFrame: (x, y) => ({ x: x * k - reference.x, y: y * k - reference.y }),
  }
}

function exponentOf({ x, y }: Vec2): number {
  return Math.ceil(Math.log2(Math.max(Math.abs(x), Math.abs(y), 1)))
}

/** Half-planes with nearly opposite normals have their common points at the far end of a wedge. */
export function meetFarAway({ a, b }: Frame): boolean {
  if (a.kind !== 'halfplane' || b.kind !== 'halfplane') return false
  return Math.abs(a.normal.x * b.normal.y - a.normal.y * b.normal.x) < 1e-6
}
