// The query `line-of-sight` of scenes.

import type { SceneLineOfSightRequest } from '../../../schemas/scenes/line-of-sight.ts'
import { queryLineOfSight } from '../../scene/queries/line-of-sight.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import { isProblem } from '../../wire/problems/decode-problem.ts'
import { SCENE_QUERY_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import { decodeEye, decodeSightTargets } from '../../wire/scenes/decode-sight.ts'
import { encodeSight } from '../../wire/scenes/encode-sight.ts'
import { mapInSlices, resultLimit, type SceneQueryLimits, type SceneQueryOf } from '../ask/scene-query.ts'

/** Of each target: all of them together have no more than there are results. */
function occluderLimit(request: SceneLineOfSightRequest, limits: SceneQueryLimits): number {
  const share = Math.floor(limits.maxResults / Math.max(1, request.targets.length))
  return Math.min(resultLimit(request, limits), Math.max(1, share))
}

export const sceneLineOfSightQuery: SceneQueryOf<'line-of-sight'> = {
  summary: 'What can be seen from here, and what is in the way?',
  description:
    'Looks at each target along a straight line. A body is looked at where its position is; what the line meets before the target, touching included, is in the way, and named.',
  advice: 'Ask about fewer targets, or filter.',
  problems: [...SCENE_QUERY_PROBLEMS, 'body-not-found', 'too-many-targets', 'coordinate-out-of-range'],
  mayBeLong: true,
  *answer(view, request, limits) {
    const eye = decodeEye(view, request)
    if (isProblem(eye)) return eye
    const targets = decodeSightTargets(view, request.targets, limits)
    if (isProblem(targets)) return targets
    const accepts = compileFilter(view, request.filter, eye.slot)
    const query = { fromX: eye.x, fromY: eye.y, targets, accepts, limit: occluderLimit(request, limits) }
    const sights = yield* mapInSlices(yield* queryLineOfSight(view, query), encodeSight)
    return { version: view.version, sights, truncated: sights.some(({ truncated }) => truncated) }
  },
}
