// GET /problems/:code: where the type of every problem leads.

import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { ProblemKind } from '../../schemas/problem.ts'
import { PROBLEM_CODES, type ProblemCode } from '../../schemas/problem-code.ts'
import { reference } from '../../schemas/reference.ts'
import { problemKind } from '../wire/problems.ts'

export const problemKindRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/problems/:code', {
    schema: {
      operationId: 'problem',
      tags: ['service'],
      summary: 'What does a problem code mean?',
      description: 'When the problem is answered, and what to do about it. The type of every problem leads here.',
      params: Type.Object({ code: Type.String({ description: 'The code, such as polygon-not-convex.' }) }),
      response: { 200: reference(ProblemKind) },
    },
    config: { problems: ['not-found'] },
    handler: ({ params: { code } }, reply) => {
      if ((PROBLEM_CODES as readonly string[]).includes(code)) return problemKind(code as ProblemCode)
      return reply.problem('not-found', `No problem has this code; the codes are ${PROBLEM_CODES.join(', ')}.`)
    },
  })
}
