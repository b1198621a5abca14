// The query `contact`.

import { contact, createContact } from '../../core2d/pair-queries/contact.ts'
import { bodyA, bodyB, decodePair } from '../../wire/decode/decode-pair.ts'
import { encodeContact } from '../../wire/encode/encode-contact.ts'
import { QUERY_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { QueryOf } from '../ask/query.ts'

const found = createContact()

export const contactQuery: QueryOf<'contact'> = {
  tag: 'pairs',
  summary: 'Where do two bodies meet, how deep, and what parts them?',
  description:
    'Gives the signed separation, the normal from A to B, up to two contact points with the features that meet, and the shortest translation of B that just separates the pair, for concave shapes as for convex ones.',
  advice: 'Ask about shapes with fewer vertices or parts.',
  problems: QUERY_PROBLEMS,
  answer(request, limits) {
    const problem = decodePair(request, limits)
    if (problem !== null) return problem
    contact(bodyA, bodyB, request.maxDistance ?? 0, found)
    return encodeContact(found, bodyA, bodyB)
  },
}
