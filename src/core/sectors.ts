/**
 * Which cells of a grid a body passes through, and which of its parts do, exactly; cells are closed: touching one counts.
 *
 * Method: a block of cells is a box. A part that misses the box misses all of its cells; else the block is cut in two across its longest
 * side, down to single cells, so that the cells looked at are a few times those that are passed. A convex part that has an inside holds a
 * block when it holds the corners. What a boundary (the edges of a region, the triangles of a solid mesh) encloses is found row by row:
 * cells that it does not pass are wholly inside or wholly outside, so one point tells for a whole run of them.
 * Clear cases of segments and triangles are decided in doubles, all others by the core's exact relations, with grid lines as they were
 * rounded once: neighbours share theirs.
 * Frame: world. Cost: O(m log n) relations for m cells passed of n, and one inside test for each run of a row.
 */

import { spend } from '../containers/budget.ts'
import { KEPT_ENTRIES } from '../containers/scratch.ts'
import { orderOfWhole } from '../containers/sorting.ts'
import {
  APART,
  type Corners,
  clearRelation,
  createCorners,
  OPEN,
  OVERLAPPING,
  setBoxOfCorners,
  TOUCHING,
} from './box-simplex.ts'

/** Cells of equal size. Line i of axis k is at `origin[k] + i · cellSize`, rounded twice. */
export interface SectorGrid {
  origin: readonly number[]
  cellSize: number
  /** Cells along each axis: columns, rows, and in space layers. */
  counts: readonly number[]
}

/** What a leaf does to cells: may hold them, is part of a boundary that may enclose them, or only passes them. */
export type LeafRole = 'solid' | 'rim' | 'thin'

/** The bodies of a dimension. Boxes are least, then greatest coordinates. A returned body is valid until the next one is asked for. */
export interface SectorShapes<Body> {
  leafCount(body: Body): number
  partCount(body: Body): number
  leaf(body: Body, leaf: number): Body
  role(body: Body, leaf: number): LeafRole
  partOf(body: Body, leaf: number): number
  /** The corners of a leaf that is a segment of the plane or a triangle of space without a skin. */
  setCorners(leaf: Body, out: Corners): void
  /** A box about the body, rounded outward. */
  setOuterBox(body: Body, box: Float64Array): void
  /** The box as a body. */
  boxBody(box: Float64Array): Body
  /** Whether the two meet, exactly, and −1 where they overlap, 0 where they touch, 1 where they are apart. */
  meets(a: Body, b: Body): boolean
  relate(a: Body, b: Body): -1 | 0 | 1
  pointBody(place: ArrayLike<number>): Body
  /** Whether the point is inside of the boundary of a part, and not on it. */
  holds(body: Body, part: number, point: Body): boolean
  /** Whether the parts together hold the box; false where that is not known. */
  covers(body: Body, box: Body): boolean
  /** How the caller counts a leaf: an edge, a triangle, a child of a compound; −1 for a convex body. ~p is part p as a whole: −1 but for a child. */
  nameOf(body: Body, leaf: number): number
}

/**
 * Told about each cell that the body passes, in the order of `cellIndex`. `leaves[from … to − 1]`: those that pass it, ascending, and ~p for a
 * part p that encloses it.
 */
type OnCell = (cell: number, isFull: boolean, leaves: Int32Array, from: number, to: number) => void

/** More passages of leaves through cells than may be. */
export class TooManyPassages extends Error {}

const PASSES = 0
/** A boundary that does not enter the open cell. */
const TOUCHES = 1
const HOLDS = 2

/** Passages of leaves through cells. */
interface Passages {
  count: number
  cells: Int32Array
  leaves: Int32Array
  states: Uint8Array
}

const box = new Float64Array(6)
const partBox = new Float64Array(6)
const leafBox = new Float64Array(6)
const corner = new Float64Array(3)
/** Of the leaf under way. */
const corners = createCorners()

/** Scratch, which grows. */
const passages: Passages = {
  count: 0,
  cells: new Int32Array(64),
  leaves: new Int32Array(64),
  states: new Uint8Array(64),
}

function reserve(out: Passages, size: number): void {
  const { cells, leaves, states, count } = out
  out.cells = new Int32Array(size)
  out.leaves = new Int32Array(size)
  out.states = new Uint8Array(size)
  out.cells.set(cells.subarray(0, count))
  out.leaves.set(leaves.subarray(0, count))
  out.states.set(states.subarray(0, count))
}

/** Tells of all cells that the body passes. Throws `TooManyPassages` beyond `most` of them, counted for each leaf. */
export function visitSectors<Body>(
  body: Body,
  grid: SectorGrid,
  shapes: SectorShapes<Body>,
  most: number,
  onCell: OnCell,
): void {
  const leafCount = shapes.leafCount(body)
  const search: Search<Body> = {
    grid,
    shapes,
    body,
    most,
    leaf: 0,
    leafBody: body,
    role: 'thin',
    low: [0, 0, 0],
    high: [0, 0, 0],
  }
  try {
    for (let from = 0; from < leafCount; ) from = addPart(search, from, leafCount)
    tell(search, onCell)
  } finally {
    passages.count = 0
    if (passages.cells.length > KEPT_ENTRIES) reserve(passages, 64)
  }
}

