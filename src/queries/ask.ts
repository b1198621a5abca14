// One query of many: from its value, or its text, to the text of its result. Whatever is wrong with it becomes a
// problem in the place of its answer.

import { isProblem, problemPointers } from '../wire/decode-problem.ts'
import { findSyntaxFault } from '../wire/json-syntax.ts'
import { problemDetails } from '../wire/problems.ts'
import { describeViolation, type ValidatorError } from '../wire/schema-violation.ts'
import { isLong, jsonText } from './long-answer.ts'
import type { Query, QueryLimits } from './query.ts'
import { isSlices, type Slices } from './slices.ts'

/** What asks the queries of one request. */
export interface Asker {
  readonly queries: ReadonlyMap<string, AskedQuery>
  readonly limits: QueryLimits
  /** The id of the request, which its problems carry. */
  readonly requestId: string
  /** What is wrong with a value as one of the queries, or null. */
  readonly check: (value: unknown) => ValidatorError | null
  /** Told of faults of the service. */
  readonly onFault: (error: unknown) => void
}

export interface AskedQuery {
  readonly answer: Query['answer']
  readonly mayBeLong: boolean
  readonly serialize: (answer: object) => string
}

/** The result as JSON text; what takes long comes in slices. */
export function ask(asker: Asker, value: unknown): string | Slices<string> {
  const error = asker.check(value)
  if (error !== null) return violation(asker, error)
  const request = value as { op: string }
  const query = asker.queries.get(request.op) as AskedQuery
  try {
    const outcome = query.answer(request, asker.limits)
    if (isSlices(outcome)) return resultInSlices(asker, query, outcome)
    return query.mayBeLong && isLong(outcome) ? longText(outcome) : result(asker, query, outcome)
  } catch (fault) {
    return failure(asker, fault)
  }
}

/** The same for a query that is still text. */
export function askText(asker: Asker, text: string): string | Slices<string> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return malformed(asker, text)
  }
  return ask(asker, value)
}

/** The result of a line that is not looked at. */
export function lineTooLong({ requestId }: Asker, limit: number): string {
  return JSON.stringify(
    problemDetails('body-too-large', `A line must be at most ${limit} bytes.`, requestId, { limit }),
  )
}

function result(asker: Asker, query: AskedQuery, outcome: object): string {
  if (!isProblem(outcome)) return query.serialize(outcome)
  const { code, detail, places: _, ...sizes } = outcome
  return JSON.stringify(problemDetails(code, detail, asker.requestId, { errors: problemPointers(outcome), ...sizes }))
}

function* resultInSlices(asker: Asker, query: AskedQuery, slices: Slices<object>): Slices<string> {
  try {
    const outcome = yield* slices
    return query.mayBeLong && isLong(outcome) ? yield* longText(outcome) : result(asker, query, outcome)
  } catch (fault) {
    return failure(asker, fault)
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

function violation({ requestId }: Asker, error: ValidatorError): string {
  const { pointer, detail, code = 'schema-violation', ...sizes } = describeViolation(error, 'The query')
  return JSON.stringify(problemDetails(code, detail, requestId, { errors: [{ pointer, detail }], ...sizes }))
}

function malformed({ requestId }: Asker, text: string): string {
  const fault = findSyntaxFault(text)
  const place = fault === null ? '' : `: expected ${fault.expected} at column ${fault.column}, got ${fault.found}`
  return JSON.stringify(problemDetails('malformed-json', `The line is not JSON${place}.`, requestId))
}

function failure({ requestId, onFault }: Asker, fault: unknown): string {
  onFault(fault)
  const detail = 'The service failed to answer; this is no fault of the request.'
  return JSON.stringify(problemDetails('internal-error', detail, requestId))
}
