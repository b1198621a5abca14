// The query `line-of-sight` of scenes.

import type { Vec2, Vec3 } from '../../../schemas/vector.ts'
import { queryLineOfSight, type Sight, type SightTarget } from '../../scene/queries/line-of-sight.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import type { Kinds, Plane, Space } from '../../scene/state/geometry.ts'
import { poseAt, type View } from '../../scene/state/view.ts'
import { checkOneOf, checkPoint, findSceneBody } from '../../wire/decode-probe.ts'
import { checkLength, type DecodeProblem, isProblem, under } from '../../wire/decode-problem.ts'
import { finite } from '../../wire/encode.ts'
import { SCENE_QUERY_PROBLEMS } from '../../wire/problem-lists.ts'
import {
  mapInSlices,
  resultLimit,
  type SceneInBoth,
  type SceneQueryLimits,
  type Selection,
} from '../ask/scene-query.ts'
import { PLANE, SPACE, type ToVector } from '../stateless/geometry.ts'

interface WireTarget {
  point?: Vec2 | Vec3
  bodyId?: string
}

interface Request extends WireTarget, Selection {
  targets: readonly WireTarget[]
}

function query<K extends Kinds, Vector>(vector: ToVector<Vector>) {
  const toVector = ([x, y, z]: readonly number[]) => vector(x, y, z)
  return {
    summary: 'What can be seen from here, and what is in the way?',
    description:
      'Looks at each target along a straight line. A body is looked at where its position is; what the line meets before the target, touching included, is in the way, and named.',
    advice: 'Ask about fewer targets, or filter.',
    problems: [
      ...SCENE_QUERY_PROBLEMS,
      'body-not-found' as const,
      'too-many-targets' as const,
      'coordinate-out-of-range' as const,
    ],
    mayBeLong: true,
    *answer(view: View<K>, request: Request, limits: SceneQueryLimits) {
      const eye = decodeEye(view, request)
      if (isProblem(eye)) return eye
      const targets = decodeSightTargets(view, request.targets, limits)
      if (isProblem(targets)) return targets
      const accepts = compileFilter(view, request.filter, eye.slot)
      const query = { from: eye.point, targets, accepts, limit: occluderLimit(request, limits) }
      const { geometry } = view.table
      const encode = ({ visible, distance, point, occluders, truncated }: Sight<K>) => ({
        visible,
        distance: finite(distance),
        point: toVector(point),
        occluders: occluders.map(({ id, hit }) => {
          return { id, distance: finite(hit.distance), point: toVector(geometry.pointOf(hit)) }
        }),
        truncated,
      })
      const sights = yield* mapInSlices(yield* queryLineOfSight(view, query), encode)
      return { version: view.version, sights, truncated: sights.some(({ truncated }) => truncated) }
    },
  }
}

export const sceneLineOfSightQuery: SceneInBoth<'line-of-sight'> = {
  2: query<Plane, Vec2>(PLANE.vector),
  3: query<Space, Vec3>(SPACE.vector),
}

/** Of each target: all of them together have no more than there are results. */
function occluderLimit(request: Request, limits: SceneQueryLimits): number {
  const share = Math.floor(limits.maxResults / Math.max(1, request.targets.length))
  return Math.min(resultLimit(request, limits), Math.max(1, share))
}

/** A point, with the slot of the body that it is of, −1 for none. */
function decodeEye(view: View, request: WireTarget): SightTarget | DecodeProblem {
  const problem = checkOneOf(request, ['point', 'bodyId'])
  if (problem !== null) return problem
  const { point, bodyId } = request
  if (point !== undefined) {
    const [x, y, z] = [point.x, point.y, 'z' in point ? point.z : 0]
    return checkPoint(point, '/point') ?? { point: [x, y, z], slot: -1 }
  }
  const slot = findSceneBody(view, bodyId as string, '/bodyId')
  if (typeof slot !== 'number') return slot
  return { point: [...poseAt(view, slot).subarray(0, view.table.geometry.axes)], slot }
}

/** The first problem has pointers into the request. */
function decodeSightTargets(
  view: View,
  targets: readonly WireTarget[],
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
