// POST /v1/2d/ray-cast

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RayCastRequest, RayCastResponse } from '../../schemas/ray-cast.ts'
import type { RayHit } from '../../schemas/ray-hit.ts'
import { reference } from '../../schemas/reference.ts'
import type { Config } from '../config.ts'
import { createBody } from '../core2d/body.ts'
import { createRayHit, type Ray, rayCast } from '../core2d/ray-cast.ts'
import { decodeBody } from '../wire/decode-body.ts'
import { decodeRay } from '../wire/decode-ray.ts'
import { encodeRayHit } from '../wire/encode-ray-cast.ts'

const ray: Ray = { ox: 0, oy: 0, dx: 0, dy: 0, maxDistance: 0 }
const body = createBody()
const found = createRayHit()

export const rayCastRoute: FastifyPluginAsyncTypebox<Config> = async (app, config) => {
  app.post('/v1/2d/ray-cast', {
    schema: {
      operationId: 'rayCast',
      tags: ['rays'],
      summary: 'What does a ray hit?',
      description:
        'Targets are closed sets: a ray through a vertex or along an edge hits. Every target is checked, also those behind the answer.',
      body: reference(RayCastRequest),
      response: { 200: reference(RayCastResponse) },
    },
    config: { problems: [400, 413, 415, 422] },
    handler: ({ body: request }, reply) => {
      const { targets, mode = 'closest', startInside = 'hit' } = request
      const limit = config.MAX_TARGETS
      if (targets.length > limit) {
        const detail = `targets must have at most ${limit} items, got ${targets.length}.`
        return reply.geometryProblem('', {
          code: 'too-many-targets',
          pointer: '/targets',
          detail,
          limit,
          actual: targets.length,
        })
      }
      const wrongRay = decodeRay(request.ray, ray)
      if (wrongRay !== null) return reply.geometryProblem('/ray', wrongRay)
      const hits: RayHit[] = []
      for (let i = 0; i < targets.length; i++) {
        const problem = decodeBody(targets[i], body, config.MAX_VERTICES)
        if (problem !== null) return reply.geometryProblem(`/targets/${i}`, problem)
        if (mode === 'any' && hits.length > 0) continue
        if (!rayCast(ray, body, startInside, found)) continue
        if (mode === 'closest' && hits.length > 0 && hits[0].distance <= found.distance) continue
        if (mode === 'closest') hits.length = 0
        hits.push(encodeRayHit(i, found))
      }
      // stable: ties stay in the order of the targets
      if (hits.length > 1) hits.sort((a, b) => a.distance - b.distance)
      return { hits }
    },
  })
}
