// POST /v1/2d/contact

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ContactRequest, ContactResponse } from '../../schemas/contact.ts'
import { reference } from '../../schemas/reference.ts'
import type { Config } from '../config.ts'
import { createBody } from '../core2d/body.ts'
import { contact, createContact } from '../core2d/contact.ts'
import { decodeBody } from '../wire/decode-body.ts'
import { encodeContact } from '../wire/encode-contact.ts'
import { QUERY_PROBLEMS } from '../wire/problems.ts'

const bodyA = createBody()
const bodyB = createBody()
const found = createContact()

export const contactRoute: FastifyPluginAsyncTypebox<Config> = async (app, config) => {
  app.post('/v1/2d/contact', {
    schema: {
      operationId: 'contact',
      tags: ['pairs'],
      summary: 'Where do two bodies meet, how deep, and what parts them?',
      description:
        'Gives the signed separation, the normal from A to B, up to two contact points with the features that meet, and the shortest translation of B that just separates the pair.',
      body: reference(ContactRequest),
      response: { 200: reference(ContactResponse) },
    },
    config: { problems: QUERY_PROBLEMS },
    handler: ({ body }, reply) => {
      const problem = decodeBody(body.a, bodyA, config.MAX_VERTICES)
      if (problem !== null) return reply.geometryProblem('/a', problem)
      const other = decodeBody(body.b, bodyB, config.MAX_VERTICES)
      if (other !== null) return reply.geometryProblem('/b', other)
      contact(bodyA, bodyB, body.maxDistance ?? 0, found)
      return encodeContact(found)
    },
  })
}
