/**
 * Sweep and prune for one call on many boxes: space is cut into columns along the sweep, and each is swept by itself, so that what is
 * far off across the sweep is never looked at.
 *
 * Method: C. Ericson, "Real-Time Collision Detection", 7.5, in the cells of 7.1. Boxes are sorted by their low ends, by counting and
 * then by insertion, and dealt out in that order to all columns that they reach into. Each is tested against those of its column that
 * begin before it ends. A pair counts in the first column, along both axes, that both boxes reach into: of theirs the only one
 * where on either axis one of the two begins.
 * The sweep goes along the axis on which the boxes spread most. Columns at the rim go on for ever.
 * Boxes as in `broad-phase.ts`. Cost O(n + tests), O(n log n) where low ends crowd together.
 */

import { spend } from '../../containers/budget.ts'
import { boxTestSteps, type PairList, reservePairs } from '../../containers/pair-list.ts'
import { sortingSteps } from '../../containers/sorting.ts'

/** Boxes looked at to lay the columns, and the share of them that is left to the border columns at either end. */
const SAMPLE_COUNT = 256
const BORDER_SHARE = 0.01
/** A column is so many times as wide as the median box; across there are at most so many times the third root of the boxes' number. */
const COLUMN_WIDTH_COUNT = 2
const MOST_COLUMNS_COUNT = 4
/** Where boxes are in more columns than this on average, the columns are made wider. */
const MOST_ENTRIES_COUNT = 3
/** Shifts by insertion, for each box, after which comparing is cheaper. */
const SHIFTS_PER_BOX_COUNT = 8

/** How the columns lie along one of the two axes across: how many, where they begin, how many to a length of 1. */
interface Rows {
  axis: number
  count: number
  origin: number
  perLength: number
}

/** The boxes in order; of box k of the order its first and last columns on one axis and on the other at reach[4k…4k+3]. */
interface Swept {
  boxes: Float64Array
  order: Int32Array
  reach: Int32Array
}

/** The column at hand: 4 · box + 2 where it begins there on the second axis + 1 where on the first; and its sides, along first. */
interface Column {
  entries: Int32Array
  names: Int32Array
  sides: Float64Array
}

/** Adds the pairs that meet, in no particular order; false when the list was full, or its budget spent, before the end. */
export function columnPairs(boxes: Float64Array, count: number, out: PairList): boolean {
  if (count < 2) return true
  const spreads = [0, 1, 2].map((axis) => spreadOf(boxes, count, axis))
  const widest = Math.max(...spreads.map(({ spread }) => spread))
  const axis = spreads.findIndex(({ spread }) => spread === widest)
  const [u, v] = [0, 1, 2].filter((k) => k !== axis).map((k) => layRows(boxes, count, k, spreads[k]))
  const swept = { boxes, order: sortedByLow(boxes, count, axis), reach: new Int32Array(4 * count) }
  let entryCount = findReach(swept, u, v)
  while (entryCount > MOST_ENTRIES_COUNT * count) {
    halve(u.count > v.count ? u : v)
    entryCount = findReach(swept, u, v)
  }
  const { entries, ends, longest } = deal(swept.reach, entryCount, u.count, v.count)
  const column = { entries, names: new Int32Array(longest), sides: new Float64Array(6 * longest) }
  for (let c = 0, start = 0; c < ends.length - 1; c++) {
    const end = ends[c]
    if (end - start > 1) {
      takeSides(swept, axis, u.axis, v.axis, start, end, column)
      if (!sweep(column, start, end - start, out)) return false
    }
    start = end
  }
  return true
}

/** Where the low ends of a sample of boxes begin along an axis and how far they spread, infinite and outermost ones aside. */
function spreadOf(boxes: Float64Array, count: number, axis: number): { origin: number; spread: number } {
  const taken = Math.min(count, SAMPLE_COUNT)
  const ends = new Float64Array(taken)
  for (let k = 0; k < taken; k++) ends[k] = boxes[6 * Math.floor((k * count) / taken) + axis]
  ends.sort()
  let first = Math.floor(BORDER_SHARE * taken)
  let last = taken - 1 - first
  while (first < last && ends[first] === -Infinity) first++
  while (first < last && ends[last] === Infinity) last--
  const spread = ends[last] - ends[first]
  return spread > 0 && spread < Infinity ? { origin: ends[first], spread } : { origin: 0, spread: 0 }
}

