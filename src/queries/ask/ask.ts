// One query of a batch, from its value or its text to its result. A problem takes the place of the answer.

import { setTimeout } from 'node:timers/promises'
import { type TSchema, Type } from '@sinclair/typebox'
import { PROBLEM_OP } from '../../../schemas/queries/batch.ts'
import { reference } from '../../../schemas/reference.ts'
import { OutOfBudget, type Slices } from '../../containers/budget.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { CUT_LENGTH } from '../../json/cut-shapes.ts'
import { createJsonInput, isBlank, type JsonInput, textBetween } from '../../json/input.ts'
import { appendText, createJsonOutput, type JsonOutput, takeBytes } from '../../json/output.ts'
import { compileReader, type JsonReader, parseBy } from '../../json/reader.ts'
import { appendAny, compileWriter, type JsonWriter } from '../../json/writer.ts'
import { type DecodeProblem, isProblem, problemExtras, under } from '../../wire/decode-problem.ts'
import { problemDetails } from '../../wire/problems.ts'
import { describeViolation, type ValidatorError } from '../../wire/schema-violation.ts'
import { parseAround } from '../../wire/unread-shape.ts'
import { describeUnreadable } from '../../wire/unreadable.ts'
import { bodyCompiler, type Schemas, takeErrors, unionValidator } from '../../wire/validators.ts'
import { isLong, jsonText } from './long-answer.ts'
import { DeadlineExceeded, type Far, finishSlices, isSlices, SliceClock } from './slices.ts'

/** Everything that the queries of one request need to be read, checked and answered. */
export interface Asker<Query extends AskedQuery = AskedQuery> {
  /** By their `op`. */
  readonly queries: ReadonlyMap<string, KnownQuery<Query>>
  /** Reads a query. */
  readonly read: JsonReader
  readonly answer: (query: Query, request: Record<string, unknown>) => object | FarSlices<object>
  /** The id of the request, which its problems carry. */
  readonly requestId: string
  /** The first violation of the schema of a query, or null. */
  readonly check: (value: unknown) => ValidatorError | null
  /** Called with faults of the service. Only `OutOfBudget` is thrown. */
  readonly onFault: (error: unknown) => void
  /** How work that pauses is done. */
  readonly pausing?: Pausing
}

export interface Pausing {
  /** Time for the whole list, or for each line, in milliseconds. */
  readonly time: number
  readonly far: Far
  /** The problem of work that has failed, or null if the error is a fault of the service. */
  readonly problemOf: (error: unknown) => DecodeProblem | null
}

export interface AskedQuery {
  readonly op: string
  readonly response: TSchema
  readonly mayBeLong?: boolean
}

interface KnownQuery<Query extends AskedQuery> {
  readonly query: Query
  /** Writes its answers as results. */
  readonly write: JsonWriter
}

/** A result, and the function that writes it. */
export interface Result {
  readonly value: object
  readonly write: JsonWriter
}

/** The index of a query that is a document of its own: a line. */
const ALONE = -1

/** The pointer to a query of the list in its request. */
function pathOf(index: number): string {
  return index === ALONE ? '' : `/queries/${index}`
}

type Reported = Pick<Asker, 'requestId' | 'onFault' | 'pausing'>

/**
 * The results of a few queries, in their order; `first`: index of the first in the list of the request. All are checked, then all are
 * answered, and written later: doing the three for each query in turn takes much longer.
 */
export function askSome<Query extends AskedQuery>(
  asker: Asker<Query>,
  values: readonly unknown[],
  first: number,
): (Result | FarSlices<string>)[] {
  const errors = values.map(asker.check)
  return values.map((value, k) => result(asker, value, errors[k], first + k))
}

/** The result of a query that has been checked; if it takes long, its text in slices. */
function result<Query extends AskedQuery>(
  asker: Asker<Query>,
  value: unknown,
  error: ValidatorError | null,
  index: number,
): Result | FarSlices<string> {
  return error === null ? answer(asker, value as { op: string }, index) : violation(asker, error, index)
}

function answer<Query extends AskedQuery>(
  asker: Asker<Query>,
  value: { op: string },
  index: number,
): Result | FarSlices<string> {
  try {
    const { query, write } = asker.queries.get(value.op) as KnownQuery<Query>
    const outcome = asker.answer(query, value as unknown as Record<string, unknown>)
    if (isSlices(outcome)) return textInSlices(asker, query, outcome, index)
    if (isProblem(outcome)) return anything(shownProblem(asker, outcome, index))
    // where work may pause, writing pauses too
    const inSlices = asker.pausing !== undefined && query.mayBeLong === true && isLong(outcome)
    return inSlices ? longText(query.op, outcome) : { value: outcome, write }
  } catch (fault) {
    if (fault instanceof OutOfBudget) throw fault
    return anything(failure(asker, fault))
  }
}

