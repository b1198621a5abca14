/**
 * Wire ray → core ray, or the problem with the place it lies at (relative to the ray).
 *
 * The direction may be much longer or shorter than any coordinate: the core scales it. maxDistance may be any length; one
 * that no coordinate can reach is as good as none.
 */
import type { RayDefinition } from '../../schemas/ray-cast.ts'
import { vectorLength } from '../core2d/body.ts'
import type { Ray } from '../core2d/ray-cast.ts'
import { type DecodeProblem, inRange, problemAt, vectorOutOfRange } from './decode-problem.ts'

/** Lengths of the direction between which `fraction` neither over- nor underflows. */
const MIN_DIRECTION_LENGTH = 1e-160
const MAX_DIRECTION_LENGTH = 1e160

/** Fills `out`; null when all is well. */
export function decodeRay(wire: RayDefinition, out: Ray): DecodeProblem | null {
  const { origin, direction, maxDistance } = wire
  if (!inRange(origin.x) || !inRange(origin.y)) return vectorOutOfRange(origin, '/origin')
  const length = vectorLength(direction.x, direction.y)
  if (length === 0) {
    const detail = 'The direction of a ray must not be the zero vector.'
    return problemAt('/direction', 'ray-direction-zero', detail)
  }
  if (length < MIN_DIRECTION_LENGTH || length > MAX_DIRECTION_LENGTH) {
    const limit = length < MIN_DIRECTION_LENGTH ? MIN_DIRECTION_LENGTH : MAX_DIRECTION_LENGTH
    const detail = `The direction must be from ${MIN_DIRECTION_LENGTH} to ${MAX_DIRECTION_LENGTH} long, got length ${length}.`
    return problemAt('/direction', 'ray-direction-out-of-range', detail, { limit, actual: length })
  }
  out.ox = origin.x
  out.oy = origin.y
  out.dx = direction.x
  out.dy = direction.y
  out.maxDistance = maxDistance ?? Infinity
  return null
}
