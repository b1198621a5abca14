// The query `shape-cast` of scenes.

import type { ProblemCode } from '../../../schemas/problem.ts'
import type { ShapeCast3dRequest, ShapeCastRequest } from '../../../schemas/queries/shape-cast.ts'
import type { Want } from '../../core/want.ts'
import { queryShapeCast } from '../../scene/queries/shape-cast.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import type { Kinds, Plane, Space } from '../../scene/state/geometry.ts'
import { bodyAt, type View, weightAt } from '../../scene/state/view.ts'
import { decodeMover, giveBack, type ProbeRequest } from '../../wire/decode-probe.ts'
import { type DecodeProblem, isProblem } from '../../wire/decode-problem.ts'
import { PROBE_3D_PROBLEMS, PROBE_PROBLEMS } from '../../wire/problem-lists.ts'
import {
  mapInSlices,
  resultLimit,
  type SceneInBoth,
  type SceneQueryLimits,
  type Selection,
} from '../ask/scene-query.ts'
import { decodeCastMotion, decodeCastMotion3d, encodeCast, encodeCast3d } from '../stateless/shape-cast.ts'
import { shapeIn } from './shapes-of-space.ts'

interface Request extends Pick<ProbeRequest, 'body' | 'bodyId' | 'pose'>, Selection {
  mode?: 'closest' | 'any' | 'all'
  ignoreSeparating?: boolean
  want?: Want
}

interface Core<K extends Kinds, Way, Hit> {
  decodeMotion(request: Way, out: K['motion']): DecodeProblem | null
  /** `length`: of the translation. */
  encode(hit: K['impact'], view: View<K>, slot: number, length: number, want: Want): Hit
}

function query<K extends Kinds, Way, Hit extends object>(
  problems: readonly ProblemCode[],
  { decodeMotion, encode }: Core<K, Way, Hit>,
) {
  return {
    summary: 'What does a body hit on its way through the scene?',
    description:
      'A body, or one of the scene’s, moves along a translation, and turns if asked; the scene’s bodies stand still. Touching is hitting.',
    advice: 'Ask for a shorter motion, filter, or ask for the closest hit only.',
    problems,
    mayBeLong: true,
    *answer(view: View<K>, request: Request & Way, limits: SceneQueryLimits) {
      const { mode = 'closest', ignoreSeparating = false, want = 'exit', filter } = request
      const { geometry } = view.table
      const motion: K['motion'] = geometry.createMotion()
      const decoded = decodeMotion(request, motion) ?? (yield* decodeMover(view, request, limits))
      if (isProblem(decoded)) return decoded
      const { body, slot, describe } = decoded
      const accepts = compileFilter(view, filter, slot)
      const limit = resultLimit(request, limits)
      const query = { body, describe, motion, mode, ignoreSeparating, want, accepts, limit }
      const { hits, truncated } = yield* queryShapeCast(view, query)
      const length = geometry.speed(motion)
      const encodeOne = ({ id, slot: target, hit }: (typeof hits)[0]) => ({
        id,
        ...encode(hit, view, target, length, want),
      })
      const encoded = yield* mapInSlices(hits, encodeOne, ({ slot: target }) => weightAt(view, target))
      giveBack(decoded)
      return { version: view.version, hits: encoded, truncated }
    },
  }
}

type Way<Request extends { translation: unknown; rotation?: unknown }> = Pick<Request, 'translation' | 'rotation'>

export const sceneShapeCastQuery: SceneInBoth<'shape-cast'> = {
  2: query<Plane, Way<ShapeCastRequest>, ReturnType<typeof encodeCast>>(PROBE_PROBLEMS, {
    decodeMotion: decodeCastMotion,
    encode: (hit, view, slot, length, want) => encodeCast(hit, bodyAt(view, slot), length, want),
  }),
  3: query<Space, Way<ShapeCast3dRequest>, ReturnType<typeof encodeCast3d>>(PROBE_3D_PROBLEMS, {
    decodeMotion: decodeCastMotion3d,
    encode: (hit, view, slot, length, want) =>
      encodeCast3d(hit, bodyAt(view, slot), () => shapeIn(view, slot), length, want),
  }),
}
