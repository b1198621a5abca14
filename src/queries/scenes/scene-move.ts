// The query `move` of scenes.

import { queryMove } from '../../scene/queries/move.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import { isProblem } from '../../wire/problems/decode-problem.ts'
import { PROBE_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import { checkClimb, climbOf } from '../../wire/scenes/decode-climb.ts'
import { checkBounded, checkPoint, decodeMover, giveBack } from '../../wire/scenes/decode-probe.ts'
import { encodeMove } from '../../wire/scenes/encode-scene-move.ts'
import { resultLimit, type SceneQueryOf } from '../ask/scene-query.ts'

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
    const { body, slot, far } = decoded
    const unbounded = checkBounded(request, body)
    if (unbounded !== null) return unbounded
    const accepts = compileFilter(view, filter, slot)
    const { x: dx, y: dy } = translation
    const limit = resultLimit(request, limits)
    const climb = climbOf(request)
    const query = { body, far, dx, dy, maxSlides, climb, accepts, mostContacts: limit }
    const answer = yield* queryMove(view, query)
    giveBack(decoded)
    return { version: view.version, ...encodeMove(answer, limit) }
  },
}
