/**
 * The pairs of a table's bodies whose boxes meet, kept from one question for them to the next.
 *
 * Method: what was found and decided holds for as long as neither body is written to, so writes say which bodies they are about, and
 * the next question looks at those anew. Nothing is kept of a table that is not asked, and writes to it note nothing. A list is let
 * go of when half of the bodies have changed since, when nobody has asked for a while, or when lists that were asked for
 * later take its room.
 */

import type { PairList } from '../../containers/pair-list.ts'

/** Knowledge about a pair: whether the bodies themselves overlap. */
export const UNKNOWN = 0
export const MEETS = 1
export const APART = 2

export interface KeptPairs {
  /** Of the scene, at which the list is complete. Infinite while it is not. */
  version: number
  /** Pairs of slots, in no particular order, and what is known of each. */
  list: PairList
  verdicts: Uint8Array
  /** Slots that have been written to since. */
  changed: Set<number>
  /** The place of each slot's body among all in the order of their ids; null where that is not known or not true any more. */
  ranks: Int32Array | null
  /** How many bodies have come and gone. */
  arrivals: number
  /** Whether a question is at work on it; others do without. */
  isBusy: boolean
  /** Of `performance.now()`. */
  askedAt: number
}

/** Who keeps them. */
export interface PairHolder {
  pairs: KeptPairs | null
  /** Bodies. */
  readonly count: number
}

/** Most pairs of one list, and of all together. A pair takes nine bytes. */
export const MOST_PAIRS = 2 ** 21
const MOST_PAIRS_OF_ALL = 2 ** 22
/** Ms after which a list that nobody has asked for is let go of. */
const UNASKED_MS = 30_000
/** One in so many bodies may have changed. */
const CHANGED_SHARE_COUNT = 2

/** The longest unasked first. */
const holders = new Set<PairHolder>()
let pairsOfAll = 0

/** Takes over a complete list, which is not the table's yet. */
export function keepPairs(holder: PairHolder, version: number, list: PairList, changed: Set<number>): KeptPairs {
  dropPairs(holder)
  const pairs: KeptPairs = {
    version,
    list,
    verdicts: new Uint8Array(list.count),
    changed,
    ranks: null,
    arrivals: 0,
    isBusy: false,
    askedAt: 0,
  }
  holder.pairs = pairs
  return pairs
}

/** To be called when a question is done with them. Lists that are older give way to it. */
export function putBack(holder: PairHolder, pairs: KeptPairs): void {
  pairs.isBusy = false
  // it may have been let go of meanwhile, or the question given up in the midst of its repair
  if (holder.pairs !== pairs) return
  if (pairs.version === Infinity) {
    dropPairs(holder)
    return
  }
  pairs.askedAt = performance.now()
  holders.delete(holder)
  holders.add(holder)
  countAll()
  for (const older of holders) {
    if (pairsOfAll <= MOST_PAIRS_OF_ALL) break
    if (older !== holder) dropPairs(older)
  }
}

function countAll(): void {
  pairsOfAll = 0
  for (const { pairs } of holders) pairsOfAll += pairs?.list.count ?? 0
}

export function dropPairs(holder: PairHolder): void {
  if (holder.pairs === null) return
  holder.pairs = null
  if (holders.delete(holder)) countAll()
}

/** Lets go of what has not been asked for lately. `now`: of `performance.now()`. */
export function dropUnaskedPairs(now: number): void {
  for (const holder of holders) {
    const { pairs } = holder
    // A question that is at work on them goes on with what it has.
    if (pairs !== null && now - pairs.askedAt > UNASKED_MS) dropPairs(holder)
  }
}

/** To be called before the row of a slot changes. */
export function noteChange(holder: PairHolder, slot: number): void {
  const { pairs } = holder
  if (pairs === null) return
  pairs.changed.add(slot)
  if (isMuchChanged(holder, pairs.changed)) dropPairs(holder)
}

/** Whether so many bodies have changed that there is no use in keeping pairs. */
export function isMuchChanged({ count }: PairHolder, changed: ReadonlySet<number>): boolean {
  return CHANGED_SHARE_COUNT * changed.size > count
}

/** To be called when a body comes or goes. */
export function noteArrival({ pairs }: PairHolder): void {
  if (pairs === null) return
  pairs.ranks = null
  pairs.arrivals++
}

/**
 * For tests: the first fault of the pairs that a table keeps, or null. `boxOf`: the box of the body in a slot, null for an empty slot.
 */
export function validateKeptPairs(
  { pairs }: PairHolder,
  used: number,
  boxOf: (slot: number) => Float64Array | null,
): string | null {
  if (pairs === null || pairs.isBusy) return null
  const { list, verdicts, changed, version } = pairs
  if (version === Infinity) return 'pairs are kept that are not complete'
  const kept = new Set<number>()
  for (let k = 0; k < list.count; k++) {
    const [first, second] = [list.first[k], list.second[k]]
    if (first >= second || first < 0 || second >= used) return `pair ${k} is ${first}, ${second}`
    if (kept.has(first * used + second)) return `pair ${first}, ${second} is kept twice`
    if (verdicts[k] > APART) return `pair ${first}, ${second} is neither apart nor does it meet`
    kept.add(first * used + second)
  }
  const boxes = Array.from({ length: used }, (_, slot) => (changed.has(slot) ? null : boxOf(slot)))
  for (let first = 0; first < used; first++) {
    const a = boxes[first]
    if (a === null) continue
    for (let second = first + 1; second < used; second++) {
      const b = boxes[second]
      if (b === null) continue
      const axes = a.length / 2
      const meets = a.subarray(0, axes).every((low, k) => low <= b[k + axes] && b[k] <= a[k + axes])
      if (meets !== kept.has(first * used + second)) return `pair ${first}, ${second} is kept wrongly, or not at all`
    }
  }
  const { ranks } = pairs
  if (ranks === null) return null
  const places = boxes.flatMap((box, slot) => (box === null ? [] : [ranks[slot]]))
  return new Set(places).size === places.length ? null : 'two bodies have one place in the order of ids'
}
