// The query `shape-cast` of scenes.

import { createMotion } from '../../core2d/shape/motion.ts'
import { queryShapeCast } from '../../scene/queries/shape-cast.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import { bodyAt, weightAt } from '../../scene/state/view.ts'
import { decodeMover, giveBack } from '../../wire/decode-probe.ts'
import { isProblem } from '../../wire/decode-problem.ts'
import { PROBE_PROBLEMS } from '../../wire/problem-lists.ts'
import { mapInSlices, resultLimit, type SceneQueryOf } from '../ask/scene-query.ts'
import { decodeCastMotion, encodeCast } from '../stateless/shape-cast.ts'

export const sceneShapeCastQuery: SceneQueryOf<'shape-cast'> = {
  summary: 'What does a body hit on its way through the scene?',
  description:
    'A body, or one of the scene’s, moves along a translation, and turns if asked; the scene’s bodies stand still. Touching is hitting.',
  advice: 'Ask for a shorter motion, filter, or ask for the closest hit only.',
  problems: PROBE_PROBLEMS,
  mayBeLong: true,
  *answer(view, request, limits) {
    const { mode = 'closest', ignoreSeparating = false, want = 'exit', filter } = request
    const motion = createMotion()
    const decoded = decodeCastMotion(request, motion) ?? (yield* decodeMover(view, request, limits))
    if (isProblem(decoded)) return decoded
    const { body, slot, describe } = decoded
    const accepts = compileFilter(view, filter, slot)
    const limit = resultLimit(request, limits)
    const query = { body, describe, motion, mode, ignoreSeparating, want, accepts, limit }
    const { hits, truncated } = yield* queryShapeCast(view, query)
    const length = Math.hypot(motion.vx, motion.vy)
    const encode = ({ id, slot: target, hit }: (typeof hits)[0]) => ({
      id,
      ...encodeCast(hit, bodyAt(view, target), length, want),
    })
    const encoded = yield* mapInSlices(hits, encode, ({ slot: target }) => weightAt(view, target))
    giveBack(decoded)
    return { version: view.version, hits: encoded, truncated }
  },
}
