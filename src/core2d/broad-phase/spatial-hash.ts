/**
 * A spatial hash: the plane in square cells, and for each cell the boxes that reach into it. Two layers: a static one, filled
 * once, and a moving one, filled again at each step.
 *
 * Method: C. Ericson, "Real-Time Collision Detection", 7.1.3. Cells are hashed to buckets row by row, and the buckets lie behind
 * each other in one array, filled by counting. A layer keeps its boxes in the order of their first cells, so that what is
 * compared lies close together in memory. Two boxes are compared in the first cell that both reach into and in no other, so no
 * pair is found twice. A box over too many cells is not entered at all: large ones are tested one by one.
 * Cells are counted from an origin; far away they end at a border cell that takes in everything beyond. Cell numbers grow with
 * the coordinate even when rounded, so boxes that meet share a cell whatever the rounding.
 * Boxes as in `brute-force.ts`.
 */

import { spend } from '../../containers/budget.ts'
import { KEPT_ENTRIES } from '../../containers/kept-entries.ts'
import { addPair, type PairList, spendBoxTests } from '../../containers/pair-list.ts'

export interface HashLayer {
  count: number
  /** How many are not large; they come first. */
  smallCount: number
  /** Index of the box at each place of the layer, the box as it was when the layer was filled, and its first and last cell, x, y, x, y. */
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

export interface SpatialHash {
  cellSize: number
  originX: number
  originY: number
  fixed: HashLayer
  moving: HashLayer
}

/** A box over more cells than this is large. */
const MOST_CELLS_COUNT = 64
/** Cells are numbered up to this far on either side of the origin. */
const BORDER_CELL = 2 ** 29
/** Boxes looked at to choose a cell size. */
const SAMPLE_COUNT = 256

/** Cells of the boxes in the order given, while a layer is filled. */
let givenCells = new Int32Array(0)

/** `cellSize` > 0. The origin is where cells are counted from: any place near the boxes. */
export function createSpatialHash(cellSize: number, originX: number, originY: number): SpatialHash {
  return { cellSize, originX, originY, fixed: createLayer(), moving: createLayer() }
}

function createLayer(): HashLayer {
  return {
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

/** Fills the layer of boxes that stay; their indices are 0, 1, …. Moving boxes must be filled in again afterwards. */
export function fillFixed(hash: SpatialHash, boxes: Float64Array, count: number): void {
  fillLayer(hash, hash.fixed, boxes, count)
}

/** Fills the layer of moving boxes, replacing what it held; its arrays are kept. Their indices follow on those of the fixed ones. */
export function fillMoving(hash: SpatialHash, boxes: Float64Array, count: number): void {
  fillLayer(hash, hash.moving, boxes, count)
}

function fillLayer(hash: SpatialHash, layer: HashLayer, boxes: Float64Array, count: number): void {
  reserveBoxes(layer, count)
  layer.count = count
  const entryCount = findCells(hash, layer, boxes, count)
  spend(2 * count + 2 * entryCount)
  reserveEntries(layer, entryCount)
  placeBoxes(layer, boxes)
  placeEntries(layer)
  if (givenCells.length > KEPT_ENTRIES) givenCells = new Int32Array(0)
}

/** Sets the stride too; returns how many cells boxes are in. */
function findCells(
  { cellSize, originX, originY }: SpatialHash,
  layer: HashLayer,
  boxes: Float64Array,
  count: number,
): number {
  const perLength = cellsPerLength(cellSize)
  let entryCount = 0
  let smallCount = 0
  let firstColumn = BORDER_CELL
  let lastColumn = -BORDER_CELL
  for (let at = 0; at < 4 * count; at += 4) {
    const x0 = cellOf(boxes[at], originX, perLength)
    const y0 = cellOf(boxes[at + 1], originY, perLength)
    const x1 = cellOf(boxes[at + 2], originX, perLength)
    const y1 = cellOf(boxes[at + 3], originY, perLength)
    givenCells[at] = x0
    givenCells[at + 1] = y0
    givenCells[at + 2] = x1
    givenCells[at + 3] = y1
    const covered = (x1 - x0 + 1) * (y1 - y0 + 1)
    if (covered > MOST_CELLS_COUNT) continue
    smallCount++
    entryCount += covered
    firstColumn = Math.min(firstColumn, x0)
    lastColumn = Math.max(lastColumn, x1)
  }
  layer.smallCount = smallCount
  layer.stride = (lastColumn - firstColumn + 1) | 1
  return entryCount
}

function reserveBoxes(layer: HashLayer, count: number): void {
  if (givenCells.length < 4 * count) givenCells = new Int32Array(4 * count)
  if (layer.order.length >= count) return
  layer.order = new Int32Array(count)
  layer.boxes = new Float64Array(4 * count)
  layer.cells = new Int32Array(4 * count)
}

/** About one bucket to an entry. */
function reserveEntries(layer: HashLayer, entryCount: number): void {
  const buckets = 2 ** Math.ceil(Math.log2(Math.max(1, entryCount)))
  layer.mask = buckets - 1
  if (layer.starts.length < buckets + 1) layer.starts = new Int32Array(buckets + 1)
  if (layer.entryBox.length < entryCount) {
    layer.entryBox = new Int32Array(buckets)
    layer.entryX = new Int32Array(buckets)
    layer.entryY = new Int32Array(buckets)
  }
}

function isLarge(cells: Int32Array, at: number): boolean {
  return (cells[at + 2] - cells[at] + 1) * (cells[at + 3] - cells[at + 1] + 1) > MOST_CELLS_COUNT
}

/** Puts the boxes in the order of the buckets of their first cells, large ones last. */
function placeBoxes(
  { count, smallCount, order, boxes, cells, starts, mask, stride }: HashLayer,
  given: Float64Array,
): void {
  starts.fill(0, 0, mask + 2)
  for (let at = 0; at < 4 * count; at += 4) {
    if (!isLarge(givenCells, at)) starts[bucketOf(givenCells[at], givenCells[at + 1], stride, mask) + 1]++
  }
  for (let b = 1; b <= mask; b++) starts[b] += starts[b - 1]
  let large = smallCount
  for (let i = 0; i < count; i++) {
    const from = 4 * i
    const place = isLarge(givenCells, from)
      ? large++
      : starts[bucketOf(givenCells[from], givenCells[from + 1], stride, mask)]++
    order[place] = i
    for (let side = 0; side < 4; side++) {
      boxes[4 * place + side] = given[from + side]
      cells[4 * place + side] = givenCells[from + side]
    }
  }
}

function placeEntries({ smallCount, cells, starts, mask, stride, entryBox, entryX, entryY }: HashLayer): void {
  starts.fill(0, 0, mask + 2)
  for (let i = 0; i < smallCount; i++) {
    for (let y = cells[4 * i + 1]; y <= cells[4 * i + 3]; y++) {
      for (let x = cells[4 * i]; x <= cells[4 * i + 2]; x++) starts[bucketOf(x, y, stride, mask)]++
    }
  }
  for (let b = 1; b <= mask + 1; b++) starts[b] += starts[b - 1]
  // Each bucket is filled from its end, so that its start is right once it is full.
  for (let i = smallCount - 1; i >= 0; i--) {
    for (let y = cells[4 * i + 1]; y <= cells[4 * i + 3]; y++) {
      for (let x = cells[4 * i]; x <= cells[4 * i + 2]; x++) {
        const at = --starts[bucketOf(x, y, stride, mask)]
        entryBox[at] = i
        entryX[at] = x
        entryY[at] = y
      }
    }
  }
}

/**
 * Adds the pairs that meet of which at least one is moving, in no particular order; false when the list was full, or its
 * budget spent, before the end.
 */
export function hashPairs({ fixed, moving }: SpatialHash, out: PairList): boolean {
  return (
    pairsWithin(moving, fixed.count, out) &&
    pairsBetween(moving, fixed, out) &&
    largePairs(moving, moving, fixed.count, fixed.count, true, out) &&
    largePairs(moving, fixed, fixed.count, 0, true, out) &&
    largePairs(fixed, moving, 0, fixed.count, false, out)
  )
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

/** Pairs of boxes of one layer that are not large. */
function pairsWithin(
  { order, boxes, cells, starts, mask, entryBox, entryX, entryY }: HashLayer,
  offset: number,
  out: PairList,
): boolean {
  for (let b = 0; b <= mask; b++) {
    const to = starts[b + 1]
    for (let k = starts[b]; k + 1 < to; k++) {
      const i = 4 * entryBox[k]
      const x = entryX[k]
      const y = entryY[k]
      out.boxTests += to - k - 1
      spendBoxTests(to - k - 1)
      if (out.boxTests > out.budget) return false
      for (let l = k + 1; l < to; l++) {
        const j = 4 * entryBox[l]
        if (meet(boxes, i, boxes, j) === 0 || entryX[l] !== x || entryY[l] !== y) continue
        if (!isFirstShared(cells, i, cells, j, x, y)) continue
        if (!addPair(out, offset + order[i >> 2], offset + order[j >> 2])) return false
      }
    }
  }
  return true
}

/** Pairs of a moving and a fixed box, neither of them large. */
function pairsBetween(moving: HashLayer, fixed: HashLayer, out: PairList): boolean {
  if (fixed.smallCount === 0) return true
  const { starts, mask, stride, entryBox, entryX, entryY } = fixed
  const { cells } = moving
  for (let i = 0; i < 4 * moving.smallCount; i += 4) {
    for (let y = cells[i + 1]; y <= cells[i + 3]; y++) {
      for (let x = cells[i]; x <= cells[i + 2]; x++) {
        const b = bucketOf(x, y, stride, mask)
        out.boxTests += starts[b + 1] - starts[b]
        spendBoxTests(starts[b + 1] - starts[b])
        if (out.boxTests > out.budget) return false
        for (let l = starts[b]; l < starts[b + 1]; l++) {
          const j = 4 * entryBox[l]
          if (meet(moving.boxes, i, fixed.boxes, j) === 0 || entryX[l] !== x || entryY[l] !== y) continue
          if (!isFirstShared(cells, i, fixed.cells, j, x, y)) continue
          if (!addPair(out, fixed.order[j >> 2], fixed.count + moving.order[i >> 2])) return false
        }
      }
    }
  }
  return true
}

/** Pairs of a large box of `layer` and any box of `other`; two large boxes of one layer once, of two layers if `withLarge`. */
function largePairs(
  layer: HashLayer,
  other: HashLayer,
  offset: number,
  otherOffset: number,
  withLarge: boolean,
  out: PairList,
): boolean {
  for (let i = layer.smallCount; i < layer.count; i++) {
    // Large ones come last: within a layer, those before this one have seen it.
    const to = layer === other ? i : withLarge ? other.count : other.smallCount
    out.boxTests += to
    spendBoxTests(to)
    if (out.boxTests > out.budget) return false
    for (let j = 0; j < to; j++) {
      if (meet(layer.boxes, 4 * i, other.boxes, 4 * j) === 0) continue
      if (!addPair(out, offset + layer.order[i], otherOffset + other.order[j])) return false
    }
  }
  return true
}

/** What is wrong with a hash, for tests; null when nothing is. */
export function validateSpatialHash(hash: SpatialHash): string | null {
  return validateLayer(hash, hash.fixed) ?? validateLayer(hash, hash.moving)
}

function validateLayer({ cellSize, originX, originY }: SpatialHash, layer: HashLayer): string | null {
  const { count, smallCount, order, boxes, cells, starts, mask, stride, entryBox, entryX, entryY } = layer
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
