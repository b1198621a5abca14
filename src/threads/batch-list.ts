// The list of a batch, answered by workers while it still arrives.
//
// Method: the document is cut between items as its bytes come, and each piece is read, checked, answered and written by a worker;
// results are joined in order. Nothing is answered before everything is known to be JSON: what turns out to be no such list is
// handed to one worker as a whole, which says what is wrong with it.

import { setImmediate } from 'node:timers/promises'
import { NestedTooDeep } from '../json/brackets.ts'
import { ItemScanner } from '../json/items.ts'
import { type Sent, sentProblem, sentTooMany } from '../queries/sent.ts'
import { MAIN_BYTES } from '../queries/steps.ts'
import type { Done } from './job.ts'
import { type Errand, type Failure, failureOf, type WorkerPool } from './pool.ts'

/** Bytes of a piece, at least, and bytes that are looked through before a piece is handed on. */
const PIECE_LENGTH = 2 ** 16
const LOOK_LENGTH = 2 ** 16
/** Milliseconds after which others have their turn. */
const TURN_MS = 3
/** Pieces for each worker that are under way at a time. */
const PIECES_AHEAD = 2

export interface ListRequest {
  readonly pool: WorkerPool
  /** An errand for the request, or null where it is refused. */
  take(): Errand | null
  readonly requestId: string
  readonly maxBatch: number
}

export type ListOutcome =
  /** So short that no worker was asked. */
  | { readonly is: 'short'; readonly bytes: Buffer }
  | { readonly is: 'results'; readonly bodies: readonly Uint8Array[] }
  | { readonly is: 'sent'; readonly sent: Sent }
  | { readonly is: 'refused' }
  | { readonly is: 'failed'; readonly failure: Failure }

export async function workOffList(chunks: AsyncIterable<Buffer>, request: ListRequest): Promise<ListOutcome> {
  const { requestId, maxBatch } = request
  const scanner = new ItemScanner('queries', PIECE_LENGTH)
  const line = new PieceLine(request)
  const kept: Buffer[] = []
  let length = 0
  let turn = performance.now()
  try {
    for await (const chunk of chunks) {
      kept.push(chunk)
      length += chunk.length
      for (let at = 0; at < chunk.length; at += LOOK_LENGTH) {
        line.add(scanner.push(chunk.subarray(at, at + LOOK_LENGTH)))
        if (scanner.isTooDeep) {
          const detail = new NestedTooDeep().message
          return { is: 'sent', sent: sentProblem('schema-violation', detail, requestId) }
        }
        // what is refused anyway is only counted
        if (scanner.count > maxBatch || scanner.isStrange) line.drop()
        else if (length > MAIN_BYTES && !(await line.send())) return { is: 'refused' }
        if (performance.now() - turn < TURN_MS) continue
        await setImmediate()
        turn = performance.now()
      }
    }
    if (length <= MAIN_BYTES) return { is: 'short', bytes: Buffer.concat(kept) }
    if (scanner.isComplete && scanner.count > maxBatch) {
      return { is: 'sent', sent: sentTooMany(scanner.count, maxBatch, requestId) }
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

/** The pieces of a list on their way to workers and back. */
class PieceLine {
  readonly #request: ListRequest
  readonly #width: number
  #errand: Errand | null = null
  #pieces: Buffer[] = []
  readonly #done: Promise<Done>[] = []
  readonly #underWay = new Set<Promise<Done>>()

  constructor(request: ListRequest) {
    this.#request = request
    this.#width = PIECES_AHEAD * request.pool.options.workers
  }

  add(pieces: readonly Buffer[]): void {
    this.#pieces.push(...pieces)
  }

  /** Gives up what has been sent. */
  drop(): void {
    this.#pieces = []
    this.#errand?.end('gone')
  }

  /** Hands on what there is, at the pace of the workers; false when the request is refused. */
  async send(): Promise<boolean> {
    this.#errand ??= this.#request.take()
    if (this.#errand === null) return false
    for (const bytes of this.#pieces.splice(0)) {
      while (this.#underWay.size >= this.#width) await Promise.race(this.#underWay)
      const done = this.#errand.run({ kind: 'items', bytes, requestId: this.#request.requestId })
      this.#done.push(done)
      this.#underWay.add(done)
      done.then(() => this.#underWay.delete(done))
    }
    return true
  }

  /** The results of all; null where the items are no JSON. */
  async finish(): Promise<ListOutcome | null> {
    this.#errand?.restart()
    if (!(await this.send())) return { is: 'refused' }
    const bodies: Uint8Array[] = [Buffer.from('{"results":[')]
    const all = await Promise.all(this.#done)
    if (all.some(({ is }) => is === 'unreadable')) return null
    for (const done of all) {
      if (done.is !== 'results') return { is: 'failed', failure: failureOf(this.#errand as Errand, done) }
      if (bodies.length > 1) bodies.push(Buffer.from(','))
      bodies.push(done.body)
    }
    bodies.push(Buffer.from(']}'))
    return { is: 'results', bodies }
  }

  /** The whole document by one worker. */
  async asWhole(bytes: Buffer): Promise<ListOutcome> {
    this.close()
    // once taken it is not refused any more
    const errand = this.#errand === null ? this.#request.take() : this.#request.pool.open()
    this.#errand = errand
    return errand === null ? { is: 'refused' } : workOffWhole(errand, bytes, this.#request.requestId)
  }

  close(): void {
    this.#errand?.end('gone')
    this.#errand?.close()
  }
}

/** A batch as a whole, by one worker. */
export async function workOffWhole(
  errand: Errand,
  bytes: Buffer,
  requestId: string,
): Promise<Extract<ListOutcome, { is: 'sent' | 'failed' }>> {
  const done = await errand.run({ kind: 'list', bytes, requestId })
  const failure = failureOf(errand, done)
  errand.close()
  return done.is === 'sent' ? { is: 'sent', sent: done } : { is: 'failed', failure }
}
