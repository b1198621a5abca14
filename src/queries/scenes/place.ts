// The query `place` of scenes.

import type { ProblemCode } from '../../../schemas/problem.ts'
import type { Vec2, Vec3 } from '../../../schemas/vector.ts'
import { queryPlace } from '../../scene/queries/place.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import type { Kinds } from '../../scene/state/geometry.ts'
import type { View } from '../../scene/state/view.ts'
import { checkBounded, decodeMover, giveBack, type ProbeRequest } from '../../wire/decode-probe.ts'
import { isProblem } from '../../wire/decode-problem.ts'
import { encodeVec2, encodeVec3 } from '../../wire/encode.ts'
import { PROBE_3D_PROBLEMS, PROBE_PROBLEMS } from '../../wire/problem-lists.ts'
import type { SceneInBoth, SceneQueryLimits, Selection } from '../ask/scene-query.ts'

interface Request extends Pick<ProbeRequest, 'body' | 'bodyId' | 'pose'>, Selection {
  maxDistance?: number
}

function query<Vector>(problems: readonly ProblemCode[], vector: (numbers: readonly number[]) => Vector) {
  return {
    summary: 'Where is the nearest free place for a body?',
    description:
      'Gives the free place that is nearest to the one wished, among all within maxDistance: beyond what is in the way, in gaps that the body just fits into, and where it is if that is free. Free is where it overlaps nothing; it may touch. Nothing is moved by asking.',
    advice: 'Give a smaller maxDistance, or filter.',
    problems: [...problems, 'shape-unbounded'] as const,
    *answer<K extends Kinds>(view: View<K>, request: Request, limits: SceneQueryLimits) {
      const { maxDistance = Infinity, filter } = request
      const decoded = yield* decodeMover(view, request, limits)
      if (isProblem(decoded)) return decoded
      const { body, slot, describe } = decoded
      const unbounded = checkBounded(request, decoded)
      if (unbounded !== null) return unbounded
      const { geometry } = view.table
      const wished = geometry.positionOf(body)
      const accepts = compileFilter(view, filter, slot)
      const { found, distance, exact } = yield* queryPlace(view, { body, describe, maxDistance, accepts })
      const place = geometry.positionOf(body)
      giveBack(decoded)
      const { version } = view
      if (!found) return { version, position: null, translation: null, distance: null, exact, truncated: false }
      const position = vector(place)
      const way = place.map((x, k) => x - wished[k])
      return { version, position, translation: vector(way), distance, exact, truncated: false }
    },
  }
}

export const scenePlaceQuery: SceneInBoth<'place'> = {
  2: query<Vec2>(PROBE_PROBLEMS, ([x, y]) => encodeVec2(x, y)),
  3: query<Vec3>(PROBE_3D_PROBLEMS, ([x, y, z]) => encodeVec3(x, y, z)),
}
