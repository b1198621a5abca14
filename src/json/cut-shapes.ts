// Long shapes cut out of JSON text before it is parsed: reading 100,000 vertices takes a tenth of a second, which is for others
// to spend.
//
// Only shapes where bodies are expected count, `shape`, `body.shape` and `fields.shape`, of the document or of each item of a list.
// Unlike in `scan.ts`, the text may be anything. What is not as expected is left alone: whoever parses it finds out.

import { CLOSE, isSpace, kinds, OPEN, QUOTE, STRING, skipString } from './input.ts'

/** Bytes of documents, and of shapes in them, from which on it is worth the trouble. */
export const CUT_LENGTH = 2 ** 16

/** A part of the text that was left out. */
interface LongShape {
  readonly start: number
  readonly end: number
}

const OPEN_BRACE = 123
const CLOSE_BRACE = 125
const OPEN_BRACKET = 91
const CLOSE_BRACKET = 93
const COLON = 58
const COMMA = 44

let bytes: Buffer
let found: LongShape[]

/** Where long shapes lie, in order. `isList`: the text is a list of such documents. Cost: one look at each byte. */
export function findLongShapes(text: Buffer, isList: boolean): LongShape[] {
  if (text.length < CUT_LENGTH) return []
  bytes = text
  found = []
  const start = skipSpace(0)
  const isWhole = skipSpace(isList ? items(start) : members(start, true)) === text.length
  return isWhole ? found : []
}

/** The end of a list of objects that begins at `at`; 0 where there is none. */
function items(at: number): number {
  if (bytes[at] !== OPEN_BRACKET) return 0
  let next = skipSpace(at + 1)
  if (bytes[next] === CLOSE_BRACKET) return next + 1
  for (;;) {
    next = bytes[next] === OPEN_BRACE ? members(next, true) : skipValue(next)
    if (next === 0) return 0
    next = skipSpace(next)
    if (bytes[next] === CLOSE_BRACKET) return next + 1
    if (bytes[next] !== COMMA) return 0
    next = skipSpace(next + 1)
  }
}

/** Finds the long shapes among the members of an object. `isOuter`: it may hold bodies. */
function members(at: number, isOuter: boolean): number {
  if (bytes[at] !== OPEN_BRACE) return 0
  let next = skipSpace(at + 1)
  if (bytes[next] === CLOSE_BRACE) return next + 1
  for (;;) {
    if (bytes[next] !== QUOTE) return 0
    const nameEnd = skipString(bytes, next + 1, bytes.length)
    const name = nameEnd - next > 8 ? '' : bytes.toString('latin1', next + 1, nameEnd - 1)
    next = skipSpace(nameEnd)
    if (bytes[next] !== COLON) return 0
    next = skipSpace(next + 1)
    const start = next
    const isBody = isOuter && (name === 'body' || name === 'fields') && bytes[start] === OPEN_BRACE
    next = isBody ? members(start, false) : skipValue(start)
    if (next === 0) return 0
    if (name === 'shape' && next - start >= CUT_LENGTH && bytes[start] === OPEN_BRACE) found.push({ start, end: next })
    next = skipSpace(next)
    if (bytes[next] === CLOSE_BRACE) return next + 1
    if (bytes[next] !== COMMA) return 0
    next = skipSpace(next + 1)
  }
}

function skipSpace(at: number): number {
  while (isSpace(bytes[at])) at++
  return at
}

/** The end of the value that begins at `at`; 0 where there is none. */
function skipValue(at: number): number {
  if (bytes[at] === QUOTE) return skipString(bytes, at + 1, bytes.length)
  const { length } = bytes
  if (kinds[bytes[at]] === OPEN) {
    let depth = 0
    while (at < length) {
      const kind = kinds[bytes[at]]
      if (kind === STRING) {
        at = skipString(bytes, at + 1, length)
        continue
      }
      at++
      if (kind === OPEN) depth++
      else if (kind === CLOSE && --depth === 0) return at
    }
    return 0
  }
  const start = at
  while (at < length && bytes[at] !== COMMA && kinds[bytes[at]] !== CLOSE && !isSpace(bytes[at])) at++
  return at > start ? at : 0
}
