// The query `time-of-impact` of scenes.

import { queryTimeOfImpact } from '../../scene/queries/time-of-impact.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import { checkDuration } from '../../wire/body.ts'
import { encodeVec2 } from '../../wire/encode.ts'
import { SCENE_QUERY_PROBLEMS } from '../../wire/problem-lists.ts'
import { mapInSlices, resultLimit, type SceneQueryOf } from '../ask/scene-query.ts'
import { encodeImpact } from '../stateless/time-of-impact.ts'

export const sceneTimeOfImpactQuery: SceneQueryOf<'time-of-impact'> = {
  summary: 'When do the moving bodies of the scene first touch others?',
  description:
    'Gives the first impact of every pair within the duration, as if each pair were alone: bodies go on through each other. However fast or thin they are, an impact is not missed.',
  advice: 'Ask for a shorter duration, or filter.',
  problems: [...SCENE_QUERY_PROBLEMS, 'coordinate-out-of-range'],
  mayBeLong: true,
  *answer(view, request, limits) {
    const { duration, ignoreSeparating = false, want = 'exit', filter } = request
    const problem = checkDuration(duration)
    if (problem !== null) return problem
    const query = {
      duration,
      ignoreSeparating,
      want,
      accepts: compileFilter(view, filter),
      limit: resultLimit(request, limits),
    }
    const { impacts, truncated } = yield* queryTimeOfImpact(view, query)
    const encoded = yield* mapInSlices(impacts, ({ idA, idB, found }) => ({
      a: idA,
      b: idB,
      ...encodeImpact(found, duration, want, encodeVec2),
    }))
    return { version: view.version, impacts: encoded, truncated }
  },
}
