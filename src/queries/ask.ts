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

/** What asks the queries of one request. `Source`: what a query is asked of. */
export interface Asker<Source = unknown> {
  /** By their `op`. */
  readonly queries: ReadonlyMap<string, AskedQuery<Source>>
  readonly answer: (source: Source, request: Record<string, unknown>) => Outcome<object>
  /** The id of the request, which its problems carry. */
  readonly requestId: string
  /** What is wrong with a value as one of the queries, or null. */
  readonly check: (value: unknown) => ValidatorError | null
  /** Told of faults of the service. */
  readonly onFault: (error: unknown) => void
}

export interface AskedQuery<Source = unknown> {
  readonly source: Source
  readonly mayBeLong: boolean
  readonly serialize: (answer: object) => string
}

type Reported = Pick<Asker, 'requestId' | 'onFault'>
type Written = Pick<AskedQuery, 'mayBeLong' | 'serialize'>

/** The result as JSON text; what takes long comes in slices. */
export function ask<Source>(asker: Asker<Source>, value: unknown): string | Slices<string> {
  return askSome(asker, [value])[0]
}

/**
 * The results of a few queries. All are checked, then all are answered, then all are written: going through the three with each
 * query takes a quarter longer.
 */
export function askSome<Source>(asker: Asker<Source>, values: readonly unknown[]): (string | Slices<string>)[] {
  const steps: Step<Source>[] = []
  for (const value of values) steps.push(checked(asker, value))
  for (const step of steps) answer(asker, step)
  const results: (string | Slices<string>)[] = []
  for (const step of steps) results.push(written(asker, step))
  return results
}

/** How far a query has come. */
interface Step<Source> {
  value: unknown
  query: AskedQuery<Source> | null
  outcome: Outcome<object> | null
  /** The result, where it is a problem that has been found on the way. */
  text: string | null
}

function checked<Source>(asker: Asker<Source>, value: unknown): Step<Source> {
  const error = asker.check(value)
  if (error !== null) return { value, query: null, outcome: null, text: violation(asker, error) }
  const query = asker.queries.get((value as { op: string }).op) as AskedQuery<Source>
  return { value, query, outcome: null, text: null }
}

function answer<Source>(asker: Asker<Source>, step: Step<Source>): void {
  if (step.query === null) return
  try {
    step.outcome = asker.answer(step.query.source, step.value as Record<string, unknown>)
  } catch (fault) {
    step.text = failure(asker, fault)
  }
}

function written<Source>(asker: Asker<Source>, { query, outcome, text }: Step<Source>): string | Slices<string> {
  if (text !== null) return text
  try {
    return outcomeText(asker, query as AskedQuery<Source>, outcome as Outcome<object>)
  } catch (fault) {
    return failure(asker, fault)
  }
}

function outcomeText(asker: Reported, query: Written, outcome: Outcome<object>): string | Slices<string> {
  if (isSlices(outcome)) return resultInSlices(asker, query, outcome)
  return query.mayBeLong && isLong(outcome) ? longText(outcome) : result(asker, query, outcome)
}

/** The same for a query that is still text. */
export function askText<Source>(asker: Asker<Source>, text: string): string | Slices<string> {
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

function result({ requestId }: Reported, query: Written, outcome: object): string {
  if (!isProblem(outcome)) return query.serialize(outcome)
  return JSON.stringify(problemDetails(outcome.code, outcome.detail, requestId, problemExtras(outcome)))
}

function* resultInSlices(asker: Reported, query: Written, slices: Slices<object>): Slices<string> {
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

function violation({ requestId }: Reported, error: ValidatorError): string {
  const { pointer, detail, code = 'schema-violation', ...sizes } = describeViolation(error, 'The query')
  return JSON.stringify(problemDetails(code, detail, requestId, { errors: [{ pointer, detail }], ...sizes }))
}

function malformed({ requestId }: Reported, text: string): string {
  const fault = findSyntaxFault(text)
  const place = fault === null ? '' : `: expected ${fault.expected} at column ${fault.column}, got ${fault.found}`
  return JSON.stringify(problemDetails('malformed-json', `The line is not JSON${place}.`, requestId))
}

function failure({ requestId, onFault }: Reported, fault: unknown): string {
  onFault(fault)
  const detail = 'The service failed to answer; this is no fault of the request.'
  return JSON.stringify(problemDetails('internal-error', detail, requestId))
}
