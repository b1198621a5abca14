// A union told apart by one string field (its tag): `oneOf` over named references with a
// `discriminator`, the only form from which validators, documentation and generated clients all
// speak of the one branch that was meant. TypeBox has no oneOf of its own (Type.Union is anyOf).

import { type Static, type TObject, type TUnsafe, Type } from '@sinclair/typebox'
import { refer } from './reference.ts'

export interface TaggedUnionOptions {
  $id: string
  description: string
}

/** Every member must be named (`$id`) and must require `tag` as a string literal. */
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
