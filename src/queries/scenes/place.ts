// The query `place` of scenes.

import { X, Y } from '../../core2d/shape/body.ts'
import { queryPlace } from '../../scene/queries/place.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import { checkBounded, decodeMover, giveBack } from '../../wire/decode-probe.ts'
import { isProblem } from '../../wire/decode-problem.ts'
import { encodeVec2 } from '../../wire/encode.ts'
import { PROBE_PROBLEMS } from '../../wire/problem-lists.ts'
import type { SceneQueryOf } from '../ask/scene-query.ts'

export const scenePlaceQuery: SceneQueryOf<'place'> = {
  summary: 'Where is the nearest free place for a body?',
  description:
    'Gives the free place that is nearest to the one wished, among all within maxDistance: beyond what is in the way, in gaps that the body just fits into, and where it is if that is free. Free is where it overlaps nothing; it may touch. Nothing is moved by asking.',
  advice: 'Give a smaller maxDistance, or filter.',
  problems: [...PROBE_PROBLEMS, 'shape-unbounded'],
  *answer(view, request, limits) {
    const { maxDistance = Infinity, filter } = request
    const decoded = yield* decodeMover(view, request, limits)
    if (isProblem(decoded)) return decoded
    const { body, slot, describe } = decoded
    const unbounded = checkBounded(request, decoded)
    if (unbounded !== null) return unbounded
    const { numbers } = body
    const x = numbers[X]
    const y = numbers[Y]
    const accepts = compileFilter(view, filter, slot)
    const { found, distance, exact } = yield* queryPlace(view, { body, describe, maxDistance, accepts })
    const position = encodeVec2(body.numbers[X], body.numbers[Y])
    giveBack(decoded)
    const { version } = view
    if (!found) return { version, position: null, translation: null, distance: null, exact, truncated: false }
    return {
      version,
      position,
      translation: encodeVec2(position.x - x, position.y - y),
      distance,
      exact,
      truncated: false,
    }
  },
}
