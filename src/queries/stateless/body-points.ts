// How much there is of a body, as far as the time that a question about it takes is concerned.

import { type Body, COMPOSITE, type Composite, ELLIPSE } from '../../core2d/shape/body.ts'

/** What an ellipse counts for. */
const ELLIPSE_POINTS = 128

/** Its points; of a composite the leaves. */
export function bodyPoints({ kind, composite, count }: Body): number {
  if (kind === COMPOSITE) return (composite as Composite).leafCount
  return kind === ELLIPSE ? ELLIPSE_POINTS : Math.max(1, count)
}
