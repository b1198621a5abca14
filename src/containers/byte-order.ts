/**
 * Very many texts in the order of their bytes, in slices and in little memory: the order is a list of numbers.
 *
 * Method: from the first byte on, each group of texts that agree so far is dealt out by the byte that follows, shorter texts first
 * (D. Knuth, "The Art of Computer Programming", vol. 3, 5.2.5); small groups are sorted by insertion. Cost O(bytes that have to be
 * looked at), at most all.
 */
import type { Pace, Slices } from './budget.ts'

/** Texts one behind another. */
export interface ByteTexts {
  readonly bytes: Uint8Array
  /** Of text k: it begins at starts[k] and ends where the next one begins; one number more than there are texts. */
  readonly starts: Uint32Array
}

const SMALL = 24
const BETWEEN_PAUSES = 2 ** 11

/** Sorts the list, of numbers of texts, in place. Nobody else may touch it before the end. */
export function* orderByBytes(texts: ByteTexts, order: Int32Array, pace: Pace): Slices<void> {
  const dealt = new Int32Array(order.length)
  const counts = new Uint32Array(257)
  const groups: number[] = [0, order.length, 0]
  while (groups.length > 0) {
    const depth = groups.pop() as number
    const end = groups.pop() as number
    const start = groups.pop() as number
    if (end - start <= SMALL) {
      insertionSort(texts, order, start, end, depth)
      if (pace.isDue(end - start)) yield
      continue
    }
    counts.fill(0)
    for (let k = start; k < end; k++) {
      counts[keyAt(texts, order[k], depth)]++
      if ((k & (BETWEEN_PAUSES - 1)) === 0 && pace.isDue(BETWEEN_PAUSES)) yield
    }
    let at = start
    for (let key = 0; key < counts.length; key++) {
      const count = counts[key]
      // texts that have ended are the same
      if (key > 0 && count > 1) groups.push(at, at + count, depth + 1)
      counts[key] = at
      at += count
    }
    for (let k = start; k < end; k++) {
      dealt[counts[keyAt(texts, order[k], depth)]++] = order[k]
      if ((k & (BETWEEN_PAUSES - 1)) === 0 && pace.isDue(BETWEEN_PAUSES)) yield
    }
    order.set(dealt.subarray(start, end), start)
  }
}

/** One more than the byte; 0 behind the end. */
function keyAt({ bytes, starts }: ByteTexts, text: number, depth: number): number {
  const at = starts[text] + depth
  return at < starts[text + 1] ? bytes[at] + 1 : 0
}

function insertionSort(texts: ByteTexts, order: Int32Array, start: number, end: number, depth: number): void {
  for (let i = start + 1; i < end; i++) {
    const text = order[i]
    let k = i
    for (; k > start && isBefore(texts, text, order[k - 1], depth); k--) order[k] = order[k - 1]
    order[k] = text
  }
}

function isBefore(texts: ByteTexts, p: number, q: number, depth: number): boolean {
  for (let d = depth; ; d++) {
    const a = keyAt(texts, p, d)
    const b = keyAt(texts, q, d)
    if (a !== b) return a < b
    if (a === 0) return false
  }
}
