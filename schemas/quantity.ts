// Numbers and closed lists of words, with the formats that code generators need: without
// `double` and `int32` several of them choose float32, decimal or BigDecimal.

import {
  type NumberOptions,
  type TBoolean,
  type TInteger,
  type TNumber,
  type TOptional,
  type TUnsafe,
  Type,
} from '@sinclair/typebox'

/** A finite IEEE double. */
export function real(description: string, options: NumberOptions = {}): TNumber {
  return Type.Number({ format: 'double', description, ...options })
}

/** A finite IEEE double, or null. */
export function nullableReal(description: string): TUnsafe<number | null> {
  return Type.Unsafe<number | null>({ type: ['number', 'null'], format: 'double', description })
}

/** A span of time that is never negative, in seconds. */
export function duration(description: string): TNumber {
  return real(description, { minimum: 0 })
}

/** A length that is never negative, in the caller's unit. */
export function length(description: string): TNumber {
  return real(description, { minimum: 0 })
}

/** A whole number from 0, of 32 bits. */
export function index(description: string): TInteger {
  return Type.Integer({ format: 'int32', minimum: 0, description })
}

/** One of a closed list of words. */
export function word<const T extends readonly string[]>(words: T, description: string): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...words], description })
}

/** A field that is true or false, and may be absent. */
export function flag(description: string): TOptional<TBoolean> {
  return Type.Optional(Type.Boolean({ description }))
}
