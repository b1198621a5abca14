// The query `nearest` of scenes.

import { type NearBody, queryNearest } from '../../scene/queries/nearest.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import { decodeProbe, giveBack } from '../../wire/decode-probe.ts'
import { isProblem } from '../../wire/decode-problem.ts'
import { encodeVec2 } from '../../wire/encode.ts'
import { PROBE_PROBLEMS } from '../../wire/problem-lists.ts'
import { mapInSlices, resultLimit, type SceneQueryOf } from '../ask/scene-query.ts'
import { encodeDistance } from '../stateless/distance.ts'

const encode = ({ id, distance }: NearBody) => ({ id, ...encodeDistance(distance, encodeVec2) })

export const sceneNearestQuery: SceneQueryOf<'nearest'> = {
  summary: 'Which bodies are nearest to a place or a body?',
  description:
    'By exact distance: 0 for bodies that meet it, touching or overlapping. With the nearest points and the direction between them.',
  advice: 'Ask for fewer bodies, or filter.',
  problems: PROBE_PROBLEMS,
  mayBeLong: true,
  *answer(view, request, limits) {
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
