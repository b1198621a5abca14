/**
 * A spatial hash: space in cubes, and for each cube the boxes that reach into it.
 *
 * Method: C. Ericson, "Real-Time Collision Detection", 7.1.3. Cells are hashed to buckets row by row and layer by layer, and the
 * buckets lie behind each other in one array, filled by counting. Boxes are kept in the order of their first cells, so that
 * what is compared lies close together in memory. Two boxes are compared in the first cell that both reach into and in no other,
 * so no pair is found twice. A box over too many cells is not entered at all: large ones are tested one by one.
 * Cells are counted from an origin; far away they end at a border cell that takes in everything beyond. Cell numbers grow with the
 * coordinate even when rounded, so boxes that meet share a cell whatever the rounding.
 * Boxes as in `broad-phase.ts`.
 */

import { spend } from '../../containers/budget.ts'
import { addPair, boxTestSteps, type PairList } from '../../containers/pair-list.ts'
import { boxesMeet } from './box-tree.ts'

interface SpatialHash {
  /** How many boxes are not large; they come first. */
  smallCount: number
  /** Index of the box at each place, the box, and its first and last cell, x, y, z, x, y, z. */
  order: Int32Array
  boxes: Float64Array
  cells: Int32Array
  buckets: Buckets
  /** Entries of bucket b: from starts[b] to starts[b + 1]. Of each the place of a box and one of its cells: four numbers. */
  starts: Int32Array
  entries: Int32Array
}

/** How cells become buckets: their number is a power of two; from one row, and one layer, to the next. */
interface Buckets {
  mask: number
  row: number
  layer: number
}

/** A box over more cells than this is large. */
const MOST_CELLS_COUNT = 64
/** Cells are numbered up to this far on either side of the origin. */
const BORDER_CELL = 2 ** 29
/** Boxes looked at to choose a cell size. */
const SAMPLE_COUNT = 256

/** The longest sides of up to `SAMPLE_COUNT` boxes, sorted; infinite ones among them. */
export function sampleSides(boxes: Float64Array, count: number): Float64Array {
  const taken = Math.min(count, SAMPLE_COUNT)
  const sides = new Float64Array(taken)
  for (let k = 0; k < taken; k++) {
    const at = 6 * Math.floor((k * count) / taken)
    sides[k] = Math.max(boxes[at + 3] - boxes[at], boxes[at + 4] - boxes[at + 1], boxes[at + 5] - boxes[at + 2])
  }
  return sides.sort()
}

/**
 * A cell size for these boxes: twice the median side, or half of what nine in ten do not exceed, if that is more. Where boxes
 * have no size, about one of them to a cell.
 */
export function chooseCellSize(boxes: Float64Array, count: number): number {
  if (count === 0) return 1
  const sides = sampleSides(boxes, count)
  const most = sides[Math.floor(0.9 * (sides.length - 1))]
  const size = Math.max(2 * sides[sides.length >> 1], most < Infinity ? 0.5 * most : 0)
  if (size > 0 && size < Infinity) return size
  const lengths = [0, 1, 2].map((axis) => rangeOf(boxes, count, axis))
  const longest = Math.max(...lengths)
  const share = lengths.map((length) => Math.max(length / longest, 1 / count)).reduce((a, b) => a * b, 1)
  const density = longest * Math.cbrt(share / count)
  return density > 0 && density < Infinity ? density : 1
}

/** From the least finite low end to the greatest finite high one; negative where there are none. */
function rangeOf(boxes: Float64Array, count: number, axis: number): number {
  let least = Infinity
  let most = -Infinity
  for (let i = axis; i < 6 * count; i += 6) {
    if (boxes[i] > -Infinity && boxes[i] < least) least = boxes[i]
    if (boxes[i + 3] < Infinity && boxes[i + 3] > most) most = boxes[i + 3]
  }
  return most - least
}

/** Adds the pairs that meet, in no particular order; false when the list was full, or its budget spent, before the end. */
export function hashPairs(boxes: Float64Array, count: number, cellSize: number, out: PairList): boolean {
  return pairsOfHash(createSpatialHash(boxes, count, cellSize), out)
}

