// The list of a batch, answered by workers while it still arrives.
//
// Method: the document is cut between items as its bytes arrive, or at once if it is short. A short one of light queries is answered by the
// main thread alone, in slices, while it answers no other: to hand pieces to a worker and back costs more processor time than it saves in
// waiting. Else workers read, check, answer and write the pieces, and when everything has arrived, the main thread takes its share of those
// that wait, a little at a time. Results are joined in order. Nothing is sent before everything is known to be JSON: a document
// that is not such a list goes to one worker as a whole, which finds the problem.

import { setImmediate } from 'node:timers/promises'
import type { PictureOptions } from '../../schemas/picture.ts'
import { NestedTooDeep } from '../json/input.ts'
import { cutBeforeField, type ItemPiece, ItemScanner, listOf } from '../json/items.ts'
import { appendText, createJsonOutput, type JsonOutput, takeBytes } from '../json/output.ts'
import type { Dimension } from '../queries/ask/query.ts'
import { type Sent, sentProblem, tooManyQueries } from '../queries/ask/sent.ts'
import { MAIN_BYTES, SliceClock } from '../queries/ask/slices.ts'
import type { ItemResults } from '../queries/stateless/answerer.ts'
import { problemOf } from '../wire/decode-problem.ts'
import type { Done } from './job.ts'
import { type Errand, type Failure, failureOf, type WorkerPool } from './pool.ts'

/** Least bytes of a piece, and about the most bytes of the pieces in one job. */
const PIECE_LENGTH = 2 ** 14
const JOB_LENGTH = 2 ** 17
/** Bytes up to which a document is waited for: cutting it is quicker then. */
const WHOLE_LENGTH = 2 ** 20
/** Bytes that are scanned between two rounds of sending pieces. */
const LOOK_LENGTH = 2 ** 16
/** Most bytes that the main thread answers itself; and bytes of a rest that is not worth sending to a worker. */
const SHARE_LENGTH = 2 ** 18
const SMALL_LENGTH = 2 ** 15
/** Around the results. */
const BEGINNING = '{"results":['
const ENDING = ']}'
/** Most digits of an index. */
const INDEX_LENGTH = 8

interface ListRequest {
  readonly pool: WorkerPool
  readonly dimension: Dimension
  /** An errand for the request, or null if the request is refused. */
  take(): Errand | null
  readonly requestId: string
  /** Bytes that the client says the document has, or NaN. */
  readonly length: number
  readonly maxBatch: number
  /** The results of items that are light enough to be answered at once, written into `out`; otherwise null. `first`: as in `answerItems`. */
  atOnce(items: Buffer, out: JsonOutput, first: number): ItemResults | null
}

export type ListOutcome =
  /** So short that no worker was asked. */
  | { readonly is: 'short'; readonly bytes: Buffer }
  | { readonly is: 'results'; readonly bodies: readonly Uint8Array[] }
  | { readonly is: 'sent'; readonly sent: Sent }
  | { readonly is: 'refused' }
  | { readonly is: 'failed'; readonly failure: Failure }

export async function workOffList(chunks: AsyncIterable<Buffer>, request: ListRequest): Promise<ListOutcome> {
  if (!(request.length <= WHOLE_LENGTH)) return workOffArriving(chunks, request)
  const bytes = await gathered(chunks)
  if (bytes.length <= MAIN_BYTES) return { is: 'short', bytes }
  return (await workOffMarked(bytes, request)) ?? workOffArriving([bytes], request)
}

/** All of it. */
export async function gathered(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(chunk)
  return all.length === 1 ? all[0] : Buffer.concat(all)
}

/** Cut at marks; null where that does not do. */
async function workOffMarked(bytes: Buffer, request: ListRequest): Promise<ListOutcome | null> {
  const pieces = cutBeforeField(bytes, 'queries', 'op', PIECE_LENGTH)
  if (pieces === null) return null
  const line = new PieceLine(request)
  line.add(pieces)
  try {
    const outcome = !isOneAnswered && request.pool.admits ? await line.answerHere() : null
    return outcome ?? (await line.finish())
  } finally {
    line.close()
  }
}

/** Whether the main thread answers a list by itself. */
let isOneAnswered = false

/** Bytes of results for each byte of a list, as of the last one that the main thread answered; with room for what is reserved beyond them. */
let resultRatio = 0.5
const SPARE_RATIO = 1.125

