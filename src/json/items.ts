// Finds where the items of a document lie that is one long list under a name, {"queries":[…]}, while its bytes arrive: so they
// can be handed on in pieces before the rest is there, and too many of them, or too deep ones, are told without being parsed.
//
// Method: strings are skipped, brackets counted. The document is cut at commas between items. It is JSON if, and only if, what is
// around the list is as told (`isComplete`) and each piece between brackets is a list: whoever parses the pieces finds out.

import { BACKSLASH, CLOSE, kinds, MOST_DEPTH, OPEN, PLAIN, QUOTE, STRING } from './brackets.ts'
import { isSpace } from './input.ts'

const CLOSING = 93
const LIST_BEGIN = Buffer.from('[')
const LIST_END = Buffer.from(']')

/** Bytes within which the list must begin. */
const HEAD_LENGTH = 2 ** 8
/** Depth at which items lie. */
const ITEM_DEPTH = 2

type State = 'head' | 'items' | 'end' | 'strange'

export class ItemScanner {
  readonly #beginning: RegExp
  readonly #pieceLength: number
  #state: State = 'head'
  #depth = ITEM_DEPTH
  #inString = false
  /** Whether the next byte of a string is taken as it is. */
  #escaped = false
  #commas = 0
  /** Whether there is anything but space between the brackets of the list. */
  #anything = false
  /** Bytes of the piece that is begun; before that, of the head. */
  #begun: Buffer[] = []
  #begunLength = 0

  /** `pieceLength`: bytes after which a piece ends with the item that it is in. */
  constructor(name: string, pieceLength: number) {
    this.#beginning = new RegExp(`^[ \\t\\n\\r]*\\{[ \\t\\n\\r]*"${name}"[ \\t\\n\\r]*:[ \\t\\n\\r]*\\[`)
    this.#pieceLength = pieceLength
  }

  /** Items up to here. */
  get count(): number {
    return this.#anything ? this.#commas + 1 : 0
  }

  /** Whether the document is no such list; it must be read as a whole then. */
  get isStrange(): boolean {
    return this.#state === 'strange'
  }

  /** Whether it is nested too deeply to be read at all. */
  get isTooDeep(): boolean {
    return this.#depth > MOST_DEPTH
  }

  /** Whether the list has ended, and the document with it. */
  get isComplete(): boolean {
    return this.#state === 'end' && /^[ \t\n\r]*\}[ \t\n\r]*$/.test(Buffer.concat(this.#begun).toString('latin1'))
  }

  /** Takes the next bytes, which must stay as they are; returns the pieces that they complete, each a list of whole items. */
  push(chunk: Buffer): Buffer[] {
    const pieces: Buffer[] = []
    if (this.#state === 'strange') return pieces
    let rest = chunk
    if (this.#state === 'head') {
      rest = this.#readHead(chunk)
      if (this.#state === 'head') return pieces
    }
    if (this.#state === 'end') this.#keep(rest, 0, rest.length)
    else this.#scan(rest, pieces)
    if (this.#state === 'end' && this.#begunLength > HEAD_LENGTH) this.#state = 'strange'
    return pieces
  }

  #readHead(chunk: Buffer): Buffer {
    const head = this.#begunLength === 0 ? chunk : Buffer.concat([...this.#begun, chunk])
    const found = this.#beginning.exec(head.toString('latin1', 0, HEAD_LENGTH))
    if (found === null && head.length < HEAD_LENGTH) {
      this.#begun = [head]
      this.#begunLength = head.length
      return chunk
    }
    this.#begun = []
    this.#begunLength = 0
    this.#state = found === null ? 'strange' : 'items'
    return head.subarray(found?.[0].length ?? 0)
  }

  #scan(bytes: Buffer, pieces: Buffer[]): void {
    const { length } = bytes
    let depth = this.#depth
    let start = 0
    let at = this.#inString ? this.#skipString(bytes, 0) : 0
    while (at < length) {
      const byte = bytes[at++]
      const kind = kinds[byte]
      if (kind === PLAIN) continue
      if (kind === STRING) {
        at = this.#skipString(bytes, at)
      } else if (kind === OPEN) {
        if (++depth > MOST_DEPTH) break
      } else if (kind === CLOSE) {
        depth--
        if (depth >= ITEM_DEPTH) continue
        this.#state = byte === CLOSING && this.#endPiece(bytes, start, at - 1, pieces) ? 'end' : 'strange'
        start = at
        break
      } else if (depth === ITEM_DEPTH) {
        this.#commas++
        if (this.#begunLength + at - start <= this.#pieceLength) continue
        if (!this.#endPiece(bytes, start, at - 1, pieces)) {
          this.#state = 'strange'
          break
        }
        start = at
      }
    }
    this.#depth = depth
    this.#keep(bytes, start, length)
  }

  /** Where the string ends that `at` lies in, or the bytes do. */
  #skipString(bytes: Buffer, at: number): number {
    const { length } = bytes
    this.#inString = true
    if (this.#escaped && at < length) {
      at++
      this.#escaped = false
    }
    while (at < length) {
      const byte = bytes[at++]
      if (byte === QUOTE) {
        this.#inString = false
        return at
      }
      if (byte !== BACKSLASH) continue
      if (at === length) this.#escaped = true
      at++
    }
    return length
  }

  #keep(bytes: Buffer, start: number, end: number): void {
    if (start === end) return
    if (!this.#anything && this.#state === 'items') this.#anything = !isSpaceBetween(bytes, start, end)
    this.#begun.push(bytes.subarray(start, end))
    this.#begunLength += end - start
  }

  /** False where something is missing between commas. */
  #endPiece(bytes: Buffer, start: number, end: number, pieces: Buffer[]): boolean {
    this.#keep(bytes, start, end)
    const piece = Buffer.concat([LIST_BEGIN, ...this.#begun, LIST_END])
    this.#begun = []
    this.#begunLength = 0
    if (isSpaceBetween(piece, 1, piece.length - 1)) return this.#commas === 0
    pieces.push(piece)
    return true
  }
}

function isSpaceBetween(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isSpace(bytes[at])) return false
  return true
}
