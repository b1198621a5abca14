// Lines as they arrive, in pieces.

const NEWLINE = 10
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
