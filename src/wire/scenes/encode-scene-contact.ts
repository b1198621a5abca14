// Bodies of a scene that meet others → wire.

import type { SceneMetBody } from '../../../schemas/scenes/overlap.ts'
import type { SceneMetPair } from '../../../schemas/scenes/pairs.ts'
import { type Body, createBody } from '../../core2d/shape/body.ts'
import type { MetBody } from '../../scene/queries/overlap.ts'
import type { MetPair } from '../../scene/queries/pairs.ts'
import { bodyAt, heldBodyAt, type View } from '../../scene/state/view.ts'
import { encodeContact } from '../encode/encode-contact.ts'

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
