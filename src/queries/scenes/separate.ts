// The query `separate` of scenes.

import type { ProblemCode } from '../../../schemas/problem.ts'
import type { SceneSeparation } from '../../../schemas/scenes/separate.ts'
import type { Vec2, Vec3 } from '../../../schemas/vector.ts'
import { querySeparate, type Separated } from '../../scene/queries/separate.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import type { Kinds } from '../../scene/state/geometry.ts'
import type { View } from '../../scene/state/view.ts'
import { checkBounded, decodeMover, giveBack, type ProbeRequest } from '../../wire/decode-probe.ts'
import { isProblem } from '../../wire/decode-problem.ts'
import { encodeVec2, encodeVec3 } from '../../wire/encode.ts'
import { PROBE_3D_PROBLEMS, PROBE_PROBLEMS } from '../../wire/problem-lists.ts'
import { resultLimit, type SceneInBoth, type SceneQueryLimits, type Selection } from '../ask/scene-query.ts'

interface Request extends Pick<ProbeRequest, 'body' | 'bodyId' | 'pose'>, Selection {}

function query<Vector>(problems: readonly ProblemCode[], vector: (numbers: readonly number[]) => Vector) {
  return {
    summary: 'How does a body get out of everything that it overlaps?',
    description:
      'Gives the least translation of the body, or of one of the scene’s, after which it overlaps nothing; what it would be pushed into counts too. Nothing is moved by asking.',
    advice: 'Filter, so that fewer bodies are in the way.',
    problems: [...problems, 'shape-unbounded'] as const,
    mayBeLong: true,
    *answer<K extends Kinds>(view: View<K>, request: Request, limits: SceneQueryLimits) {
      const decoded = yield* decodeMover(view, request, limits)
      if (isProblem(decoded)) return decoded
      const { body, slot, describe } = decoded
      const unbounded = checkBounded(request, decoded)
      if (unbounded !== null) return unbounded
      const found = yield* querySeparate(view, body, compileFilter(view, request.filter, slot), describe)
      const position = vector(view.table.geometry.positionOf(body))
      giveBack(decoded)
      const limit = resultLimit(request, limits)
      const { bodies, ...way } = encodeSeparationAs(found, vector)
      const truncated = bodies.length > limit
      return { version: view.version, ...way, bodies: bodies.slice(0, limit), position, truncated }
    },
  }
}

export const sceneSeparateQuery: SceneInBoth<'separate'> = {
  2: query<Vec2>(PROBE_PROBLEMS, ([x, y]) => encodeVec2(x, y)),
  3: query<Vec3>(PROBE_3D_PROBLEMS, ([x, y, z]) => encodeVec3(x, y, z)),
}

/** The way out of what a body overlaps; `found` is null where it overlaps nothing. */
export function encodeSeparation(found: Separated | null): SceneSeparation {
  return encodeSeparationAs(found, ([x, y]) => encodeVec2(x, y))
}

/** The same in either dimension. */
export function encodeSeparationAs<V>(found: Separated | null, vector: (way: readonly number[]) => V) {
  if (found === null) return { separated: true, translation: vector([0, 0, 0]), exact: true, bodies: [] }
  const { separated, dx, dy, dz = 0, exact, ids } = found
  return { separated, translation: vector([dx, dy, dz]), exact, bodies: ids }
}
