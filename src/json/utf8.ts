// Bytes of JSON text become a string only where they are UTF-8 (RFC 8259, section 8.1). A byte order mark before the text is skipped,
// which that section allows.

import { isUtf8 } from 'node:buffer'
import { assertReadable } from './readable.ts'

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