function layRows(
  boxes: Float64Array,
  count: number,
  axis: number,
  { origin, spread }: { origin: number; spread: number },
): Rows {
  const most = spread > 0 ? Math.ceil(MOST_COLUMNS_COUNT * Math.cbrt(count)) : 1
  const fitting = spread / (COLUMN_WIDTH_COUNT * medianLength(boxes, count, axis))
  // not a number where neither has a size
  const rows = fitting < most ? Math.max(1, Math.ceil(fitting)) : most
  return { axis, count: rows, origin, perLength: rows > 1 ? Math.min(rows / spread, Number.MAX_VALUE) : 0 }
}

function medianLength(boxes: Float64Array, count: number, axis: number): number {
  const taken = Math.min(count, SAMPLE_COUNT)
  const lengths = new Float64Array(taken)
  for (let k = 0; k < taken; k++) {
    const at = 6 * Math.floor((k * count) / taken) + axis
    lengths[k] = boxes[at + 3] - boxes[at]
  }
  return lengths.sort()[taken >> 1]
}

function halve(rows: Rows): void {
  rows.count = (rows.count + 1) >> 1
  rows.perLength = rows.count > 1 ? rows.perLength / 2 : 0
}

/** Grows with the place even when rounded, so boxes that meet share a column whatever the rounding. */
function rowOf(place: number, origin: number, perLength: number, count: number): number {
  const row = Math.floor((place - origin) * perLength)
  // an infinite place among columns of no width is not a number
  return row > 0 ? Math.min(row, count - 1) : 0
}

/** The boxes in the order of their low ends along an axis. */
function sortedByLow(boxes: Float64Array, count: number, axis: number): Int32Array {
  const order = new Int32Array(count)
  const places = new Int32Array(count)
  const starts = new Int32Array(count + 1)
  let least = Infinity
  let most = -Infinity
  for (let i = 0; i < count; i++) {
    const low = boxes[6 * i + axis]
    if (low > -Infinity && low < least) least = low
    if (low < Infinity && low > most) most = low
  }
  const perLength = most > least ? Math.min((count - 1) / (most - least), Number.MAX_VALUE) : 0
  for (let i = 0; i < count; i++) {
    places[i] = rowOf(boxes[6 * i + axis], least, perLength, count)
    starts[places[i] + 1]++
  }
  for (let k = 0; k < count; k++) starts[k + 1] += starts[k]
  for (let i = 0; i < count; i++) order[starts[places[i]]++] = i
  spend(count)
  if (insertionSort(boxes, axis, order)) return order
  spend(4 * sortingSteps(count))
  return order.sort((i, j) => compare(boxes[6 * i + axis], boxes[6 * j + axis]))
}

/** False where it would take long; what it has sorted by then stays a list of all boxes. */
function insertionSort(boxes: Float64Array, axis: number, order: Int32Array): boolean {
  let allowed = SHIFTS_PER_BOX_COUNT * order.length
  for (let k = 1; k < order.length; k++) {
    const box = order[k]
    const low = boxes[6 * box + axis]
    let at = k
    for (; at > 0 && low < boxes[6 * order[at - 1] + axis]; at--) {
      if (--allowed < 0) break
      order[at] = order[at - 1]
    }
    order[at] = box
    if (allowed < 0) return false
  }
  return true
}

/** Differences may not be numbers. */
function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Sets the first and last columns of each box; returns in how many all of them are. */
function findReach({ boxes, order, reach }: Swept, u: Rows, v: Rows): number {
  let entryCount = 0
  spend(order.length)
  for (let k = 0; k < order.length; k++) {
    const at = 6 * order[k]
    const firstU = rowOf(boxes[at + u.axis], u.origin, u.perLength, u.count)
    const lastU = rowOf(boxes[at + 3 + u.axis], u.origin, u.perLength, u.count)
    const firstV = rowOf(boxes[at + v.axis], v.origin, v.perLength, v.count)
    const lastV = rowOf(boxes[at + 3 + v.axis], v.origin, v.perLength, v.count)
    reach[4 * k] = firstU
    reach[4 * k + 1] = lastU
    reach[4 * k + 2] = firstV
    reach[4 * k + 3] = lastV
    entryCount += (lastU - firstU + 1) * (lastV - firstV + 1)
  }
  return entryCount
}

