// The yardstick of the load test: a bare Fastify app that validates the same requests against the same schemas and
// returns canned answers, of the same bytes, through the same response schemas. What lies between it and the service
// is decoding, geometry, encoding, and everything that a service adds around them.
// Started as a child process; the answers come as a message, the port goes back as one.

import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { ContactRequest, ContactResponse } from '../schemas/queries/contact.ts'
import { DistanceRequest, DistanceResponse } from '../schemas/queries/distance.ts'
import { OverlapRequest, OverlapResponse } from '../schemas/queries/overlap.ts'
import { RayCastRequest, RayCastResponse } from '../schemas/queries/ray-cast.ts'
import { reference } from '../schemas/reference.ts'
import { SceneOverlapRequest, SceneOverlapResponse } from '../schemas/scenes/overlap.ts'
import { SceneRayCastRequest, SceneRayCastResponse } from '../schemas/scenes/ray-cast.ts'
import { schemaController } from '../src/plugins/validation.ts'

const schemas: Record<string, object> = {
  '/v1/2d/overlap': { body: reference(OverlapRequest), response: { 200: reference(OverlapResponse) } },
  '/v1/2d/distance': { body: reference(DistanceRequest), response: { 200: reference(DistanceResponse) } },
  '/v1/2d/contact': { body: reference(ContactRequest), response: { 200: reference(ContactResponse) } },
  '/v1/2d/ray-cast': { body: reference(RayCastRequest), response: { 200: reference(RayCastResponse) } },
  '/v1/2d/scenes/{sceneId}/overlap': {
    body: reference(SceneOverlapRequest),
    response: { 200: reference(SceneOverlapResponse) },
  },
  '/v1/2d/scenes/{sceneId}/ray-cast': {
    body: reference(SceneRayCastRequest),
    response: { 200: reference(SceneRayCastResponse) },
  },
}

export interface CannedAnswer {
  /** Where the echo answers. */
  url: string
  /** The route of the service whose schemas it uses. */
  path: string
  answer: unknown
}

process.once('message', async (cannedAnswers: CannedAnswer[]) => {
  const app = Fastify({ schemaController })
  for (const { url, path, answer } of cannedAnswers) {
    app.post(url, { schema: schemas[path]!, handler: async () => answer })
  }
  await app.listen({ host: '127.0.0.1', port: 0 })
  process.send?.((app.server.address() as AddressInfo).port)
})
process.once('disconnect', () => process.exit(0))