interface Search<Body> {
  readonly grid: SectorGrid
  readonly shapes: SectorShapes<Body>
  readonly body: Body
  readonly most: number
  /** The leaf under way, and the role that all leaves of its part have. */
  leaf: number
  leafBody: Body
  role: LeafRole
  /** The range of cells under way: first and last along each axis. */
  readonly low: number[]
  readonly high: number[]
}

/** Adds the passages of the part whose first leaf is `from`; returns the first leaf of the next part. */
function addPart<Body>(search: Search<Body>, from: number, leafCount: number): number {
  const { shapes, body } = search
  const part = shapes.partOf(body, from)
  const first = passages.count
  search.role = shapes.role(body, from)
  const isFilled = search.role === 'rim'
  partBox.fill(Infinity, 0, 3)
  partBox.fill(-Infinity, 3, 6)
  let leaf = from
  for (; leaf < leafCount && shapes.partOf(body, leaf) === part; leaf++) {
    search.leaf = leaf
    search.leafBody = shapes.leaf(body, leaf)
    shapes.setCorners(search.leafBody, corners)
    if (corners.count > 0) setBoxOfCorners(corners, leafBox)
    else shapes.setOuterBox(search.leafBody, leafBox)
    if (isFilled) {
      for (let k = 0; k < 3; k++) {
        partBox[k] = Math.min(partBox[k], leafBox[k])
        partBox[k + 3] = Math.max(partBox[k + 3], leafBox[k + 3])
      }
    }
    spend(2)
    if (!setRange(search, leafBox)) continue
    const [c, r, l] = search.low
    const [d, s, m] = search.high
    addBlock(search, c, d, r, s, l, m)
  }
  if (isFilled && setRange(search, partBox)) fill(search, part, first)
  return leaf
}

/** Sets the range of the cells that the box meets; false where there are none. */
function setRange<Body>({ grid, low, high }: Search<Body>, around: Float64Array): boolean {
  const { counts } = grid
  for (let k = 0; k < 3; k++) {
    low[k] = 0
    high[k] = 0
    if (k >= counts.length) continue
    const most = counts[k] - 1
    if (lineAt(grid, k, 0) > around[k + 3] || lineAt(grid, k, most + 1) < around[k]) return false
    low[k] = leastFrom(0, most, (i) => lineAt(grid, k, i + 1) >= around[k])
    high[k] = leastFrom(low[k], most + 1, (i) => lineAt(grid, k, i) > around[k + 3]) - 1
  }
  return true
}

/** The least number from `low` to `high` for which the test, false and then true, is true; `high` is taken to be one. */
function leastFrom(low: number, high: number, test: (i: number) => boolean): number {
  let from = low
  let to = high
  while (from < to) {
    const middle = (from + to) >>> 1
    if (test(middle)) to = middle
    else from = middle + 1
  }
  return from
}

function lineAt({ origin, cellSize }: SectorGrid, axis: number, index: number): number {
  return origin[axis] + index * cellSize
}

/** Cells are counted by columns, then rows, then layers. */
function cellIndex({ counts }: SectorGrid, column: number, row: number, layer: number): number {
  return (layer * counts[1] + row) * counts[0] + column
}

/** Column, row and layer of a cell by its index; the layer is 0 in the plane. */
export function cellAt({ counts }: SectorGrid, index: number): [column: number, row: number, layer: number] {
  const [columns, rows] = counts
  const line = Math.floor(index / columns)
  const layer = Math.floor(line / rows)
  return [index - line * columns, line - layer * rows, layer]
}

/** Adds the passages of the leaf through the block from cell (c, r, l) to cell (d, s, m). */
function addBlock<Body>(search: Search<Body>, c: number, d: number, r: number, s: number, l: number, m: number): void {
  const { grid, shapes, leaf, leafBody, role } = search
  setBlock(grid, c, d, r, s, l, m)
  spend(2)
  const isOne = c === d && r === s && l === m
  let relation: number = clearRelation(corners, box)
  if (relation === OPEN) {
    spend(4)
    const block = shapes.boxBody(box)
    if (role === 'rim' && isOne) relation = shapes.relate(leafBody, block)
    else relation = shapes.meets(leafBody, block) ? OVERLAPPING : APART
  }
  if (relation === APART) return
  if (role === 'solid' && holdsCorners(search)) {
    for (let layer = l; layer <= m; layer++) {
      for (let row = r; row <= s; row++) {
        for (let column = c; column <= d; column++) add(search, cellIndex(grid, column, row, layer), leaf, HOLDS)
      }
    }
    return
  }
  if (isOne) {
    add(search, cellIndex(grid, c, r, l), leaf, relation === TOUCHING ? TOUCHES : PASSES)
    return
  }
  const columns = d - c
  const rows = s - r
  const layers = m - l
  if (columns >= rows && columns >= layers) {
    const middle = (c + d) >> 1
    addBlock(search, c, middle, r, s, l, m)
    addBlock(search, middle + 1, d, r, s, l, m)
  } else if (rows >= layers) {
    const middle = (r + s) >> 1
    addBlock(search, c, d, r, middle, l, m)
    addBlock(search, c, d, middle + 1, s, l, m)
  } else {
    const middle = (l + m) >> 1
    addBlock(search, c, d, r, s, l, middle)
    addBlock(search, c, d, r, s, middle + 1, m)
  }
}

