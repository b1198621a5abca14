// The query `pairs` of scenes.

import type { Contact3dResponse, ContactResponse } from '../../../schemas/queries/contact.ts'
import type { PairsMethod } from '../../scene/queries/near-pairs.ts'
import { type MetPair, queryPairs } from '../../scene/queries/pairs.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import { GEOMETRIES, type Kinds, type Plane, type Space } from '../../scene/state/geometry.ts'
import { bodyAt, heldBodyAt, type View, weightAt } from '../../scene/state/view.ts'
import { SCENE_QUERY_PROBLEMS } from '../../wire/problem-lists.ts'
import {
  mapInSlices,
  resultLimit,
  type SceneInBoth,
  type SceneQueryLimits,
  type Selection,
} from '../ask/scene-query.ts'
import { encodeContact, encodeContact3d } from '../stateless/contact.ts'
import { shapeIn } from './shapes-of-space.ts'

interface Request extends Selection {
  contacts?: boolean
  method?: PairsMethod
}

function query<K extends Kinds, Contact>(
  encode: (found: K['contact'], view: View<K>, pair: { slotA: number; slotB: number }) => Contact,
) {
  const encodePair = (view: View<K>, pair: MetPair<K>) => {
    const { idA, idB, contact } = pair
    const met: { a: string; b: string; contact?: Contact } = { a: idA, b: idB }
    if (contact !== null) met.contact = encode(contact, view, pair)
    return met
  }
  return {
    summary: 'Which bodies of the scene meet each other?',
    description:
      'All pairs that meet, touching included, with their contacts if asked. Ask with an empty object for all. The pairs and their order do not depend on the method.',
    advice: 'Filter, or leave contacts out.',
    problems: SCENE_QUERY_PROBLEMS,
    mayBeLong: true,
    *answer(view: View<K>, request: Request, limits: SceneQueryLimits) {
      const accepts = compileFilter(view, request.filter)
      const { contacts = false, method = 'auto' } = request
      const query = { accepts, contacts, method, limit: resultLimit(request, limits) }
      const { pairs, truncated } = yield* queryPairs(view, query)
      const weigh = ({ slotA, slotB }: MetPair<K>) => (contacts ? weightAt(view, slotA) + weightAt(view, slotB) : 0)
      const met = yield* mapInSlices(pairs, (pair) => encodePair(view, pair), weigh)
      return { version: view.version, pairs: met, truncated }
    },
  }
}

const own = GEOMETRIES[2].createBody()
const own3d = GEOMETRIES[3].createBody()

export const scenePairsQuery: SceneInBoth<'pairs'> = {
  2: query<Plane, ContactResponse>((found, view, { slotA, slotB }) =>
    encodeContact(found, heldBodyAt(view, slotA, own), bodyAt(view, slotB)),
  ),
  3: query<Space, Contact3dResponse>((found, view, { slotA, slotB }) => {
    const a = heldBodyAt(view, slotA, own3d)
    return encodeContact3d(found, found.points, a, shapeIn(view, slotA), bodyAt(view, slotB), shapeIn(view, slotB))
  }),
}
