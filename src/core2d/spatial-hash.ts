/**
 * A spatial hash: the plane in square cells, and for each cell the boxes that reach into it. Two layers: a static one, filled
 * once, and a moving one, filled again at each step.
 *
 * Method: C. Ericson, "Real-Time Collision Detection", 7.1.3. Cells are hashed to buckets, and the buckets lie behind each other in
 * one array, filled by counting. Two boxes are compared in the first cell that both reach into and in no other, so no pair
 * is found twice. A box over too many cells is not entered at all, but kept in a list of large ones that are tested one by one.
 * Cells are counted from an origin; far away they end at a border cell that takes in everything beyond. Cell numbers grow with
 * the coordinate even when rounded, so boxes that meet share a cell whatever the rounding.
 * Boxes as in `all-pairs.ts`.
 */
import { boxesMeet } from './box-tree.ts'
import { addPair, type PairList } from './pair-list.ts'

export interface HashLayer {
  count: number
  /** A copy of the boxes, as they were when the layer was filled. */
  boxes: Float64Array
  /** First and last cell of each box: x, y, x, y; of a large box, of no meaning. */
  cells: Int32Array
  isLarge: Uint8Array
  largeCount: number
  large: Int32Array
  /** Entries of bucket b: from starts[b] to starts[b + 1]. The number of buckets is a power of two. */
  starts: Int32Array
  mask: number
  /** Of each entry, a box and one of its cells. */
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
const SAMPLE_COUNT = 1024

/** `cellSize` > 0. The origin is where cells are counted from: any place near the boxes. */
export function createSpatialHash(cellSize: number, originX: number, originY: number): SpatialHash {
  return { cellSize, originX, originY, fixed: createLayer(), moving: createLayer() }
}

function createLayer(): HashLayer {
  return {
    count: 0,
    boxes: new Float64Array(0),
    cells: new Int32Array(0),
    isLarge: new Uint8Array(0),
    largeCount: 0,
    large: new Int32Array(0),
    starts: new Int32Array(2),
    mask: 0,
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

/** Number of a cell along one axis. */
function cellOf(place: number, origin: number, cellSize: number): number {
  const cell = Math.floor((place - origin) / cellSize)
  return cell > BORDER_CELL ? BORDER_CELL : Math.max(cell, -BORDER_CELL)
}

function bucketOf(x: number, y: number, mask: number): number {
  const mixed = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca77)
  return (mixed ^ (mixed >>> 15)) & mask
}

/** Fills the layer of boxes that stay; their indices are 0, 1, …. Moving boxes must be filled in again afterwards. */
export function fillFixed(hash: SpatialHash, boxes: Float64Array, count: number): void {
  fillLayer(hash, hash.fixed, boxes, count)
}

/** Fills the layer of moving boxes, replacing what it held; its arrays are kept. Their indices follow on those of the fixed ones. */
export function fillMoving(hash: SpatialHash, boxes: Float64Array, count: number): void {
  fillLayer(hash, hash.moving, boxes, count)
}

function fillLayer(
  { cellSize, originX, originY }: SpatialHash,
  layer: HashLayer,
  boxes: Float64Array,
  count: number,
): void {
  reserveBoxes(layer, count)
  layer.count = count
  layer.boxes.set(boxes.subarray(0, 4 * count))
  layer.largeCount = 0
  const { cells, isLarge } = layer
  let entryCount = 0
  for (let i = 0; i < count; i++) {
    const x0 = cellOf(boxes[4 * i], originX, cellSize)
    const y0 = cellOf(boxes[4 * i + 1], originY, cellSize)
    const x1 = cellOf(boxes[4 * i + 2], originX, cellSize)
    const y1 = cellOf(boxes[4 * i + 3], originY, cellSize)
    const covered = (x1 - x0 + 1) * (y1 - y0 + 1)
    if (covered <= MOST_CELLS_COUNT) {
      isLarge[i] = 0
      cells[4 * i] = x0
      cells[4 * i + 1] = y0
      cells[4 * i + 2] = x1
      cells[4 * i + 3] = y1
      entryCount += covered
    } else {
      isLarge[i] = 1
      layer.large[layer.largeCount++] = i
    }
  }
  reserveEntries(layer, entryCount)
  placeEntries(layer)
}

function reserveBoxes(layer: HashLayer, count: number): void {
  if (layer.isLarge.length >= count) return
  layer.boxes = new Float64Array(4 * count)
  layer.cells = new Int32Array(4 * count)
  layer.isLarge = new Uint8Array(count)
  layer.large = new Int32Array(count)
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

function placeEntries({ count, cells, isLarge, starts, mask, entryBox, entryX, entryY }: HashLayer): void {
  starts.fill(0, 0, mask + 2)
  for (let i = 0; i < count; i++) {
    if (isLarge[i] === 1) continue
    for (let y = cells[4 * i + 1]; y <= cells[4 * i + 3]; y++) {
      for (let x = cells[4 * i]; x <= cells[4 * i + 2]; x++) starts[bucketOf(x, y, mask)]++
    }
  }
  for (let b = 1; b <= mask + 1; b++) starts[b] += starts[b - 1]
  // Each bucket is filled from its end, so that its start is right once it is full.
  for (let i = count - 1; i >= 0; i--) {
    if (isLarge[i] === 1) continue
    for (let y = cells[4 * i + 1]; y <= cells[4 * i + 3]; y++) {
      for (let x = cells[4 * i]; x <= cells[4 * i + 2]; x++) {
        const at = --starts[bucketOf(x, y, mask)]
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

/** Whether (x, y) is the first cell that box i of one layer and box j of another have in common. */
function isFirstShared(cellsA: Int32Array, i: number, cellsB: Int32Array, j: number, x: number, y: number): boolean {
  const a = 4 * i
  const b = 4 * j
  return x === Math.max(cellsA[a], cellsB[b]) && y === Math.max(cellsA[a + 1], cellsB[b + 1])
}

/** Pairs of boxes of one layer that are not large. */
function pairsWithin(
  { boxes, cells, starts, mask, entryBox, entryX, entryY }: HashLayer,
  offset: number,
  out: PairList,
): boolean {
  for (let b = 0; b <= mask; b++) {
    const to = starts[b + 1]
    for (let k = starts[b]; k + 1 < to; k++) {
      const i = entryBox[k]
      const x = entryX[k]
      const y = entryY[k]
      out.boxTests += to - k - 1
      if (out.boxTests > out.budget) return false
      for (let l = k + 1; l < to; l++) {
        const j = entryBox[l]
        if (entryX[l] !== x || entryY[l] !== y || !boxesMeet(boxes, i, boxes, j)) continue
        if (isFirstShared(cells, i, cells, j, x, y) && !addPair(out, offset + i, offset + j)) return false
      }
    }
  }
  return true
}

/** Pairs of a moving and a fixed box, neither of them large. */
function pairsBetween(moving: HashLayer, fixed: HashLayer, out: PairList): boolean {
  if (fixed.count === fixed.largeCount) return true
  const { starts, mask, entryBox, entryX, entryY } = fixed
  for (let i = 0; i < moving.count; i++) {
    if (moving.isLarge[i] === 1) continue
    for (let y = moving.cells[4 * i + 1]; y <= moving.cells[4 * i + 3]; y++) {
      for (let x = moving.cells[4 * i]; x <= moving.cells[4 * i + 2]; x++) {
        const b = bucketOf(x, y, mask)
        out.boxTests += starts[b + 1] - starts[b]
        if (out.boxTests > out.budget) return false
        for (let l = starts[b]; l < starts[b + 1]; l++) {
          const j = entryBox[l]
          if (entryX[l] !== x || entryY[l] !== y || !boxesMeet(moving.boxes, i, fixed.boxes, j)) continue
          if (isFirstShared(moving.cells, i, fixed.cells, j, x, y) && !addPair(out, j, fixed.count + i)) return false
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
  for (let k = 0; k < layer.largeCount; k++) {
    const i = layer.large[k]
    out.boxTests += other.count
    if (out.boxTests > out.budget) return false
    for (let j = 0; j < other.count; j++) {
      if (!boxesMeet(layer.boxes, i, other.boxes, j)) continue
      if (other.isLarge[j] === 1 && (layer === other ? j <= i : !withLarge)) continue
      if (!addPair(out, offset + i, otherOffset + j)) return false
    }
  }
  return true
}

/** What is wrong with a hash, for tests; null when nothing is. */
export function validateSpatialHash(hash: SpatialHash): string | null {
  return validateLayer(hash, hash.fixed) ?? validateLayer(hash, hash.moving)
}

function validateLayer({ cellSize, originX, originY }: SpatialHash, layer: HashLayer): string | null {
  const { count, boxes, cells, isLarge, largeCount, large, starts, mask, entryBox, entryX, entryY } = layer
  const covered = new Int32Array(count)
  for (let b = 0; b <= mask; b++) {
    if (starts[b] > starts[b + 1]) return `bucket ${b} ends before it starts`
    const seen = new Set<string>()
    for (let k = starts[b]; k < starts[b + 1]; k++) {
      const box = entryBox[k]
      const [x, y] = [entryX[k], entryY[k]]
      if (box < 0 || box >= count || isLarge[box] === 1) return `bucket ${b} holds box ${box}`
      if (bucketOf(x, y, mask) !== b) return `cell ${x}, ${y} is in bucket ${b}`
      const at = 4 * box
      if (x < cells[at] || x > cells[at + 2] || y < cells[at + 1] || y > cells[at + 3])
        return `box ${box} is in cell ${x}, ${y}`
      if (seen.has(`${box} ${x} ${y}`)) return `box ${box} is in cell ${x}, ${y} twice`
      seen.add(`${box} ${x} ${y}`)
      covered[box]++
    }
  }
  const largeOnes = new Set(large.subarray(0, largeCount))
  for (let i = 0; i < count; i++) {
    if (largeOnes.has(i) !== (isLarge[i] === 1)) return `box ${i} is large in one place only`
    if (isLarge[i] === 1) continue
    const at = 4 * i
    for (let side = 0; side < 4; side++) {
      const origin = side % 2 === 0 ? originX : originY
      if (cells[at + side] !== cellOf(boxes[at + side], origin, cellSize)) return `box ${i} is in wrong cells`
    }
    const expected = (cells[at + 2] - cells[at] + 1) * (cells[at + 3] - cells[at + 1] + 1)
    if (covered[i] !== expected) return `box ${i} is in ${covered[i]} of ${expected} cells`
  }
  return null
}
