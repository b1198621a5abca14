// The query `time-of-impact` of scenes.

import type { Vec2, Vec3 } from '../../../schemas/vector.ts'
import type { Want } from '../../core/want.ts'
import { queryTimeOfImpact } from '../../scene/queries/time-of-impact.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import type { Kinds, Plane, Space } from '../../scene/state/geometry.ts'
import type { View } from '../../scene/state/view.ts'
import { checkDuration } from '../../wire/body.ts'
import { SCENE_QUERY_PROBLEMS } from '../../wire/problem-lists.ts'
import {
  mapInSlices,
  resultLimit,
  type SceneInBoth,
  type SceneQueryLimits,
  type Selection,
} from '../ask/scene-query.ts'
import { PLANE, SPACE, type ToVector } from '../stateless/geometry.ts'
import { encodeImpact } from '../stateless/time-of-impact.ts'

interface Request extends Selection {
  duration: number
  ignoreSeparating?: boolean
  want?: Want
}

function query<K extends Kinds & { impact: Parameters<typeof encodeImpact>[0] }, Vector>(vector: ToVector<Vector>) {
  return {
    summary: 'When do the moving bodies of the scene first touch others?',
    description:
      'Gives the first impact of every pair within the duration, as if each pair were alone: bodies go on through each other. However fast or thin they are, an impact is not missed.',
    advice: 'Ask for a shorter duration, or filter.',
    problems: [...SCENE_QUERY_PROBLEMS, 'coordinate-out-of-range' as const],
    mayBeLong: true,
    *answer(view: View<K>, request: Request, limits: SceneQueryLimits) {
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
        ...encodeImpact(found, duration, want, vector),
      }))
      return { version: view.version, impacts: encoded, truncated }
    },
  }
}

export const sceneTimeOfImpactQuery: SceneInBoth<'time-of-impact'> = {
  2: query<Plane, Vec2>(PLANE.vector),
  3: query<Space, Vec3>(SPACE.vector),
}
