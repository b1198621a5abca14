// Edges within an outline, as one part.

import type { DrawnPart, DrawnRing } from '../marks/outline.ts'

/** None of no rings. */
export function linesOf(rings: DrawnRing[], line: 'inner' | 'hidden'): DrawnPart[] {
  return rings.length === 0 ? [] : [{ kind: 'path', filled: false, rings, line }]
}
