// POST /v1/2d/…: every stateless query over a path of its own, answered with numbers or with a picture.

import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { Picture, PictureParameters } from '../../schemas/picture.ts'
import { reference } from '../../schemas/reference.ts'
import { type Config, queryLimits } from '../config.ts'
import { checkPictureSize, PICTURE_TYPE, sendPicture, wantsPicture } from '../plugins/picture-replies.ts'
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
        querystring: PictureParameters,
        body: reference(query.request),
        response: {
          200: {
            description: 'The answer.',
            content: {
              'application/json': { schema: reference(query.response) },
              [PICTURE_TYPE]: { schema: Picture },
            },
          },
        },
      },
      config: { problems: [...problems, 'picture-too-large'] },
      handler: (request, reply) => {
        const body = request.body as Record<string, unknown>
        const picture = wantsPicture(request) ? op : null
        const problem = picture === null ? null : checkPictureSize(body)
        if (problem !== null) return reply.geometryProblem(problem)
        const outcome = query.answer(body, limits)
        return isSlices(outcome) ? finish(reply, outcome, picture) : send(reply, outcome, picture)
      },
    })
  }
}

/** Stops working when the client goes away. */
async function finish(
  reply: FastifyReply,
  slices: Slices<object>,
  picture: string | null,
): Promise<object | undefined> {
  const outcome = await finishSlices(slices, () => !reply.raw.destroyed)
  return outcome === null ? reply.hijack() : send(reply, outcome, picture)
}

function send(reply: FastifyReply, outcome: object, picture: string | null): object | undefined {
  if (isProblem(outcome)) return reply.geometryProblem(outcome)
  return picture === null ? outcome : sendPicture(reply, picture, outcome)
}
