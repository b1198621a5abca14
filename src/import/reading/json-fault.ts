/**
 * Where a text ceases to be JSON: a line and a column, both from 1. The engine's parser says only what it found there.
 *
 * Method: tokens one after another, with the open brackets on a stack; nothing is built. Cost O(length), and a byte for each bracket
 * that is open. Source: RFC 8259.
 */

/** What is no text, at the place where the search stands. */
const TOKEN = /[{}[\],:]|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const SPACE = /[ \t\r\n]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const QUOTE = 0x22
const BACKSLASH = 0x5c
const FIRST_LETTER = 0x20

type Expected = 'value' | 'value or ]' | 'name or }' | 'name' | ':' | 'more' | 'end'

/** Null of what is JSON. */
export function jsonFault(text: string): { line: number; column: number } | null {
  const at = faultAt(text)
  if (at < 0) return null
  const before = text.slice(0, at)
  let line = 1
  for (let k = before.indexOf('\n'); k >= 0; k = before.indexOf('\n', k + 1)) line++
  return { line, column: at - before.lastIndexOf('\n') }
}

function faultAt(text: string): number {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  for (let at = 0; ; ) {
    SPACE.lastIndex = at
    SPACE.exec(text)
    at = SPACE.lastIndex
    if (at === text.length) return expected === 'end' ? -1 : at
    TOKEN.lastIndex = at
    const isText = text.charCodeAt(at) === QUOTE
    const token = isText ? '"' : (TOKEN.exec(text)?.[0] ?? '')
    const next: Expected | null = token === '' ? null : expectedAfter(token, expected, open)
    if (next === null) return at
    expected = next
    if (!isText) at += token.length
    else {
      const end = endOfText(text, at)
      if (end.isFault) return end.at
      at = end.at
    }
  }
}

/** Behind the text that starts there, or where it ceases to be one. */
function endOfText(text: string, start: number): { at: number; isFault: boolean } {
  let at = start + 1
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return { at: at + 1, isFault: false }
    if (code < FIRST_LETTER) break
    if (code !== BACKSLASH) continue
    ESCAPE.lastIndex = at
    if (!ESCAPE.test(text)) break
    at = ESCAPE.lastIndex - 1
  }
  return { at, isFault: true }
}

/** Null where the token must not come. */
function expectedAfter(token: string, expected: Expected, open: ('{' | '[')[]): Expected | null {
  const afterValue = (): Expected => (open.length === 0 ? 'end' : 'more')
  const within = open[open.length - 1]
  const closes = (bracket: string): boolean => {
    if (token !== bracket) return false
    open.pop()
    return true
  }
  switch (expected) {
    case 'end':
      return null
    case ':':
      return token === ':' ? 'value' : null
    case 'name':
      return token[0] === '"' ? ':' : null
    case 'name or }':
      return closes('}') ? afterValue() : token[0] === '"' ? ':' : null
    case 'more':
      if (token === ',') return within === '{' ? 'name' : 'value'
      return closes(within === '{' ? '}' : ']') ? afterValue() : null
    default:
      if (expected === 'value or ]' && closes(']')) return afterValue()
      if (token === '{' || token === '[') {
        open.push(token)
        return token === '{' ? 'name or }' : 'value or ]'
      }
      return /^[}\],:]/.test(token) ? null : afterValue()
  }
}
