// Answers queries of one dimension, from the bytes of a request to those of its answer, on the main thread and on workers alike.

import type { PictureOptions } from '../../../schemas/picture.ts'
import { reference } from '../../../schemas/reference.ts'
import { behindMark, createJsonInput, isBlank } from '../../json/input.ts'
import { appendText, createJsonOutput, type JsonOutput, takeBytes, takeText } from '../../json/output.ts'
import { compileReader, type JsonReader, parseBy } from '../../json/reader.ts'
import { compileWriter, type JsonWriter } from '../../json/writer.ts'
import { MOST_STACKED } from '../../pictures/stack.ts'
import { releaseSlots } from '../../wire/body.ts'
import { releaseSlots as releaseSlots3d } from '../../wire/body-3d.ts'
import { type DecodeProblem, isProblem, problemOf } from '../../wire/decode-problem.ts'
import { schemasByName } from '../../wire/named-schemas.ts'
import { describeViolation, violationProblem } from '../../wire/schema-violation.ts'
import { mayHaveReferences, NO_SHAPES, putShapes } from '../../wire/shape-source.ts'
import { describeUnreadable } from '../../wire/unreadable.ts'
import { bodyCompiler, takeErrors } from '../../wire/validators.ts'
import { type Asker, type Asking, asking, askLine, askSome, type Result } from '../ask/ask.ts'
import type { AskedLimits, Dimension, Query, QueryLimits } from '../ask/query.ts'
import { JSON_TYPE, LIST_TYPE, type Sent, sentProblem, tooManyQueries } from '../ask/sent.ts'
import type { Catalogue } from './all.ts'
import { type AskedOfBatch, checkPictureSize, sentPicture, sentPictures } from './picture.ts'

export interface AnswererLimits extends AskedLimits {
  readonly maxBatch: number
}

/** How the work is bounded and watched. */
export interface Surroundings {
  /** `answerQuery`, within the bounds of the thread. */
  answer(query: Query, request: object, limits: QueryLimits): object | DecodeProblem
  /** Called between queries, and with the count of lines that are done; may throw. */
  onProgress(lines: number): void
  /** Told of faults of the service. */
  onFault(fault: unknown): void
}

export interface Lines {
  readonly body: Uint8Array
  /** Bytes of the lines that were answered. */
  readonly end: number
}

export interface ItemResults {
  /** Without brackets around them. */
  readonly body: Uint8Array
  readonly count: number
}

/** Queries of a list that are asked together. */
const TOGETHER = 32
const NEWLINE = 10
/** Bytes of most results, at most. */
const RESULT_LENGTH = 2 ** 9

type Validate = ReturnType<ReturnType<typeof bodyCompiler>>

/** Buffer of single answers. */
const answerOut = createJsonOutput()

/** Code is generated where it is first needed. */
interface CompiledQuery {
  readonly query: Query
  readonly read: JsonReader
  readonly write: JsonWriter
  readonly violation: Validate
}

export class Answerer {
  readonly #dimension: Dimension
  readonly #limits: AnswererLimits
  readonly #around: Surroundings
  readonly #batch: Asking<Query>
  /** By `op`. */
  readonly #queries: ReadonlyMap<string, CompiledQuery>

