/**
 * A spatial hash: the plane in square cells, and for each cell the boxes that reach into it.
 *
 * Method: C. Ericson, "Real-Time Collision Detection", 7.1.3. Cells are hashed to buckets row by row, and the buckets lie behind
 * each other in one array, filled by counting. Boxes are kept in the order of their first cells, so that what is
 * compared lies close together in memory. Two boxes are compared in the first cell that both reach into and in no other, so no
 * pair is found twice. A box over too many cells is not entered at all: large ones are tested one by one.
 * Cells are counted from an origin; far away they end at a border cell that takes in everything beyond. Cell numbers grow with
 * the coordinate even when rounded, so boxes that meet share a cell whatever the rounding.
 * Boxes as in `broad-phase.ts`.
 */

import { finishAtOnce, Pace, type Slices } from '../../containers/budget.ts'
import { addPair, boxTestSteps, type PairList } from '../../containers/pair-list.ts'

export interface SpatialHash {
  cellSize: number
  originX: number
  originY: number
  count: number
  /** How many are not large; they come first. */
  smallCount: number
  /** Index of the box at each place, the box, and its first and last cell, x, y, x, y. */
  order: Int32Array
  boxes: Float64Array
  cells: Int32Array
  /** Entries of bucket b: from starts[b] to starts[b + 1]. The number of buckets is a power of two. */
  starts: Int32Array
  mask: number
  /** Buckets from one row of cells to the next. */
  stride: number
  /** Of each entry, the place of a box, and one of its cells. */
  entryBox: Int32Array
  entryX: Int32Array
  entryY: Int32Array
}

/** A box over more cells than this is large. */
const MOST_CELLS_COUNT = 64
/** Cells are numbered up to this far on either side of the origin. */
const BORDER_CELL = 2 ** 29
/** Boxes looked at to choose a cell size. */
const SAMPLE_COUNT = 256

/** Boxes, or buckets, that are gone through between two looks at the pace. */
const BOXES_AT_ONCE = 2 ** 11

/** `cellSize` > 0. The origin is where cells are counted from: any place near the boxes. */
export function createSpatialHash(cellSize: number, originX: number, originY: number): SpatialHash {
  return {
    cellSize,
    originX,
    originY,
    count: 0,
    smallCount: 0,
    order: new Int32Array(0),
    boxes: new Float64Array(0),
    cells: new Int32Array(0),
    starts: new Int32Array(2),
    mask: 0,
    stride: 1,
    entryBox: new Int32Array(0),
    entryX: new Int32Array(0),
    entryY: new Int32Array(0),
  }
}

