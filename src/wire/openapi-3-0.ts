// The OpenAPI 3.0.3 view of the 3.1 document, for generators that know no newer one.

import {
  componentName,
  componentReference,
  mapSchemas,
  type OpenApiDocument,
  type OpenApiSchema,
} from './openapi-document.ts'

const LICENSE_URL = 'https://opensource.org/license/mit'

export function downgrade(document: OpenApiDocument): OpenApiDocument {
  const { license, ...info } = document.info
  const nullables = new Set<string>()
  const view = mapSchemas(document, (schema) => downgradeSchema(schema, nullables))
  const { schemas } = view.components
  for (const name of nullables) {
    schemas[nullableName(name)] = { ...schemas[name], nullable: true }
    // one that is only used with null has no use under its own name
    const reference = JSON.stringify(componentReference(name).$ref)
    if (!JSON.stringify(view).includes(reference)) delete schemas[name]
  }
  return { ...view, openapi: '3.0.3', info: { ...info, license: { name: license?.name as string, url: LICENSE_URL } } }
}

function downgradeSchema(schema: OpenApiSchema, nullables: Set<string>): OpenApiSchema {
  // siblings of a reference are not allowed
  if (schema.$ref !== undefined) return { $ref: schema.$ref }
  const { examples, exclusiveMinimum, ...out } = schema
  if (examples !== undefined) out.example = examples[0]
  if (typeof exclusiveMinimum === 'number') {
    out.minimum = exclusiveMinimum
    out.exclusiveMinimum = true
  }
  if (Array.isArray(out.type)) {
    out.type = out.type[0]
    out.nullable = true
  }
  if (out.oneOf?.some(({ type }) => type === 'null')) {
    // A component of its own: beside a reference, or beside allOf, `nullable` allows no null to
    // strict validators, and generators make a class of each use.
    const name = componentName(out.oneOf[0])
    nullables.add(name)
    return componentReference(nullableName(name))
  }
  return out
}

/** Not `Nullable…`, which is what Go clients call the wrappers that they make themselves. */
function nullableName(name: string): string {
  return `${name}OrNull`
}
