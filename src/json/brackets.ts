// JSON text seen as strings, brackets and the rest; and how deep those may lie in each other: a megabyte of opening brackets
// would take two seconds and fifty times its memory to find out that it is no JSON.

/** How deep arrays and objects may lie in each other. */
export const MOST_DEPTH = 2 ** 19

export const QUOTE = 34
export const BACKSLASH = 92

export const PLAIN = 0
export const STRING = 1
export const OPEN = 2
export const CLOSE = 3
export const COMMA = 4
/** What each byte is. */
export const kinds = new Uint8Array(256)
for (const [kind, bytes] of [
  [STRING, '"'],
  [OPEN, '{['],
  [CLOSE, ']}'],
  [COMMA, ','],
] as const) {
  for (const byte of Buffer.from(bytes)) kinds[byte] = kind
}

export class NestedTooDeep extends Error {
  constructor() {
    super(`Arrays and objects may lie at most ${MOST_DEPTH} deep in each other.`)
  }
}

/** Whether arrays and objects lie in each other deeper than is read. Cost: one look at each byte. */
export function isTooDeep(bytes: Buffer, start = 0, end = bytes.length): boolean {
  if (end - start <= MOST_DEPTH) return false
  let depth = 0
  for (let at = start; at < end; at++) {
    const kind = kinds[bytes[at]]
    if (kind === STRING) {
      for (at++; at < end && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++
    } else if (kind === OPEN) {
      if (++depth > MOST_DEPTH) return true
    } else if (kind === CLOSE) depth--
  }
  return false
}

/** What the bytes are as JSON. Throws `NestedTooDeep`, or a SyntaxError. */
export function parseShallow(bytes: Buffer, start = 0, end = bytes.length): unknown {
  if (isTooDeep(bytes, start, end)) throw new NestedTooDeep()
  return JSON.parse(bytes.toString('utf8', start, end))
}