function anything(value: object): Result {
  return { value, write: appendAny }
}

/** A query as text, in bytes. */
interface Line {
  readonly input: JsonInput
  readonly start: number
  readonly end: number
}

/** The result of a query that is still text. */
export function askLine<Query extends AskedQuery>(asker: Asker<Query>, line: Line): Result | FarSlices<string> {
  const { input, start, end } = line
  let value: unknown
  try {
    value = asker.pausing === undefined ? parseBy(asker.read, input, start, end) : readLine(asker.read, line)
  } catch (error) {
    return malformed(asker, textBetween(input, start, end), error)
  }
  return result(asker, value, asker.check(value), ALONE)
}

/** Where work may pause, long shapes are left unread, for a worker. */
function readLine(read: JsonReader, { input, start, end }: Line): unknown {
  if (end - start < CUT_LENGTH) return parseBy(read, input, start, end)
  return parseAround(input.bytes.subarray(start, end), (text) => parseBy(read, createJsonInput(text)))
}

/** The result of a line that is too long to be read. */
export function lineTooLong({ requestId }: Pick<Reported, 'requestId'>, limit: number): Result {
  const detail = `A line must be at most ${limit} bytes.`
  return anything(problemResult(problemDetails('body-too-large', detail, requestId, { limit })))
}

function* textInSlices(
  asker: Reported,
  { op, mayBeLong }: AskedQuery,
  slices: FarSlices<object>,
  index: number,
): FarSlices<string> {
  try {
    const outcome = yield* slices
    if (isProblem(outcome)) return JSON.stringify(shownProblem(asker, outcome, index))
    return mayBeLong && isLong(outcome) ? yield* longText(op, outcome) : resultText(op, JSON.stringify(outcome))
  } catch (fault) {
    return faultText(asker, fault, index)
  }
}

/** The result of work that has failed, or has run out of time, steps or memory. */
function faultText(asker: Reported, fault: unknown, index: number): string {
  const problem = asker.pausing?.problemOf(fault) ?? null
  return JSON.stringify(problem === null ? failure(asker, fault) : shownProblem(asker, problem, index))
}

function* longText(op: string, answer: object): Slices<string> {
  let text = ''
  for (const part of jsonText(answer)) {
    text += text === '' ? resultText(op, part) : part
    yield
  }
  return text
}

/** The problem as clients see it. Its pointers begin at the root of the request. */
function shownProblem({ requestId }: Reported, problem: DecodeProblem, index: number): object {
  const extras = problemExtras(under(pathOf(index), problem))
  return problemResult(problemDetails(problem.code, problem.detail, requestId, extras))
}

function violation({ requestId }: Reported, error: ValidatorError, index: number): Result {
  const instancePath = pathOf(index) + error.instancePath
  const {
    pointer,
    detail,
    code = 'schema-violation',
    ...sizes
  } = describeViolation({ ...error, instancePath }, 'The query')
  return anything(problemResult(problemDetails(code, detail, requestId, { errors: [{ pointer, detail }], ...sizes })))
}

function malformed({ requestId }: Reported, text: string, error: unknown): Result {
  const problem = describeUnreadable(text, error, 'line')
  return anything(problemResult(problemDetails(problem.code, problem.detail, requestId, problemExtras(problem))))
}

function failure({ requestId, onFault }: Reported, fault: unknown): object {
  onFault(fault)
  const detail = 'The service failed to answer; this is no fault of the request.'
  return problemResult(problemDetails('internal-error', detail, requestId))
}

// Results as text: answers or problems, with `op` as the first field. Queries do not know about batches: the text of an answer is
// written after that of `op`, and its first bracket becomes the comma between them. Answers have at least one field.

const COMMA = 44

/** Writes as results what `write` writes as answers to the query `op`. */
function resultWriter(op: string, write: JsonWriter): JsonWriter {
  const head = headOf(op)
  return (out, at, value) => {
    const start = appendText(out, at, head)
    const end = write(out, start, value)
    out.view.setUint8(start, COMMA)
    return end
  }
}

/** The text of an answer to the query `op`, as a result. */
function resultText(op: string, text: string): string {
  return `${headOf(op)},${text.slice(1)}`
}

/** Problem details as a result. */
export function problemResult<Details extends object>(details: Details): Details {
  return { op: PROBLEM_OP, ...details }
}

function headOf(op: string): string {
  return `{"op":${JSON.stringify(op)}`
}

// All queries of a dimension, or of scenes, with one validator and one reader.

