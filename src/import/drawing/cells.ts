/**
 * Solid cells of a grid joined to regions: what touches along a side is one, without seams.
 *
 * Method: the sides between solid and empty are walked with the solid cell on one hand; where two cells meet in a corner alone, the
 * walk stays with its own. Each loop is an outline or a hole by its sign; a hole belongs to the piece whose cell it runs along.
 * A piece with too many corners is cut along the lines of a coarse grid, by halves until each part has few enough; a block of one
 * cell has four.
 * Frame: columns and rows of the grid; whole numbers. Cost O(cells), times the logarithm of the side where pieces are cut.
 */

import type { Vec2 } from '../../../schemas/vec2.ts'

export interface Grid {
  columns: number
  rows: number
  /** Row by row; cells of one value are joined, those of 0 are empty. */
  values: ArrayLike<number>
}

export interface CellRegion {
  value: number
  /** Corners, without those on straight sides. */
  outer: Vec2[]
  holes: Vec2[][]
  /** How many cells. */
  count: number
  /** The first of them, row by row. */
  column: number
  row: number
}

// Top, right, bottom and left, clockwise on a screen where y points down: the solid cell lies to the right of each.
const SIDES = [0, 1, 2, 3] as const

/** Where the sides start, and where they lead. */
const START: readonly Vec2[] = [
  { x: 0, y: 0 },
  { x: 1, y: 0 },
  { x: 1, y: 1 },
  { x: 0, y: 1 },
]
/** Of the cell beyond each side. */
const BEYOND: readonly Vec2[] = [
  { x: 0, y: -1 },
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: -1, y: 0 },
]

/**
 * The regions by their first cells, row by row; none of several cells has more corners than `mostCorners`. Parts of what had to be
 * cut touch each other along the cuts.
 */
export function cellRegions(grid: Grid, mostCorners = Infinity): CellRegion[] {
  const { columns, rows } = grid
  // blocks that are powers of two lie within each other: what has been parted stays parted
  const shifts = new Uint8Array(columns * rows).fill(Math.ceil(Math.log2(Math.max(columns, rows, 1))))
  for (;;) {
    const pieces = piecesOf(grid, shifts)
    const regions = regionsOf(grid, pieces)
    const isLarge = regions.map(({ outer, holes, count }) => {
      return count > 1 && holes.reduce((sum, { length }) => sum + length, outer.length) > mostCorners
    })
    if (!isLarge.includes(true)) return regions
    for (let cell = 0; cell < pieces.length; cell++) if (pieces[cell] >= 0 && isLarge[pieces[cell]]) shifts[cell]--
  }
}

function regionsOf(grid: Grid, pieces: Int32Array): CellRegion[] {
  const { columns, rows, values } = grid
  const regions: CellRegion[] = []
  const isWalked = new Uint8Array(4 * columns * rows)
  for (let cell = 0; cell < columns * rows; cell++) {
    const piece = pieces[cell]
    if (piece < 0) continue
    if (piece === regions.length) {
      const row = Math.floor(cell / columns)
      regions.push({ value: values[cell], outer: [], holes: [], count: 0, column: cell - row * columns, row })
    }
    const region = regions[piece]
    region.count++
    for (const side of SIDES) {
      if (isWalked[4 * cell + side] === 1 || pieceBeyond(grid, pieces, cell, side) === piece) continue
      const loop = walk(grid, pieces, cell, side, isWalked)
      // The first side of the first cell is its top, and lies on the outline.
      if (region.outer.length === 0) region.outer = loop
      else region.holes.push(loop)
    }
  }
  return regions
}

/**
 * Of each cell which piece it belongs to, −1 of empty ones: pieces count from 0 by their first cells. Cells are joined within blocks
 * of 2 to the power of their shifts.
 */
function piecesOf({ columns, rows, values }: Grid, shifts: Uint8Array): Int32Array {
  const pieces = new Int32Array(columns * rows).fill(-1)
  const stack: number[] = []
  let count = 0
  for (let first = 0; first < pieces.length; first++) {
    if (values[first] === 0 || pieces[first] >= 0) continue
    const value = values[first]
    const shift = shifts[first]
    const block = blockOf(first, columns, shift)
    const take = (cell: number): void => {
      if (pieces[cell] >= 0 || values[cell] !== value || shifts[cell] !== shift) return
      if (blockOf(cell, columns, shift) !== block) return
      pieces[cell] = count
      stack.push(cell)
    }
    take(first)
    for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
      const column = cell % columns
      if (column > 0) take(cell - 1)
      if (column + 1 < columns) take(cell + 1)
      if (cell >= columns) take(cell - columns)
      if (cell + columns < pieces.length) take(cell + columns)
    }
    count++
  }
  return pieces
}

/** Which block of 2 to the power of `shift` cells on a side a cell lies in. */
function blockOf(cell: number, columns: number, shift: number): number {
  const row = Math.floor(cell / columns)
  return (row >> shift) * columns + ((cell - row * columns) >> shift)
}

/** −1 beyond the grid too. */
function pieceBeyond({ columns, rows }: Grid, pieces: Int32Array, cell: number, side: number): number {
  const column = (cell % columns) + BEYOND[side].x
  const row = Math.floor(cell / columns) + BEYOND[side].y
  return column < 0 || row < 0 || column >= columns || row >= rows ? -1 : pieces[row * columns + column]
}

/** The loop that a side lies on, from where it turns first. */
function walk(grid: Grid, pieces: Int32Array, first: number, firstSide: number, isWalked: Uint8Array): Vec2[] {
  const { columns } = grid
  const piece = pieces[first]
  const corners: Vec2[] = []
  let cell = first
  let side = firstSide
  do {
    isWalked[4 * cell + side] = 1
    const next = (side + 1) & 3
    if (pieceBeyond(grid, pieces, cell, next) !== piece) {
      // Round the own cell.
      corners.push(cornerAt(cell, next, columns))
      side = next
      continue
    }
    cell += BEYOND[next].x + BEYOND[next].y * columns
    const before = (side + 3) & 3
    // Straight on along the next cell, or round the corner of the one beyond that.
    if (pieceBeyond(grid, pieces, cell, side) !== piece) continue
    cell += BEYOND[side].x + BEYOND[side].y * columns
    corners.push(cornerAt(cell, before, columns))
    side = before
  } while (cell !== first || side !== firstSide)
  return corners
}

/** Where a side of a cell starts. */
function cornerAt(cell: number, side: number, columns: number): Vec2 {
  const { x, y } = START[side]
  return { x: (cell % columns) + x, y: Math.floor(cell / columns) + y }
}
