// The query `overlap` of scenes.

import { SceneOverlapRequest, SceneOverlapResponse } from '../../schemas/scene-overlap.ts'
import { compileFilter } from '../scene/filter.ts'
import { type MetBody, queryOverlap } from '../scene/query-overlap.ts'
import { weightAt } from '../scene/view.ts'
import { decodeProbe, giveBack } from '../wire/decode-probe.ts'
import { isProblem } from '../wire/decode-problem.ts'
import { encodeMetBody } from '../wire/encode-scene-contact.ts'
import { PROBE_PROBLEMS } from '../wire/problem-lists.ts'
import { mapInSlices, resultLimit, type SceneQuery } from './scene-query.ts'

export const sceneOverlapQuery: SceneQuery<typeof SceneOverlapRequest, typeof SceneOverlapResponse> = {
  op: 'overlap',
  summary: 'What does a place or a body meet?',
  description:
    'A point, a box, a body, or one of the scene’s bodies, where it stands or elsewhere. Touching counts, decided as exactly as for two bodies by themselves.',
  request: SceneOverlapRequest,
  response: SceneOverlapResponse,
  advice: 'Ask about a smaller place, filter, or leave contacts out.',
  problems: PROBE_PROBLEMS,
  mayBeLong: true,
  *answer(view, request, limits) {
    const decoded = yield* decodeProbe(view, request, limits)
    if (isProblem(decoded)) return decoded
    const { body: probe, slot, far } = decoded
    const accepts = compileFilter(view, request.filter, slot)
    const { contacts = false } = request
    const query = { probe, far, accepts, contacts, limit: resultLimit(request, limits) }
    const { bodies, truncated } = yield* queryOverlap(view, query)
    const weigh = ({ slot: other }: MetBody) => (contacts ? weightAt(view, other) : 0)
    const met = yield* mapInSlices(bodies, (body) => encodeMetBody(view, body, probe), weigh)
    giveBack(decoded)
    return { version: view.version, bodies: met, truncated }
  },
}
