// Named schemas and references to them: a reference has the type of its target, and is a `$ref` in the OpenAPI document.
// The name of a schema is its component name in the document, so code generators make one class of it. A registry keeps
// every schema that is referred to, so there is no list of all schemas to maintain.

import { type ObjectOptions, type Static, type TObject, type TSchema, type TUnsafe, Type } from '@sinclair/typebox'

/** Schemas that others refer to, by name. */
const targets = new Map<string, TSchema>()
/** Names of the examples of a schema, by its name. */
const exampleNames = new Map<string, readonly string[]>()

/**
 * Options of a named object, which accepts no field that it does not list. Examples of requests have names; the OpenAPI document
 * shows each request and its response under that name.
 */
export function named(
  $id: string,
  description: string,
  examples?: readonly unknown[] | Readonly<Record<string, unknown>>,
): ObjectOptions {
  const options = { $id, additionalProperties: false, description }
  if (examples === undefined) return options
  if (Array.isArray(examples)) return { ...options, examples }
  exampleNames.set($id, Object.keys(examples))
  return { ...options, examples: Object.values(examples) }
}

/** Names of the examples of a schema, in order; empty if the examples have no names. */
export function exampleNamesOf($id: string): readonly string[] {
  return exampleNames.get($id) ?? []
}

/** Looks up a schema that others refer to. */
export function referredTo($id: string): TSchema {
  const schema = targets.get($id)
  if (schema === undefined) throw new Error(`nothing refers to a schema ${$id}`)
  return schema
}

/** The `$ref` to a named schema, which it registers. */
function refer(schema: TSchema): { $ref: string } {
  const $ref = schema.$id as string
  const other = targets.get($ref)
  if (other !== undefined && other !== schema) throw new Error(`two schemas are called ${$ref}`)
  targets.set($ref, schema)
  return { $ref }
}

/** A reference to a named schema. `description` describes this use of it. */
export function reference<T extends TSchema>(schema: T, description?: string): TUnsafe<Static<T>> {
  const target = refer(schema)
  return Type.Unsafe<Static<T>>(description === undefined ? target : { ...target, description })
}

/** A reference to a schema that is declared later. */
export function referenceByName<T>($ref: string): TUnsafe<T> {
  return Type.Unsafe<T>({ $ref })
}

/** The named schema, or null. */
export function nullable<T extends TSchema>(schema: T, description: string): TUnsafe<Static<T> | null> {
  return Type.Unsafe<Static<T> | null>({ oneOf: [refer(schema), { type: 'null' }], description })
}

interface TaggedUnionOptions {
  $id: string
  description: string
}

/**
 * A union that one string field (its tag) discriminates: `oneOf` over references with a `discriminator`, the only form for which
 * validators, documentation and generated clients all report the branch that was meant. (TypeBox has Type.Union, which is anyOf.)
 * Every member must be named (`$id`) and must require `tag` as a string literal.
 */
export function taggedUnion<const T extends readonly TObject[]>(
  tag: string,
  members: T,
  options: TaggedUnionOptions,
): TUnsafe<Static<T[number]>> {
  return Type.Unsafe<Static<T[number]>>({
    ...options,
    type: 'object',
    oneOf: members.map(refer),
    discriminator: { propertyName: tag },
    required: [tag],
  })
}
