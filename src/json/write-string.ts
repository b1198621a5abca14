// Strings as JSON text.

import { appendText, type JsonOutput, reserve } from './output.ts'

/** Longer ones are better left to the engine. */
const SHORT = 64
const QUOTE = 34
const BACKSLASH = 92
const FIRST_PRINTED = 32
const LAST_PRINTED = 126

/** Writes a string at `at`, in quotes, and returns where it ends; then there is room for `more` bytes. */
export function appendString(out: JsonOutput, at: number, value: string, more: number): number {
  const { length } = value
  reserve(out, at, length + 2 + more)
  if (length <= SHORT) {
    const { bytes } = out
    bytes[at] = QUOTE
    let k = 0
    for (; k < length; k++) {
      const code = value.charCodeAt(k)
      if (code < FIRST_PRINTED || code > LAST_PRINTED || code === QUOTE || code === BACKSLASH) break
      bytes[at + 1 + k] = code
    }
    if (k === length) {
      bytes[at + 1 + length] = QUOTE
      return at + length + 2
    }
  }
  const end = appendText(out, at, JSON.stringify(value))
  reserve(out, end, more)
  return end
}
