// The problem of a body that is not JSON, with the place of the first syntax fault.

import { NotUtf8, TooMuchToRead } from '../json/input.ts'
import { type DecodeProblem, problemAt, problemOf } from './decode-problem.ts'

/** `error`: thrown by the reader. `what`: the whole body, or one of its lines. */
export function describeUnreadable(text: string, error: unknown, what: 'body' | 'line' = 'body'): DecodeProblem {
  if (error instanceof TooMuchToRead) {
    return error.pointer === null
      ? problemOf('schema-violation', error.message)
      : problemAt(error.pointer, 'schema-violation', error.message)
  }
  const said = (more: string): DecodeProblem => problemOf('malformed-json', `The ${what} is not JSON${more}.`)
  if (error instanceof NotUtf8) return said(`: ${error.message}`)
  if (text.trim() === '') {
    return problemOf('empty-body', `The ${what} is empty: expected a JSON object.`)
  }
  const fault = findSyntaxFault(text.replace(/^\ufeff/, ''))
  if (fault === null) return said('')
  const { line, column, expected, found } = fault
  const place = what === 'line' ? `column ${column}` : `line ${line}, column ${column}`
  return said(`: expected ${expected} at ${place}, got ${found}`)
}

// Finds where a text stops being JSON (RFC 8259): the engine's own messages name the place only in some cases and versions. It runs only on
// texts that JSON.parse has rejected.

interface SyntaxFault {
  /** Counting from 1. */
  line: number
  column: number
  /** The expected token, such as `a value`. */
  expected: string
  /** The token that was found, such as `"}"` or `the end of the text`. */
  found: string
}

const SPACE = /[ \t\n\r]*/y
const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const PLAIN = /[ !#-[\]-\uffff]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

type State = 'value' | 'first-item' | 'first-key' | 'key' | 'colon' | 'next'

/** The first fault, or null if the text is JSON after all. O(n), without recursion. */
export function findSyntaxFault(text: string): SyntaxFault | null {
  const open: string[] = []
  let state: State = 'value'
  let at = 0
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found === null || found[0] === '') return false
    at = pattern.lastIndex
    return true
  }
  for (;;) {
    take(SPACE)
    const char = text[at]
    const atKey: boolean = state === 'key' || state === 'first-key'
    if (state === 'next') {
      const container = open[open.length - 1]
      if (container === undefined) {
        return at === text.length ? null : fault(text, at, 'the end of the text')
      }
      const close = container === '{' ? '}' : ']'
      if (char === ',') state = container === '{' ? 'key' : 'value'
      else if (char === close) open.pop()
      else return fault(text, at, `"," or "${close}"`)
      at++
    } else if (state === 'colon') {
      if (char !== ':') return fault(text, at, '":"')
      state = 'value'
      at++
    } else if ((state === 'first-key' && char === '}') || (state === 'first-item' && char === ']')) {
      open.pop()
      state = 'next'
      at++
    } else if (char === '"') {
      at++
      while (take(PLAIN) || take(ESCAPE));
      if (text[at] !== '"') return fault(text, at, 'the rest of a string')
      at++
      state = atKey ? 'colon' : 'next'
    } else if (atKey) {
      return fault(text, at, 'a field name in double quotes')
    } else if (char === '{' || char === '[') {
      open.push(char)
      state = char === '{' ? 'first-key' : 'first-item'
      at++
    } else if (take(LITERAL)) {
      state = 'next'
    } else {
      return fault(text, at, 'a value')
    }
  }
}

function fault(text: string, at: number, expected: string): SyntaxFault {
  const before = text.slice(0, at).split('\n')
  const char = text.codePointAt(at)
  const found = char === undefined ? 'the end of the text' : JSON.stringify(String.fromCodePoint(char))
  return { line: before.length, column: before[before.length - 1].length + 1, expected, found }
}
