// The query `nearest` of scenes.

import type { ProblemCode } from '../../../schemas/problem.ts'
import type { Vec2, Vec3 } from '../../../schemas/vector.ts'
import { type NearBody, queryNearest } from '../../scene/queries/nearest.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import type { Kinds, Plane, Space } from '../../scene/state/geometry.ts'
import type { View } from '../../scene/state/view.ts'
import { decodeProbe, giveBack, type ProbeRequest } from '../../wire/decode-probe.ts'
import { isProblem } from '../../wire/decode-problem.ts'
import { PROBE_3D_PROBLEMS, PROBE_PROBLEMS } from '../../wire/problem-lists.ts'
import {
  mapInSlices,
  resultLimit,
  type SceneInBoth,
  type SceneQueryLimits,
  type Selection,
} from '../ask/scene-query.ts'
import { encodeDistance } from '../stateless/distance.ts'
import { PLANE, SPACE, type ToVector } from '../stateless/geometry.ts'

interface Request extends ProbeRequest, Selection {
  count?: number
  maxDistance?: number
}

function query<K extends Kinds & { distance: Parameters<typeof encodeDistance>[0] }, Vector>(
  problems: readonly ProblemCode[],
  vector: ToVector<Vector>,
) {
  const encode = ({ id, distance }: NearBody<K>) => ({ id, ...encodeDistance(distance, vector) })
  return {
    summary: 'Which bodies are nearest to a place or a body?',
    description:
      'By exact distance: 0 for bodies that meet it, touching or overlapping. With the nearest points and the direction between them.',
    advice: 'Ask for fewer bodies, or filter.',
    problems,
    mayBeLong: true,
    *answer(view: View<K>, request: Request, limits: SceneQueryLimits) {
      const decoded = yield* decodeProbe(view, request, limits)
      if (isProblem(decoded)) return decoded
      const { count = 1, maxDistance = Infinity } = request
      const limit = resultLimit(request, limits)
      const accepts = compileFilter(view, request.filter, decoded.slot)
      // One more tells whether any is left out.
      const { body: probe, describe } = decoded
      const query = { probe, describe, count: Math.min(count, limit + 1), maxDistance, accepts }
      const near = yield* queryNearest(view, query)
      const bodies = yield* mapInSlices(near.slice(0, limit), encode)
      giveBack(decoded)
      return { version: view.version, bodies, truncated: near.length > limit }
    },
  }
}

export const sceneNearestQuery: SceneInBoth<'nearest'> = {
  2: query<Plane, Vec2>(PROBE_PROBLEMS, PLANE.vector),
  3: query<Space, Vec3>(PROBE_3D_PROBLEMS, SPACE.vector),
}
