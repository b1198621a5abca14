// JSON text that is read as bytes.
//
// Bytes become a string only where they are UTF-8 (RFC 8259, section 8.1). A byte order mark before the text is skipped, which that
// section allows.
//
// A guard stands before the engine's parser: a text of a few megabytes with a million empty objects, a million different names, or a
// million opening brackets takes fifty times its memory, or seconds, although no request needs such a text.
//
// Method: fields, objects and lists, and what the engine makes a hidden class for, which is every sequence of names that an object
// begins with, are counted while the bytes are looked through once. Sequences are told apart by a hash, so that a few are taken for
// the same.

import { isUtf8 } from 'node:buffer'

// Strings, brackets and the rest, and how deep brackets lie in each other.

/** How deep arrays and objects may lie in each other. */
export const MOST_DEPTH = 2 ** 19

export const QUOTE = 34
const BACKSLASH = 92

export const PLAIN = 0
export const STRING = 1
export const OPEN = 2
export const CLOSE = 3
export const BETWEEN = 4
const byteKinds = new Uint8Array(256)
for (const [kind, bytes] of [
  [STRING, '"'],
  [OPEN, '{['],
  [CLOSE, ']}'],
  [BETWEEN, ','],
] as const) {
  for (const byte of Buffer.from(bytes)) byteKinds[byte] = kind
}
/** The class of each byte. */
export const kinds: ArrayLike<number> = byteKinds

/** Thrown for a text that would take far more time and memory than any request needs. */
export class TooMuchToRead extends Error {
  /** JSON pointer to the object or list that has too much; null where that is not known. */
  readonly pointer: string | null

  constructor(message: string, pointer: string | null = null) {
    super(message)
    this.pointer = pointer
  }
}

export class NestedTooDeep extends TooMuchToRead {
  constructor() {
    super(`Arrays and objects may lie at most ${MOST_DEPTH} deep in each other.`)
  }
}

/**
 * `at`: in a string, or behind its opening quote. Returns where the text behind the closing one begins; where there is none before
 * `end` that is `end` + 1, or `end` + 2 if the first byte behind `end` is escaped.
 */
export function skipString(bytes: Buffer, at: number, end: number): number {
  for (; at < end; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) return at + 1
    if (byte === BACKSLASH) at++
  }
  return at + 1
}

/** Whether arrays and objects lie in each other deeper than is read. Cost: one look at each byte. */
export function isTooDeep(bytes: Buffer, start = 0, end = bytes.length): boolean {
  if (end - start <= MOST_DEPTH) return false
  let depth = 0
  for (let at = start; at < end; at++) {
    const kind = kinds[bytes[at]]
    if (kind === STRING) {
      at = skipString(bytes, at + 1, end) - 1
    } else if (kind === OPEN) {
      if (++depth > MOST_DEPTH) return true
    } else if (kind === CLOSE) depth--
  }
  return false
}

/** Most of each that a text may have. */
export interface MostOfText {
  /** Objects and lists. */
  readonly parts: number
  /** Items of all lists. */
  readonly items: number
  /** Of one object. */
  readonly fields: number
  /** Different sequences of names that objects begin with; less than a million. */
  readonly sequences: number
}

/** Bytes up to which a text can be read whatever is in it. */
const COUNTED_LENGTH = 2 ** 17
/** Fields of one object: no schema lists so many, and the data of a body have no room for them. */
const MOST_FIELDS = 1000
/** Different sequences of names that objects of one text begin with, the data of some bodies included. */
const MOST_SEQUENCES = 2 ** 15
/**
 * Objects and lists: so many, which is more than the data of some bodies have room for, and one more for so many bytes. The shortest
 * that requests have by the thousand are points, such as `{"x":0,"y":0}`.
 */
const FREE_PARTS = 2 ** 16
const PART_LENGTH = 8
/** Items of lists likewise. No request has lists of numbers or words, but data of bodies may. */
const ITEM_LENGTH = 4

const IN_LIST = -1
const COLON = 58
const LIST = 91
const COMMA = 44
/** Deepest place that has a pointer. */
const MOST_TOKENS = 64

