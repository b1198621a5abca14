/**
 * A file that is JSON, read from its bytes: long lists of numbers and long texts in fields of certain names are set aside before the
 * engine reads the rest, which is short then. How much of what there is in the file, and how deep in each other, is counted first.
 * Cost: one look at each byte.
 */

import { randomUUID } from 'node:crypto'
import { assertReadable, BETWEEN, CLOSE, kinds, OPEN, STRING, skipString, TooMuchToRead } from '../json/input.ts'
import { ImportFault, LongText, NumberList, type SourceFile, utf8Of } from './source-files.ts'

/** Lists and objects of a file, texts of a file with the names of fields, and how deep lists and objects may lie in each other. */
const MOST_PARTS = 3 * 2 ** 20
const MOST_TEXTS = 2 ** 22
const MOST_DEPTH = 512
/** Commas of a file outside of texts and of what is set aside: a position has two. */
const MOST_COMMAS = 2 ** 23
/** Different sequences of names that objects begin with, each of which takes the engine a hidden class. */
const MOST_SEQUENCES = 2 ** 18
/** Texts that lie in one object and in nothing inside it: the names of its fields, and those among their values. */
const MOST_TEXTS_OF_OBJECT = 2 ** 16

/** Bytes from which on something is long. */
const LONG_LENGTH = 512

const COMMA = 44
const DIGIT_0 = 48
const DIGIT_9 = 57
const COLON = 58
const LIST = 91
const LIST_END = 93
const LAST_SPACE = 32
const MOST_NUMBER = 2 ** 32 - 1

interface Aside {
  /** Where it lies in the bytes, brackets or quotes included. */
  start: number
  end: number
  value: LongText | NumberList
}

/** The document; the place of a fault in its text is a line and a column. `names`: of fields that may be long. */
export function parseJsonFile(file: SourceFile, names: readonly string[]): JsonObject {
  const { name } = file
  const bytes = utf8Of(file)
  const { asides, texts } = findLong(name, bytes, names)
  // no text of the file is the same by chance
  const mark = `aside-${randomUUID()}-`
  const pieces: string[] = []
  let at = 0
  for (const [k, { start, end }] of asides.entries()) {
    pieces.push(bytes.toString('utf8', at, start), `"${mark}${k}"`)
    at = end
  }
  pieces.push(bytes.toString('utf8', at))
  // there are no more than texts
  if (texts > MOST_SEQUENCES) assertFewSequences(name, bytes)
  const document = asObject(parsed(name, pieces, bytes), name)
  if (asides.length > 0) putBack(document, names, (text) => asides[Number(text.slice(mark.length))].value, mark)
  return document
}

function parsed(name: string, pieces: string[], bytes: Buffer): unknown {
  try {
    return JSON.parse(pieces.length === 1 ? pieces[0] : pieces.join(''))
  } catch (error) {
    throw malformedJson(name, bytes, error as Error)
  }
}

/** The fault of a file that is not JSON. `error`: of the engine. */
export function malformedJson(name: string, bytes: Buffer, error: Error): ImportFault {
  const text = bytes.toString()
  const place = jsonFault(text)
  const where = place === null ? name : `${name}, line ${place.line}, column ${place.column}`
  return new ImportFault('import-malformed', where, notJson(text, error.message))
}

function notJson(text: string, reason: string): string {
  if (text.trim() === '') return 'It is empty.'
  if (/^\s*</.test(text)) return 'It is not JSON, but looks like XML.'
  // The engine repeats the text about the place, and counts letters, which line and column say better.
  return `It is not JSON: ${reason.replace(/,? (?:\.\.\.)?".*" is not valid JSON$|(?: in JSON)? at position \d+.*$/s, '')}.`
}

/** The names are in the bytes, whatever is set aside. */
function assertFewSequences(name: string, bytes: Buffer): void {
  try {
    assertReadable(bytes, 0, bytes.length, {
      parts: Infinity,
      items: Infinity,
      fields: Infinity,
      sequences: MOST_SEQUENCES,
    })
  } catch (error) {
    if (!(error instanceof TooMuchToRead)) throw error
    throw tooMuch(name, `objects with more than ${MOST_SEQUENCES} different sequences of names`)
  }
}