/** `cellSize` > 0. */
function createSpatialHash(boxes: Float64Array, count: number, cellSize: number): SpatialHash {
  const given = findCells(boxes, count, Math.min(1 / cellSize, Number.MAX_VALUE))
  const { entryCount, smallCount, columns, rows } = sizeUp(given, count)
  const mask = 2 ** Math.ceil(Math.log2(Math.max(1, entryCount))) - 1
  const row = columns | 1
  const hash: SpatialHash = {
    smallCount,
    order: new Int32Array(count),
    boxes: new Float64Array(6 * count),
    cells: new Int32Array(6 * count),
    // Strides are odd, so that a row or a column of cells goes to as many buckets as there are.
    buckets: { mask, row, layer: Math.imul(row, rows | 1) },
    starts: new Int32Array(mask + 2),
    entries: new Int32Array(4 * entryCount),
  }
  spend(4 * count + 2 * entryCount)
  placeBoxes(hash, boxes, given)
  placeEntries(hash)
  return hash
}

function findCells(boxes: Float64Array, count: number, perLength: number): Int32Array {
  const cells = new Int32Array(6 * count)
  spend(count)
  for (let axis = 0; axis < 3; axis++) {
    const origin = leastFinite(boxes, count, axis)
    for (let at = axis; at < 6 * count; at += 6) {
      cells[at] = cellOf(boxes[at], origin, perLength)
      cells[at + 3] = cellOf(boxes[at + 3], origin, perLength)
    }
  }
  return cells
}

/** Of the low sides along an axis; 0 when none is finite. */
function leastFinite(boxes: Float64Array, count: number, axis: number): number {
  let least = Infinity
  for (let at = axis; at < 6 * count; at += 6) if (boxes[at] > -Infinity && boxes[at] < least) least = boxes[at]
  return least < Infinity ? least : 0
}

/** Number of a cell along one axis; `perLength` cells to a length of 1. */
function cellOf(place: number, origin: number, perLength: number): number {
  const cell = Math.floor((place - origin) * perLength)
  return Math.max(-BORDER_CELL, Math.min(cell, BORDER_CELL))
}

/** In how many cells small boxes are, how many of these there are, and the columns and rows of cells that they are in. */
function sizeUp(
  cells: Int32Array,
  count: number,
): { entryCount: number; smallCount: number; columns: number; rows: number } {
  let entryCount = 0
  let smallCount = 0
  const first = [BORDER_CELL, BORDER_CELL]
  const last = [-BORDER_CELL, -BORDER_CELL]
  for (let at = 0; at < 6 * count; at += 6) {
    const covered = coveredCells(cells, at)
    if (covered > MOST_CELLS_COUNT) continue
    smallCount++
    entryCount += covered
    for (let axis = 0; axis < 2; axis++) {
      first[axis] = Math.min(first[axis], cells[at + axis])
      last[axis] = Math.max(last[axis], cells[at + 3 + axis])
    }
  }
  return { entryCount, smallCount, columns: last[0] - first[0] + 1, rows: last[1] - first[1] + 1 }
}

function coveredCells(cells: Int32Array, at: number): number {
  return (cells[at + 3] - cells[at] + 1) * (cells[at + 4] - cells[at + 1] + 1) * (cells[at + 5] - cells[at + 2] + 1)
}

function bucketOf({ mask, row, layer }: Buckets, x: number, y: number, z: number): number {
  return (x + Math.imul(y, row) + Math.imul(z, layer)) & mask
}

/** Makes counts sums of those up to each. */
function addUp(counts: Int32Array): void {
  for (let b = 1; b < counts.length; b++) counts[b] += counts[b - 1]
}

