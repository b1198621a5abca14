/**
 * Fields of a file that is JSON and of which nothing is certain: each is what it should be, or the file is refused with its place.
 */

import { ImportFault } from './import-fault.ts'
import { jsonFault } from './json-fault.ts'

export type JsonObject = Record<string, unknown>

/** The document; the place of a fault in its text is a line and a column. */
export function parseFile(name: string, text: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const place = jsonFault(text)
    const where = place === null ? name : `${name}, line ${place.line}, column ${place.column}`
    throw new ImportFault('import-malformed', where, notJson(text, (error as Error).message))
  }
  return asObject(value, name)
}

function notJson(text: string, reason: string): string {
  if (text.trim() === '') return 'It is empty.'
  if (/^\s*</.test(text)) return 'It is not JSON, but looks like XML.'
  // The engine repeats the text about the place, and counts letters, which line and column say better.
  return `It is not JSON: ${reason.replace(/,? (?:\.\.\.)?".*" is not valid JSON$|(?: in JSON)? at position \d+.*$/s, '')}.`
}

export function asObject(value: unknown, where: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  throw new ImportFault('import-malformed', where, `It must be an object, got ${kindOf(value)}.`)
}

/** The list in a field; empty where the field is absent or null. */
export function listAt(object: JsonObject, field: string, where: string): unknown[] {
  const value = object[field] ?? []
  if (Array.isArray(value)) return value
  throw new ImportFault('import-malformed', `${where}/${field}`, `It must be a list, got ${kindOf(value)}.`)
}

/** The objects in a list. */
export function objectsAt(object: JsonObject, field: string, where: string): JsonObject[] {
  return listAt(object, field, where).map((value, k) => asObject(value, `${where}/${field}/${k}`))
}

export function numberAt(object: JsonObject, field: string, where: string, fallback?: number): number {
  const value = object[field] ?? fallback
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new ImportFault('import-malformed', `${where}/${field}`, `It must be a number, got ${kindOf(value)}.`)
}

/** A whole number from 0 up to `most`. */
export function countAt(object: JsonObject, field: string, where: string, most: number): number {
  const value = numberAt(object, field, where)
  if (Number.isInteger(value) && value >= 0 && value <= most) return value
  throw new ImportFault(
    'import-malformed',
    `${where}/${field}`,
    `It must be a whole number of at most ${most}, got ${value}.`,
  )
}

export function textAt(object: JsonObject, field: string, where: string, fallback?: string): string {
  const value = object[field] ?? fallback
  if (typeof value === 'string') return value
  throw new ImportFault('import-malformed', `${where}/${field}`, `It must be a text, got ${kindOf(value)}.`)
}

export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) return 'nothing'
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : JSON.stringify(value).slice(0, 40)
}
