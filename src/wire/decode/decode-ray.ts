/**
 * Wire ray → core ray, or the problem with the place it lies at (relative to the ray).
 *
 * The direction may have any length that a double can have: it is scaled by a power of two before anything is decided.
 * maxDistance may be any length; one that no coordinate can reach is as good as none.
 */
import type { RayDefinition } from '../../../schemas/queries/ray-cast.ts'
import type { Ray } from '../../core2d/ray/ray-cast.ts'
import { setDirection } from '../../core2d/ray/ray-line.ts'
import { type DecodeProblem, inRange, problemAt, vectorOutOfRange } from '../problems/decode-problem.ts'

/** Fills `out`; null when all is well. */
export function decodeRay(wire: RayDefinition, out: Ray): DecodeProblem | null {
  const { origin, direction, maxDistance } = wire
  if (!inRange(origin.x) || !inRange(origin.y)) return vectorOutOfRange(origin, '/origin')
  if (direction.x === 0 && direction.y === 0) {
    const detail = 'The direction of a ray must not be the zero vector.'
    return problemAt('/direction', 'ray-direction-zero', detail)
  }
  out.ox = origin.x
  out.oy = origin.y
  setDirection(out, direction.x, direction.y)
  out.maxDistance = maxDistance ?? Infinity
  return null
}
