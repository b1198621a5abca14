// Many queries, answered as text in pieces: a list that has arrived completely, or lines as they arrive. Other requests have their
// turn between pieces, and only one piece is held at a time: the consumer sets the pace.

import { setTimeout } from 'node:timers/promises'
import type { FarSlices } from '../../containers/far-call.ts'
import { createJsonInput, isBlank } from '../../json/input.ts'
import { appendText, createJsonOutput, type JsonOutput, takeBytes } from '../../json/output.ts'
import {
  ALONE,
  type AskedQuery,
  type Asker,
  askLine,
  askSome,
  faultText,
  type Line,
  lineTooLong,
  type Result,
} from './ask.ts'
import { DeadlineExceeded, finishSlices, isSlices, SliceClock } from './slices.ts'

/** Bytes after which a piece is handed on: of lines, and of a list, most of which fit into one piece. */
const LINES_LENGTH = 2 ** 16
const LIST_LENGTH = 2 ** 20
/** Bytes of most results, at most. */
const RESULT_LENGTH = 2 ** 9
const NEWLINE = 10
/** Most queries of a list that are asked together, and milliseconds after which there are fewer of them the next time. */
/** Milliseconds for which lines that are done wait for others. */
const HELD_MS = 100
const MOST_TOGETHER = 32
const LONG_MS = 2

/**
 * The answer to a batch, which uses up the list of queries. It breaks off when nobody waits for it any more, and rejects with
 * `DeadlineExceeded` when it takes too long. `head`: JSON text of what comes before the results.
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
    // what has been answered is let go: what lives on costs time at every collection
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
 * A result on a line of its own for every line that is not blank, whatever is on it. What came together is answered
 * together, so that a client who waits for the answer to its last line gets it. A line of more than `maxLine` bytes is a
 * problem, and is never held.
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
        // what is there is not held back by what takes long
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

/** Text that is gathered as bytes: joining it to one long string first would take longer. */
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

/** When work that is begun now has taken all of its time. */
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
 * The lines that each chunk completes, in pieces of whole lines; null stands for one of more than `maxLine` bytes, which is never
 * held.
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
