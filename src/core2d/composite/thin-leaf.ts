/** Which leaves of composites have no inside of their own. */

import type { Composite } from '../shape/body.ts'
import { isCored } from '../shape/kinds.ts'

/** Whether the leaf is a point, a segment or an edge: it can be inside an outline and penetrate none of its edges. */
export function isThinLeaf({ parts, leafPart }: Composite, leaf: number): boolean {
  const { outline, body } = parts[leafPart[leaf]]
  return outline !== null || (isCored(body) && body.count <= 2 && body.radius === 0)
}
