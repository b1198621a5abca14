// A direction in space, of which only where it points matters.

import type { Vec3 } from '../../../schemas/vector.ts'
import { isVectorInRange, vectorOutOfRange } from '../bodies/body-3d.ts'
import { type DecodeProblem, problemAt } from '../problems/decode-problem.ts'

/** Null when all is well. */
export function checkDirection(direction: Vec3): DecodeProblem | null {
  if (!isVectorInRange(direction)) return vectorOutOfRange(direction, '/direction', 'Directions')
  if (direction.x !== 0 || direction.y !== 0 || direction.z !== 0) return null
  return problemAt('/direction', 'direction-zero', 'The direction must not be the zero vector.')
}
