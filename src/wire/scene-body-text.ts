// Bodies of scenes as JSON text: the `data` of a body is kept as the text that was sent, in scenes and in their logs, because reading and
// writing a value can change its text: fields whose names are numbers change places, 1.0 becomes 1, long numbers lose digits.

import type { SceneBody } from '../scene/state/operation.ts'
import { textWithShape } from '../scene/state/shape-text.ts'
import { isFields } from './unread-shape.ts'

/** A field of this name may be in the text: as it is, or with escapes. */
const MAY_HAVE_DATA = /"data"|\\u/
/** Numbers that may be −0: the log does not know it from 0, so scenes do not either. `box-0` is not one. */
const MAY_BE_MINUS_ZERO = /[:,[\s]-(?:0(?:\.0+)?(?![\d.])|[\d.]+[eE]-\d{3})/

/** The value of a body that was sent, or of its new fields, with `data` as text. */
export function parseBody(text: string): unknown {
  const value = parseKept(text)
  if (MAY_HAVE_DATA.test(text)) keepData(text, start(text), value)
  return value
}

/** The value of new fields of a body, with `data` as text; a null removes the data. */
export function parseFields(text: string): unknown {
  const value = parseKept(text)
  if (MAY_HAVE_DATA.test(text)) keepData(text, start(text), value, true)
  return value
}

/** The value of a list of operations, with `data` as text. */
export function parseOperations(text: string): unknown {
  const value = parseKept(text)
  if (!MAY_HAVE_DATA.test(text)) return value
  const { operations } = { ...(value as { operations?: unknown }) }
  const list = Array.isArray(operations) ? operations : []
  eachField(text, start(text), (field, at) =>
    field === 'operations' ? keepDataOfItems(text, at, list) : skipValue(text, at),
  )
  return value
}

/** The items of a list of operations, from the text of the list alone. */
export function parseOperationItems(text: string): unknown[] {
  const items = parseKept(text) as { [name: string]: unknown }[]
  if (MAY_HAVE_DATA.test(text)) keepDataOfItems(text, start(text), items)
  return items
}

/** The value of a document with a list of bodies, with `data` as text. */
export function parseBodies(text: string): unknown {
  const value = parseKept(text)
  if (!MAY_HAVE_DATA.test(text)) return value
  const { bodies } = { ...(value as { bodies?: unknown }) }
  const list = Array.isArray(bodies) ? bodies : []
  eachField(text, start(text), (field, at) =>
    field === 'bodies' ? eachItem(text, at, (index, item) => keepData(text, item, list[index])) : skipValue(text, at),
  )
  return value
}

/** The body as JSON text. */
export function sceneBodyText({ data, ...rest }: SceneBody): string {
  const text = textWithShape(rest)
  return data === undefined ? text : `${text.slice(0, -1)},"data":${data}}`
}

/** A value that a scene is to keep. */
export function parseKept(text: string): unknown {
  if (!MAY_BE_MINUS_ZERO.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_name, value) => (value === 0 ? 0 : value))
}

const start = (text: string) => skipSpace(text, 0)

function keepDataOfItems(text: string, at: number, items: { [name: string]: unknown }[]): number {
  return eachItem(text, at, (index, item) =>
    eachField(text, item, (name, inside) => {
      const holder = items[index]?.[name]
      if (name === 'body') return keepData(text, inside, holder)
      return name === 'fields' ? keepData(text, inside, holder, true) : skipValue(text, inside)
    }),
  )
}

/** Sets `data` of a holder to its text. `at`: where the text of the holder begins. Of duplicate fields, the last one counts. */
function keepData(text: string, at: number, holder: unknown, nullTakesAway = false): number {
  return eachField(text, at, (name, from) => {
    const to = skipValue(text, from)
    if (name === 'data' && isFields(holder) && 'data' in holder) {
      const data = text.slice(from, to)
      holder.data = nullTakesAway && data === 'null' ? null : data
    }
    return to
  })
}

// Walks the text of JSON that is known to be well formed, to find where its values lie.

const QUOTE = 34
const BACKSLASH = 92
const COMMA = 44
const OBJECT = 123
const OBJECT_END = 125
const LIST = 91
const LIST_END = 93
const LAST_SPACE = 32

function skipSpace(text: string, at: number): number {
  while (text.charCodeAt(at) <= LAST_SPACE) at++
  return at
}

/** `at`: the opening quote. Returns where the text behind the closing one begins, as all that skip do. */
function skipString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); ; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++
    if (escapes % 2 === 0) return end + 1
  }
}

function skipValue(text: string, at: number): number {
  let depth = 0
  for (;;) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) at = skipString(text, at) - 1
    else if (unit === OBJECT || unit === LIST) depth++
    else if (unit === OBJECT_END || unit === LIST_END) depth--
    else if (depth === 0) return skipWord(text, at)
    at++
    if (depth === 0) return at
  }
}

/** A number, true, false or null. */
function skipWord(text: string, at: number): number {
  for (;;) {
    const unit = text.charCodeAt(at)
    // also at the end, where it is not a number
    if (!(unit > LAST_SPACE) || unit === COMMA || unit === OBJECT_END || unit === LIST_END) return at
    at++
  }
}

/**
 * `at`: a value. Calls `visit` with the name of each field and where its value begins; it returns where that ends.
 * Other values are skipped.
 */
function eachField(text: string, at: number, visit: (name: string, at: number) => number): number {
  if (text.charCodeAt(at) !== OBJECT) return skipValue(text, at)
  at = skipSpace(text, at + 1)
  while (text.charCodeAt(at) !== OBJECT_END) {
    const end = skipString(text, at)
    const name: string = JSON.parse(text.slice(at, end))
    const colon = skipSpace(text, end)
    at = skipSpace(text, visit(name, skipSpace(text, colon + 1)))
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1)
  }
  return at + 1
}

/** Calls `visit` with the index of each item of a list, and where it begins; `visit` returns where the item ends. Skips other values. */
function eachItem(text: string, at: number, visit: (index: number, at: number) => number): number {
  if (text.charCodeAt(at) !== LIST) return skipValue(text, at)
  at = skipSpace(text, at + 1)
  for (let index = 0; text.charCodeAt(at) !== LIST_END; index++) {
    at = skipSpace(text, visit(index, at))
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1)
  }
  return at + 1
}