/** A bit for each hash of a sequence; far more than are told apart. */
const HASH_BITS = 20
const seen = new Uint32Array(2 ** (HASH_BITS - 5))
/** Nobody outside can tell which sequences have the same hash. */
const SEED = Math.floor(Math.random() * 2 ** 31)
const FACTOR = 0x01000193
const MIX = 0x9e3779b1

/**
 * Throws `TooMuchToRead` where the text has more fields, objects and lists, or different objects than any that is to be read, or
 * `NestedTooDeep`. It may be something else than JSON. Cost: two looks at each byte of a long text.
 */
export function assertReadable(bytes: Buffer, start = 0, end = bytes.length, most = mostOf(end - start)): void {
  if (end - start <= COUNTED_LENGTH) return
  if (isTooDeep(bytes, start, end)) throw new NestedTooDeep()
  /** Fields of the objects around, `IN_LIST` for a list, and the hashes of their names. */
  const around: number[] = []
  let [fields, hash, parts, items, sequences] = [0, SEED, 0, 0, 0]
  let [nameStart, nameEnd] = [0, 0]
  const tooMuch = (message: string, at: number) => new TooMuchToRead(message, pointerAround(bytes, start, at))
  seen.fill(0)
  for (let at = start; at < end; at++) {
    const kind = kinds[bytes[at]]
    if (kind === STRING) {
      nameStart = at
      nameEnd = skipString(bytes, at + 1, end)
      at = nameEnd - 1
    } else if (kind === OPEN) {
      if (++parts > most.parts)
        throw tooMuch(`A text of this length may have at most ${most.parts} objects and arrays.`, at)
      around.push(fields, hash)
      fields = bytes[at] === LIST ? IN_LIST : 0
      hash = SEED
    } else if (kind === CLOSE) {
      hash = around.pop() ?? SEED
      fields = around.pop() ?? 0
    } else if (kind === BETWEEN && fields === IN_LIST && ++items > most.items) {
      throw tooMuch(`The arrays of a text of this length may have at most ${most.items} items.`, at)
    }
    if (bytes[at] !== COLON || fields === IN_LIST) continue
    if (++fields > most.fields)
      throw tooMuch(`An object may have at most ${most.fields} fields, and fewer where they are listed.`, at)
    for (let k = nameStart; k < nameEnd; k++) hash = Math.imul(hash ^ bytes[k], FACTOR)
    if (isNew(hash) && ++sequences > most.sequences)
      throw tooMuch(`The objects of a text may have at most ${most.sequences} different sequences of names.`, at)
  }
}

/** Objects and lists that a text of so many bytes may have. */
function mostParts(length: number): number {
  return FREE_PARTS + Math.floor(length / PART_LENGTH)
}

/** Of a request. */
function mostOf(length: number): MostOfText {
  return {
    parts: mostParts(length),
    items: FREE_PARTS + Math.floor(length / ITEM_LENGTH),
    fields: MOST_FIELDS,
    sequences: MOST_SEQUENCES,
  }
}

/** Parses the bytes as JSON. Throws what `assertReadable` throws, or a SyntaxError. */
export function parseReadable(bytes: Buffer, start = 0, end = bytes.length): unknown {
  assertReadable(bytes, start, end)
  return JSON.parse(bytes.toString('utf8', start, end))
}

function isNew(hash: number): boolean {
  const bit = Math.imul(hash ^ (hash >>> 15), MIX) >>> (32 - HASH_BITS)
  const [place, mask] = [bit >>> 5, 1 << (bit & 31)]
  if ((seen[place] & mask) !== 0) return false
  seen[place] |= mask
  return true
}

