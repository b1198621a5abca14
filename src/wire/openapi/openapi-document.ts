// The shape of an OpenAPI document, as far as it is read and rewritten here, and a walk over its schemas.

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
  /** By name: a value, or a reference to one of the components. */
  examples?: Record<string, { value?: unknown; $ref?: string }>
}

export interface OpenApiHeader {
  $ref?: string
  description?: string
  schema?: OpenApiSchema
}

/** An answer, or a reference to one of the components. */
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

/** The one value that a member of a union has for its tag. */
export function tagValue(member: OpenApiSchema, tag: string): string {
  const values = member.properties?.[tag]?.enum
  if (values?.length !== 1) throw new Error(`a union member must have one ${tag}`)
  return String(values[0])
}

export function operations(document: OpenApiDocument): OpenApiOperation[] {
  return Object.values(document.paths).flatMap((path) => Object.values(path))
}

/** The media of all request bodies and answers, those of the components included. */
export function media(document: OpenApiDocument): OpenApiMedia[] {
  const own = operations(document).flatMap(({ requestBody, responses }) => [requestBody, ...Object.values(responses)])
  const parts = [...own, ...Object.values(document.components.responses ?? {})]
  return parts.flatMap((part) => Object.values(part?.content ?? {}))
}

/** A copy of the document with every schema replaced by what `rewrite` makes of it, the inner ones first. */
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
