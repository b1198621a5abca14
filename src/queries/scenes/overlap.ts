// The query `overlap` of scenes.

import type { ProblemCode } from '../../../schemas/problem.ts'
import type { Contact3dResponse, ContactResponse } from '../../../schemas/queries/contact.ts'
import { type MetBody, queryOverlap } from '../../scene/queries/overlap.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import type { Kinds, Plane, Space } from '../../scene/state/geometry.ts'
import { bodyAt, type View, weightAt } from '../../scene/state/view.ts'
import { decodeProbe, giveBack, type Probe, type ProbeRequest } from '../../wire/decode-probe.ts'
import { isProblem } from '../../wire/decode-problem.ts'
import { PROBE_3D_PROBLEMS, PROBE_PROBLEMS } from '../../wire/problem-lists.ts'
import {
  mapInSlices,
  resultLimit,
  type SceneInBoth,
  type SceneQueryLimits,
  type Selection,
} from '../ask/scene-query.ts'
import { encodeContact, encodeContact3d } from '../stateless/contact.ts'
import { shapeIn, shapeOfProbe } from './shapes-of-space.ts'

type EncodeContact<K extends Kinds, Contact> = (
  found: K['contact'],
  probe: Probe<K>,
  view: View<K>,
  slot: number,
) => Contact

function query<K extends Kinds, Contact>(problems: readonly ProblemCode[], encode: EncodeContact<K, Contact>) {
  return {
    summary: 'What does a place or a body meet?',
    description:
      'A point, a box, a body, or one of the scene’s bodies, where it stands or elsewhere. Touching counts, decided as exactly as for two bodies by themselves.',
    advice: 'Ask about a smaller place, filter, or leave contacts out.',
    problems,
    mayBeLong: true,
    *answer(view: View<K>, request: ProbeRequest & Selection & { contacts?: boolean }, limits: SceneQueryLimits) {
      const decoded = yield* decodeProbe(view, request, limits)
      if (isProblem(decoded)) return decoded
      const { body: probe, slot, describe } = decoded
      const accepts = compileFilter(view, request.filter, slot)
      const { contacts = false } = request
      const query = { probe, describe, accepts, contacts, limit: resultLimit(request, limits) }
      const { bodies, truncated } = yield* queryOverlap(view, query)
      const weigh = ({ slot: other }: MetBody<K>) => (contacts ? weightAt(view, other) : 0)
      const met = yield* mapInSlices(bodies, (body) => encodeMetBody(view, body, decoded, encode), weigh)
      giveBack(decoded)
      return { version: view.version, bodies: met, truncated }
    },
  }
}

export const sceneOverlapQuery: SceneInBoth<'overlap'> = {
  2: query<Plane, ContactResponse>(PROBE_PROBLEMS, (found, { body }, view, slot) =>
    encodeContact(found, body, bodyAt(view, slot)),
  ),
  3: query<Space, Contact3dResponse>(PROBE_3D_PROBLEMS, (found, probe, view, slot) =>
    encodeContact3d(found, found.points, probe.body, shapeOfProbe(probe), bodyAt(view, slot), shapeIn(view, slot)),
  ),
}

/** The probe is A of the contact. */
function encodeMetBody<K extends Kinds, Contact>(
  view: View<K>,
  { slot, id, relation, contact }: MetBody<K>,
  probe: Probe<K>,
  encode: EncodeContact<K, Contact>,
) {
  const met: { id: string; relation: 'overlapping' | 'touching'; contact?: Contact } = {
    id,
    relation: relation < 0 ? 'overlapping' : 'touching',
  }
  if (contact !== null) met.contact = encode(contact, probe, view, slot)
  return met
}
