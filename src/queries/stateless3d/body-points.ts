// What a body in space counts for where many are asked about: its points.

import { type Body, HALFSPACE, POINTS } from '../../core3d/shape/body.ts'

/** What a bent body counts for, in points. */
const CURVE_POINTS = 128

export function bodyPoints({ kind, count }: Body): number {
  if (kind === HALFSPACE) return 1
  return kind === POINTS ? count : CURVE_POINTS
}
