// Problem answers of the OpenAPI document, each written once: operations refer to responses, those to examples and headers.

import type { ProblemCode } from '../../../schemas/problem.ts'
import { PROBLEM_TYPE, PROBLEMS, problemDescription, problemDetails } from '../problems/problems.ts'
import { type OpenApiDocument, type OpenApiHeader, type OpenApiResponse, operations } from './openapi-document.ts'

const HEADERS: Readonly<Record<string, OpenApiHeader>> = {
  'Retry-After': {
    description: 'Seconds after which to ask again.',
    schema: { type: 'integer', format: 'int32', minimum: 0 },
  },
  'X-RateLimit-Limit': {
    description: 'Requests that a client may send in a minute.',
    schema: { type: 'integer', format: 'int32', minimum: 1 },
  },
  'X-RateLimit-Remaining': {
    description: 'How many of them are left.',
    schema: { type: 'integer', format: 'int32', minimum: 0 },
  },
  'X-RateLimit-Reset': {
    description: 'Seconds until all of them are there again.',
    schema: { type: 'integer', format: 'int32', minimum: 0 },
  },
  'WWW-Authenticate': { description: 'How to say who asks: Bearer.', schema: { type: 'string' } },
}

/** What goes with problems of a status, besides the headers of every answer. */
const HEADERS_BY_STATUS: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  503: ['Retry-After'],
}

const ORDER = Object.keys(PROBLEMS) as ProblemCode[]

/** The answers, by status, of an operation with these problems. */
export function problemResponses(problems: readonly ProblemCode[]): Record<string, OpenApiResponse> {
  const responses: Record<string, OpenApiResponse> = {}
  const known = ORDER.filter((code) => problems.includes(code))
  for (const status of new Set(known.map((code) => PROBLEMS[code].status))) {
    responses[status] = problemResponse(known.filter((code) => PROBLEMS[code].status === status))
  }
  return responses
}

/** Codes that share a status. */
function problemResponse(codes: readonly ProblemCode[]): OpenApiResponse {
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
  const content = { [PROBLEM_TYPE]: { schema: { $ref: 'ProblemDetails' }, examples } }
  return { description: `Problem: ${codes.join(', ')}.`, content }
}

/**
 * Moves the problem answers of operations to the components. Those that differ within a status are named after the
 * first operation that has them.
 */
export function shareProblems(document: OpenApiDocument): void {
  const { components } = document
  /** The first operation with each description, by status. */
  const first = new Map<string, Map<string, string>>()
  for (const [operationId, status, { description }] of problemEntries(document)) {
    const ids = first.get(status) ?? new Map<string, string>()
    first.set(status, ids)
    if (!ids.has(description as string)) ids.set(description as string, operationId)
  }
  const responses: Record<string, OpenApiResponse> = {}
  const codes = new Set<ProblemCode>()
  for (const [, status, response, place] of problemEntries(document)) {
    const ids = first.get(status) as Map<string, string>
    const owner = ids.size === 1 ? '' : capitalised(ids.get(response.description as string) as string)
    const name = `${owner}Problem${status}`
    const headers = HEADERS_BY_STATUS[Number(status)]
    responses[name] ??= headers === undefined ? response : { ...response, headers: headerReferences(headers) }
    for (const code of Object.keys(response.content?.[PROBLEM_TYPE].examples ?? {})) codes.add(code as ProblemCode)
    place[status] = { $ref: `#/components/responses/${name}` }
  }
  components.responses = responses
  components.headers = HEADERS as Record<string, OpenApiHeader>
  const value = (code: ProblemCode) => problemDetails(code, problemDescription(code), 'req-1')
  const named = ORDER.filter((code) => codes.has(code)).map((code) => [code, { value: value(code) }])
  components.examples = Object.fromEntries(named)
}

function problemEntries(
  document: OpenApiDocument,
): [string, string, OpenApiResponse, Record<string, OpenApiResponse>][] {
  return operations(document).flatMap(({ operationId, responses }) =>
    Object.entries(responses)
      .filter(([, { content }]) => content?.[PROBLEM_TYPE] !== undefined)
      .map(([status, response]): [string, string, OpenApiResponse, Record<string, OpenApiResponse>] => [
        operationId,
        status,
        response,
        responses,
      ]),
  )
}

function headerReferences(names: readonly string[]): Record<string, OpenApiHeader> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function capitalised(name: string): string {
  return name[0].toUpperCase() + name.slice(1)
}
