// GET /problems, /problems/{code}: all problems, and a page for each with its cause, its fix, a request that gets it, and the operations
// that may answer it. The `type` of a problem leads here.

import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { PROBLEM_CODES, type ProblemCode, ProblemKind, ProblemList } from '../../schemas/problem.ts'
import { reference } from '../../schemas/reference.ts'
import { escapeHtml, linkList, originOf, sendPage, wantsPage } from '../replies/pages.ts'
import type { OpenApiDocument } from '../wire/openapi-document.ts'
import { exampleCommand, PROBLEM_EXAMPLES } from '../wire/problem-examples.ts'
import { PROBLEM_TYPE, problemKind } from '../wire/problems.ts'

const INTRODUCTION =
  'What is not the answer asked for is a problem document (RFC 9457, <code>application/problem+json</code>). Its <code>code</code> is one of these, for programs; its <code>detail</code> says what was wrong this time.'
/** Paths of the service that texts speak of. */
const PATHS = /\/(?:v1\/limits|openapi\.json|docs)\b/g
/** Where more operations than this may answer a problem, they are counted. */
const MOST_LISTED = 12

function problemListing(): string {
  const kinds = PROBLEM_CODES.map(problemKind).sort((a, b) => a.status - b.status)
  const groups = [...new Set(kinds.map(({ status }) => status))].map((status) => {
    const links = kinds
      .filter((kind) => kind.status === status)
      .map(({ type, title, code }) => [type, title, code] as const)
    return `<h2>${status}</h2>\n${linkList(links)}`
  })
  return `<h1>Problems</h1>\n<p>${INTRODUCTION}</p>\n${groups.join('')}<p><a href="/">Tangent</a></p>\n`
}

/** `origin`: where the service was asked for, for commands that can be copied. */
function problemPage(kind: ProblemKind, document: OpenApiDocument, origin: string): string {
  const { code, status, title, cause, fix } = kind
  const example = PROBLEM_EXAMPLES[code]
  const parts = [
    `<h1>${escapeHtml(title)}</h1>\n<p class="status"><code>${code}</code>, status ${status}</p>`,
    `<h2>Why</h2>\n<p>${prose(cause)}</p>`,
    `<h2>What to do</h2>\n<p>${prose(fix)}</p>`,
    ...(example === undefined
      ? []
      : [`<h2>A request that is answered so</h2>\n<pre>${escapeHtml(exampleCommand(example, origin))}</pre>`]),
    `<h2>Who answers it</h2>\n${askers(code, document)}`,
    `<p><a href="/problems">All problems</a> · <a href="/v1/limits">What bounds a request</a> · <a href="/docs">All questions</a></p>`,
    `<p class="status">In the sources: <code>docs/errors.md#${code}</code></p>`,
  ]
  return `${parts.join('\n')}\n`
}

/** Backticks stand around code; paths are links. */
function prose(text: string): string {
  return escapeHtml(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(PATHS, (path) => `<a href="${path}">${path}</a>`)
}

/** Links to the operations that may be answered so, in the documentation. */
function askers(code: ProblemCode, { paths, components }: OpenApiDocument): string {
  const found: (readonly [href: string, meaning: string, name: string])[] = []
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { operationId, tags, summary, responses }] of Object.entries(methods)) {
      const answers = Object.values(responses).map(
        (response) => components.responses?.[response.$ref?.split('/').at(-1) ?? ''] ?? response,
      )
      if (!answers.some(({ content }) => code in (content?.[PROBLEM_TYPE]?.examples ?? {}))) continue
      const [tag] = tags as string[]
      found.push([`/docs#/${tag}/${operationId}`, String(summary), `${method.toUpperCase()} ${path}`])
    }
  }
  if (found.length === 0) return '<p>The service, before it looks at what was asked for.</p>'
  if (found.length <= MOST_LISTED) return linkList(found)
  return `<p>${found.length} operations, among them:</p>\n${linkList(found.slice(0, MOST_LISTED))}`
}

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
