// POST /v1/2d/…: every stateless query over a path of its own.

import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { reference } from '../../schemas/reference.ts'
import { type Config, queryLimits } from '../config.ts'
import { queries } from '../queries/all.ts'
import { finishSlices, isSlices, type Slices } from '../queries/slices.ts'
import { isProblem } from '../wire/decode-problem.ts'

export const queryRoutes: FastifyPluginAsync<Config> = async (app, config) => {
  const limits = queryLimits(config)
  for (const query of queries) {
    const { op, tag, summary, description, problems } = query
    app.post(`/v1/2d/${op}`, {
      schema: {
        operationId: op.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
        tags: [tag],
        summary,
        description,
        body: reference(query.request),
        response: { 200: reference(query.response) },
      },
      config: { problems },
      handler: ({ body }, reply) => {
        const outcome = query.answer(body as Record<string, unknown>, limits)
        return isSlices(outcome) ? finish(outcome, reply) : answerOrProblem(outcome, reply)
      },
    })
  }
}

/** Stops working when the client goes away. */
async function finish(slices: Slices<object>, reply: FastifyReply): Promise<object | undefined> {
  const outcome = await finishSlices(slices, () => !reply.raw.destroyed)
  return outcome === null ? reply.hijack() : answerOrProblem(outcome, reply)
}

function answerOrProblem(outcome: object, reply: FastifyReply): object | undefined {
  return isProblem(outcome) ? reply.geometryProblem(outcome) : outcome
}
