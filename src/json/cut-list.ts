// A long list cut out of a JSON document, and into pieces, before anything is parsed: what is in it need never be there as a whole.
//
// Method: strings are skipped, brackets counted. The document is JSON if, and only if, what is around the list and each piece between
// brackets are: whoever parses them finds out.

import { CLOSE, COMMA, kinds, OPEN, STRING, skipString } from './brackets.ts'
import { isSpace } from './input.ts'

/** Bytes after which a piece ends with the item that it is in. */
const PIECE_LENGTH = 2 ** 16
const COLON = 58
const LIST = 91
const BEGIN = Buffer.from('[')
const END = Buffer.from(']')

interface CutDocument {
  /** The document with an empty list. */
  readonly around: Buffer
  /** Its items, as lists; several, or one that may be empty. */
  readonly pieces: readonly Buffer[]
}

/** The list that the outermost object has under a name; null where there is none, or more than one. Cost: one look at each byte. */
export function cutList(bytes: Buffer, name: string): CutDocument | null {
  const quoted = JSON.stringify(name)
  const cuts: number[] = []
  let [depth, nameStart, nameEnd] = [0, 0, 0]
  let isInside = false
  let end = -1
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    const kind = kinds[byte]
    if (kind === STRING) {
      nameStart = at
      nameEnd = skipString(bytes, at + 1, bytes.length)
      at = nameEnd - 1
    } else if (kind === OPEN) depth++
    else if (kind === CLOSE) {
      depth--
      if (isInside && depth === 1) {
        isInside = false
        end = at
      }
    } else if (byte === COLON && depth === 1 && bytes.toString('latin1', nameStart, nameEnd) === quoted) {
      if (cuts.length > 0) return null
      do at++
      while (isSpace(bytes[at]))
      if (bytes[at] !== LIST) return null
      depth++
      isInside = true
      cuts.push(at)
    } else if (kind === COMMA && isInside && depth === 2 && at - cuts[cuts.length - 1] > PIECE_LENGTH) cuts.push(at)
  }
  if (end < 0) return null
  const around = Buffer.concat([bytes.subarray(0, cuts[0] + 1), bytes.subarray(end)])
  cuts.push(end)
  const pieces = cuts.slice(1).map((to, k) => Buffer.concat([BEGIN, bytes.subarray(cuts[k] + 1, to), END]))
  return { around, pieces }
}
