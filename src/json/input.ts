// JSON text that is read as bytes.

import { mostParts } from './readable.ts'

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

/** What JSON takes for space: blank, tab, line feed, carriage return. */
export function isSpace(byte: number): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9
}

export function isBlank({ bytes }: JsonInput, start: number, end: number): boolean {
  let at = start
  while (at < end && isSpace(bytes[at])) at++
  return at === end
}