function setBlock(grid: SectorGrid, c: number, d: number, r: number, s: number, l: number, m: number): void {
  box[0] = lineAt(grid, 0, c)
  box[1] = lineAt(grid, 1, r)
  box[3] = lineAt(grid, 0, d + 1)
  box[4] = lineAt(grid, 1, s + 1)
  const isInSpace = grid.counts.length > 2
  box[2] = isInSpace ? lineAt(grid, 2, l) : 0
  box[5] = isInSpace ? lineAt(grid, 2, m + 1) : 0
}

/** Whether the leaf, which is convex and has the outer box `leafBox`, holds all corners of `box`, and so all of it. */
function holdsCorners<Body>({ grid, shapes, leafBody }: Search<Body>): boolean {
  const axes = grid.counts.length
  for (let k = 0; k < axes; k++) if (box[k] < leafBox[k] || box[k + 3] > leafBox[k + 3]) return false
  spend(1 << axes)
  for (let i = 0; i < 1 << axes; i++) {
    for (let k = 0; k < axes; k++) corner[k] = box[(i >> k) & 1 ? k + 3 : k]
    if (!shapes.meets(leafBody, shapes.pointBody(corner))) return false
  }
  return true
}

function add<Body>({ most }: Search<Body>, cell: number, leaf: number, state: number): void {
  const { count } = passages
  if (count >= most) throw new TooManyPassages()
  spend(1)
  if (count === passages.cells.length) reserve(passages, 2 * count)
  passages.cells[count] = cell
  passages.leaves[count] = leaf
  passages.states[count] = state
  passages.count++
}

/** Adds what the boundary encloses whose passages begin at `first`, in the range that is set. */
function fill<Body>(search: Search<Body>, part: number, first: number): void {
  const { grid, low, high } = search
  const { cells, states } = passages
  const order = orderOfWhole(cells, first, passages.count)
  let at = 0
  for (let layer = low[2]; layer <= high[2]; layer++) {
    for (let row = low[1]; row <= high[1]; row++) {
      const begin = cellIndex(grid, 0, row, layer)
      spend(1)
      // cells of the row before `next` are dealt with
      let next = low[0]
      while (next <= high[0]) {
        // the range is as wide as the boundary: passages of earlier cells do not occur
        const passed = at < order.length && cells[order[at]] <= begin + high[0] ? cells[order[at]] - begin : high[0] + 1
        if (passed > next && isInside(search, part, next, row, layer)) {
          for (let column = next; column < passed; column++) add(search, begin + column, ~part, HOLDS)
        }
        next = passed + 1
        if (passed > high[0]) break
        let isTouched = true
        for (; at < order.length && cells[order[at]] === begin + passed; at++) {
          if (states[order[at]] !== TOUCHES) isTouched = false
        }
        if (isTouched && isInside(search, part, passed, row, layer)) add(search, begin + passed, ~part, HOLDS)
      }
    }
  }
}

function isInside<Body>({ grid, shapes, body }: Search<Body>, part: number, c: number, r: number, l: number): boolean {
  spend(4)
  setBlock(grid, c, c, r, r, l, l)
  for (let k = 0; k < 3; k++) corner[k] = box[k] / 2 + box[k + 3] / 2
  return shapes.holds(body, part, shapes.pointBody(corner))
}

function tell<Body>({ grid, shapes, body }: Search<Body>, onCell: OnCell): void {
  const { cells, leaves, states } = passages
  const order = orderOfWhole(cells, 0, passages.count)
  const passing = new Int32Array(order.length)
  const hasParts = shapes.partCount(body) > 1
  for (let at = 0; at < order.length; ) {
    const cell = cells[order[at]]
    let isFull = false
    let isShared = false
    let part = -1
    let to = 0
    const from = at
    for (; at < order.length && cells[order[at]] === cell; at++) {
      const i = order[at]
      if (states[i] === HOLDS) isFull = true
      const leaf = leaves[i]
      if (hasParts && leaf >= 0) {
        const own = shapes.partOf(body, leaf)
        if (part < 0) part = own
        else if (own !== part) isShared = true
      }
      passing[to++] = leaf
    }
    if (isShared && !isFull) {
      spend(at - from)
      const [column, row, layer] = cellAt(grid, cell)
      setBlock(grid, column, column, row, row, layer, layer)
      isFull = shapes.covers(body, shapes.boxBody(box))
    }
    onCell(cell, isFull, passing, 0, to)
  }
}
