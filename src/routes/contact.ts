// POST /v1/2d/contact

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ContactRequest, ContactResponse } from '../../schemas/contact.ts'
import { reference } from '../../schemas/reference.ts'
import { type Config, shapeLimits } from '../config.ts'
import { contact, createContact } from '../core2d/contact.ts'
import { bodyA, bodyB, decodePair } from '../wire/decode-pair.ts'
import { encodeContact } from '../wire/encode-contact.ts'
import { QUERY_PROBLEMS } from '../wire/problems.ts'

const found = createContact()

export const contactRoute: FastifyPluginAsyncTypebox<Config> = async (app, config) => {
  const limits = shapeLimits(config)
  app.post('/v1/2d/contact', {
    schema: {
      operationId: 'contact',
      tags: ['pairs'],
      summary: 'Where do two bodies meet, how deep, and what parts them?',
      description:
        'Gives the signed separation, the normal from A to B, up to two contact points with the features that meet, and the shortest translation of B that just separates the pair, for concave shapes as for convex ones.',
      body: reference(ContactRequest),
      response: { 200: reference(ContactResponse) },
    },
    config: { problems: QUERY_PROBLEMS },
    handler: ({ body }, reply) => {
      const problem = decodePair(body, limits)
      if (problem !== null) return reply.geometryProblem(problem)
      contact(bodyA, bodyB, body.maxDistance ?? 0, found)
      return encodeContact(found, bodyA, bodyB)
    },
  })
}