export interface Asking<Query extends AskedQuery> {
  /** Asks in the name of a request. */
  asker(request: Omit<Asker<Query>, 'queries' | 'read' | 'check'>): Asker<Query>
  /** Reads queries, and the document that is a list of them. */
  readQueries: JsonReader
  readList: JsonReader
  /** Makes validators that take things as strictly. */
  compile: ReturnType<typeof bodyCompiler>
  /** Validates the list of a batch, but not what is in it. */
  validateList: ReturnType<ReturnType<typeof bodyCompiler>>
}

const LIST = Type.Object({ queries: Type.Array(Type.Unknown()) }, { additionalProperties: false })

/** `union`: the named schema of any of the queries, with its `op`. */
export function asking<Query extends AskedQuery>(
  schemas: Schemas,
  queries: readonly Query[],
  union: TSchema,
): Asking<Query> {
  const named = schemas as Record<string, TSchema>
  const compile = bodyCompiler(schemas)
  const validate = unionValidator(schemas, union, 'op')
  const check = (value: unknown) => (validate(value) ? null : takeErrors(validate)[0])
  const known = new Map(
    queries.map((query) => [
      query.op,
      { query, write: resultWriter(query.op, compileWriter(reference(query.response), named)) },
    ]),
  )
  const read = compileReader(reference(union), named)
  const list = Type.Array(reference(union))
  const readQueries = compileReader(list, named)

  return {
    readQueries,
    readList: compileReader(Type.Object({ queries: list }, { additionalProperties: false }), named),
    compile,
    validateList: compile(LIST),
    asker: (request) => ({ queries: known, read, check, ...request }),
  }
}

// Many queries, answered as text in pieces: a list that has arrived completely, or lines as they arrive. Other requests have their
// turn between pieces, and only one piece is held at a time: the consumer sets the pace.

/** Bytes after which a piece is sent: of lines, and of a list, most of which fit into one piece. */
const LINES_LENGTH = 2 ** 16
const LIST_LENGTH = 2 ** 20
/** Bytes of most results, at most. */
const RESULT_LENGTH = 2 ** 9
const NEWLINE = 10
/** Milliseconds for which finished lines wait for a slow one. */
const HELD_MS = 100
/** Most queries of a list that are answered together, and milliseconds after which there are fewer of them the next time. */
const MOST_TOGETHER = 32
const LONG_MS = 2

/**
 * The answer to a batch; it empties the list of queries. Ends early if the client is gone, and rejects with `DeadlineExceeded` if it
 * takes too long. `head`: JSON text of what comes before the results.
 */
export async function* askList<Query extends AskedQuery>(
  asker: Asker<Query>,
  queries: unknown[],
  isWanted: () => boolean,
  head = '',
): AsyncGenerator<Buffer, void, undefined> {
  const clock = new SliceClock(deadlineOf(asker))
  const piece = new Piece(RESULT_LENGTH * queries.length)
  piece.add(`{${head}"results":[`)
  let comma = ''
  let together = 1
  for (let first = 0; first < queries.length; ) {
    const begun = performance.now()
    const results = askSome(asker, queries.slice(first, first + together), first)
    // answered queries are released: what lives on costs time at every collection
    queries.fill(null, first, first + together)
    let index = first
    first += together
    together = performance.now() - begun > LONG_MS ? 1 : Math.min(2 * together, MOST_TOGETHER)
    for (const found of results) {
      piece.add(comma)
      comma = ','
      if (isSlices<string>(found)) piece.add(await finish(asker, found, isWanted, clock, index))
      else piece.write(found)
      index++
      if (piece.length >= LIST_LENGTH) yield piece.take()
    }
    if (!clock.isOver) continue
    await clock.nextTurn()
    if (!isWanted()) return
    if (clock.isLate) throw new DeadlineExceeded()
  }
  piece.add(']}')
  yield piece.take()
}

/**
 * One line of output for every line that is not blank. Lines that arrive together are answered together, so that a client that waits for
 * the answer to its last line gets it. A line of more than `maxLine` bytes is a problem, and is not kept in memory.
 */
export async function* askLines<Query extends AskedQuery>(
  asker: Asker<Query>,
  source: AsyncIterable<Buffer>,
  maxLine: number,
  isWanted: () => boolean,
): AsyncGenerator<Buffer, void, undefined> {
  const clock = new SliceClock()
  const piece = new Piece(LINES_LENGTH)
  for await (const lines of linePieces(source, maxLine)) {
    for (const line of lines === null ? [null] : linesOf(lines)) {
      const found = line === null ? lineTooLong(asker, maxLine) : askLine(asker, line)
      if (isSlices<string>(found)) {
        const finished = finishLine(asker, found, isWanted)
        // finished results do not wait for a slow one
        if (piece.length > 0 && !(await isThereWithin(finished, HELD_MS))) yield piece.take()
        piece.add(await finished)
      } else piece.write(found)
      piece.add('\n')
      if (piece.length >= LINES_LENGTH) yield piece.take()
      if (!clock.isOver) continue
      await clock.nextTurn()
      if (!isWanted()) return
    }
    const rest = piece.take()
    if (rest.length > 0) yield rest
  }
}

