// Types of the parts of an OpenAPI document that this room reads and rewrites, a walk over its schemas, and its problem responses.

import type { ProblemCode } from '../../schemas/problem.ts'
import { PROBLEM_TYPE, PROBLEMS, problemDescription, problemDetails } from './problems.ts'

export interface OpenApiSchema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  oneOf?: OpenApiSchema[]
  properties?: Record<string, OpenApiSchema>
  items?: OpenApiSchema
  required?: string[]
  discriminator?: { propertyName: string; mapping?: Record<string, string> }
  description?: string
  nullable?: boolean
  examples?: unknown[]
  [keyword: string]: unknown
}

export interface OpenApiMedia {
  schema: OpenApiSchema
  /** Values, or references to components, by name. */
  examples?: Record<string, { value?: unknown; $ref?: string }>
}

interface OpenApiHeader {
  $ref?: string
  description?: string
  schema?: OpenApiSchema
}

/** A response, or a reference to a component. */
export interface OpenApiResponse {
  $ref?: string
  description?: string
  headers?: Record<string, OpenApiHeader>
  content?: Record<string, OpenApiMedia>
}

export interface OpenApiOperation {
  operationId: string
  requestBody?: { content: Record<string, OpenApiMedia> }
  parameters?: { name: string; schema: OpenApiSchema }[]
  responses: Record<string, OpenApiResponse>
  [field: string]: unknown
}

export interface OpenApiDocument {
  openapi: string
  info: { license?: Record<string, string>; [field: string]: unknown }
  paths: Record<string, Record<string, OpenApiOperation>>
  components: {
    schemas: Record<string, OpenApiSchema>
    responses?: Record<string, OpenApiResponse>
    headers?: Record<string, OpenApiHeader>
    examples?: Record<string, { value: unknown }>
    [field: string]: unknown
  }
  [field: string]: unknown
}

const COMPONENT = '#/components/schemas/'

export function componentName(schema: OpenApiSchema): string {
  return (schema.$ref as string).slice(COMPONENT.length)
}

export function componentReference(name: string): OpenApiSchema {
  return { $ref: COMPONENT + name }
}

/** The value of the tag in a member of a union. */
export function tagValue(member: OpenApiSchema, tag: string): string {
  const values = member.properties?.[tag]?.enum
  if (values?.length !== 1) throw new Error(`a union member must have one ${tag}`)
  return String(values[0])
}

export function operations(document: OpenApiDocument): OpenApiOperation[] {
  return Object.values(document.paths).flatMap((path) => Object.values(path))
}

/** The media of all request bodies and responses, including components. */
function media(document: OpenApiDocument): OpenApiMedia[] {
  const own = operations(document).flatMap(({ requestBody, responses }) => [requestBody, ...Object.values(responses)])
  const parts = [...own, ...Object.values(document.components.responses ?? {})]
  return parts.flatMap((part) => Object.values(part?.content ?? {}))
}

/** A copy of the document with `rewrite` applied to every schema, inner schemas first. */
export function mapSchemas(
  document: OpenApiDocument,
  rewrite: (schema: OpenApiSchema) => OpenApiSchema,
): OpenApiDocument {
  const copy = structuredClone(document)
  const walk = (schema: OpenApiSchema): OpenApiSchema => {
    const out = { ...schema }
    if (out.properties) out.properties = mapValues(out.properties, walk)
    if (out.items) out.items = walk(out.items)
    if (out.oneOf) out.oneOf = out.oneOf.map(walk)
    return rewrite(out)
  }
  copy.components.schemas = mapValues(copy.components.schemas, walk)
  for (const entry of media(copy)) entry.schema = walk(entry.schema)
  for (const { parameters = [] } of operations(copy)) {
    for (const parameter of parameters) parameter.schema = walk(parameter.schema)
  }
  return copy
}

function mapValues<T>(record: Record<string, T>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}

// Problem responses, each written once: operations refer to responses, responses to examples and headers

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

/** Headers of problems with a status, in addition to those of every response. */
const HEADERS_BY_STATUS: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  503: ['Retry-After'],
}

const ORDER = Object.keys(PROBLEMS) as ProblemCode[]

/** The responses, by status, of an operation with these problems. */
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
 * Moves the problem responses of operations to the components. Different responses with one status are named after the
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
