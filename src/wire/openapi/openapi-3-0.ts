// The OpenAPI 3.0.3 view of the 3.1 document, for generators that know no newer one.

import { mapSchemas, type OpenApiDocument, type OpenApiSchema } from './openapi-document.ts'

const LICENSE_URL = 'https://opensource.org/license/mit'

export function downgrade(document: OpenApiDocument): OpenApiDocument {
  const { license, ...info } = document.info
  const view = mapSchemas(document, downgradeSchema)
  return { ...view, openapi: '3.0.3', info: { ...info, license: { name: license?.name as string, url: LICENSE_URL } } }
}

function downgradeSchema(schema: OpenApiSchema): OpenApiSchema {
  // siblings of a reference are not allowed
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
    // several have no name here
    else return out.description === undefined ? {} : { description: out.description }
  }
  if (out.oneOf?.some(({ type }) => type === 'null')) return nullableReference(out.oneOf[0])
  if (out.properties !== undefined) out.properties = withoutNullLists(out)
  return out
}

/** The target, or null, which in 3.0 is a value of every type that says so. Generators take it for the type of the target. */
function nullableReference(reference: OpenApiSchema): OpenApiSchema {
  return { oneOf: [reference, { type: 'object', nullable: true, enum: [null] }] }
}

/** Fields that may be left out are no lists or null: what generators make of those in Rust does not compile. An empty list will do. */
function withoutNullLists({ properties = {}, required = [] }: OpenApiSchema): Record<string, OpenApiSchema> {
  const fields = Object.entries(properties).map(([name, field]): [string, OpenApiSchema] => {
    if (field.type !== 'array' || field.nullable !== true || required.includes(name)) return [name, field]
    const { nullable: _, ...list } = field
    return [name, list]
  })
  return Object.fromEntries(fields)
}
