// What is said of a body that could not be read as JSON.

import type { ProblemCode } from '../../../schemas/problem-code.ts'
import { NestedTooDeep } from '../../json/brackets.ts'
import { findSyntaxFault } from '../../json/syntax.ts'

export interface Unreadable {
  readonly code: ProblemCode
  readonly detail: string
}

/** `error`: what reading it has thrown. */
export function describeUnreadable(text: string, error: unknown): Unreadable {
  if (error instanceof NestedTooDeep) return { code: 'schema-violation', detail: error.message }
  if (text.trim() === '') return { code: 'empty-body', detail: 'The body is empty: expected a JSON object.' }
  const fault = findSyntaxFault(text)
  if (fault === null) return { code: 'malformed-json', detail: 'The body is not JSON.' }
  const { line, column, expected, found } = fault
  const place = `line ${line}, column ${column}`
  return { code: 'malformed-json', detail: `The body is not JSON: expected ${expected} at ${place}, got ${found}.` }
}
