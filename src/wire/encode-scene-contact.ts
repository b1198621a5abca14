// Bodies of a scene that meet others → wire.

import type { SceneMetBody } from '../../schemas/scene-overlap.ts'
import type { SceneMetPair } from '../../schemas/scene-pairs.ts'
import { type Body, createBody } from '../core2d/body.ts'
import type { MetBody } from '../scene/query-overlap.ts'
import type { MetPair } from '../scene/query-pairs.ts'
import { bodyAt, heldBodyAt, type View } from '../scene/view.ts'
import { encodeContact } from './encode-contact.ts'

const own = createBody()

/** `probe` is A of the contact. */
export function encodeMetBody(view: View, { slot, id, relation, contact }: MetBody, probe: Body): SceneMetBody {
  const met: SceneMetBody = { id, relation: relation < 0 ? 'overlapping' : 'touching' }
  if (contact !== null) met.contact = encodeContact(contact, probe, bodyAt(view, slot))
  return met
}

export function encodeMetPair(view: View, { slotA, slotB, idA, idB, contact }: MetPair): SceneMetPair {
  if (contact === null) return { a: idA, b: idB }
  const a = heldBodyAt(view, slotA, own)
  return { a: idA, b: idB, contact: encodeContact(contact, a, bodyAt(view, slotB)) }
}
