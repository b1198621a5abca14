/**
 * Sweep and prune for one call on many boxes: the plane is cut into strips along the sweep, and each is swept by itself, so that
 * what is far off across the sweep is never looked at.
 *
 * Method: C. Ericson, "Real-Time Collision Detection", 7.5, in the cells of 7.1. Boxes are dealt out to all strips that they
 * reach into and sorted there by their low ends, by counting and then by insertion. Each is tested against those that begin
 * before it ends. A pair counts in the first strip that both reach into, which is the only one of theirs where one of the two
 * begins. What is at work on a strip stays in the processor's nearest memory.
 * The sweep goes along the axis on which the boxes spread wider. The first and the last strip go on for ever.
 * Boxes as in `broad-phase.ts`.
 */

import { finishAtOnce, Pace, type Slices } from '../../containers/budget.ts'
import { boxTestSteps, type PairList, reservePairs } from '../../containers/pair-list.ts'
import { KEPT_ENTRIES } from '../../containers/scratch.ts'
import { sortInSlices, sortingSteps } from '../../containers/sorting.ts'

/** Boxes looked at to lay the strips, and the share of them that is left to the border strips at either end. */
const SAMPLE_COUNT = 256
const BORDER_SHARE = 0.01
/** A strip is so many times as wide as the median box; there are at most so many times as many as the root of the boxes' number. */
const STRIP_WIDTH_COUNT = 3
const MOST_STRIPS_COUNT = 4
/** Where boxes are in more strips than this on average, the strips are made wider. */
const MOST_ENTRIES_COUNT = 3
/** Shifts by insertion, for each entry, after which comparing is cheaper. */
const SHIFTS_PER_ENTRY_COUNT = 8

/** How the strips lie: `axis` is the one along which boxes are swept, 0 for x, 1 for y. */
interface Strips {
  axis: number
  count: number
  /** Across: where they begin, and how many there are to a length of 1. */
  origin: number
  perLength: number
}

interface Scratch {
  /** First and last strip of each box, and the entries of all strips, each 2·box, plus 1 where the box begins there. */
  reach: Int32Array
  entries: Int32Array
  /** Of the strip at hand: low ends as dealt; entries, and sides along, across, along, across, in order; where places of the count end. */
  lows: Float64Array
  places: Int32Array
  sorted: Int32Array
  sides: Float64Array
  counts: Int32Array
}

/** Scratch that the last sweep left for the next one; null during a sweep. */
let spare: Scratch | null = null

/** Boxes that are gone through between two looks at the pace. */
const BOXES_AT_ONCE = 2 ** 11

/** Adds the pairs that meet, in no particular order; false when the list was full, or its budget spent, before the end. */
export function stripPairs(boxes: Float64Array, count: number, out: PairList): boolean {
  return finishAtOnce(stripPairsInSlices(boxes, count, out, new Pace()))
}

/** `stripPairs` with pauses, during which boxes and list must stay as they are. */
export function* stripPairsInSlices(boxes: Float64Array, count: number, out: PairList, pace: Pace): Slices<boolean> {
  if (count < 2) return true
  const scratch = spare ?? createScratch()
  spare = null
  try {
    return yield* sweepAll(boxes, count, out, scratch, pace)
  } finally {
    const { reach, entries, sides } = scratch
    if (Math.max(reach.length, entries.length, sides.length) <= KEPT_ENTRIES) spare = scratch
  }
}

function createScratch(): Scratch {
  const none = new Int32Array(0)
  const nowhere = new Float64Array(0)
  return { reach: none, entries: none, lows: nowhere, places: none, sorted: none, sides: nowhere, counts: none }
}

function* sweepAll(boxes: Float64Array, count: number, out: PairList, scratch: Scratch, pace: Pace): Slices<boolean> {
  if (scratch.reach.length < 2 * count) scratch.reach = new Int32Array(2 * count)
  const strips = layStrips(boxes, count)
  let entryCount = yield* findReach(boxes, count, strips, scratch, pace)
  while (entryCount > MOST_ENTRIES_COUNT * count) {
    strips.count = (strips.count + 1) >> 1
    strips.perLength /= 2
    entryCount = yield* findReach(boxes, count, strips, scratch, pace)
  }
  const ends = yield* deal(count, entryCount, strips.count, scratch, pace)
  for (let strip = 0, start = 0; strip < strips.count; strip++) {
    const length = ends[strip] - start
    if (length > 1) {
      yield* sortStrip(boxes, strips.axis, start, length, scratch, pace)
      for (let next = 0; next < length; ) {
        next = sweepRows(next, length, scratch, out, pace)
        if (next < 0) return false
        if (next < length) yield
      }
    }
    start = ends[strip]
  }
  return true
}

