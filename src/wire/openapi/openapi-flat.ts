// The flat view: OpenAPI 3.0.3 in which every union is one object with the fields of all its
// members, the tag required and the rest optional, for generators that cannot do unions. What is
// sent and received is the same; which field goes with which tag is then in the descriptions.

import {
  componentName,
  componentReference,
  mapSchemas,
  type OpenApiDocument,
  type OpenApiSchema,
  tagValue,
} from './openapi-document.ts'

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
  // a member that is used by itself as well stays
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

/** What holds the values of both; of two types, any value. */
function united(schema: OpenApiSchema, other: OpenApiSchema): OpenApiSchema {
  if (schema.type !== other.type || target(schema) !== target(other)) {
    return schema.description === undefined ? {} : { description: schema.description }
  }
  // a reference, or the same one or null
  if (target(schema) !== undefined) return schema.oneOf === undefined ? other : schema
  const nullable = schema.nullable === true || other.nullable === true ? { nullable: true } : {}
  const { enum: words, ...rest } = schema
  const both = words !== undefined && other.enum !== undefined ? { enum: [...new Set([...words, ...other.enum])] } : {}
  if (schema.items === undefined || other.items === undefined) return { ...rest, ...both, ...nullable }
  return { ...rest, ...nullable, items: united(schema.items, other.items) }
}

/** What is referred to, whether it may be null or not. */
function target({ $ref, oneOf }: OpenApiSchema): string | undefined {
  return $ref ?? oneOf?.[0].$ref
}

function describeUses(uses: Map<string, string>): string {
  return [...uses].map(([tag, description]) => `${tag}: ${description}`).join(' ')
}

/** The fields that go with a tag, the optional ones with a question mark. */
function fieldList({ properties = {}, required = [] }: OpenApiSchema, tag: string): string {
  const names = Object.keys(properties).filter((name) => name !== tag)
  if (names.length === 0) return 'no other field'
  return names.map((name) => (required.includes(name) ? name : `${name}?`)).join(', ')
}
