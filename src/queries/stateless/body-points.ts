// How much there is of a body, as far as the time that a question about it takes is concerned.

import { type Body, COMPOSITE, type Composite } from '../../core2d/shape/body.ts'
import { isCurved } from '../../core2d/shape/kinds.ts'

/** What an ellipse counts for, or another curve. */
const CURVE_POINTS = 128

/** Its points; of a composite the leaves. */
export function bodyPoints(body: Body): number {
  const { kind, composite, count } = body
  if (kind === COMPOSITE) return (composite as Composite).leafCount
  return isCurved(body) ? CURVE_POINTS : Math.max(1, count)
}