function findLong(name: string, bytes: Buffer, names: readonly string[]): { asides: Aside[]; texts: number } {
  const asides: Aside[] = []
  let [parts, texts, commas, depth] = [0, 0, 0, 0]
  /** Texts in each of the lists and objects around; none are counted of lists. */
  const inside = new Int32Array(MOST_DEPTH + 1)
  for (let at = 0; at < bytes.length; at++) {
    const kind = kinds[bytes[at]]
    if (kind === STRING) {
      if (++texts > MOST_TEXTS) throw tooMuch(name, `more than ${MOST_TEXTS} texts`)
      if (++inside[depth] > MOST_TEXTS_OF_OBJECT) throw tooMuch(name, 'an object of very many fields')
      const end = skipString(bytes, at + 1, bytes.length)
      if (end - at > LONG_LENGTH && isNamed(bytes, at, names)) {
        const text = bytes.subarray(at + 1, end - 1)
        if (text.indexOf(BACKSLASH) < 0 && end <= bytes.length && !hasControls(text)) {
          asides.push({ start: at, end, value: new LongText(text) })
        }
      }
      at = end - 1
    } else if (kind === OPEN) {
      if (++parts > MOST_PARTS) throw tooMuch(name, `more than ${MOST_PARTS} lists and objects`)
      if (++depth > MOST_DEPTH) throw tooMuch(name, `lists and objects more than ${MOST_DEPTH} deep in each other`)
      inside[depth] = bytes[at] === LIST ? -MOST_TEXTS : 0
      const long = bytes[at] === LIST && isNamed(bytes, at, names) ? readNumbers(bytes, at) : null
      if (long !== null) {
        asides.push(long)
        depth--
        at = long.end - 1
      }
    } else if (kind === CLOSE) depth--
    else if (kind === BETWEEN && ++commas > MOST_COMMAS) throw tooMuch(name, `more than ${MOST_COMMAS} commas`)
  }
  return { asides, texts }
}

function tooMuch(name: string, what: string): ImportFault {
  return new ImportFault('import-malformed', name, `It has ${what}, which is more than is read of a file.`)
}

/** Texts of JSON have none. */
function hasControls(bytes: Uint8Array): boolean {
  for (let k = 0; k < bytes.length; k++) if (bytes[k] < LAST_SPACE) return true
  return false
}

/** Whether the value at `at` is that of a field of one of the names. */
function isNamed(bytes: Buffer, at: number, names: readonly string[]): boolean {
  const colon = behindSpace(bytes, at - 1)
  if (bytes[colon] !== COLON) return false
  const quote = behindSpace(bytes, colon - 1)
  if (bytes[quote] !== QUOTE) return false
  return names.some((name) => {
    const start = quote - name.length - 1
    return start > 0 && bytes[start - 1] !== BACKSLASH && bytes.toString('latin1', start, quote) === `"${name}`
  })
}

function behindSpace(bytes: Buffer, at: number): number {
  while (at >= 0 && bytes[at] <= LAST_SPACE) at--
  return at
}

/** Null of a list that is short, or has something else than whole numbers in it. */
function readNumbers(bytes: Buffer, start: number): Aside | null {
  const close = bytes.indexOf(LIST_END, start)
  if (close - start < LONG_LENGTH) return null
  // what is not written to takes no memory
  const values = new Uint32Array((close - start + 1) >> 1)
  let count = 0
  let value = -1
  let isOver = false
  for (let at = start + 1; at < close; at++) {
    const byte = bytes[at]
    if (byte >= DIGIT_0 && byte <= DIGIT_9) {
      if (value === 0 || isOver) return null
      value = value < 0 ? byte - DIGIT_0 : 10 * value + (byte - DIGIT_0)
      if (value > MOST_NUMBER) return null
    } else if (byte === COMMA) {
      if (value < 0) return null
      values[count++] = value
      value = -1
      isOver = false
    } else if (byte === LAST_SPACE || (byte >= 9 && byte <= 13 && byte !== 11 && byte !== 12)) isOver = value >= 0
    else return null
  }
  if (value < 0) return null
  values[count++] = value
  return { start, end: close + 1, value: new NumberList(values.subarray(0, count)) }
}

