// Named schemas, and references to them: the type of the target, and `$ref` in the document.
// A schema that is named is registered once and referred to everywhere else, so that code
// generators make one class of it; its name is the component name of the OpenAPI document.

import { type ObjectOptions, type Static, type TSchema, type TUnsafe, Type } from '@sinclair/typebox'

/** Options of a named object, which takes no field that it does not list. */
export function named($id: string, description: string, examples?: unknown[]): ObjectOptions {
  const options = { $id, additionalProperties: false, description }
  return examples === undefined ? options : { ...options, examples }
}

/** `schema` must be named. A description given here speaks of this use of it. */
export function reference<T extends TSchema>(schema: T, description?: string): TUnsafe<Static<T>> {
  const $ref = schema.$id as string
  return Type.Unsafe<Static<T>>(description === undefined ? { $ref } : { $ref, description })
}

/** The same where the two files would import each other. */
export function referenceByName<T>($ref: string): TUnsafe<T> {
  return Type.Unsafe<T>({ $ref })
}

/** The named schema, or null. */
export function nullable<T extends TSchema>(schema: T, description: string): TUnsafe<Static<T> | null> {
  const oneOf = [{ $ref: schema.$id as string }, { type: 'null' }]
  return Type.Unsafe<Static<T> | null>({ oneOf, description })
}
