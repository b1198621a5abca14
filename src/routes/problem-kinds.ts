// GET /problems, /problems/:code: where the type of every problem leads, and all of them.

import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { PROBLEM_CODES, ProblemKind, ProblemList } from '../../schemas/problem.ts'
import { reference } from '../../schemas/reference.ts'
import { originOf, sendPage, wantsPage } from '../replies/pages.ts'
import { problemListing, problemPage } from '../replies/problem-pages.ts'
import type { OpenApiDocument } from '../wire/openapi/document.ts'
import { problemKind } from '../wire/problems/problems.ts'

export const problemKindRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const problems = PROBLEM_CODES.map(problemKind)
  app.get('/problems', {
    schema: {
      operationId: 'problems',
      tags: ['service'],
      summary: 'Which problem codes are there?',
      description: 'All of them, with what each means; a page for browsers, which ask for text/html.',
      response: { 200: reference(ProblemList) },
    },
    handler: (request, reply) =>
      wantsPage(request, reply) ? sendPage(reply, 'Problems', problemListing()) : { problems },
  })
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
    handler: (request, reply) => {
      const code = PROBLEM_CODES.find((known) => known === request.params.code)
      if (code === undefined)
        return reply.problem('not-found', `No problem has this code; the codes are ${PROBLEM_CODES.join(', ')}.`)
      const kind = problemKind(code)
      if (!wantsPage(request, reply)) return kind
      const document = app.swagger() as unknown as OpenApiDocument
      return sendPage(reply, kind.title, problemPage(kind, document, originOf(request)))
    },
  })
}
