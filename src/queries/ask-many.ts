// Many queries, and the text of their results in pieces: of a list that is there in whole, and of lines as they arrive.
// Others have their turn in between, and no more than a piece is held at a time: whoever takes the pieces sets the pace.

import type { Slices } from '../containers/pace.ts'
import { type AskedQuery, type Asker, askSome, askText, lineTooLong } from './ask.ts'
import { finishSlices, SliceClock } from './slices.ts'

/** Bytes after which a piece is handed on: of lines, and of a list, most of which fit into one piece. */
const LINES_LENGTH = 2 ** 16
const LIST_LENGTH = 2 ** 20
const NEWLINE = 10
/** Characters after which text becomes bytes. */
const TEXT_LENGTH = 2 ** 12
/** Most queries of a list that are asked together, and milliseconds after which there are fewer of them the next time. */
const MOST_TOGETHER = 32
const LONG_MS = 2

/**
 * The answer to a batch, which uses up the list of queries. It breaks off when nobody waits for it any more. `head`: JSON text of
 * what comes before the results.
 */
export async function* askList<Query extends AskedQuery>(
  asker: Asker<Query>,
  queries: unknown[],
  isWanted: () => boolean,
  head = '',
): AsyncGenerator<Buffer, void, undefined> {
  const clock = new SliceClock()
  const piece = new Piece()
  piece.add(`{${head}"results":[`)
  let comma = ''
  let together = 1
  for (let first = 0; first < queries.length; ) {
    const begun = performance.now()
    const results = askSome(asker, queries.slice(first, first + together))
    // what has been answered is let go: what lives on costs time at every collection
    queries.fill(null, first, first + together)
    first += together
    together = performance.now() - begun > LONG_MS ? 1 : Math.min(2 * together, MOST_TOGETHER)
    for (const found of results) {
      piece.add(comma)
      comma = ','
      if (typeof found === 'string') piece.add(found)
      else piece.add(await finish(found, isWanted, clock))
      if (piece.length >= LIST_LENGTH) yield piece.take()
    }
    if (!clock.isOver) continue
    await clock.nextTurn()
    if (!isWanted()) return
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
  const piece = new Piece()
  for await (const lines of wholeLines(source, maxLine)) {
    for (const line of lines) {
      const found = line === null ? lineTooLong(asker, maxLine) : askText(asker, line)
      if (typeof found === 'string') piece.add(found)
      else piece.add(await finish(found, isWanted, clock))
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

const NO_BYTES = Buffer.alloc(0)

/** Text that is gathered as bytes: joining it to one long string first would take longer. */
class Piece {
  /** In bytes, of what has been written. */
  length = 0
  #text = ''
  #bytes = NO_BYTES

  add(text: string): void {
    this.#text += text
    if (this.#text.length >= TEXT_LENGTH) this.#write()
  }

  take(): Buffer {
    this.#write()
    const taken = this.#bytes.subarray(0, this.length)
    this.#bytes = NO_BYTES
    this.length = 0
    return taken
  }

  #write(): void {
    // three bytes for a unit of UTF-16 at most
    const needed = this.length + 3 * this.#text.length
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(2 * needed, LINES_LENGTH))
      this.#bytes.copy(larger, 0, 0, this.length)
      this.#bytes = larger
    }
    this.length += this.#bytes.write(this.#text, this.length)
    this.#text = ''
  }
}

/** What is given up is answered with nothing: nobody reads it. */
async function finish(slices: Slices<string>, isWanted: () => boolean, clock: SliceClock): Promise<string> {
  return (await finishSlices(slices, isWanted, clock)) ?? ''
}

/** The lines that each chunk completes, without the blank ones; null stands for one that is too long. */
async function* wholeLines(source: AsyncIterable<Buffer>, maxLine: number): AsyncGenerator<(string | null)[], void> {
  let begun: Buffer[] = []
  let length = 0
  for await (const chunk of source) {
    const end = chunk.lastIndexOf(NEWLINE)
    const first = end < 0 ? chunk : chunk.subarray(0, chunk.indexOf(NEWLINE))
    length += first.length
    if (length <= maxLine) begun.push(first)
    else begun = []
    if (end < 0) continue
    const lines: (string | null)[] = length <= maxLine ? [Buffer.concat(begun).toString()] : [null]
    const rest = chunk.subarray(first.length + 1, Math.max(end, first.length + 1))
    for (const line of rest.toString().split('\n')) lines.push(line.length <= maxLine ? line : null)
    yield lines.filter(isNotBlank)
    begun = [chunk.subarray(end + 1)]
    length = chunk.length - end - 1
  }
  if (length > maxLine) yield [null]
  else yield [Buffer.concat(begun).toString()].filter(isNotBlank)
}

function isNotBlank(line: string | null): boolean {
  return line === null || line.trim() !== ''
}
