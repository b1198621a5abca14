// Pages about problems: why each is answered, what to do, a request that is answered so, and what else may answer it.

import { PROBLEM_CODES, type ProblemCode, type ProblemKind } from '../../schemas/problem.ts'
import type { OpenApiDocument } from '../wire/openapi/document.ts'
import { exampleCommand, PROBLEM_EXAMPLES } from '../wire/problems/problem-examples.ts'
import { PROBLEM_TYPE, problemKind } from '../wire/problems/problems.ts'
import { escapeHtml, linkList } from './pages.ts'

const INTRODUCTION =
  'What is not the answer asked for is a problem document (RFC 9457, <code>application/problem+json</code>). Its <code>code</code> is one of these, for programs; its <code>detail</code> says what was wrong this time.'
/** Paths of the service that texts speak of. */
const PATHS = /\/(?:v1\/limits|openapi\.json|docs)\b/g
/** Where more operations than this may answer a problem, they are counted. */
const MOST_LISTED = 12

export function problemListing(): string {
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
export function problemPage(kind: ProblemKind, document: OpenApiDocument, origin: string): string {
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
