// The query `overlap` of scenes.

import type { SceneMetBody } from '../../../schemas/scenes/overlap.ts'
import type { Body } from '../../core2d/shape/body.ts'
import { type MetBody, queryOverlap } from '../../scene/queries/overlap.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import { bodyAt, type PlaneView, weightAt } from '../../scene/state/view.ts'
import { decodeProbe, giveBack } from '../../wire/decode-probe.ts'
import { isProblem } from '../../wire/decode-problem.ts'
import { PROBE_PROBLEMS } from '../../wire/problem-lists.ts'
import { mapInSlices, resultLimit, type SceneQueryOf } from '../ask/scene-query.ts'
import { encodeContact } from '../stateless/contact.ts'

export const sceneOverlapQuery: SceneQueryOf<'overlap'> = {
  summary: 'What does a place or a body meet?',
  description:
    'A point, a box, a body, or one of the scene’s bodies, where it stands or elsewhere. Touching counts, decided as exactly as for two bodies by themselves.',
  advice: 'Ask about a smaller place, filter, or leave contacts out.',
  problems: PROBE_PROBLEMS,
  mayBeLong: true,
  *answer(view, request, limits) {
    const decoded = yield* decodeProbe(view, request, limits)
    if (isProblem(decoded)) return decoded
    const { body: probe, slot, describe } = decoded
    const accepts = compileFilter(view, request.filter, slot)
    const { contacts = false } = request
    const query = { probe, describe, accepts, contacts, limit: resultLimit(request, limits) }
    const { bodies, truncated } = yield* queryOverlap(view, query)
    const weigh = ({ slot: other }: MetBody) => (contacts ? weightAt(view, other) : 0)
    const met = yield* mapInSlices(bodies, (body) => encodeMetBody(view, body, probe), weigh)
    giveBack(decoded)
    return { version: view.version, bodies: met, truncated }
  },
}

/** The probe is A of the contact. */
function encodeMetBody(view: PlaneView, { slot, id, relation, contact }: MetBody, probe: Body): SceneMetBody {
  const met: SceneMetBody = { id, relation: relation < 0 ? 'overlapping' : 'touching' }
  if (contact !== null) met.contact = encodeContact(contact, probe, bodyAt(view, slot))
  return met
}
