// The query `move` of scenes.

import type { SceneMoveRequest, SceneMoveResponse } from '../../../schemas/scenes/move.ts'
import { type MoveAnswer, type MoveQuery, queryMove } from '../../scene/queries/move.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import { checkBounded, checkPoint, decodeMover, giveBack } from '../../wire/decode-probe.ts'
import { type DecodeProblem, inRange, isProblem, problemAt, vectorOutOfRange } from '../../wire/decode-problem.ts'
import { encodeVec2 } from '../../wire/encode.ts'
import { PROBE_PROBLEMS } from '../../wire/problem-lists.ts'
import { resultLimit, type SceneQueryOf } from '../ask/scene-query.ts'
import { encodeSeparation } from './separate.ts'

const DEFAULT_MAX_SLIDES = 8

export const sceneMoveQuery: SceneQueryOf<'move'> = {
  summary: 'How far does a character get?',
  description:
    'It goes until it meets something, and slides along that with what is left of the motion. It never ends inside a body, goes through none, however fast it is, and does not catch on the seams of tiles. Where it stands in something it first gets out, as separate has it. Bodies that it only touches do not hold it, but it slips through no seam between bodies that touch. A line has no inside: what lies on one may leave it to either side, and the line is among the contacts; what has come to one stays next to it, on its side. Nothing is moved by asking.',
  advice: 'Ask for a shorter translation or fewer slides, or filter.',
  problems: [...PROBE_PROBLEMS, 'shape-unbounded', 'direction-zero'],
  mayBeLong: true,
  *answer(view, request, limits) {
    const { translation, maxSlides = DEFAULT_MAX_SLIDES, filter } = request
    const decoded =
      checkPoint(translation, '/translation') ?? checkClimb(request) ?? (yield* decodeMover(view, request, limits))
    if (isProblem(decoded)) return decoded
    const { body, slot, describe } = decoded
    const unbounded = checkBounded(request, decoded)
    if (unbounded !== null) return unbounded
    const accepts = compileFilter(view, filter, slot)
    const { x: dx, y: dy } = translation
    const limit = resultLimit(request, limits)
    const climb = climbOf(request)
    const query = { body, describe, dx, dy, maxSlides, climb, accepts, mostContacts: limit }
    const answer = yield* queryMove(view, query)
    giveBack(decoded)
    return { version: view.version, ...encodeMove(answer, limit) }
  },
}

type Climb = Pick<SceneMoveRequest, 'up' | 'maxSlope'>

/** The problem of an `up` that has no `maxSlope` or no direction, or null. */
function checkClimb({ up, maxSlope }: Climb): DecodeProblem | null {
  if (up === undefined) return null
  if (maxSlope === undefined) return problemAt('/up', 'schema-violation', 'up is for a maxSlope, which is missing.')
  if (!inRange(up.x) || !inRange(up.y)) return vectorOutOfRange(up, '/up', 'Directions')
  if (up.x !== 0 || up.y !== 0) return null
  return problemAt('/up', 'direction-zero', 'The direction must not be the zero vector.')
}

/** How steep the body climbs; null where any slope will do. */
function climbOf({ up = { x: 0, y: 1 }, maxSlope }: Climb): MoveQuery['climb'] {
  // An upright surface, or one that hangs over, leads up at none.
  if (maxSlope === undefined || maxSlope >= Math.PI) return null
  const length = Math.hypot(up.x, up.y)
  return { upX: up.x / length, upY: up.y / length, maxSlope }
}

/** `limit`: most contacts, and most bodies that it stood in. */
function encodeMove(
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
