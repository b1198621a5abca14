// The query `line-of-sight` of scenes.

import type { SceneLineOfSightRequest, SceneSight, SceneSightTarget } from '../../../schemas/scenes/line-of-sight.ts'
import { queryLineOfSight, type Sight, type SightTarget } from '../../scene/queries/line-of-sight.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import { type PlaneView, poseAt } from '../../scene/state/view.ts'
import { checkOneOf, checkPoint, findSceneBody } from '../../wire/decode-probe.ts'
import { checkLength, type DecodeProblem, isProblem, under } from '../../wire/decode-problem.ts'
import { encodeVec2, finite } from '../../wire/encode.ts'
import { SCENE_QUERY_PROBLEMS } from '../../wire/problem-lists.ts'
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

/** A point, with the slot of the body that it is of, −1 for none. */
function decodeEye(view: PlaneView, request: SceneSightTarget): SightTarget | DecodeProblem {
  const problem = checkOneOf(request, ['point', 'bodyId'])
  if (problem !== null) return problem
  const { point, bodyId } = request
  if (point !== undefined) return checkPoint(point, '/point') ?? { ...point, slot: -1 }
  const slot = findSceneBody(view, bodyId as string, '/bodyId')
  if (typeof slot !== 'number') return slot
  const [x, y] = poseAt(view, slot)
  return { x, y, slot }
}

/** The first problem has pointers into the request. */
function decodeSightTargets(
  view: PlaneView,
  targets: readonly SceneSightTarget[],
  { maxTargets: limit }: { maxTargets: number },
): SightTarget[] | DecodeProblem {
  const problem = checkLength('targets', targets, 'too-many-targets', limit)
  if (problem !== null) return problem
  const decoded: SightTarget[] = []
  for (let i = 0; i < targets.length; i++) {
    const target = decodeEye(view, targets[i])
    if (isProblem(target)) return under(`/targets/${i}`, target)
    decoded.push(target)
  }
  return decoded
}

function encodeSight({ visible, distance, x, y, occluders, truncated }: Sight): SceneSight {
  return {
    visible,
    distance: finite(distance),
    point: encodeVec2(x, y),
    occluders: occluders.map(({ id, hit }) => {
      return { id, distance: finite(hit.distance), point: encodeVec2(hit.x, hit.y) }
    }),
    truncated,
  }
}
