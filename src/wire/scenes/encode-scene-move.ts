// The way of a character → wire.

import type { SceneMoveResponse } from '../../../schemas/scenes/move.ts'
import type { SceneSeparation } from '../../../schemas/scenes/separate.ts'
import type { MoveAnswer } from '../../scene/queries/move.ts'
import type { Separated } from '../../scene/queries/separate.ts'
import { encodeVec2 } from '../encode/encode-vec2.ts'

/** `limit`: most contacts, and most bodies that it stood in. */
export function encodeMove(
  { path, contacts, restX, restY, status, start }: MoveAnswer,
  limit: number,
): Omit<SceneMoveResponse, 'version'> {
  const separation = encodeSeparation(start)
  const corners = path.map(({ x, y }) => encodeVec2(x, y))
  return {
    status,
    position: corners[corners.length - 1],
    path: corners,
    contacts: contacts.slice(0, limit).map(({ id, x, y, nx, ny }) => {
      return { id, point: encodeVec2(x, y), normal: encodeVec2(nx, ny) }
    }),
    remaining: encodeVec2(restX, restY),
    separation: start === null ? null : { ...separation, bodies: separation.bodies.slice(0, limit) },
    truncated: contacts.length > limit || separation.bodies.length > limit,
  }
}

/** null: there was nothing to get out of. */
export function encodeSeparation(found: Separated | null): SceneSeparation {
  if (found === null) return { separated: true, translation: { x: 0, y: 0 }, exact: true, bodies: [] }
  const { separated, dx, dy, exact, ids } = found
  return { separated, translation: encodeVec2(dx, dy), exact, bodies: ids }
}
