// The three published views of the OpenAPI document, by file name and path, and the view for the page at /docs.
//
// Published views have JSON only: a generated client would otherwise take a response for JSON, picture or lines alike. Descriptions name
// the other media.

import {
  componentName,
  componentReference,
  mapSchemas,
  type OpenApiDocument,
  type OpenApiMedia,
  type OpenApiOperation,
  type OpenApiResponse,
  type OpenApiSchema,
  operations,
  tagValue,
} from './openapi-document.ts'
import { PROBLEM_TYPE } from './problems.ts'

const JSON_TYPE = 'application/json'
const FILE_TYPE = 'application/octet-stream'

const VIEWS: Readonly<Record<string, (document: OpenApiDocument) => OpenApiDocument>> = {
  'openapi.json': forPrograms,
  'openapi-3.0.json': (document) => downgrade(forPrograms(document)),
  'openapi-flat.json': (document) => flatten(downgrade(forPrograms(document))),
}

export const openApiViews: readonly string[] = Object.keys(VIEWS)

/** The text of a view, as committed and served. Takes the 3.1 document. */
export function renderView(name: string, document: OpenApiDocument): string {
  return `${JSON.stringify(VIEWS[name](document), null, 2)}\n`
}

function forPrograms(document: OpenApiDocument): OpenApiDocument {
  return nameParameters(withoutUnused(oneMedium(document)))
}

/** Component names for schemas of parameters, by operation and parameter, or by parameter alone. */
const PARAMETER_NAMES: Readonly<Record<string, string>> = {
  view: 'PictureView',
  'importScene.format': 'ImportFormat',
  'importScene3d.format': 'ImportFormat3d',
  'importScene3d.up': 'SceneUpAxis',
  'exportScene.format': 'ExportFormat',
  'exportScene3d.format': 'ExportFormat3d',
  for: 'ReadyFor',
  up: 'FileUpAxis',
}

/**
 * Moves enumerations in parameters to named components: some generators refer to an inline schema by a name that they never declare. Throws if such a schema has no name, or if two different schemas have the same name.
 */
export function nameParameters(document: OpenApiDocument): OpenApiDocument {
  const copy = structuredClone(document)
  const { schemas } = copy.components
  for (const { operationId, parameters = [] } of operations(copy)) {
    for (const parameter of parameters) {
      if (parameter.schema.enum === undefined) continue
      const name = PARAMETER_NAMES[`${operationId}.${parameter.name}`] ?? PARAMETER_NAMES[parameter.name]
      if (name === undefined) throw new Error(`the words of ${parameter.name} of ${operationId} have no name`)
      const known = schemas[name]
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(parameter.schema)) {
        throw new Error(`${name} names two different schemas`)
      }
      schemas[name] = parameter.schema
      parameter.schema = { $ref: `#/components/schemas/${name}` }
    }
  }
  return copy
}

/** Keeps one medium of a body: JSON, or a file as it is. Generators make a type of a form with files, and then do not find it. */
function oneMedium(document: OpenApiDocument): OpenApiDocument {
  const copy = structuredClone(document)
  for (const { requestBody, responses } of operations(copy)) {
    for (const part of [requestBody, ...Object.values(responses)]) {
      const kept = [JSON_TYPE, FILE_TYPE].find((type) => part?.content?.[type] !== undefined)
      if (part?.content !== undefined && kept !== undefined)
        part.content = { [kept]: part.content[kept] as OpenApiMedia }
    }
  }
  return copy
}

/** Removes schemas that only other media used. Cost O(size), for each level of schemas removed. */
function withoutUnused(document: OpenApiDocument): OpenApiDocument {
  const { schemas } = document.components
  const text = JSON.stringify(document)
  const used = Object.entries(schemas).filter(([name]) => text.includes(`"${componentReference(name).$ref}"`))
  if (used.length === Object.keys(schemas).length) return document
  return withoutUnused({ ...document, components: { ...document.components, schemas: Object.fromEntries(used) } })
}

// The OpenAPI 3.0.3 view of the 3.1 document, for generators without support for 3.1

const LICENSE_URL = 'https://opensource.org/license/mit'

export function downgrade(document: OpenApiDocument): OpenApiDocument {
  const { license, ...info } = document.info
  const view = mapSchemas(document, downgradeSchema)
  return { ...view, openapi: '3.0.3', info: { ...info, license: { name: license?.name as string, url: LICENSE_URL } } }
}

function downgradeSchema(schema: OpenApiSchema): OpenApiSchema {
  // 3.0 allows no siblings of a reference
  if (schema.$ref !== undefined) return { $ref: schema.$ref }
  const { examples, exclusiveMinimum, ...out } = schema
  if (examples !== undefined) out.example = examples[0]
  if (typeof exclusiveMinimum === 'number') {
    out.minimum = exclusiveMinimum
    out.exclusiveMinimum = true
  }
  if (Array.isArray(out.type)) {
    const types = out.type.filter((type) => type !== 'null')
    if (types.length < out.type.length) out.nullable = true
    if (types.length === 1) out.type = types[0]
    // 3.0 has no union of types
    else return out.description === undefined ? {} : { description: out.description }
  }
  if (out.oneOf?.some(({ type }) => type === 'null')) return nullableReference(out.oneOf[0])
  if (out.properties !== undefined) out.properties = withoutNullLists(out)
  return out
}

