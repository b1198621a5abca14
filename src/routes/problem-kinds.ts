// GET /problems, /problems/:code: where the type of every problem leads, and all of them.

import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { ProblemKind, ProblemList } from '../../schemas/problem.ts'
import { PROBLEM_CODES } from '../../schemas/problem-code.ts'
import { reference } from '../../schemas/reference.ts'
import { escapeHtml, linkList, sendPage, wantsPage } from '../replies/pages.ts'
import { problemKind } from '../wire/problems/problems.ts'

const INTRODUCTION =
  'What is not the answer asked for is a problem document (RFC 9457, <code>application/problem+json</code>). Its <code>code</code> is one of these, for programs; its <code>detail</code> says what was wrong this time.'

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
    handler: (request, reply) => (wantsPage(request, reply) ? sendPage(reply, 'Problems', listing()) : { problems }),
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
      return wantsPage(request, reply) ? sendPage(reply, kind.title, explanation(kind)) : kind
    },
  })
}

function listing(): string {
  const kinds = PROBLEM_CODES.map(problemKind).sort((a, b) => a.status - b.status)
  const groups = [...new Set(kinds.map(({ status }) => status))].map((status) => {
    const links = kinds
      .filter((kind) => kind.status === status)
      .map(({ type, title, code }) => [type, title, code] as const)
    return `<h2>${status}</h2>\n${linkList(links)}`
  })
  return `<h1>Problems</h1>\n<p>${INTRODUCTION}</p>\n${groups.join('')}<p><a href="/">Tangent</a></p>\n`
}

/** Backticks in the description stand around code. */
function explanation({ code, status, title, description }: ProblemKind): string {
  const text = escapeHtml(description).replace(/`([^`]+)`/g, '<code>$1</code>')
  return `<h1>${escapeHtml(title)}</h1>\n<p class="status"><code>${code}</code>, status ${status}</p>\n<p>${text}</p>\n<p class="status">In the sources: <code>docs/errors.md#${code}</code></p>\n<p><a href="/problems">All problems</a></p>\n`
}