/** Looked through as it comes. */
async function workOffArriving(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  request: ListRequest,
): Promise<ListOutcome> {
  const { requestId, maxBatch } = request
  const scanner = new ItemScanner('queries', PIECE_LENGTH)
  const line = new PieceLine(request)
  const kept: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of chunks) {
      kept.push(chunk)
      length += chunk.length
      for (let at = 0; at < chunk.length; at += LOOK_LENGTH) {
        line.add(scanner.push(chunk.subarray(at, at + LOOK_LENGTH)))
        if (scanner.isTooDeep) {
          const problem = problemOf('schema-violation', new NestedTooDeep().message)
          return { is: 'sent', sent: sentProblem(problem, requestId) }
        }
        // items of a list that is refused anyway are only counted
        if (scanner.count > maxBatch || scanner.isStrange) line.drop()
        else if (length > MAIN_BYTES && !line.send()) return { is: 'refused' }
        // workers hand on and take what there is between two looks
        await setImmediate()
      }
    }
    if (length <= MAIN_BYTES) return { is: 'short', bytes: Buffer.concat(kept) }
    if (scanner.isComplete && scanner.count > maxBatch) {
      return { is: 'sent', sent: sentProblem(tooManyQueries(scanner.count, maxBatch), requestId) }
    }
    if (scanner.isComplete && !scanner.isStrange) {
      const outcome = await line.finish()
      if (outcome !== null) return outcome
    }
    return await line.asWhole(Buffer.concat(kept))
  } finally {
    line.close()
  }
}

/** Memory for the piece that the main thread reads: nothing that is read from it keeps it. */
const scratch = Buffer.allocUnsafe(2 * PIECE_LENGTH)

/** The pieces of a list on their way to workers and back. */
class PieceLine {
  readonly #request: ListRequest
  #errand: Errand | null = null
  #waiting: ItemPiece[] = []
  #waitingLength = 0
  readonly #done: Promise<Done>[] = []
  readonly #underWay = new Set<Promise<Done>>()
  /** Items that are answered. */
  #count = 0
  /** What the main thread writes. */
  #out = createJsonOutput()
  /** Bytes that the main thread may still answer. */
  #share = SHARE_LENGTH

  constructor(request: ListRequest) {
    this.#request = request
  }

  add(pieces: readonly ItemPiece[]): void {
    for (const piece of pieces) {
      this.#waiting.push(piece)
      this.#waitingLength += piece.length
    }
  }

  /** Gives up what has been sent. */
  drop(): void {
    this.#waiting = []
    this.#waitingLength = 0
    this.#errand?.end('gone')
  }

