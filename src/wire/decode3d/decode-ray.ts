/**
 * Wire ray → core ray, in space, or the problem with the place it lies at (relative to the ray).
 *
 * The direction may have any length that a double can have: it is scaled by a power of two before anything is decided.
 * maxDistance may be any length; one that no coordinate can reach is as good as none.
 */
import type { RayDefinition3d } from '../../../schemas/queries/ray-cast.ts'
import { type Ray, setDirection } from '../../core3d/ray/ray-line.ts'
import { isVectorInRange, vectorOutOfRange } from '../bodies/body-3d.ts'
import { type DecodeProblem, problemAt } from '../problems/decode-problem.ts'

/** Fills `out`; null when all is well. */
export function decodeRay({ origin, direction, maxDistance }: RayDefinition3d, out: Ray): DecodeProblem | null {
  if (!isVectorInRange(origin)) return vectorOutOfRange(origin, '/origin')
  if (direction.x === 0 && direction.y === 0 && direction.z === 0) {
    const detail = 'The direction of a ray must not be the zero vector.'
    return problemAt('/direction', 'ray-direction-zero', detail)
  }
  out.ox = origin.x
  out.oy = origin.y
  out.oz = origin.z
  setDirection(out, direction.x, direction.y, direction.z)
  out.maxDistance = maxDistance ?? Infinity
  return null
}
