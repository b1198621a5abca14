// core bounds record → wire answer.

import type { BoundsCorner, BoundsResponse } from '../../../schemas/queries/bounds.ts'
import type { Bounds } from '../../core2d/measures/bounds.ts'

export function encodeBounds({ minX, minY, maxX, maxY }: Bounds): BoundsResponse {
  return { min: encodeCorner(minX, minY), max: encodeCorner(maxX, maxY) }
}

function encodeCorner(x: number, y: number): BoundsCorner {
  return { x: encodeSide(x), y: encodeSide(y) }
}

/** Infinity stands for a missing side; NaN for a fault, which is not let out. */
export function encodeSide(value: number): number | null {
  if (Number.isNaN(value)) throw new RangeError('A bound is not a number')
  return Number.isFinite(value) ? value : null
}
