// JSON text seen as strings, brackets and the rest; and how deep brackets may lie in each other: a megabyte of opening brackets
// would take two seconds and fifty times its memory to find out that it is no JSON.

/** How deep arrays and objects may lie in each other. */
export const MOST_DEPTH = 2 ** 19

export const QUOTE = 34
const BACKSLASH = 92

export const PLAIN = 0
export const STRING = 1
export const OPEN = 2
export const CLOSE = 3
export const COMMA = 4
const byteKinds = new Uint8Array(256)
for (const [kind, bytes] of [
  [STRING, '"'],
  [OPEN, '{['],
  [CLOSE, ']}'],
  [COMMA, ','],
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
