// A direction, of which only where it points matters.

import type { Vec2 } from '../../../schemas/vector.ts'
import { type DecodeProblem, inRange, problemAt, vectorOutOfRange } from '../problems/decode-problem.ts'

/** Null when all is well. */
export function checkDirection(direction: Vec2): DecodeProblem | null {
  if (!inRange(direction.x) || !inRange(direction.y)) return vectorOutOfRange(direction, '/direction', 'Directions')
  if (direction.x !== 0 || direction.y !== 0) return null
  return problemAt('/direction', 'direction-zero', 'The direction must not be the zero vector.')
}
