// Holds answers against the published document: nothing goes out that it does not name, and nothing is missing.

import { readFileSync } from 'node:fs'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { OpenApiDocument } from '../../../src/wire/openapi-document.ts'

const JSON_TYPE = 'application/json'
const document: OpenApiDocument = JSON.parse(
  readFileSync(new URL('../../../openapi/openapi.json', import.meta.url), 'utf8'),
)
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(document, 'document')

/** The validator of what lies at a place of the document. */
export function documentedSchema(...place: string[]): ValidateFunction {
  const pointer = place.map((token) => token.replaceAll('~', '~0').replaceAll('/', '~1')).map(encodeURIComponent)
  return ajv.compile({ $ref: `document#/${pointer.join('/')}` })
}

const patterns = Object.keys(document.paths).map((path): [string, RegExp] => {
  return [path, new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)]
})
/** By method, path and status; null where the document has no JSON. */
const validators = new Map<string, ValidateFunction | null>()

function validatorOf(method: string, path: string, status: number): ValidateFunction | null {
  const place = ['paths', path, method.toLowerCase(), 'responses', `${status}`, 'content', JSON_TYPE, 'schema']
  const key = place.join(' ')
  let validator = validators.get(key)
  if (validator === undefined) {
    const isThere = place.reduce<unknown>((at, token) => (at as Record<string, unknown> | undefined)?.[token], document)
    validator = isThere === undefined ? null : documentedSchema(...place)
    validators.set(key, validator)
  }
  return validator
}

/** Throws where a JSON answer that is no problem is not what the document says it is. */
export function checkDocumented(method: string, url: string, status: number, type: string, body: unknown): void {
  if (status >= 300 || !type.startsWith(JSON_TYPE)) return
  const [pathname] = url.split('?')
  const path = pathname in document.paths ? pathname : patterns.find(([, pattern]) => pattern.test(pathname))?.[0]
  const validator = path === undefined ? null : validatorOf(method, path, status)
  if (validator === null) throw new Error(`${method} ${url} answers ${status}, which is not documented`)
  if (!validator(body))
    throw new Error(`${method} ${url} answers otherwise than documented: ${JSON.stringify(validator.errors)}`)
}
