// Which way is up for a character, and how steep it climbs.

import type { SceneMoveRequest } from '../../../schemas/scenes/move.ts'
import type { MoveQuery } from '../../scene/queries/move.ts'
import { type DecodeProblem, inRange, problemAt, vectorOutOfRange } from '../problems/decode-problem.ts'

type Climb = Pick<SceneMoveRequest, 'up' | 'maxSlope'>

/** Null when all is well. */
export function checkClimb({ up, maxSlope }: Climb): DecodeProblem | null {
  if (up === undefined) return null
  if (maxSlope === undefined) return problemAt('/up', 'schema-violation', 'up is for a maxSlope, which is missing.')
  if (!inRange(up.x) || !inRange(up.y)) return vectorOutOfRange(up, '/up', 'Directions')
  if (up.x !== 0 || up.y !== 0) return null
  return problemAt('/up', 'direction-zero', 'The direction must not be the zero vector.')
}

/** Null where any slope will do. */
export function climbOf({ up = { x: 0, y: 1 }, maxSlope }: Climb): MoveQuery['climb'] {
  // An upright surface, or one that hangs over, leads up at none.
  if (maxSlope === undefined || maxSlope >= Math.PI) return null
  const length = Math.hypot(up.x, up.y)
  return { upX: up.x / length, upY: up.y / length, maxSlope }
}