/** Puts what was set aside where its mark stands. */
function putBack(holder: unknown, names: readonly string[], asideOf: (text: string) => unknown, mark: string): void {
  if (typeof holder !== 'object' || holder === null) return
  if (Array.isArray(holder)) {
    for (const item of holder) putBack(item, names, asideOf, mark)
    return
  }
  const object = holder as JsonObject
  for (const name in object) {
    const value = object[name]
    if (typeof value === 'object') putBack(value, names, asideOf, mark)
    else if (typeof value === 'string' && value.startsWith(mark) && names.includes(name)) object[name] = asideOf(value)
  }
}

// Fields of a file that is JSON and of which nothing is certain: each is what it should be, or the file is refused with its place.

export type JsonObject = Record<string, unknown>

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
  const list = listAt(object, field, where)
  // a place for each would take longer than all the rest
  const other = list.findIndex((value) => typeof value !== 'object' || value === null || Array.isArray(value))
  if (other >= 0) asObject(list[other], `${where}/${field}/${other}`)
  return list as JsonObject[]
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

// Where a text ceases to be JSON: a line and a column, both from 1. The engine's parser says only what it found there.
//
// Method: tokens one after another, with the open brackets on a stack; nothing is built. Cost O(length), and a byte for each bracket
// that is open. Source: RFC 8259.

/** Any token but a string, at the current place. */
const TOKEN = /[{}[\],:]|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const SPACE = /[ \t\r\n]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const QUOTE = 0x22
const BACKSLASH = 0x5c
const FIRST_LETTER = 0x20

type Expected = 'value' | 'value or ]' | 'name or }' | 'name' | ':' | 'more' | 'end'

/** Null of what is JSON. */
export function jsonFault(text: string): { line: number; column: number } | null {
  const at = faultAt(text)
  if (at < 0) return null
  const before = text.slice(0, at)
  let line = 1
  for (let k = before.indexOf('\n'); k >= 0; k = before.indexOf('\n', k + 1)) line++
  return { line, column: at - before.lastIndexOf('\n') }
}

function faultAt(text: string): number {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  for (let at = 0; ; ) {
    SPACE.lastIndex = at
    SPACE.exec(text)
    at = SPACE.lastIndex
    if (at === text.length) return expected === 'end' ? -1 : at
    TOKEN.lastIndex = at
    const isText = text.charCodeAt(at) === QUOTE
    const token = isText ? '"' : (TOKEN.exec(text)?.[0] ?? '')
    const next: Expected | null = token === '' ? null : expectedAfter(token, expected, open)
    if (next === null) return at
    expected = next
    if (!isText) at += token.length
    else {
      const end = endOfText(text, at)
      if (end.isFault) return end.at
      at = end.at
    }
  }
}

/** Behind the text that starts there, or where it ceases to be one. */
function endOfText(text: string, start: number): { at: number; isFault: boolean } {
  let at = start + 1
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return { at: at + 1, isFault: false }
    if (code < FIRST_LETTER) break
    if (code !== BACKSLASH) continue
    ESCAPE.lastIndex = at
    if (!ESCAPE.test(text)) break
    at = ESCAPE.lastIndex - 1
  }
  return { at, isFault: true }
}

/** Null where the token must not come. */
function expectedAfter(token: string, expected: Expected, open: ('{' | '[')[]): Expected | null {
  const afterValue = (): Expected => (open.length === 0 ? 'end' : 'more')
  const within = open[open.length - 1]
  const closes = (bracket: string): boolean => {
    if (token !== bracket) return false
    open.pop()
    return true
  }
  switch (expected) {
    case 'end':
      return null
    case ':':
      return token === ':' ? 'value' : null
    case 'name':
      return token[0] === '"' ? ':' : null
    case 'name or }':
      return closes('}') ? afterValue() : token[0] === '"' ? ':' : null
    case 'more':
      if (token === ',') return within === '{' ? 'name' : 'value'
      return closes(within === '{' ? '}' : ']') ? afterValue() : null
    default:
      if (expected === 'value or ]' && closes(']')) return afterValue()
      if (token === '{' || token === '[') {
        open.push(token)
        return token === '{' ? 'name or }' : 'value or ]'
      }
      return /^[}\],:]/.test(token) ? null : afterValue()
  }
}