/** The longer sides of up to `SAMPLE_COUNT` boxes, sorted; infinite ones among them. */
export function sampleSides(boxes: Float64Array, count: number): Float64Array {
  const taken = Math.min(count, SAMPLE_COUNT)
  const sides = new Float64Array(taken)
  for (let k = 0; k < taken; k++) {
    const at = 4 * Math.floor((k * count) / taken)
    sides[k] = Math.max(boxes[at + 2] - boxes[at], boxes[at + 3] - boxes[at + 1])
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
  let minX = Infinity
  let minY = Infinity
  let maxX = -Infinity
  let maxY = -Infinity
  for (let i = 0; i < count; i++) {
    if (boxes[4 * i] > -Infinity && boxes[4 * i] < minX) minX = boxes[4 * i]
    if (boxes[4 * i + 1] > -Infinity && boxes[4 * i + 1] < minY) minY = boxes[4 * i + 1]
    if (boxes[4 * i + 2] < Infinity && boxes[4 * i + 2] > maxX) maxX = boxes[4 * i + 2]
    if (boxes[4 * i + 3] < Infinity && boxes[4 * i + 3] > maxY) maxY = boxes[4 * i + 3]
  }
  const density = Math.max(
    Math.sqrt(maxX - minX) * Math.sqrt((maxY - minY) / count),
    (maxX - minX + maxY - minY) / count,
  )
  return density > 0 && density < Infinity ? density : 1
}

/** Number of a cell along one axis; `perLength` cells to a length of 1. */
function cellOf(place: number, origin: number, perLength: number): number {
  const cell = Math.floor((place - origin) * perLength)
  return Math.max(-BORDER_CELL, Math.min(cell, BORDER_CELL))
}

function cellsPerLength(cellSize: number): number {
  return Math.min(1 / cellSize, Number.MAX_VALUE)
}

/** The stride is odd, so that a column of cells goes to as many buckets as there are. */
function bucketOf(x: number, y: number, stride: number, mask: number): number {
  return (x + Math.imul(y, stride)) & mask
}

/** Fills the hash, which is empty. Boxes are numbered 0, 1, …. */
export function fillHash(hash: SpatialHash, boxes: Float64Array, count: number): void {
  finishAtOnce(fillHashInSlices(hash, boxes, count, new Pace()))
}

/** `fillHash` with pauses, during which the boxes must stay as they are. */
export function* fillHashInSlices(hash: SpatialHash, boxes: Float64Array, count: number, pace: Pace): Slices<void> {
  const given = new Int32Array(4 * count)
  const entryCount = yield* findCells(hash, boxes, count, given, pace)
  const buckets = 2 ** Math.ceil(Math.log2(Math.max(1, entryCount)))
  hash.count = count
  hash.mask = buckets - 1
  hash.starts = new Int32Array(buckets + 1)
  yield* placeBoxes(hash, boxes, given, pace)
  yield* placeEntries(hash, entryCount, pace)
}

/** Sets the cells of each box, and the stride; returns how many cells boxes are in. */
function* findCells(
  hash: SpatialHash,
  boxes: Float64Array,
  count: number,
  given: Int32Array,
  pace: Pace,
): Slices<number> {
  const { cellSize, originX, originY } = hash
  const perLength = cellsPerLength(cellSize)
  let entryCount = 0
  let smallCount = 0
  let firstColumn = BORDER_CELL
  let lastColumn = -BORDER_CELL
  for (let i = 0; i < count; i++) {
    if (pace.isDue(1)) yield
    const at = 4 * i
    const x0 = cellOf(boxes[at], originX, perLength)
    const y0 = cellOf(boxes[at + 1], originY, perLength)
    const x1 = cellOf(boxes[at + 2], originX, perLength)
    const y1 = cellOf(boxes[at + 3], originY, perLength)
    given[at] = x0
    given[at + 1] = y0
    given[at + 2] = x1
    given[at + 3] = y1
    const covered = (x1 - x0 + 1) * (y1 - y0 + 1)
    if (covered > MOST_CELLS_COUNT) continue
    smallCount++
    entryCount += covered
    firstColumn = Math.min(firstColumn, x0)
    lastColumn = Math.max(lastColumn, x1)
  }
  hash.smallCount = smallCount
  hash.stride = (lastColumn - firstColumn + 1) | 1
  return entryCount
}

function isLarge(cells: Int32Array, at: number): boolean {
  return (cells[at + 2] - cells[at] + 1) * (cells[at + 3] - cells[at + 1] + 1) > MOST_CELLS_COUNT
}

/** Puts the boxes in the order of the buckets of their first cells, large ones last. */
function* placeBoxes(hash: SpatialHash, given: Float64Array, cellsGiven: Int32Array, pace: Pace): Slices<void> {
  const { count, smallCount, starts, mask, stride } = hash
  const order = new Int32Array(count)
  const boxes = new Float64Array(4 * count)
  const cells = new Int32Array(4 * count)
  for (let from = 0; from < count; from += BOXES_AT_ONCE) {
    const to = 4 * Math.min(from + BOXES_AT_ONCE, count)
    for (let at = 4 * from; at < to; at += 4) {
      if (!isLarge(cellsGiven, at)) starts[bucketOf(cellsGiven[at], cellsGiven[at + 1], stride, mask) + 1]++
    }
    if (pace.isDue(to / 4 - from)) yield
  }
  yield* addUp(starts, mask + 1, pace)
  let large = smallCount
  for (let i = 0; i < count; i++) {
    const from = 4 * i
    const place = isLarge(cellsGiven, from)
      ? large++
      : starts[bucketOf(cellsGiven[from], cellsGiven[from + 1], stride, mask)]++
    order[place] = i
    for (let side = 0; side < 4; side++) {
      boxes[4 * place + side] = given[from + side]
      cells[4 * place + side] = cellsGiven[from + side]
    }
    if (pace.isDue(1)) yield
  }
  hash.order = order
  hash.boxes = boxes
  hash.cells = cells
}

/** Makes counts, of which there are `length`, sums of those up to each. */
function* addUp(counts: Int32Array, length: number, pace: Pace): Slices<void> {
  for (let from = 1; from < length; from += BOXES_AT_ONCE) {
    const to = Math.min(from + BOXES_AT_ONCE, length)
    for (let b = from; b < to; b++) counts[b] += counts[b - 1]
    if (pace.isDue((to - from) >> 2)) yield
  }
}

function* placeEntries(hash: SpatialHash, entryCount: number, pace: Pace): Slices<void> {
  const { smallCount, cells, starts, mask, stride } = hash
  const entryBox = new Int32Array(entryCount)
  const entryX = new Int32Array(entryCount)
  const entryY = new Int32Array(entryCount)
  starts.fill(0)
  for (let i = 0; i < smallCount; i++) {
    const at = 4 * i
    for (let y = cells[at + 1]; y <= cells[at + 3]; y++) {
      for (let x = cells[at]; x <= cells[at + 2]; x++) starts[bucketOf(x, y, stride, mask)]++
    }
    if (pace.isDue(1)) yield
  }
  yield* addUp(starts, mask + 2, pace)
  // Each bucket is filled from its end, so that its start is right once it is full.
  for (let i = smallCount - 1; i >= 0; i--) {
    const box = 4 * i
    for (let y = cells[box + 1]; y <= cells[box + 3]; y++) {
      for (let x = cells[box]; x <= cells[box + 2]; x++) {
        const at = --starts[bucketOf(x, y, stride, mask)]
        entryBox[at] = i
        entryX[at] = x
        entryY[at] = y
      }
    }
    if (pace.isDue(2)) yield
  }
  hash.entryBox = entryBox
  hash.entryX = entryX
  hash.entryY = entryY
}

/** Adds the pairs that meet, in no particular order; false when the list was full, or its budget spent, before the end. */
export function hashPairs(hash: SpatialHash, out: PairList): boolean {
  return finishAtOnce(hashPairsInSlices(hash, out, new Pace()))
}

/** `hashPairs` with pauses, during which hash and list must stay as they are. */
export function* hashPairsInSlices(hash: SpatialHash, out: PairList, pace: Pace): Slices<boolean> {
  const { count, smallCount, starts, mask } = hash
  for (let bucket = 0; bucket <= mask; bucket++) {
    for (let k = starts[bucket]; k + 1 < starts[bucket + 1]; k++) {
      const tests = starts[bucket + 1] - k - 1
      out.boxTests += tests
      if (pace.isDue(boxTestSteps(tests))) yield
      if (out.boxTests > out.budget || !pairsOfEntry(hash, k, starts[bucket + 1], out)) return false
    }
  }
  // Large ones come last: those before have seen it.
  for (let i = smallCount; i < count; i++) {
    out.boxTests += i
    if (pace.isDue(boxTestSteps(i))) yield
    if (out.boxTests > out.budget || !pairsOfLarge(hash, i, out)) return false
  }
  return true
}

/** 1 where the boxes have a point in common, otherwise 0; without branches, which could not be foreseen. */
function meet(boxesA: Float64Array, a: number, boxesB: Float64Array, b: number): number {
  return (
    +(boxesA[a] <= boxesB[b + 2]) &
    +(boxesB[b] <= boxesA[a + 2]) &
    +(boxesA[a + 1] <= boxesB[b + 3]) &
    +(boxesB[b + 1] <= boxesA[a + 3])
  )
}

/** Whether (x, y) is the first cell that two boxes have in common. */
function isFirstShared(cellsA: Int32Array, a: number, cellsB: Int32Array, b: number, x: number, y: number): boolean {
  return x === Math.max(cellsA[a], cellsB[b]) && y === Math.max(cellsA[a + 1], cellsB[b + 1])
}

/** Pairs of the box of an entry and those of later entries of its cell; false when the list was full before the end. */
function pairsOfEntry(
  { order, boxes, cells, entryBox, entryX, entryY }: SpatialHash,
  k: number,
  to: number,
  out: PairList,
): boolean {
  const i = 4 * entryBox[k]
  const x = entryX[k]
  const y = entryY[k]
  for (let l = k + 1; l < to; l++) {
    const j = 4 * entryBox[l]
    if (meet(boxes, i, boxes, j) === 0 || entryX[l] !== x || entryY[l] !== y) continue
    if (!isFirstShared(cells, i, cells, j, x, y)) continue
    if (!addPair(out, order[i >> 2], order[j >> 2])) return false
  }
  return true
}

/** Pairs of a large box and those before it. */
function pairsOfLarge({ order, boxes }: SpatialHash, i: number, out: PairList): boolean {
  for (let j = 0; j < i; j++) {
    if (meet(boxes, 4 * i, boxes, 4 * j) === 1 && !addPair(out, order[i], order[j])) return false
  }
  return true
}

/** Checks a hash, for tests: returns the first fault, or null. */
export function validateSpatialHash(hash: SpatialHash): string | null {
  const { cellSize, originX, originY, count, smallCount } = hash
  const { order, boxes, cells, starts, mask, stride, entryBox, entryX, entryY } = hash
  const covered = new Int32Array(count)
  for (let b = 0; b <= mask; b++) {
    if (starts[b] > starts[b + 1]) return `bucket ${b} ends before it starts`
    const seen = new Set<string>()
    for (let k = starts[b]; k < starts[b + 1]; k++) {
      const box = entryBox[k]
      const [x, y] = [entryX[k], entryY[k]]
      if (box < 0 || box >= smallCount) return `bucket ${b} holds box ${box}`
      if (bucketOf(x, y, stride, mask) !== b) return `cell ${x}, ${y} is in bucket ${b}`
      const at = 4 * box
      if (x < cells[at] || x > cells[at + 2] || y < cells[at + 1] || y > cells[at + 3])
        return `box ${box} is in cell ${x}, ${y}`
      if (seen.has(`${box} ${x} ${y}`)) return `box ${box} is in cell ${x}, ${y} twice`
      seen.add(`${box} ${x} ${y}`)
      covered[box]++
    }
  }
  if (new Set(order.subarray(0, count)).size !== count) return 'a box has two places'
  for (let i = 0; i < count; i++) {
    if (order[i] < 0 || order[i] >= count) return `place ${i} has box ${order[i]}`
    const at = 4 * i
    if (isLarge(cells, at) !== i >= smallCount) return `box ${i} is large in one place only`
    for (let side = 0; side < 4; side++) {
      const origin = side % 2 === 0 ? originX : originY
      if (cells[at + side] !== cellOf(boxes[at + side], origin, cellsPerLength(cellSize)))
        return `box ${i} is in wrong cells`
    }
    const expected = (cells[at + 2] - cells[at] + 1) * (cells[at + 3] - cells[at + 1] + 1)
    if (i < smallCount && covered[i] !== expected) return `box ${i} is in ${covered[i]} of ${expected} cells`
  }
  return null
}
