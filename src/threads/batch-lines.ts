// The lines of a batch, answered by workers as they arrive. Lines that arrive together are answered together, so that a client that waits
// for the answer to its last line gets it. Few bytes are tried on the main thread first.

import { linePieces, lineTooLong, problemResult } from '../queries/ask/ask.ts'
import type { Dimension } from '../queries/ask/query.ts'
import { LINE_ADVICE } from '../queries/ask/slices.ts'
import { problemExtras } from '../wire/decode-problem.ts'
import { problemDetails } from '../wire/problems.ts'
import { describeFailure, type Errand, failureOf, type WorkerPool } from './pool.ts'

/** Bytes up to which the main thread tries. */
const MAIN_LINES_BYTES = 2 ** 13
const NEWLINE = 10

interface LinesRequest {
  readonly pool: WorkerPool
  readonly dimension: Dimension
  readonly requestId: string
  /** Most bytes of a line. */
  readonly maxLine: number
  /** The results of lines that are few and light enough to be answered at once; otherwise null. */
  atOnce(lines: Buffer): Uint8Array | null
  /** The errands under way, to be cancelled when the client disconnects. */
  readonly errands: Set<Errand>
}

export function workOffLines(
  source: AsyncIterable<Buffer>,
  request: LinesRequest,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { pool, maxLine } = request
  return inOrder(linePieces(source, maxLine), pool.options.workers + 1, (piece) =>
    piece === null ? Promise.resolve(tooLong(request)) : answerLines(piece, request),
  )
}

async function answerLines(lines: Buffer, request: LinesRequest): Promise<Uint8Array> {
  if (lines.length <= MAIN_LINES_BYTES) {
    const body = request.atOnce(lines)
    if (body !== null) return body
  }
  const results: Uint8Array[] = []
  for (let rest = lines; rest.length > 0; ) {
    const errand = request.pool.open()
    request.errands.add(errand)
    const { dimension, requestId } = request
    const done = await errand.run({ kind: 'lines', dimension, bytes: Buffer.from(rest), requestId })
    errand.close()
    request.errands.delete(errand)
    if (errand.ending === 'gone') break
    if (done.is === 'lines') {
      results.push(done.body)
      rest = rest.subarray(done.end)
    } else if (errand.hasBegun) {
      // the lines before the one that failed are answered again, without it
      const [before, after] = [errand.linesDone, errand.linesDone + 1].map((count) => behindLines(rest, count))
      if (before > 0) results.push(await answerLines(rest.subarray(0, before), request))
      const problem = describeFailure(failureOf(errand, done), LINE_ADVICE, request.pool.options)
      const details = problemDetails(problem.code, problem.detail, request.requestId, problemExtras(problem))
      results.push(asLine(problemResult(details)))
      rest = rest.subarray(after)
    } else if (errand.ending === 'closing') break
  }
  return results.length === 1 ? results[0] : Buffer.concat(results)
}

function behindLines(lines: Buffer, count: number): number {
  let at = 0
  for (let line = 0; line < count; line++) {
    const end = lines.indexOf(NEWLINE, at)
    if (end < 0) return lines.length
    at = end + 1
  }
  return at
}

function tooLong({ requestId, maxLine }: LinesRequest): Uint8Array {
  return asLine(lineTooLong({ requestId }, maxLine).value)
}

function asLine(value: object): Uint8Array {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}

// Works on a stream of items, several at a time, and yields the results in the order of the items, as soon as possible.

/** `width`: most items under way at a time. */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  width: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const source = items[Symbol.asyncIterator]()
  const underWay: Promise<Result>[] = []
  const take = () => {
    const taken = source.next()
    // a rejection is reported when the item is awaited
    taken.catch(() => undefined)
    return taken
  }
  let next: Promise<IteratorResult<Item>> | null = take()
  try {
    while (next !== null || underWay.length > 0) {
      const isResult: boolean =
        next === null ||
        (underWay.length > 0 &&
          (underWay.length >= width || (await Promise.race([underWay[0].then(() => true), next.then(() => false)]))))
      if (isResult) {
        yield await (underWay.shift() as Promise<Result>)
        continue
      }
      const item: IteratorResult<Item> = await (next as Promise<IteratorResult<Item>>)
      if (item.done === true) {
        next = null
        continue
      }
      const result = work(item.value)
      result.catch(() => undefined)
      underWay.push(result)
      next = take()
    }
  } finally {
    await source.return?.()
  }
}