/** Collects text as bytes: joining it to one long string first would take longer. */
class Piece {
  readonly #out: JsonOutput

  /** `expected`: in bytes. */
  constructor(expected: number) {
    this.#out = createJsonOutput(expected)
  }

  /** In bytes. */
  get length(): number {
    return this.#out.length
  }

  add(text: string): void {
    this.#out.length = appendText(this.#out, this.#out.length, text)
  }

  write({ value, write }: Result): void {
    this.#out.length = write(this.#out, this.#out.length, value)
  }

  take(): Buffer {
    return takeBytes(this.#out)
  }
}

/** The text of a result; empty if the client is gone. Rejects only when the time of the whole list is over. */
async function finish(
  asker: Answering,
  slices: FarSlices<string>,
  isWanted: () => boolean,
  clock: SliceClock,
  index: number,
): Promise<string> {
  try {
    return (await finishSlices(slices, isWanted, clock, asker.pausing?.far)) ?? ''
  } catch (error) {
    if (error instanceof DeadlineExceeded) throw error
    return faultText(asker, error, index)
  }
}

async function isThereWithin(result: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const timer = new AbortController()
  const late = setTimeout(milliseconds, false, { signal: timer.signal }).catch(() => false)
  const isThere = await Promise.race([result.then(() => true), late])
  timer.abort()
  return isThere
}

/** The text of the result of a line, which has its own deadline. */
async function finishLine(asker: Answering, slices: FarSlices<string>, isWanted: () => boolean): Promise<string> {
  try {
    return await finish(asker, slices, isWanted, new SliceClock(deadlineOf(asker)), ALONE)
  } catch (error) {
    return faultText(asker, error, ALONE)
  }
}

/** The deadline of work that begins now. */
function deadlineOf({ pausing }: Answering): number {
  return pausing === undefined ? Infinity : performance.now() + pausing.time
}

type Answering = Pick<Asker, 'requestId' | 'onFault' | 'pausing'>

/** The lines that are not blank. */
function* linesOf(piece: Buffer): Generator<Line, void, undefined> {
  const input = createJsonInput(piece)
  for (let start = 0; start < piece.length; ) {
    const found = piece.indexOf(NEWLINE, start)
    const end = found < 0 ? piece.length : found
    if (!isBlank(input, start, end)) yield { input, start, end }
    start = end + 1
  }
}

// Lines as they arrive, in pieces.

/** Bytes of a piece, at most, unless it is one line alone. */
const PIECE_LENGTH = 2 ** 16

/**
 * The lines that each chunk completes, in pieces of whole lines; null stands for a line of more than `maxLine` bytes, which is not kept
 * in memory.
 */
export async function* linePieces(
  source: AsyncIterable<Buffer>,
  maxLine: number,
): AsyncGenerator<Buffer | null, void, undefined> {
  const most = Math.min(PIECE_LENGTH, maxLine)
  let begun: Buffer[] = []
  let length = 0
  for await (const chunk of source) {
    let start = 0
    const first = chunk.indexOf(NEWLINE)
    if (begun.length > 0 || length > 0) {
      const part = first < 0 ? chunk : chunk.subarray(0, first + 1)
      length += part.length
      if (length - (first < 0 ? 0 : 1) > maxLine) begun = []
      else begun.push(part)
      if (first < 0) continue
      yield begun.length === 0 ? null : Buffer.concat(begun)
      begun = []
      length = 0
      start = first + 1
    }
    while (start < chunk.length) {
      const end = endOfPiece(chunk, start, most)
      if (end < 0) break
      const isOne = chunk.indexOf(NEWLINE, start) === end - 1
      yield isOne && end - 1 - start > maxLine ? null : chunk.subarray(start, end)
      start = end
    }
    if (start === chunk.length) continue
    length = chunk.length - start
    begun = length > maxLine ? [] : [chunk.subarray(start)]
  }
  if (length > 0) yield begun.length === 0 ? null : Buffer.concat(begun)
}

/** Where the lines from `start` on end that have `most` bytes together, or the first one if it has more; −1 where none ends. */
function endOfPiece(chunk: Buffer, start: number, most: number): number {
  const last = chunk.lastIndexOf(NEWLINE, start + most - 1)
  if (last >= start) return last + 1
  const next = chunk.indexOf(NEWLINE, start)
  return next < 0 ? -1 : next + 1
}
