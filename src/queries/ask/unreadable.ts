// What is said of a body that could not be read as JSON.

import type { ProblemCode } from '../../../schemas/problem-code.ts'
import { NestedTooDeep } from '../../json/brackets.ts'
import { findSyntaxFault } from '../../json/syntax.ts'
import { NotUtf8 } from '../../json/utf8.ts'

export interface Unreadable {
  readonly code: ProblemCode
  readonly detail: string
}

/** `error`: what reading it has thrown. `what`: the whole body, or one of its lines. */
export function describeUnreadable(text: string, error: unknown, what: 'body' | 'line' = 'body'): Unreadable {
  if (error instanceof NestedTooDeep) return { code: 'schema-violation', detail: error.message }
  const said = (more: string): Unreadable => ({ code: 'malformed-json', detail: `The ${what} is not JSON${more}.` })
  if (error instanceof NotUtf8) return said(`: ${error.message}`)
  if (text.trim() === '') return { code: 'empty-body', detail: `The ${what} is empty: expected a JSON object.` }
  const fault = findSyntaxFault(text.replace(/^\ufeff/, ''))
  if (fault === null) return said('')
  const { line, column, expected, found } = fault
  const place = what === 'line' ? `column ${column}` : `line ${line}, column ${column}`
  return said(`: expected ${expected} at ${place}, got ${found}`)
}