  constructor({ dimension, queries, batch }: Catalogue, limits: AnswererLimits, around: Surroundings) {
    this.#dimension = dimension
    const compile = bodyCompiler(schemasByName)
    this.#queries = new Map(
      queries.map((query) => [
        query.op,
        {
          query,
          read: compileReader(reference(query.request), schemasByName),
          write: compileWriter(reference(query.response), schemasByName),
          violation: compile(reference(query.request)),
        },
      ]),
    )
    this.#batch = asking(schemasByName, queries, batch.query)
    this.#limits = limits
    this.#around = around
  }

  /** The query `op` alone. `picture`: where it is to be drawn. */
  answerQuery(op: string, bytes: Buffer, requestId: string, picture: PictureOptions | null): Sent {
    const { query, read, write, violation } = this.#queries.get(op) as CompiledQuery
    const value = readBody(bytes, read, violation)
    if (isProblem(value)) return sentProblem(value, requestId)
    const outcome = this.#outcome(query, value, mayHaveReferences(bytes), picture !== null)
    if (isProblem(outcome)) return sentProblem(outcome, requestId)
    if (picture !== null) return sentPicture(query, value, outcome, picture)
    answerOut.length = write(answerOut, 0, outcome)
    return { status: 200, type: JSON_TYPE, body: takeText(answerOut) }
  }

  /** The answer or the problem of a request that fits the schema. `isDrawn`: it is refused where it is too large to be drawn. */
  #outcome(query: Query, request: object, hasReferences: boolean, isDrawn: boolean): object {
    const { shapes = NO_SHAPES } = this.#limits
    const unknown = hasReferences ? putShapes(request, this.#dimension, shapes) : null
    const problem = unknown ?? (isDrawn ? checkPictureSize(request) : null)
    return problem ?? this.#around.answer(query, request, this.#limits)
  }

  /** The document of a batch. `picture`: where it is to be drawn. */
  answerList(bytes: Buffer, requestId: string, picture: PictureOptions | null = null): Sent {
    const { readList, validateList } = this.#batch
    const value = readBody(bytes, readList, validateList)
    if (isProblem(value)) return sentProblem(value, requestId)
    const { queries: list } = value as { queries: unknown[] }
    const { maxBatch } = this.#limits
    if (list.length > maxBatch) return sentProblem(tooManyQueries(list.length, maxBatch), requestId)
    const hasReferences = mayHaveReferences(bytes)
    if (picture !== null) return this.#drawList(list, requestId, picture, hasReferences)
    const out = createJsonOutput(RESULT_LENGTH * list.length)
    out.length = appendText(out, 0, '{"results":[')
    this.#answerAll(list, requestId, out, hasReferences)
    out.length = appendText(out, out.length, ']}')
    return { status: 200, type: LIST_TYPE, body: takeBytes(out) }
  }

  #drawList(list: readonly unknown[], requestId: string, picture: PictureOptions, hasReferences: boolean): Sent {
    const { check } = this.#asker(requestId, hasReferences)
    const asked = list.slice(0, MOST_STACKED).map((value): AskedOfBatch => {
      this.#around.onProgress(0)
      const request = value as { op: string }
      const error = check(value)
      if (error !== null) {
        const { detail, code = 'schema-violation' } = describeViolation(error, 'The query')
        return { op: 'query', request, outcome: problemOf(code, detail) }
      }
      const { query } = this.#queries.get(request.op) as CompiledQuery
      const outcome = this.#outcome(query, request, hasReferences, true)
      return { op: request.op, request, outcome }
    })
    return sentPictures(this.#dimension, asked, list.length, picture)
  }

  /**
   * The list of some items of a batch; null where it is no JSON. More than a batch may have are only counted. The results are bytes of
   * `out`, behind what is there, or of memory of their own. `first`: how many items of the batch are before these, with their results in
   * `out`; then a comma comes first.
   */
  answerItems(bytes: Buffer, requestId: string, out?: JsonOutput, first = 0): ItemResults | null {
    let list: unknown[]
    try {
      list = parseBy(this.#batch.readQueries, createJsonInput(bytes)) as unknown[]
    } catch {
      return null
    }
    const { length: count } = list
    if (count > this.#limits.maxBatch) return { body: new Uint8Array(), count }
    const text = out ?? createJsonOutput(RESULT_LENGTH * count)
    const { length: start } = text
    this.#answerAll(list, requestId, text, mayHaveReferences(bytes), first)
    return { body: out === undefined ? takeBytes(text) : text.bytes.subarray(start, text.length), count }
  }

  #answerAll(list: unknown[], requestId: string, out: JsonOutput, hasReferences: boolean, first = 0): void {
    const asker = this.#asker(requestId, hasReferences)
    for (let from = 0; from < list.length; from += TOGETHER) {
      this.#around.onProgress(0)
      const results = askSome(asker, list.slice(from, from + TOGETHER), first + from)
      // what has been answered is let go: what lives on costs time at every collection
      list.fill(null, from, from + TOGETHER)
      for (let k = 0; k < results.length; k++) {
        if (first + from + k > 0) out.length = appendText(out, out.length, ',')
        appendResult(out, results[k])
      }
    }
  }

  /** The first lines, as many as are begun within `time` milliseconds, a line of results for each. */
  answerLines(lines: Buffer, requestId: string, time: number): Lines {
    const asker = this.#asker(requestId, mayHaveReferences(lines))
    const input = createJsonInput(lines)
    const out = createJsonOutput()
    const until = performance.now() + time
    let start = 0
    for (let count = 0; start < lines.length && (count === 0 || performance.now() < until); count++) {
      this.#around.onProgress(count)
      const found = lines.indexOf(NEWLINE, start)
      const end = found < 0 ? lines.length : found
      if (!isBlank(input, start, end)) {
        appendResult(out, askLine(asker, { input, start, end }))
        out.length = appendText(out, out.length, '\n')
      }
      start = end + 1
    }
    return { body: takeBytes(out), end: Math.min(start, lines.length) }
  }

  #asker(requestId: string, hasReferences: boolean): Asker<Query> {
    return this.#batch.asker({
      requestId,
      answer: (query, request) => this.#outcome(query, request, hasReferences, false),
      onFault: this.#around.onFault,
    })
  }
}

/** The answer to a request that fits the schema, or its first problem; what large bodies have needed is given back. */
export function answerQuery(query: Query, request: object, limits: QueryLimits): object {
  try {
    return query.answer(request, limits)
  } finally {
    releaseSlots()
    releaseSlots3d()
  }
}

/** The value of a body, or the problem that refuses it. */
function readBody(bytes: Buffer, read: JsonReader, violation: Validate): object | DecodeProblem {
  let value: unknown
  try {
    value = parseBy(read, createJsonInput(bytes))
  } catch (error) {
    return describeUnreadable(bytes.toString('utf8', behindMark(bytes)), error)
  }
  if (violation(value)) return value as object
  return violationProblem(takeErrors(violation)[0], '')
}

/** Nothing is in slices here. */
function appendResult(out: JsonOutput, result: Result | object): void {
  const { value, write } = result as Result
  out.length = write(out, out.length, value)
}
