// Walks the text of JSON that is known to be well formed, to find where its values lie.

const QUOTE = 34
const BACKSLASH = 92
const COMMA = 44
const OBJECT = 123
const OBJECT_END = 125
const LIST = 91
const LIST_END = 93
const LAST_SPACE = 32

export function skipSpace(text: string, at: number): number {
  while (text.charCodeAt(at) <= LAST_SPACE) at++
  return at
}

/** `at`: the opening quote. Returns where the text behind the closing one begins, as all that skip do. */
function skipString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); ; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++
    if (escapes % 2 === 0) return end + 1
  }
}

export function skipValue(text: string, at: number): number {
  let depth = 0
  for (;;) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) at = skipString(text, at) - 1
    else if (unit === OBJECT || unit === LIST) depth++
    else if (unit === OBJECT_END || unit === LIST_END) depth--
    else if (depth === 0) return skipWord(text, at)
    at++
    if (depth === 0) return at
  }
}

/** A number, true, false or null. */
function skipWord(text: string, at: number): number {
  for (;;) {
    const unit = text.charCodeAt(at)
    // also at the end, where it is not a number
    if (!(unit > LAST_SPACE) || unit === COMMA || unit === OBJECT_END || unit === LIST_END) return at
    at++
  }
}

/**
 * `at`: a value. Calls `visit` with the name of each field and where its value begins; it returns where that ends.
 * What is no object is skipped.
 */
export function eachField(text: string, at: number, visit: (name: string, at: number) => number): number {
  if (text.charCodeAt(at) !== OBJECT) return skipValue(text, at)
  at = skipSpace(text, at + 1)
  while (text.charCodeAt(at) !== OBJECT_END) {
    const end = skipString(text, at)
    const name: string = JSON.parse(text.slice(at, end))
    const colon = skipSpace(text, end)
    at = skipSpace(text, visit(name, skipSpace(text, colon + 1)))
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1)
  }
  return at + 1
}

/** The same for the items of a list. */
export function eachItem(text: string, at: number, visit: (index: number, at: number) => number): number {
  if (text.charCodeAt(at) !== LIST) return skipValue(text, at)
  at = skipSpace(text, at + 1)
  for (let index = 0; text.charCodeAt(at) !== LIST_END; index++) {
    at = skipSpace(text, visit(index, at))
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1)
  }
  return at + 1
}