  /** Hands on what there is, as far as workers are ready for it; false when the request is refused. */
  send(): boolean {
    this.#errand ??= this.#request.take()
    if (this.#errand === null) return false
    const { workers } = this.#request.pool.options
    while (this.#waiting.length > 0 && this.#underWay.size < workers) {
      // all threads should finish at about the same time
      const part = this.#waitingLength / (this.#share > 0 ? workers + 1 : workers)
      const bytes = listOf(this.#takeWaiting(Math.min(part, JOB_LENGTH)))
      const { dimension, requestId } = this.#request
      const done = this.#errand.run({ kind: 'items', dimension, bytes, requestId })
      this.#done.push(done)
      this.#underWay.add(done)
      done.then((results) => {
        this.#underWay.delete(done)
        if (results.is === 'items') this.#count += results.count
      })
    }
    return true
  }

  /** The first pieces, of so many bytes or a little more. */
  #takeWaiting(length: number): ItemPiece[] {
    let count = 0
    let taken = 0
    while (count < this.#waiting.length && taken < length) taken += this.#waiting[count++].length
    this.#waitingLength -= taken
    return this.#waiting.splice(0, count)
  }

  /** Answers the pieces here, in slices, up to one that is not light enough. Null if there is one: what is before it is done then. */
  async answerHere(): Promise<ListOutcome | null> {
    const clock = new SliceClock()
    const { maxBatch } = this.#request
    const length = this.#waitingLength
    const out = createJsonOutput(SPARE_RATIO * resultRatio * length)
    this.#share = length
    this.#out = out
    out.length = appendText(out, 0, BEGINNING)
    isOneAnswered = true
    try {
      while (this.#waiting.length > 0 && this.#share > 0 && this.#count <= maxBatch) {
        if (clock.isOver) await clock.nextTurn()
        this.#answerOne(this.#count)
      }
    } finally {
      isOneAnswered = false
    }
    if (this.#waiting.length > 0 || this.#count > maxBatch) {
      if (this.#count > 0) this.#putDone({ body: out.bytes.subarray(BEGINNING.length, out.length), count: this.#count })
      return null
    }
    out.length = appendText(out, out.length, ENDING)
    resultRatio = out.length / length
    return { is: 'results', bodies: [takeBytes(out)] }
  }

  /** Answers the first piece here and now, if that is light enough; otherwise gives null. */
  #answerOne(first: number): ItemResults | null {
    const [piece] = this.#waiting
    const { length } = this.#out
    const results =
      piece.length <= this.#share ? this.#request.atOnce(listOf([piece], scratch), this.#out, first) : null
    this.#share = results === null ? 0 : this.#share - piece.length
    if (results === null) {
      this.#out.length = length
      return null
    }
    this.#takeWaiting(1)
    this.#count += results.count
    return results
  }

  #putDone(results: ItemResults): void {
    this.#done.push(Promise.resolve({ is: 'items', ...results, faults: [] }))
  }

  /** The results of all; null where the items are no JSON, or too many. */
  async finish(): Promise<ListOutcome | null> {
    this.#errand?.restart()
    const { maxBatch } = this.#request
    while (this.#waiting.length > 0) {
      if (this.#count > maxBatch) return null
      const isSmall = this.#waitingLength <= SMALL_LENGTH && this.#share > 0
      if (!isSmall && !this.send()) return { is: 'refused' }
      if (this.#share > 0 && this.#waiting.length > 0) {
        const results = this.#answerOne(0)
        if (results !== null) this.#putDone(results)
      }
      await (this.#share > 0 || this.#underWay.size === 0 ? setImmediate() : Promise.race(this.#underWay))
    }
    const bodies: Uint8Array[] = [Buffer.from(BEGINNING)]
    const all = await Promise.all(this.#done)
    if (this.#count > maxBatch || all.some(({ is }) => is === 'unreadable')) return null
    const clock = new SliceClock()
    let first = 0
    for (const done of all) {
      if (clock.isOver) await clock.nextTurn()
      if (done.is !== 'items') return { is: 'failed', failure: failureOf(this.#errand as Errand, done) }
      if (bodies.length > 1) bodies.push(Buffer.from(','))
      bodies.push(countedFrom(first, done.body))
      first += done.count
    }
    bodies.push(Buffer.from(ENDING))
    return { is: 'results', bodies }
  }

  /** The whole document by one worker. */
  async asWhole(bytes: Buffer): Promise<ListOutcome> {
    this.close()
    // a request that was admitted is not refused later
    const errand = this.#errand === null ? this.#request.take() : this.#request.pool.open()
    this.#errand = errand
    return errand === null ? { is: 'refused' } : workOffWhole(errand, bytes, this.#request)
  }

  close(): void {
    this.#errand?.end('gone')
    this.#errand?.close()
  }
}

/** How pointers of problems begin. Strings cannot contain it: their quotes are escaped. */
const POINTER = Buffer.from('"pointer":"#/queries/')
const ZERO = 48

/** The results of a piece, with indices of queries in the whole list where pointers of problems have those in the piece. */
function countedFrom(first: number, body: Uint8Array): Uint8Array {
  const results = Buffer.from(body.buffer, body.byteOffset, body.length)
  let count = 0
  if (first > 0) for (let at = results.indexOf(POINTER); at >= 0; at = results.indexOf(POINTER, at + 1)) count++
  if (count === 0) return body
  const counted = Buffer.allocUnsafe(results.length + count * INDEX_LENGTH)
  let from = 0
  let to = 0
  for (; count > 0; count--) {
    const at = results.indexOf(POINTER, from) + POINTER.length
    to += results.copy(counted, to, from, at)
    let index = 0
    for (from = at; isDigit(results[from]); from++) index = 10 * index + results[from] - ZERO
    to += counted.write(String(first + index), to, 'latin1')
  }
  to += results.copy(counted, to, from)
  return counted.subarray(0, to)
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte < ZERO + 10
}

/** A batch as a whole, by one worker. `picture`: where it is to be drawn. */
export async function workOffWhole(
  errand: Errand,
  bytes: Buffer,
  { dimension, requestId }: Pick<ListRequest, 'dimension' | 'requestId'>,
  picture: PictureOptions | null = null,
): Promise<Extract<ListOutcome, { is: 'sent' | 'failed' }>> {
  const done = await errand.run({ kind: 'list', dimension, bytes, requestId, picture })
  const failure = failureOf(errand, done)
  errand.close()
  return done.is === 'sent' ? { is: 'sent', sent: done } : { is: 'failed', failure }
}
