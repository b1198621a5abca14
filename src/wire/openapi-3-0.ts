// The OpenAPI 3.0.3 view of the 3.1 document, for generators that know no newer one.

import { mapSchemas, type OpenApiDocument, type OpenApiSchema } from './openapi-document.ts'

export function downgrade(document: OpenApiDocument): OpenApiDocument {
  const { license, ...info } = document.info
  const view = mapSchemas(document, downgradeSchema)
  const url = 'https://opensource.org/license/mit'
  return { ...view, openapi: '3.0.3', info: { ...info, license: { name: license?.name as string, url } } }
}

function downgradeSchema(schema: OpenApiSchema): OpenApiSchema {
  // siblings of a reference are not allowed
  if (schema.$ref !== undefined) return { $ref: schema.$ref }
  const { examples, exclusiveMinimum, oneOf, ...rest } = schema
  const out: OpenApiSchema = rest
  if (examples !== undefined) out.example = examples[0]
  if (typeof exclusiveMinimum === 'number') {
    out.minimum = exclusiveMinimum
    out.exclusiveMinimum = true
  }
  if (Array.isArray(rest.type)) {
    out.type = rest.type[0]
    out.nullable = true
  }
  if (oneOf !== undefined) {
    const present = oneOf.filter(({ type }) => type !== 'null')
    // a reference to an object, or null: what generators understand
    if (present.length < oneOf.length) return { ...out, type: 'object', nullable: true, allOf: present }
    out.oneOf = oneOf
  }
  return out
}
