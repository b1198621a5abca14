// Named schemas, and references to them: the type of the target, and `$ref` in the document.
// A schema that is named is referred to everywhere else, so that code generators make one class of
// it; its name is the component name of the OpenAPI document. Whoever has a schema finds by their
// names those that it refers to, so that no list of all of them has to be kept.

import { type ObjectOptions, type Static, type TSchema, type TUnsafe, Type } from '@sinclair/typebox'

/** By name: the schemas that others refer to. */
const targets = new Map<string, TSchema>()
/** By the name of the schema: what its examples are called. */
const exampleNames = new Map<string, readonly string[]>()

/**
 * Options of a named object, which takes no field that it does not list. Examples of requests have names, under which the OpenAPI
 * document shows them and the answers to them.
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

/** What the examples of a named schema are called, in their order; none where they have no names. */
export function exampleNamesOf($id: string): readonly string[] {
  return exampleNames.get($id) ?? []
}

/** The schema of this name that others refer to. */
export function referredTo($id: string): TSchema {
  const schema = targets.get($id)
  if (schema === undefined) throw new Error(`nothing refers to a schema ${$id}`)
  return schema
}

/** What stands for a named schema wherever it is used. */
export function refer(schema: TSchema): { $ref: string } {
  const $ref = schema.$id as string
  const other = targets.get($ref)
  if (other !== undefined && other !== schema) throw new Error(`two schemas are called ${$ref}`)
  targets.set($ref, schema)
  return { $ref }
}

/** `schema` must be named. A description given here speaks of this use of it. */
export function reference<T extends TSchema>(schema: T, description?: string): TUnsafe<Static<T>> {
  const target = refer(schema)
  return Type.Unsafe<Static<T>>(description === undefined ? target : { ...target, description })
}

/** The same where the two files would import each other. */
export function referenceByName<T>($ref: string): TUnsafe<T> {
  return Type.Unsafe<T>({ $ref })
}

/** The named schema, or null. */
export function nullable<T extends TSchema>(schema: T, description: string): TUnsafe<Static<T> | null> {
  return Type.Unsafe<Static<T> | null>({ oneOf: [refer(schema), { type: 'null' }], description })
}
