// Properties of schemas that the reader and the writer need.

import type { TSchema } from '@sinclair/typebox'

/** By their names. */
export type NamedSchemas = Readonly<Record<string, unknown>>

export interface Fields {
  readonly properties: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
}

export function isNumber({ type }: TSchema): boolean {
  return type === 'number' || type === 'integer'
}

/** Whether all fields are listed. */
export function isClosed(schema: TSchema): schema is TSchema & Fields {
  return schema.type === 'object' && schema.properties !== undefined && schema.additionalProperties === false
}

/** Whether every item is of the same schema. */
export function isList(schema: TSchema): schema is TSchema & { readonly items: TSchema } {
  return schema.type === 'array' && schema.items !== undefined && !Array.isArray(schema.items)
}

/** The schema of what is not null, where null is the other choice; undefined where there are others or none. */
export function unlessNull(schema: TSchema): TSchema | undefined {
  const { type, oneOf } = schema
  if (oneOf?.length === 2 && oneOf[1].type === 'null') return oneOf[0]
  if (Array.isArray(type) && type.length === 2 && type[1] === 'null') return { ...schema, type: type[0] }
  return undefined
}
