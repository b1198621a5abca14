/**
 * The first results in the order of all queries: by distance, or time, then by id. What is beyond the limit is dropped as it comes,
 * so that memory is bounded by the limit and not by what was found.
 */

export interface Ranked<Value> {
  at: number
  id: string
  value: Value
}

export class Ranking<Value> {
  readonly #limit: number
  #ranked: Ranked<Value>[] = []
  /** What comes after this one is dropped; null while there is room. */
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

  add(at: number, id: string, value: Value): void {
    this.#ranked.push({ at, id, value })
    if (this.#ranked.length >= 2 * this.#limit + ROOM_COUNT) this.#cut()
  }

  /** Sorted. */
  finish(): { ranked: Ranked<Value>[]; truncated: boolean } {
    this.#cut()
    return { ranked: this.#ranked, truncated: this.#truncated }
  }

  #cut(): void {
    const ranked = this.#ranked.sort(inOrder)
    if (ranked.length < this.#limit) return
    if (ranked.length > this.#limit) this.#truncated = true
    ranked.length = this.#limit
    this.#last = this.#limit > 0 ? ranked[this.#limit - 1] : BEFORE_ALL
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