function layStrips(boxes: Float64Array, count: number): Strips {
  const x = spreadOf(boxes, count, 0)
  const y = spreadOf(boxes, count, 1)
  const axis = x.spread >= y.spread ? 0 : 1
  const { origin, spread } = axis === 0 ? y : x
  const most = spread > 0 ? Math.ceil(MOST_STRIPS_COUNT * Math.sqrt(count)) : 1
  const fitting = spread / (STRIP_WIDTH_COUNT * medianLength(boxes, count, 1 - axis))
  // not a number where neither has a size
  const strips = fitting < most ? Math.max(1, Math.ceil(fitting)) : most
  return { axis, count: strips, origin, perLength: strips > 1 ? Math.min(strips / spread, Number.MAX_VALUE) : 0 }
}

/** Where the low ends of a sample of boxes begin along an axis and how far they spread, infinite and outermost ones aside. */
function spreadOf(boxes: Float64Array, count: number, axis: number): { origin: number; spread: number } {
  const taken = Math.min(count, SAMPLE_COUNT)
  const ends = new Float64Array(taken)
  for (let k = 0; k < taken; k++) ends[k] = boxes[4 * Math.floor((k * count) / taken) + axis]
  ends.sort()
  let first = Math.floor(BORDER_SHARE * taken)
  let last = taken - 1 - first
  while (first < last && ends[first] === -Infinity) first++
  while (first < last && ends[last] === Infinity) last--
  const spread = ends[last] - ends[first]
  return spread > 0 && spread < Infinity ? { origin: ends[first], spread } : { origin: 0, spread: 0 }
}

function medianLength(boxes: Float64Array, count: number, axis: number): number {
  const taken = Math.min(count, SAMPLE_COUNT)
  const lengths = new Float64Array(taken)
  for (let k = 0; k < taken; k++) {
    const at = 4 * Math.floor((k * count) / taken) + axis
    lengths[k] = boxes[at + 2] - boxes[at]
  }
  return lengths.sort()[taken >> 1]
}

/** Sets the first and last strip of each box; returns how many there are in all. */
function* findReach(
  boxes: Float64Array,
  count: number,
  strips: Strips,
  { reach }: Scratch,
  pace: Pace,
): Slices<number> {
  let entryCount = 0
  for (let from = 0; from < count; from += BOXES_AT_ONCE) {
    const to = Math.min(from + BOXES_AT_ONCE, count)
    entryCount += reachOf(boxes, from, to, strips, reach)
    if (pace.isDue(to - from)) yield
  }
  return entryCount
}

function reachOf(
  boxes: Float64Array,
  from: number,
  to: number,
  { axis, count, origin, perLength }: Strips,
  reach: Int32Array,
): number {
  const across = 1 - axis
  let entryCount = 0
  for (let i = from; i < to; i++) {
    const first = stripOf(boxes[4 * i + across], origin, perLength, count)
    const last = stripOf(boxes[4 * i + 2 + across], origin, perLength, count)
    reach[2 * i] = first
    reach[2 * i + 1] = last
    entryCount += last - first + 1
  }
  return entryCount
}

/** Grows with the place even when rounded, so boxes that meet share a strip whatever the rounding. */
function stripOf(place: number, origin: number, perLength: number, strips: number): number {
  const strip = Math.floor((place - origin) * perLength)
  // an infinite place among strips of no width is not a number
  return strip > 0 ? Math.min(strip, strips - 1) : 0
}

/** Enters the boxes into their strips; returns where each strip ends. */
function* deal(count: number, entryCount: number, strips: number, scratch: Scratch, pace: Pace): Slices<Int32Array> {
  if (scratch.entries.length < entryCount) scratch.entries = new Int32Array(entryCount)
  const { reach, entries } = scratch
  const ends = new Int32Array(strips + 1)
  for (let from = 0; from < count; from += BOXES_AT_ONCE) {
    const to = Math.min(from + BOXES_AT_ONCE, count)
    countEntries(reach, from, to, ends)
    if (pace.isDue((to - from) >> 1)) yield
  }
  let longest = 0
  for (let strip = 0; strip < strips; strip++) {
    longest = Math.max(longest, ends[strip + 1])
    ends[strip + 1] += ends[strip]
  }
  if (scratch.lows.length < longest) reserveStrip(scratch, longest)
  for (let from = 0; from < count; from += BOXES_AT_ONCE) {
    const to = Math.min(from + BOXES_AT_ONCE, count)
    dealBoxes(reach, from, to, ends, entries)
    if (pace.isDue(to - from)) yield
  }
  return ends
}

function countEntries(reach: Int32Array, from: number, to: number, counts: Int32Array): void {
  for (let i = from; i < to; i++) {
    for (let strip = reach[2 * i]; strip <= reach[2 * i + 1]; strip++) counts[strip + 1]++
  }
}

