// JSON documents that are one long list under a name, {"queries":[…]}, read in pieces: others have their turn in between,
// and a short string is cheaper than its share of a long one, which is new memory each time.
//
// Method: one program writes the items of a list alike, each beginning with `{` and the name of the same field. Near where a
// piece should end the text is cut in front of such a beginning. A cut inside an item leaves brackets open, so the piece is no
// list; then, and where the document looks otherwise, it is left to be read as a whole. When all pieces are lists, the document
// is the list of their items.

import type { Slices } from '../containers/pace.ts'
import { isSpace } from './input.ts'

/** Bytes of a piece, about, and most of one. */
const PIECE_LENGTH = 2 ** 16
const MOST_PIECE_LENGTH = 2 ** 20
/** Bytes from which on a document is worth it. */
export const LONG_LIST_LENGTH = 2 * PIECE_LENGTH
/** Bytes within which a list begins. */
const HEAD_LENGTH = 2 ** 8
/** Bytes within which it ends. */
const TAIL_LENGTH = 2 ** 6

const COMMA = 44
const LIST = 91
const LIST_END = 93
const OBJECT_END = 125

/** The name of the list, and how its first item begins. */
const BEGINNING = /^[ \t\n\r]*\{[ \t\n\r]*"(\w+)"[ \t\n\r]*:[ \t\n\r]*\[[ \t\n\r]*(\{[ \t\n\r]*"\w+")/
const END = /\][ \t\n\r]*\}[ \t\n\r]*$/

/** The document, or null when it is to be read as a whole. `parseItems` throws where the text is no list; the bytes are only lent. */
export function* parseList(
  chunks: readonly Buffer[],
  name: string,
  parseItems: (bytes: Buffer) => unknown[],
): Slices<Record<string, unknown[]> | null> {
  const items: unknown[] = []
  const add = (bytes: Buffer, end: number): boolean => {
    try {
      for (const item of asList(bytes, end, parseItems)) items.push(item)
      return true
    } catch {
      return false
    }
  }
  let opening = ''
  /** What has not been read yet, and one character before that. */
  let rest: Buffer = Buffer.alloc(0)
  for (const chunk of chunks) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    if (rest.length > MOST_PIECE_LENGTH && rest.length > chunk.length) return null
    if (opening === '') {
      if (rest.length < HEAD_LENGTH) continue
      const begun = BEGINNING.exec(rest.toString('latin1', 0, HEAD_LENGTH))
      if (begun === null || begun[1] !== name) return null
      opening = begun[2]
      rest = rest.subarray(begun[0].length - opening.length - 1)
    }
    for (;;) {
      const next = findItem(rest, opening, PIECE_LENGTH)
      if (next < 0) break
      if (!add(rest, commaBefore(rest, next) + 1)) return null
      rest = rest.subarray(next - 1)
      yield
    }
  }
  const ended = END.exec(rest.toString('latin1', Math.max(1, rest.length - TAIL_LENGTH)))
  if (opening === '' || ended === null) return null
  return add(rest, rest.length - ended[0].length + 1) ? { [name]: items } : null
}

/** Parses what is before `end` as a list, whatever the first and the last character are. Adding brackets to it would copy it. */
function asList(bytes: Buffer, end: number, parseItems: (bytes: Buffer) => unknown[]): unknown[] {
  const first = bytes[0]
  const last = bytes[end - 1]
  bytes[0] = LIST
  bytes[end - 1] = LIST_END
  try {
    return parseItems(bytes.subarray(0, end))
  } finally {
    bytes[0] = first
    bytes[end - 1] = last
  }
}

/** Where the next item after another begins, from `at` on, or −1. */
function findItem(bytes: Buffer, opening: string, at: number): number {
  let found = bytes.indexOf(opening, at, 'latin1')
  while (found >= 0 && commaBefore(bytes, found) < 0) found = bytes.indexOf(opening, found + 1, 'latin1')
  return found
}

/** The comma between the object before `at` and what is there, or −1. */
function commaBefore(bytes: Buffer, at: number): number {
  const comma = skipSpaceBack(bytes, at - 1)
  return bytes[comma] === COMMA && bytes[skipSpaceBack(bytes, comma - 1)] === OBJECT_END ? comma : -1
}

function skipSpaceBack(bytes: Buffer, at: number): number {
  while (isSpace(bytes[at])) at--
  return at
}