/** The target or null, by `nullable` in 3.0. Generators treat it as the type of the target. */
function nullableReference(reference: OpenApiSchema): OpenApiSchema {
  return { oneOf: [reference, { type: 'object', nullable: true, enum: [null] }] }
}

/** Optional fields are not nullable lists, for which Rust generators produce code that does not compile. Clients can send an empty list. */
function withoutNullLists({ properties = {}, required = [] }: OpenApiSchema): Record<string, OpenApiSchema> {
  const fields = Object.entries(properties).map(([name, field]): [string, OpenApiSchema] => {
    if (field.type !== 'array' || field.nullable !== true || required.includes(name)) return [name, field]
    const { nullable: _, ...list } = field
    return [name, list]
  })
  return Object.fromEntries(fields)
}

// The flat view: OpenAPI 3.0.3 in which every union is one object with the fields of all members, the tag required and the rest
// optional, for generators without unions. The wire format is unchanged; descriptions list the fields of each tag.

/** Takes the 3.0.3 view. */
export function flatten(document: OpenApiDocument): OpenApiDocument {
  const { schemas } = document.components
  const members = new Set<string>()
  const view = mapSchemas(document, (schema) => {
    if (schema.discriminator === undefined || schema.oneOf === undefined) return schema
    for (const member of schema.oneOf) members.add(componentName(member))
    return flattenUnion(
      schema,
      schema.oneOf.map((member) => schemas[componentName(member)]),
    )
  })
  // members that are also used alone stay
  const text = JSON.stringify(view)
  for (const name of members) {
    if (!text.includes(JSON.stringify(componentReference(name).$ref))) delete view.components.schemas[name]
  }
  return view
}

function flattenUnion(union: OpenApiSchema, members: OpenApiSchema[]): OpenApiSchema {
  const tag = union.discriminator?.propertyName as string
  const tags = members.map((member) => tagValue(member, tag))
  const fields = new Map<string, { schema: OpenApiSchema; uses: Map<string, string> }>()
  members.forEach(({ properties = {} }, i) => {
    for (const [name, schema] of Object.entries(properties)) {
      if (name === tag) continue
      const field = fields.get(name) ?? { schema, uses: new Map() }
      field.schema = united(field.schema, schema)
      field.uses.set(tags[i], schema.description ?? '')
      fields.set(name, field)
    }
  })
  const properties: Record<string, OpenApiSchema> = {
    [tag]: { type: 'string', enum: tags, description: `Says which: ${tags.join(', ')}.` },
  }
  for (const [name, { schema, uses }] of fields) {
    properties[name] = schema.$ref === undefined ? { ...schema, description: describeUses(uses) } : schema
  }
  const description = [
    union.description,
    ...members.map((member, i) => `${tags[i]}: ${fieldList(member, tag)}. ${member.description}`),
  ]
  return {
    type: 'object',
    description: description.join('\n\n'),
    required: [tag],
    additionalProperties: false,
    properties,
  }
}

/** A schema that accepts the values of both; any value for two different types. */
function united(schema: OpenApiSchema, other: OpenApiSchema): OpenApiSchema {
  if (schema.type !== other.type || target(schema) !== target(other)) {
    return schema.description === undefined ? {} : { description: schema.description }
  }
  // a reference, and that reference or null
  if (target(schema) !== undefined) return schema.oneOf === undefined ? other : schema
  const nullable = schema.nullable === true || other.nullable === true ? { nullable: true } : {}
  const { enum: words, ...rest } = schema
  const both = words !== undefined && other.enum !== undefined ? { enum: [...new Set([...words, ...other.enum])] } : {}
  if (schema.items === undefined || other.items === undefined) return { ...rest, ...both, ...nullable }
  return { ...rest, ...nullable, items: united(schema.items, other.items) }
}

/** The target of a reference, nullable or not. */
function target({ $ref, oneOf }: OpenApiSchema): string | undefined {
  return $ref ?? oneOf?.[0].$ref
}

function describeUses(uses: Map<string, string>): string {
  return [...uses].map(([tag, description]) => `${tag}: ${description}`).join(' ')
}

/** The fields of a tag; optional ones have a question mark. */
function fieldList({ properties = {}, required = [] }: OpenApiSchema, tag: string): string {
  const names = Object.keys(properties).filter((name) => name !== tag)
  if (names.length === 0) return 'no other field'
  return names.map((name) => (required.includes(name) ? name : `${name}?`)).join(', ')
}

// The document for the page at /docs: it shows the problem responses of an operation as one block with links. The published documents
// have a response for each status, which programs need but people would not read.

const MEANINGS: Readonly<Record<(typeof openApiViews)[number], string>> = {
  'openapi.json': 'OpenAPI 3.1',
  'openapi-3.0.json': 'for generators that know no newer one than 3.0',
  'openapi-flat.json': 'for those that cannot do unions',
}

/** Does not modify the document; the result shares unchanged parts with it. Cost O(operations). */
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

/** `shared`: response components, by name. */
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
