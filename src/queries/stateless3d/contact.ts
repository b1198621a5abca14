// The query `contact`.

import { DEFAULT_CONTACT_POINTS } from '../../../schemas/queries/contact.ts'
import { contact, createContact } from '../../core3d/pair-queries/contact.ts'
import { contactPoints } from '../../core3d/pair-queries/contact-points.ts'
import { bodyA, bodyB, decodePair } from '../../wire/decode3d/decode-pair.ts'
import { encodeContact } from '../../wire/encode3d/encode-contact.ts'
import { QUERY_3D_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { Query3dOf } from '../ask/query.ts'

const found = createContact()

export const contact3dQuery: Query3dOf<'contact'> = {
  tag: 'pairs',
  summary: 'Where do two bodies meet, how deep, and what parts them?',
  description:
    'Gives the signed separation, the normal from A to B, the points that span the contact, and the shortest translation of B that just separates the pair.',
  advice: 'Ask about shapes with fewer points.',
  problems: QUERY_3D_PROBLEMS,
  answer(request, limits) {
    const problem = decodePair(request, limits)
    if (problem !== null) return problem
    contact(bodyA, bodyB, found)
    const { maxDistance = 0, maxPoints = DEFAULT_CONTACT_POINTS } = request
    return encodeContact(found, contactPoints(bodyA, bodyB, found, maxDistance, maxPoints), request)
  },
}
