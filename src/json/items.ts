// Finds where the items of a document lie that is one long list under a name, {"queries":[…]}, while its bytes arrive: so they
// can be handed on in pieces before the rest is there, and too many of them, or too deep ones, are told without being parsed.
//
// Method: strings are skipped, brackets counted. The document is cut at commas between items. It is JSON if, and only if, what is
// around the list is as told (`isComplete`) and each piece is one between brackets: whoever parses the pieces finds out.

import { CLOSE, isSpace, kinds, MOST_DEPTH, OPEN, PLAIN, STRING, skipString } from './input.ts'

const COMMA = 44
const OPENING = 91
const CLOSING = 93
const OPENING_BRACE = 123
const CLOSING_BRACE = 125

const ENDING = /\][ \t\n\r]*\}[ \t\n\r]*$/
/** Bytes within which the list must begin. */
const HEAD_LENGTH = 2 ** 8
/** Depth at which items lie. */
const ITEM_DEPTH = 2

type State = 'head' | 'items' | 'end' | 'strange'

/** Of bytes as Latin-1: a byte order mark may come first. */
function beginningOf(name: string): RegExp {
  return new RegExp(`^(?:\\xef\\xbb\\xbf)?[ \\t\\n\\r]*\\{[ \\t\\n\\r]*"${name}"[ \\t\\n\\r]*:[ \\t\\n\\r]*\\[`)
}

/** Whole items with commas between them. */
export interface ItemPiece {
  readonly parts: readonly Buffer[]
  /** Bytes of all parts. */
  readonly length: number
}

/**
 * The pieces of a whole document, cut before items that begin with a field of that name, without a look at the rest; null where it
 * is no such list, or something else is found. They are its items if, and only if, all of them are lists between brackets: a cut
 * within an item, or within a string, leaves something open on its left. `pieceLength`: bytes of a piece, about.
 */
export function cutBeforeField(document: Buffer, name: string, field: string, pieceLength: number): ItemPiece[] | null {
  const head = beginningOf(name).exec(document.toString('latin1', 0, HEAD_LENGTH))
  const tail = ENDING.exec(document.toString('latin1', Math.max(0, document.length - HEAD_LENGTH)))
  if (head === null || tail === null) return null
  const end = document.length - tail[0].length
  const mark = JSON.stringify(field)
  const pieces: ItemPiece[] = []
  let start = head[0].length
  const add = (to: number) => {
    const part = document.subarray(start, to)
    pieces.push({ parts: [part], length: part.length })
    start = to + 1
  }
  for (;;) {
    const found = document.indexOf(mark, start + pieceLength)
    if (found < 0 || found >= end) break
    const comma = commaBefore(document, found)
    if (comma <= start) return null
    add(comma)
  }
  if (pieces.length === 0) return null
  add(end)
  return pieces
}

/** Where the comma is between two objects, the second of which has its first field at `at`; -1 where there is none. */
function commaBefore(bytes: Buffer, at: number): number {
  const open = lastBefore(bytes, at)
  const comma = lastBefore(bytes, open)
  const isBetween = bytes[open] === OPENING_BRACE && bytes[comma] === COMMA
  return isBetween && bytes[lastBefore(bytes, comma)] === CLOSING_BRACE ? comma : -1
}

/** Where the last byte before `at` is that is no space. */
function lastBefore(bytes: Buffer, at: number): number {
  for (at--; at >= 0 && isSpace(bytes[at]); ) at--
  return at
}

/** The items of pieces that follow each other, as one list: in `memory` if that has room for it, in new memory otherwise. */
export function listOf(pieces: readonly ItemPiece[], memory?: Buffer): Buffer {
  const most = pieces.reduce((sum, { length }) => sum + length + 1, 2)
  const list = memory !== undefined && most <= memory.length ? memory : Buffer.allocUnsafe(most)
  let end = 1
  list[0] = OPENING
  for (const { parts } of pieces) {
    if (end > 1) list[end++] = COMMA
    for (const part of parts) end += part.copy(list, end)
  }
  list[end++] = CLOSING
  return list.subarray(0, end)
}

export class ItemScanner {
  readonly #beginning: RegExp
  readonly #pieceLength: number
  #state: State = 'head'
  #depth = ITEM_DEPTH
  #inString = false
  /** Whether the next byte of a string is taken as it is. */
  #isEscaped = false
  #commas = 0
  /** Whether there is anything but space between the brackets of the list. */
  #anything = false
  /** Bytes of the piece that is begun; before that, of the head. */
  #begun: Buffer[] = []
  #begunLength = 0

  /** `pieceLength`: bytes after which a piece ends with the item that it is in. */
  constructor(name: string, pieceLength: number) {
    this.#beginning = beginningOf(name)
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

  /** Takes the next bytes, which must stay as they are; returns the pieces that they complete. */
  push(chunk: Buffer): ItemPiece[] {
    const pieces: ItemPiece[] = []
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

  #scan(bytes: Buffer, pieces: ItemPiece[]): void {
    const { length } = bytes
    // copies: what other modules export would be fetched for every byte
    const [kindOf, plain, string, open, close] = [kinds, PLAIN, STRING, OPEN, CLOSE]
    let depth = this.#depth
    let commas = this.#commas
    let start = 0
    let at = this.#inString ? skipString(bytes, this.#isEscaped ? 1 : 0, length) : 0
    while (at < length) {
      const byte = bytes[at++]
      const kind = kindOf[byte]
      if (kind === plain) continue
      if (kind === string) {
        at = skipString(bytes, at, length)
      } else if (kind === open) {
        if (++depth > MOST_DEPTH) break
      } else if (kind === close) {
        depth--
        if (depth >= ITEM_DEPTH) continue
        this.#commas = commas
        this.#state = byte === CLOSING && this.#endPiece(bytes, start, at - 1, pieces) ? 'end' : 'strange'
        start = at
        break
      } else if (depth === ITEM_DEPTH) {
        commas++
        if (this.#begunLength + at - start <= this.#pieceLength) continue
        this.#commas = commas
        if (!this.#endPiece(bytes, start, at - 1, pieces)) {
          this.#state = 'strange'
          break
        }
        start = at
      }
    }
    // a string that has not ended is left behind the end of the bytes
    this.#inString = at > length
    this.#isEscaped = at > length + 1
    this.#commas = commas
    this.#depth = depth
    this.#keep(bytes, start, length)
  }

  #keep(bytes: Buffer, start: number, end: number): void {
    if (start === end) return
    if (!this.#anything && this.#state === 'items') this.#anything = !isSpaceBetween(bytes, start, end)
    this.#begun.push(bytes.subarray(start, end))
    this.#begunLength += end - start
  }

  /** False where something is missing between commas. */
  #endPiece(bytes: Buffer, start: number, end: number, pieces: ItemPiece[]): boolean {
    this.#keep(bytes, start, end)
    const piece = { parts: this.#begun, length: this.#begunLength }
    this.#begun = []
    this.#begunLength = 0
    if (piece.parts.every((part) => isSpaceBetween(part, 0, part.length))) return this.#commas === 0
    pieces.push(piece)
    return true
  }
}

function isSpaceBetween(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isSpace(bytes[at])) return false
  return true
}