/** Puts the boxes in the order of the buckets of their first cells, large ones last. */
function placeBoxes(hash: SpatialHash, given: Float64Array, cellsGiven: Int32Array): void {
  const { order, boxes, cells, buckets, starts, smallCount } = hash
  const bucketAt = (at: number) => bucketOf(buckets, cellsGiven[at], cellsGiven[at + 1], cellsGiven[at + 2])
  for (let at = 0; at < cellsGiven.length; at += 6) {
    if (coveredCells(cellsGiven, at) <= MOST_CELLS_COUNT) starts[bucketAt(at) + 1]++
  }
  addUp(starts)
  let large = smallCount
  for (let i = 0; i < order.length; i++) {
    const from = 6 * i
    const place = coveredCells(cellsGiven, from) > MOST_CELLS_COUNT ? large++ : starts[bucketAt(from)]++
    order[place] = i
    for (let side = 0; side < 6; side++) {
      boxes[6 * place + side] = given[from + side]
      cells[6 * place + side] = cellsGiven[from + side]
    }
  }
}

function placeEntries({ smallCount, cells, buckets, starts, entries }: SpatialHash): void {
  starts.fill(0)
  visitCells(cells, smallCount, (_, x, y, z) => {
    starts[bucketOf(buckets, x, y, z) + 1]++
  })
  addUp(starts)
  visitCells(cells, smallCount, (i, x, y, z) => {
    const at = 4 * starts[bucketOf(buckets, x, y, z)]++
    entries[at] = i
    entries[at + 1] = x
    entries[at + 2] = y
    entries[at + 3] = z
  })
  // Each start has become the next one.
  starts.copyWithin(1, 0)
  starts[0] = 0
}

function visitCells(
  cells: Int32Array,
  count: number,
  visit: (place: number, x: number, y: number, z: number) => void,
): void {
  for (let i = 0, at = 0; i < count; i++, at += 6) {
    for (let z = cells[at + 2]; z <= cells[at + 5]; z++) {
      for (let y = cells[at + 1]; y <= cells[at + 4]; y++) {
        for (let x = cells[at]; x <= cells[at + 3]; x++) visit(i, x, y, z)
      }
    }
  }
}

function pairsOfHash(hash: SpatialHash, out: PairList): boolean {
  const { order, smallCount, starts, buckets } = hash
  for (let bucket = 0; bucket <= buckets.mask; bucket++) {
    const end = starts[bucket + 1]
    for (let k = starts[bucket]; k + 1 < end; k++) {
      out.boxTests += end - k - 1
      spend(boxTestSteps(end - k - 1))
      if (out.boxTests > out.budget || !pairsOfEntry(hash, k, end, out)) return false
    }
  }
  // Large ones come last: those before have seen it.
  for (let i = smallCount; i < order.length; i++) {
    out.boxTests += i
    spend(boxTestSteps(i))
    if (out.boxTests > out.budget || !pairsOfLarge(hash, i, out)) return false
  }
  return true
}

/** Pairs of the box of an entry and those of later entries of its cell; false when the list was full before the end. */
function pairsOfEntry({ order, boxes, cells, entries }: SpatialHash, k: number, to: number, out: PairList): boolean {
  const i = entries[4 * k]
  const x = entries[4 * k + 1]
  const y = entries[4 * k + 2]
  const z = entries[4 * k + 3]
  for (let l = k + 1, at = 4 * l; l < to; l++, at += 4) {
    const j = entries[at]
    if (boxesMeet(boxes, i, boxes, j) === 0) continue
    if (entries[at + 1] !== x || entries[at + 2] !== y || entries[at + 3] !== z) continue
    if (!isFirstShared(cells, 6 * i, 6 * j, x, y, z)) continue
    if (!addPair(out, order[i], order[j])) return false
  }
  return true
}

/** Whether (x, y, z) is the first cell that two boxes have in common. */
function isFirstShared(cells: Int32Array, a: number, b: number, x: number, y: number, z: number): boolean {
  return (
    x === Math.max(cells[a], cells[b]) &&
    y === Math.max(cells[a + 1], cells[b + 1]) &&
    z === Math.max(cells[a + 2], cells[b + 2])
  )
}

/** Pairs of a large box and those before it. */
function pairsOfLarge({ order, boxes }: SpatialHash, i: number, out: PairList): boolean {
  for (let j = 0; j < i; j++) {
    if (boxesMeet(boxes, i, boxes, j) === 1 && !addPair(out, order[i], order[j])) return false
  }
  return true
}
