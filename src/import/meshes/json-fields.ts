// Fields of a JSON document that anybody may have written: each is of the type that is expected, or the file is malformed.

import { malformed } from './mesh-data.ts'

export type Fields = Readonly<Record<string, unknown>>

export function record(value: unknown, where: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw malformed(where, 'An object is expected here.')
}

/** Empty where there is none. */
export function list(value: unknown, where: string): readonly unknown[] {
  if (value === undefined) return []
  if (Array.isArray(value)) return value
  throw malformed(where, 'A list is expected here.')
}

export function text(value: unknown, where: string): string {
  if (typeof value === 'string') return value
  throw malformed(where, 'A text is expected here.')
}

/** A whole number from 0. */
export function whole(value: unknown, where: string): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number
  throw malformed(where, 'A whole number from 0 is expected here.')
}

/** So many finite numbers. */
export function numbers(value: unknown, count: number, where: string): readonly number[] {
  const found = list(value, where)
  if (found.length === count && found.every(Number.isFinite)) return found as readonly number[]
  throw malformed(where, `${count} finite numbers are expected here.`)
}

/** The bytes of a buffer that the fields `byteOffset`, from its beginning where it is absent, and `byteLength` name. */
export function bytesIn({ byteOffset, byteLength }: Fields, buffer: Buffer, where: string): Buffer {
  const start = byteOffset === undefined ? 0 : whole(byteOffset, `${where}/byteOffset`)
  const end = start + whole(byteLength, `${where}/byteLength`)
  if (end > buffer.length) throw malformed(where, `It ends at byte ${end}, but there are ${buffer.length}.`)
  return buffer.subarray(start, end)
}
