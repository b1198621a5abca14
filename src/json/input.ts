// JSON text that is read as bytes.

export interface JsonInput {
  readonly bytes: Buffer
  /** Of the same memory. */
  readonly view: DataView
  /** Where reading goes on. */
  at: number
}

export function createJsonInput(bytes: Buffer): JsonInput {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), at: 0 }
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