/** JSON pointer to the object or list that has the byte at `target`; null where it lies very deep, or is named by escapes. */
function pointerAround(bytes: Buffer, start: number, target: number): string | null {
  /** The place in each list around, or −1 in an object, and where the last name in it lies. */
  const indices: number[] = []
  const names: [number, number][] = []
  let last: [number, number] = [0, 0]
  for (let at = start; at < target; at++) {
    const byte = bytes[at]
    const kind = kinds[byte]
    const inside = indices.length - 1
    if (kind === STRING) {
      last = [at + 1, skipString(bytes, at + 1, bytes.length) - 1]
      at = last[1]
    } else if (kind === OPEN) {
      indices.push(byte === LIST ? 0 : -1)
      names.push([0, 0])
    } else if (kind === CLOSE) {
      indices.pop()
      names.pop()
    } else if (byte === COLON) names[inside] = last
    else if (byte === COMMA && indices[inside] >= 0) indices[inside]++
  }
  // in which of its fields or places the innermost one is, is not asked
  const [tokens, isDeep] = [indices.length - 1, indices.length > MOST_TOKENS]
  let pointer = ''
  for (let k = 0; k < tokens && !isDeep; k++) {
    const name = bytes.toString('utf8', ...names[k])
    if (name.length > MOST_TOKENS || name.includes('\\')) return null
    const token = indices[k] >= 0 ? `${indices[k]}` : name
    pointer += `/${encodeURIComponent(token.replaceAll('~', '~0').replaceAll('/', '~1'))}`
  }
  return isDeep ? null : pointer
}

/** Length of a text, in bytes, up to which the place of a fault in it is looked for. */
const PLACED_LENGTH = 2 ** 20
const MARK = [0xef, 0xbb, 0xbf]
const REPLACEMENT = '\ufffd'

export class NotUtf8 extends Error {}

/** Where the text begins that starts at `start`: behind a byte order mark, if there is one. */
export function behindMark(bytes: Buffer, start = 0): number {
  return bytes[start] === MARK[0] && bytes[start + 1] === MARK[1] && bytes[start + 2] === MARK[2] ? start + 3 : start
}

/** Throws `NotUtf8` where the bytes from `start` to `end` are not UTF-8. */
export function assertUtf8(bytes: Buffer, start: number, end: number): void {
  const text = bytes.subarray(start, end)
  if (isUtf8(text)) return
  const what = text.length > PLACED_LENGTH ? 'its bytes are' : `byte ${firstFault(text)} is`
  throw new NotUtf8(`${what} not valid UTF-8`)
}

/** Counting from 0. The bytes before the first replacement character that is not in the text itself are UTF-8. */
function firstFault(bytes: Buffer): number {
  const text = bytes.toString()
  let at = 0
  let place = 0
  for (;;) {
    const found = text.indexOf(REPLACEMENT, at)
    place += Buffer.byteLength(text.slice(at, found))
    if (found < 0 || !bytes.subarray(place, place + 3).equals(Buffer.from(REPLACEMENT))) return place
    place += 3
    at = found + 1
  }
}

/** The text of a JSON document. Throws `NotUtf8`, or `TooMuchToRead`. */
export function jsonText(bytes: Buffer): string {
  assertUtf8(bytes, 0, bytes.length)
  assertReadable(bytes)
  return bytes.toString('utf8', behindMark(bytes))
}

export interface JsonInput {
  readonly bytes: Buffer
  /** Of the same memory. */
  readonly view: DataView
  /** Where reading goes on. */
  at: number
  /** Bytes that may still be looked at ahead of where they are read. */
  ahead: number
  /** Lists that may still be made. */
  lists: number
}

/** How many times the text may be looked at ahead: objects in each other that begin with what is in them are looked through each time. */
const LOOKS_AHEAD = 16

export function createJsonInput(bytes: Buffer): JsonInput {
  const { buffer, byteOffset, length } = bytes
  return {
    bytes,
    view: new DataView(buffer, byteOffset, length),
    at: 0,
    ahead: LOOKS_AHEAD * length,
    // whole, as all of it is: reading took a third longer with a fraction here
    lists: mostParts(length),
  }
}

export function textBetween({ bytes }: JsonInput, start: number, end: number): string {
  return bytes.toString('utf8', start, end)
}

/** Whether a byte is JSON whitespace: blank, tab, line feed, carriage return. */
export function isSpace(byte: number): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9
}

export function isBlank({ bytes }: JsonInput, start: number, end: number): boolean {
  let at = start
  while (at < end && isSpace(bytes[at])) at++
  return at === end
}
