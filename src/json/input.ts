// JSON text that is read as bytes.
//
// Bytes become a string only where they are UTF-8 (RFC 8259, section 8.1). A byte order mark before the text is skipped, which that
// section allows.

import { isUtf8 } from 'node:buffer'
import { assertReadable, mostParts } from './readable.ts'

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
