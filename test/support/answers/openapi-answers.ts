// Holds any answer, problems too, against the OpenAPI document: its status, content type, headers, problem code and body have to be
// what the document says of that operation and status.

import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { OpenApiDocument, OpenApiResponse, OpenApiSchema } from '../../../src/wire/openapi-document.ts'

const PROBLEM_TYPE = 'application/problem+json'

/** Headers of HTTP itself, of browsers, and of every answer: no operation needs to name them. */
const COMMON = new Set(
  `content-type content-length content-encoding date connection keep-alive transfer-encoding vary cache-control
  content-security-policy x-content-type-options referrer-policy x-request-id x-accel-buffering`.split(/\s+/),
)

export interface DocumentedAnswer {
  status: number
  headers: IncomingHttpHeaders | OutgoingHttpHeaders
  /** Null where it was not read to its end: then all but the body is held against the document. */
  text: string | null
}

export class AnswerChecker {
  readonly #document: OpenApiDocument
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false, coerceTypes: false })
  readonly #validators = new Map<string, ValidateFunction>()

  constructor(document: OpenApiDocument) {
    this.#document = document
    this.#ajv.addSchema(document, 'document')
  }

  /** What is not as documented, in a few words; null where all is. */
  faultOf(method: string, path: string, { status, headers, text }: DocumentedAnswer): string | null {
    const operation = this.#document.paths[path]?.[method.toLowerCase()]
    if (operation === undefined) return `${method} ${path} is not documented`
    const given = operation.responses[`${status}`]
    if (given === undefined) return `status ${status} is not documented: ${text?.slice(0, 300)}`
    const name = given.$ref?.split('/').at(-1)
    const response = this.#found(given)
    const type = String(headers['content-type'] ?? '').split(';')[0]!
    return (
      this.#headerFault(Object.values(operation.responses), headers) ??
      this.#typeFault(response, String(operation.description ?? ''), type, text) ??
      this.#bodyFault(name ?? `${method} ${path} ${status}`, response, type, text) ??
      problemFault(response, status, type, text)
    )
  }

  #found(response: OpenApiResponse): OpenApiResponse {
    const name = response.$ref?.split('/').at(-1)
    return name === undefined ? response : this.#document.components.responses![name]!
  }

  /** Refusals about a version of a scene have the headers of answers about it. */
  #headerFault(responses: OpenApiResponse[], headers: DocumentedAnswer['headers']): string | null {
    const schemas = new Map<string, OpenApiSchema>()
    const documented = responses.flatMap((response) => Object.entries(this.#found(response).headers ?? {}))
    for (const [name, header] of documented) {
      const named = header.$ref?.split('/').at(-1)
      const found = named === undefined ? header : this.#document.components.headers![named]!
      schemas.set(name.toLowerCase(), found.schema ?? {})
    }
    for (const [name, value] of Object.entries(headers)) {
      const schema = schemas.get(name)
      if (schema === undefined) {
        if (!COMMON.has(name)) return `header ${name} is not documented`
      } else if (schema.type === 'integer') {
        const { minimum = 0 } = schema as { minimum?: number }
        const isWhole = /^\d+$/.test(String(value)) && Number(value) >= minimum
        if (!isWhole) return `header ${name} is not what is documented: ${value}`
      }
    }
    return null
  }

  /** Of types that are no JSON, such as pictures and lines, some are named in words alone. */
  #typeFault(
    { content, description = '' }: OpenApiResponse,
    about: string,
    type: string,
    text: string | null,
  ): string | null {
    if (content === undefined)
      return text === '' || text === null ? null : `a body where none is documented: ${text.slice(0, 200)}`
    if (type in content || description.includes(type) || about.includes(type)) return null
    return `content type ${type} is not documented: ${text?.slice(0, 200)}`
  }

  #bodyFault(key: string, { content = {} }: OpenApiResponse, type: string, text: string | null): string | null {
    const schema = content[type]?.schema
    if (schema === undefined || text === null || !/json$/.test(type)) return null
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return `a body that is not JSON: ${text.slice(0, 200)}`
    }
    let validator = this.#validators.get(`${key} ${type}`)
    if (validator === undefined) {
      validator = this.#ajv.compile(absolute(schema))
      this.#validators.set(`${key} ${type}`, validator)
    }
    if (validator(value)) return null
    const [{ instancePath, message } = { instancePath: '', message: '' }] = validator.errors ?? []
    return `the body is not as documented at ${instancePath} (${message}): ${text.slice(0, 600)}`
  }
}

/** References of the document, from outside it. */
function absolute(schema: OpenApiSchema): OpenApiSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/'))
}

/** Each status names the codes that it may have. */
function problemFault(
  { description = '' }: OpenApiResponse,
  status: number,
  type: string,
  text: string | null,
): string | null {
  if (status < 400) return null
  if (type !== PROBLEM_TYPE) return `a refusal of type ${type}`
  if (text === null) return null
  const { code, status: told } = JSON.parse(text) as { code: string; status: number }
  if (told !== status) return `status ${status} says that it is ${told}`
  const isNamed = new RegExp(`(^|[^a-z-])${code}([^a-z-]|$)`).test(description)
  return isNamed ? null : `code ${code} is not named for status ${status} (${description}): ${text.slice(0, 300)}`
}
