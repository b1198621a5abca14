// JSON text that is written as bytes, into memory that grows.
//
// Whoever appends says first how much there may be (`reserve`), then writes without checks and says where the text ends now:
// positions are passed along, since a field that is read and written between any two characters is slow.

export interface JsonOutput {
  bytes: Buffer
  /** Of the same memory. */
  view: DataView
  /** Bytes that count. */
  length: number
  /** Bytes of memory to begin with. */
  first: number
}

/** Fewest bytes of memory, and most to begin with: a piece of a megabyte, and the result that makes it one. */
const LEAST_LENGTH = 2 ** 16
const MOST_FIRST_LENGTH = 2 ** 20 + LEAST_LENGTH
const NO_BYTES = Buffer.alloc(0)
const NO_VIEW = viewOf(NO_BYTES)

/** `expected`: how long the text may well become, in bytes. New memory is not there before it is touched, growing is. */
export function createJsonOutput(expected = LEAST_LENGTH): JsonOutput {
  const first = Math.min(Math.max(expected, LEAST_LENGTH), MOST_FIRST_LENGTH)
  return { bytes: NO_BYTES, view: NO_VIEW, length: 0, first }
}

/** Makes room for `count` bytes behind position `at`; what is before it stays. */
export function reserve(out: JsonOutput, at: number, count: number): void {
  if (at + count <= out.bytes.length) return
  const larger = Buffer.allocUnsafeSlow(Math.max(2 * (at + count), out.first))
  out.bytes.copy(larger, 0, 0, at)
  out.bytes = larger
  out.view = viewOf(larger)
}

/** Writes text that is JSON already, and returns where it ends. */
export function appendText(out: JsonOutput, at: number, text: string): number {
  // three bytes for a unit of UTF-16 at most
  reserve(out, at, 3 * text.length)
  return at + out.bytes.write(text, at)
}

/** Bytes up to which text leaves as a string: the server sends that together with the headers. */
const STRING_LENGTH = 2 ** 14

/** Gives the text away: as a string, which keeps the memory, if it is short; else as `takeBytes` does. */
export function takeText(out: JsonOutput): string | Buffer {
  return out.length <= STRING_LENGTH ? out.bytes.toString('utf8', 0, out.length) : takeBytes(out)
}

/** Gives the text away, with its memory. What comes next is expected to be as long. */
export function takeBytes(out: JsonOutput): Buffer {
  // what is given away may be moved to another thread: not the memory that all begin with
  const taken = out.bytes === NO_BYTES ? Buffer.alloc(0) : out.bytes.subarray(0, out.length)
  out.first = Math.min(Math.max(out.length, LEAST_LENGTH), MOST_FIRST_LENGTH)
  out.bytes = NO_BYTES
  out.view = NO_VIEW
  out.length = 0
  return taken
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length)
}
