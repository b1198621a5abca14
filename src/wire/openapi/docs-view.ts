// The document as the page at /docs shows it: the problem answers of an operation as one block, and links. The published documents
// keep an answer for each status, which programs need; eleven blocks below each operation keep people from reading any.

import { PROBLEM_TYPE } from '../problems/problems.ts'
import type { OpenApiDocument, OpenApiMedia, OpenApiOperation, OpenApiResponse } from './openapi-document.ts'
import { openApiViews } from './openapi-views.ts'

const MEANINGS: Readonly<Record<(typeof openApiViews)[number], string>> = {
  'openapi.json': 'OpenAPI 3.1',
  'openapi-3.0.json': 'for generators that know no newer one than 3.0',
  'openapi-flat.json': 'for those that cannot do unions',
}

/** Leaves the document as it is, and shares with it what is the same. Cost O(operations). */
export function docsView(document: OpenApiDocument): OpenApiDocument {
  const { components } = document
  const fold = (operation: OpenApiOperation): OpenApiOperation => ({
    ...operation,
    responses: foldProblems(operation.responses, components.responses ?? {}),
  })
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, methods]) => [
      path,
      Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, fold(operation)])),
    ]),
  )
  return { ...document, info: { ...document.info, description: `${document.info.description}\n\n${links()}` }, paths }
}

function links(): string {
  const documents = openApiViews.map((name) => `[${name}](/${name}) (${MEANINGS[name]})`)
  return `The contract, for programs: ${documents.join(', ')}. [What may go wrong](/problems), and [what bounds a request](/v1/limits).`
}

/** `shared`: the answers that others refer to, by name. */
function foldProblems(
  responses: Record<string, OpenApiResponse>,
  shared: Record<string, OpenApiResponse>,
): Record<string, OpenApiResponse> {
  const kept: Record<string, OpenApiResponse> = {}
  const lines: string[] = []
  const examples: OpenApiMedia['examples'] = {}
  let schema: OpenApiMedia['schema'] | null = null
  for (const [status, response] of Object.entries(responses)) {
    const { content } = shared[response.$ref?.split('/').at(-1) ?? ''] ?? response
    const problem = content?.[PROBLEM_TYPE]
    if (problem === undefined) {
      kept[status] = response
      continue
    }
    const codes = Object.keys(problem.examples ?? {})
    lines.push(`- **${status}** ${codes.map((code) => `[${code}](/problems/${code})`).join(', ')}`)
    Object.assign(examples, problem.examples)
    schema = problem.schema
  }
  if (schema === null) return kept
  const description = `A problem, as the status says:\n\n${lines.join('\n')}`
  return { ...kept, default: { description, content: { [PROBLEM_TYPE]: { schema, examples } } } }
}
