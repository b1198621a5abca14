// What is said of a body that could not be read as JSON.

import { TooMuchToRead } from '../../json/brackets.ts'
import { findSyntaxFault } from '../../json/syntax.ts'
import { NotUtf8 } from '../../json/utf8.ts'
import type { DecodeProblem } from '../../wire/problems/decode-problem.ts'

/** `error`: what reading it has thrown. `what`: the whole body, or one of its lines. */
export function describeUnreadable(text: string, error: unknown, what: 'body' | 'line' = 'body'): DecodeProblem {
  if (error instanceof TooMuchToRead) {
    const places = error.pointer === null ? [] : [{ pointer: error.pointer }]
    return { code: 'schema-violation', detail: error.message, places }
  }
  const said = (more: string): DecodeProblem => ({
    code: 'malformed-json',
    detail: `The ${what} is not JSON${more}.`,
    places: [],
  })
  if (error instanceof NotUtf8) return said(`: ${error.message}`)
  if (text.trim() === '') {
    return { code: 'empty-body', detail: `The ${what} is empty: expected a JSON object.`, places: [] }
  }
  const fault = findSyntaxFault(text.replace(/^\ufeff/, ''))
  if (fault === null) return said('')
  const { line, column, expected, found } = fault
  const place = what === 'line' ? `column ${column}` : `line ${line}, column ${column}`
  return said(`: expected ${expected} at ${place}, got ${found}`)
}
