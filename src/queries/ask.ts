// One query of many: from its value, or its text, to the text of its result. Whatever is wrong with it becomes a
// problem in the place of its answer.

import type { Slices } from '../containers/pace.ts'
import { isProblem, problemExtras } from '../wire/decode-problem.ts'
import { findSyntaxFault } from '../wire/json-syntax.ts'
import { problemDetails } from '../wire/problems.ts'
import { describeViolation, type ValidatorError } from '../wire/schema-violation.ts'
import { isLong, jsonText } from './long-answer.ts'
import type { Outcome } from './query.ts'
import { isSlices } from './slices.ts'

/** What asks the queries of one request. `Query`: what answers them. */
export interface Asker<Query extends AskedQuery = AskedQuery> {
  /** By their `op`. */
  readonly queries: ReadonlyMap<string, Query>
  readonly answer: (query: Query, request: Record<string, unknown>) => Outcome<object>
  /** The id of the request, which its problems carry. */
  readonly requestId: string
  /** What is wrong with a value as one of the queries, or null. */
  readonly check: (value: unknown) => ValidatorError | null
  /** Told of faults of the service. */
  readonly onFault: (error: unknown) => void
}

export interface AskedQuery {
  readonly op: string
  readonly mayBeLong?: boolean
}

type Reported = Pick<Asker, 'requestId' | 'onFault'>

/** The result as JSON text; what takes long comes in slices. */
export function ask<Query extends AskedQuery>(asker: Asker<Query>, value: unknown): string | Slices<string> {
  return askSome(asker, [value])[0]
}

/**
 * The results of a few queries, in their order: texts of one or more with commas between them, and slices of a text of one. All
 * are checked, then all are answered, then all are written: going through the three with each query takes much longer.
 */
export function askSome<Query extends AskedQuery>(
  asker: Asker<Query>,
  values: readonly unknown[],
): (string | Slices<string>)[] {
  const errors = values.map(asker.check)
  const results = values.map((value, k) => {
    const error = errors[k]
    return error === null ? answer(asker, value as { op: string }) : violation(asker, error)
  })
  const texts: (string | Slices<string>)[] = []
  let unwritten: object[] = []
  const write = () => {
    if (unwritten.length > 0) texts.push(JSON.stringify(unwritten).slice(1, -1))
    unwritten = []
  }
  for (const result of results) {
    if (isSlices<string>(result)) {
      write()
      texts.push(result)
    } else unwritten.push(result)
  }
  write()
  return texts
}

/** What is to be written, or the text of what takes long. */
function answer<Query extends AskedQuery>(asker: Asker<Query>, value: { op: string }): object | Slices<string> {
  try {
    const query = asker.queries.get(value.op) as Query
    const outcome = asker.answer(query, value as unknown as Record<string, unknown>)
    if (isSlices(outcome)) return textInSlices(asker, query, outcome)
    const result = shown(asker, outcome)
    return query.mayBeLong && isLong(result) ? longText(result) : result
  } catch (fault) {
    return failure(asker, fault)
  }
}

/** The same for a query that is still text. */
export function askText<Query extends AskedQuery>(asker: Asker<Query>, text: string): string | Slices<string> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return malformed(asker, text)
  }
  return ask(asker, value)
}

/** The result of a line that is not looked at. */
export function lineTooLong({ requestId }: Reported, limit: number): string {
  return JSON.stringify(
    problemDetails('body-too-large', `A line must be at most ${limit} bytes.`, requestId, { limit }),
  )
}

function* textInSlices(asker: Reported, { mayBeLong }: AskedQuery, slices: Slices<object>): Slices<string> {
  try {
    const result = shown(asker, yield* slices)
    return mayBeLong && isLong(result) ? yield* longText(result) : JSON.stringify(result)
  } catch (fault) {
    return JSON.stringify(failure(asker, fault))
  }
}

function* longText(answer: object): Slices<string> {
  let text = ''
  for (const part of jsonText(answer)) {
    text += part
    yield
  }
  return text
}

/** The answer, or the problem as clients see it. */
function shown({ requestId }: Reported, outcome: object): object {
  return isProblem(outcome) ? problemDetails(outcome.code, outcome.detail, requestId, problemExtras(outcome)) : outcome
}

function violation({ requestId }: Reported, error: ValidatorError): object {
  const { pointer, detail, code = 'schema-violation', ...sizes } = describeViolation(error, 'The query')
  return problemDetails(code, detail, requestId, { errors: [{ pointer, detail }], ...sizes })
}

function malformed({ requestId }: Reported, text: string): string {
  const fault = findSyntaxFault(text)
  const place = fault === null ? '' : `: expected ${fault.expected} at column ${fault.column}, got ${fault.found}`
  return JSON.stringify(problemDetails('malformed-json', `The line is not JSON${place}.`, requestId))
}

function failure({ requestId, onFault }: Reported, fault: unknown): object {
  onFault(fault)
  const detail = 'The service failed to answer; this is no fault of the request.'
  return problemDetails('internal-error', detail, requestId)
}
