// The rules of a level as a JSON Schema of its own, for editors of files of rules (`tangent check --rules`). Made from the OpenAPI document,
// of which it has the schemas that rules are made of. Draft 7, which all editors take.

import type { OpenApiDocument } from './openapi-document.ts'
import { renderView } from './openapi-views.ts'

/** Of the file and of the path at which the service has it. */
export const LINT_RULES_SCHEMA = 'lint-rules.schema.json'

const COMPONENTS = '#/components/schemas/'
/** Fields of schemas that only OpenAPI has, and formats, of which editors know no double. */
const LEFT_OUT = new Set(['discriminator', 'format', 'example', 'examples'])

type Schema = Record<string, unknown>

/** The text of the schema, as committed and served. */
export function renderLintRulesSchema(document: OpenApiDocument): string {
  const { components } = JSON.parse(renderView('openapi.json', document)) as { components: { schemas: Schema } }
  const definitions: Record<string, Schema> = {}

  /** As draft 7 has it; what it refers to is defined as well. */
  function plain(value: unknown, areNames = false): unknown {
    if (Array.isArray(value)) return value.map((item) => plain(item))
    if (typeof value !== 'object' || value === null) return value
    const result: Schema = {}
    for (const [name, field] of Object.entries(value)) {
      if (name === '$ref' && typeof field === 'string') result.$ref = define(field.slice(COMPONENTS.length))
      else if (areNames || !(LEFT_OUT.has(name) || name.startsWith('x-'))) {
        result[name] = plain(field, !areNames && name === 'properties')
      }
    }
    // fields beside a reference are passed over in draft 7
    if (result.$ref === undefined || Object.keys(result).length === 1) return result
    const { $ref, ...others } = result
    return { ...others, allOf: [{ $ref }] }
  }

  function define(name: string): string {
    if (definitions[name] === undefined) {
      definitions[name] = {}
      definitions[name] = plain(components.schemas[name]) as Schema
    }
    return `#/definitions/${name}`
  }

  /** A list of rules, or an object with them. */
  function fileOf(request: string, of: string): Schema[] {
    define(request)
    const { properties, ...others } = definitions[request] as { properties: Record<string, Schema> }
    const $schema = { type: 'string', description: 'Where this schema is.' }
    definitions[request] = { ...others, required: ['rules'], properties: { $schema, ...properties } }
    const { rules } = properties
    return [
      { $ref: `#/definitions/${request}` },
      { ...rules, description: `Rules of a level ${of}, in the order of their findings.` },
    ]
  }

  const anyOf = [...fileOf('SceneLintRequest', 'of the plane'), ...fileOf('SceneLint3dRequest', 'in space')]
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Rules of a level',
    description: 'What tangent check --rules reads, and the query lint takes.',
    anyOf,
    definitions,
  }
  return `${JSON.stringify(schema, null, 2)}\n`
}