function dealBoxes(reach: Int32Array, from: number, to: number, ends: Int32Array, entries: Int32Array): void {
  for (let i = from; i < to; i++) {
    const first = reach[2 * i]
    entries[ends[first]++] = 2 * i + 1
    for (let strip = first + 1; strip <= reach[2 * i + 1]; strip++) entries[ends[strip]++] = 2 * i
  }
}

function reserveStrip(scratch: Scratch, length: number): void {
  scratch.lows = new Float64Array(length)
  scratch.places = new Int32Array(length)
  scratch.sorted = new Int32Array(length)
  scratch.sides = new Float64Array(4 * length)
  scratch.counts = new Int32Array(length + 1)
}

/** Puts the entries of a strip in the order of their low ends: by counting over as many places as there are, then by insertion. */
function* sortStrip(
  boxes: Float64Array,
  axis: number,
  start: number,
  length: number,
  scratch: Scratch,
  pace: Pace,
): Slices<void> {
  countStrip(boxes, axis, start, length, scratch)
  if (pace.isDue(length)) yield
  if (takeSides(boxes, axis, length, scratch)) return
  const list = Array.from(scratch.sorted.subarray(0, length))
  yield* sortInSlices(list, (i, j) => compare(boxes[4 * (i >> 1) + axis], boxes[4 * (j >> 1) + axis]), pace)
  scratch.sorted.set(list)
  if (pace.isDue(4 * sortingSteps(length))) yield
  takeSides(boxes, axis, length, scratch)
}

function countStrip(
  boxes: Float64Array,
  axis: number,
  start: number,
  length: number,
  { entries, lows, places, sorted, counts }: Scratch,
): void {
  let least = Infinity
  let most = -Infinity
  for (let k = 0; k < length; k++) {
    const low = boxes[4 * (entries[start + k] >> 1) + axis]
    lows[k] = low
    if (low > -Infinity && low < least) least = low
    if (low < Infinity && low > most) most = low
  }
  const perLength = most > least ? Math.min((length - 1) / (most - least), Number.MAX_VALUE) : 0
  counts.fill(0, 0, length + 1)
  for (let k = 0; k < length; k++) {
    const place = stripOf(lows[k], least, perLength, length)
    places[k] = place
    counts[place + 1]++
  }
  for (let k = 0; k < length; k++) counts[k + 1] += counts[k]
  for (let k = 0; k < length; k++) sorted[counts[places[k]]++] = entries[start + k]
}

/** Copies the sides of the boxes and sorts by insertion; false when that would take long. */
function takeSides(boxes: Float64Array, axis: number, length: number, { sorted, sides }: Scratch): boolean {
  let allowed = SHIFTS_PER_ENTRY_COUNT * length
  let before = -Infinity
  for (let k = 0; k < length; k++) {
    const entry = sorted[k]
    const from = 4 * (entry >> 1)
    const low = boxes[from + axis]
    let at = k
    if (low >= before) {
      before = low
    } else {
      for (; at > 0 && low < sides[4 * at - 4]; at--) {
        sorted[at] = sorted[at - 1]
        for (let side = 4 * at; side < 4 * at + 4; side++) sides[side] = sides[side - 4]
      }
      sorted[at] = entry
      allowed -= k - at
      if (allowed < 0) return false
    }
    sides[4 * at] = low
    sides[4 * at + 1] = boxes[from + 1 - axis]
    sides[4 * at + 2] = boxes[from + 2 + axis]
    sides[4 * at + 3] = boxes[from + 3 - axis]
  }
  return true
}

function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * Sweeps the strip at hand, from an entry on until a pause is due; returns the entry to go on with, `length` at the end, −1 where the
 * list was full or its budget spent. Each candidate is written to the list and stays there only if the pair counts: branches that
 * cannot be foreseen would cost more.
 */
function sweepRows(from: number, length: number, { sorted, sides }: Scratch, out: PairList, pace: Pace): number {
  for (let k = from; k < length; k++) {
    reservePairs(out, out.count + length - k)
    const { first, second, count } = out
    let found = count
    const entry = sorted[k]
    const low = sides[4 * k + 1]
    const high = sides[4 * k + 3]
    const until = sides[4 * k + 2]
    let l = k + 1
    for (; l < length && sides[4 * l] <= until; l++) {
      const other = sorted[l]
      second[found] = other >> 1
      found += +(sides[4 * l + 1] <= high) & +(low <= sides[4 * l + 3]) & (entry | other)
    }
    for (let pair = count; pair < found; pair++) {
      const above = (entry >> 1) - second[pair]
      const below = above & (above >> 31)
      first[pair] = second[pair] + below
      second[pair] += above - below
    }
    out.boxTests += l - k - 1
    if (found > out.limit) {
      out.count = out.limit
      return -1
    }
    out.count = found
    if (out.boxTests > out.budget) return -1
    if (pace.isDue(boxTestSteps(l - k - 1))) return k + 1
  }
  return length
}