/** Enters the boxes into their columns, in order; where each column ends, and how many are in the fullest. */
function deal(
  reach: Int32Array,
  entryCount: number,
  countU: number,
  countV: number,
): { entries: Int32Array; ends: Int32Array; longest: number } {
  const entries = new Int32Array(entryCount)
  const ends = new Int32Array(countU * countV + 1)
  spend(entryCount + (ends.length >> 3))
  for (let at = 0; at < reach.length; at += 4) {
    for (let v = reach[at + 2]; v <= reach[at + 3]; v++) {
      for (let u = reach[at]; u <= reach[at + 1]; u++) ends[v * countU + u + 1]++
    }
  }
  let longest = 0
  for (let c = 1; c < ends.length; c++) {
    longest = Math.max(longest, ends[c])
    ends[c] += ends[c - 1]
  }
  for (let at = 0; at < reach.length; at += 4) {
    for (let v = reach[at + 2]; v <= reach[at + 3]; v++) {
      const begins = at | (v === reach[at + 2] ? 2 : 0)
      for (let u = reach[at]; u <= reach[at + 1]; u++) entries[ends[v * countU + u]++] = begins | +(u === reach[at])
    }
  }
  return { entries, ends, longest }
}

function takeSides(
  { boxes, order }: Swept,
  axis: number,
  u: number,
  v: number,
  start: number,
  end: number,
  { entries, names, sides }: Column,
): void {
  for (let k = start, to = 0; k < end; k++, to += 6) {
    const box = order[entries[k] >> 2]
    const at = 6 * box
    names[k - start] = box
    sides[to] = boxes[at + axis]
    sides[to + 1] = boxes[at + 3 + axis]
    sides[to + 2] = boxes[at + u]
    sides[to + 3] = boxes[at + 3 + u]
    sides[to + 4] = boxes[at + v]
    sides[to + 5] = boxes[at + 3 + v]
  }
}

/**
 * Sweeps the column at hand; false where the list was full or its budget spent. Each candidate is written to the list and stays
 * there only if the pair counts: branches that cannot be foreseen would cost more.
 */
function sweep({ entries, names, sides }: Column, start: number, length: number, out: PairList): boolean {
  let steps = 0
  for (let k = 0; k < length; k++) {
    reservePairs(out, out.count + length - k)
    const { first, second, count } = out
    let found = count
    const name = names[k]
    const entry = entries[start + k]
    const until = sides[6 * k + 1]
    const lowU = sides[6 * k + 2]
    const highU = sides[6 * k + 3]
    const lowV = sides[6 * k + 4]
    const highV = sides[6 * k + 5]
    let l = k + 1
    for (let at = 6 * l; l < length && sides[at] <= until; l++, at += 6) {
      const begins = entry | entries[start + l]
      second[found] = names[l]
      found +=
        +(sides[at + 2] <= highU) &
        +(lowU <= sides[at + 3]) &
        +(sides[at + 4] <= highV) &
        +(lowV <= sides[at + 5]) &
        begins &
        (begins >> 1)
    }
    for (let pair = count; pair < found; pair++) {
      const other = second[pair]
      first[pair] = Math.min(name, other)
      second[pair] = Math.max(name, other)
    }
    out.boxTests += l - k - 1
    steps += boxTestSteps(l - k - 1)
    if (found > out.limit) {
      out.count = out.limit
      return false
    }
    out.count = found
    if (out.boxTests > out.budget) return false
    if (steps > STEPS_AT_ONCE) {
      spend(steps)
      steps = 0
    }
  }
  spend(steps)
  return true
}

/** Steps of the budget are counted so many at a time. */
const STEPS_AT_ONCE = 256
