// The query `pairs` of scenes.

import type { SceneMetPair } from '../../../schemas/scenes/pairs.ts'
import { createBody } from '../../core2d/shape/body.ts'
import { type MetPair, queryPairs } from '../../scene/queries/pairs.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import { bodyAt, heldBodyAt, type PlaneView, weightAt } from '../../scene/state/view.ts'
import { SCENE_QUERY_PROBLEMS } from '../../wire/problem-lists.ts'
import { mapInSlices, resultLimit, type SceneQueryOf } from '../ask/scene-query.ts'
import { encodeContact } from '../stateless/contact.ts'

export const scenePairsQuery: SceneQueryOf<'pairs'> = {
  summary: 'Which bodies of the scene meet each other?',
  description:
    'All pairs that meet, touching included, with their contacts if asked. Ask with an empty object for all. The pairs and their order do not depend on the method.',
  advice: 'Filter, or leave contacts out.',
  problems: SCENE_QUERY_PROBLEMS,
  mayBeLong: true,
  *answer(view, request, limits) {
    const accepts = compileFilter(view, request.filter)
    const { contacts = false, method = 'auto' } = request
    const query = { accepts, contacts, method, limit: resultLimit(request, limits) }
    const { pairs, truncated } = yield* queryPairs(view, query)
    const weigh = ({ slotA, slotB }: MetPair) => (contacts ? weightAt(view, slotA) + weightAt(view, slotB) : 0)
    const met = yield* mapInSlices(pairs, (pair) => encodeMetPair(view, pair), weigh)
    return { version: view.version, pairs: met, truncated }
  },
}

const own = createBody()

function encodeMetPair(view: PlaneView, { slotA, slotB, idA, idB, contact }: MetPair): SceneMetPair {
  if (contact === null) return { a: idA, b: idB }
  const a = heldBodyAt(view, slotA, own)
  return { a: idA, b: idB, contact: encodeContact(contact, a, bodyAt(view, slotB)) }
}
