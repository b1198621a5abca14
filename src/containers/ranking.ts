/**
 * The first results in the order of all queries: by distance, or time, then by id. What is beyond the limit is dropped as it comes,
 * so that memory is bounded by the limit and not by what was found.
 */
import type { Pace, Slices } from './budget.ts'
import { sortInSlices } from './sorting.ts'

interface Ranked<Value> {
  at: number
  id: string
  value: Value
}

export class Ranking<Value> {
  readonly #limit: number
  #ranked: Ranked<Value>[] = []
  /** Results that come after this one are dropped; null while there is room. */
  #last: Ranked<Value> | null = null
  #truncated = false

  /** `limit` ≥ 0 results; may be infinite. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Whether a result would be kept, as far as is known. What is refused was one too many. */
  takes(at: number, id: string): boolean {
    const last = this.#last
    if (last === null || at < last.at || (at === last.at && id < last.id)) return true
    this.#truncated = true
    return false
  }

  /** To be followed by `makeRoom` where that has made it full. */
  add(at: number, id: string, value: Value): void {
    this.#ranked.push({ at, id, value })
  }

  /** Of the last result of those that have a place so far; what comes later has none. Infinite while there is room. */
  get lastPlace(): number {
    return this.#last?.at ?? Infinity
  }

  get isFull(): boolean {
    return this.#ranked.length >= 2 * this.#limit + ROOM_COUNT
  }

  /** Sorted. */
  *finish(pace: Pace): Slices<{ ranked: Ranked<Value>[]; truncated: boolean }> {
    yield* this.makeRoom(pace)
    yield* sortInSlices(this.#ranked, inOrder, pace)
    return { ranked: this.#ranked, truncated: this.#truncated }
  }

  /** Drops what is beyond the limit. O(n). */
  *makeRoom(pace: Pace): Slices<void> {
    const ranked = this.#ranked
    if (ranked.length < this.#limit) return
    if (ranked.length > this.#limit) this.#truncated = true
    if (this.#limit > 0) yield* select(ranked, this.#limit - 1, pace)
    ranked.length = this.#limit
    this.#last = this.#limit > 0 ? ranked[this.#limit - 1] : BEFORE_ALL
  }
}

/**
 * Moves the result that is `place`-th in order there, and what comes before it before it. O(n).
 * Method: C. A. R. Hoare, "Algorithm 65: Find", Communications of the ACM 4 (1961).
 */
function* select<Value>(ranked: Ranked<Value>[], place: number, pace: Pace): Slices<void> {
  let low = 0
  let high = ranked.length - 1
  while (low < high) {
    const pivot = ranked[low + Math.floor(Math.random() * (high - low + 1))]
    let i = low
    let j = high
    while (i <= j) {
      while (inOrder(ranked[i], pivot) < 0) i++
      while (inOrder(ranked[j], pivot) > 0) j--
      if (i > j) break
      const swapped = ranked[i]
      ranked[i++] = ranked[j]
      ranked[j--] = swapped
      if (pace.isDue(2)) yield
    }
    if (pace.isDue(high - low)) yield
    if (place <= j) high = j
    else if (place >= i) low = i
    else return
  }
}

/** Results beyond twice the limit before they are sorted out. */
const ROOM_COUNT = 64
const BEFORE_ALL = { at: -Infinity, id: '', value: undefined as never }

function inOrder(a: Ranked<unknown>, b: Ranked<unknown>): number {
  if (a.at !== b.at) return a.at - b.at
  return compareIds(a.id, b.id)
}

/** By code units: the same order everywhere. */
export function compareIds(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
