// What is said of a body that could not be read as JSON.

import { TooMuchToRead } from '../../json/brackets.ts'
import { findSyntaxFault } from '../../json/syntax.ts'
import { NotUtf8 } from '../../json/utf8.ts'
import { type DecodeProblem, problemAt, problemOf } from '../../wire/problems/decode-problem.ts'

/** `error`: what reading it has thrown. `what`: the whole body, or one of its lines. */
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
