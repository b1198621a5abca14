/**
 * Solid cells of a grid joined to regions: what touches along a side is one, without seams.
 *
 * Method: the sides between a piece (`cell-pieces.ts`) and what is not of it are walked with its cell on one hand; where two cells meet
 * in a corner alone, the walk stays with its own. Each loop is an outline or a hole by its sign; a hole belongs to the piece whose cell
 * it runs along. Corners of all loops lie in one list until the regions are made of them, one after the other.
 * Frame: columns and rows of the grid; whole numbers. Cost O(cells).
 */

import type { Vec2 } from '../../../schemas/vector.ts'
import { type CellPieces, type Grid, placeOf } from './cell-pieces.ts'

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

/** Corners of loops, one after the other, and where each begins. */
class Loops {
  #corners = new Int32Array(1024)
  #size = 0
  readonly starts: number[] = [0]
  /** Of each loop. */
  readonly pieces: number[] = []

  add(corner: number): void {
    if (this.#size === this.#corners.length) {
      const larger = new Int32Array(2 * this.#size)
      larger.set(this.#corners)
      this.#corners = larger
    }
    this.#corners[this.#size++] = corner
  }

  close(piece: number): void {
    this.starts.push(this.#size)
    this.pieces.push(piece)
  }

  /** Corners are places of the cells to whose upper left they lie. */
  points(loop: number, stride: number): Vec2[] {
    const points: Vec2[] = []
    for (let k = this.starts[loop]; k < this.starts[loop + 1]; k++) {
      const row = Math.floor(this.#corners[k] / stride)
      points.push({ x: this.#corners[k] - row * stride - 1, y: row - 1 })
    }
    return points
  }
}

/** Regions by their first cells, row by row, made of their loops when somebody asks. Parts of what had to be cut touch each other. */
export class CellRegions implements Iterable<CellRegion> {
  readonly count: number
  readonly #grid: Grid
  readonly #stride: number
  readonly #loops: Loops
  /** How many cells, and the place of the first. */
  readonly #sizes: Int32Array
  readonly #firsts: Int32Array
  /** The loops piece by piece, in their order, and where those of each end. */
  readonly #order: Int32Array
  readonly #ends: Int32Array

  constructor(grid: Grid, pieces: CellPieces) {
    const { loops, sizes, firsts } = loopsOf(grid, pieces)
    const { order, ends } = byPiece(loops.pieces, pieces.count)
    this.count = pieces.count
    this.#grid = grid
    this.#stride = pieces.stride
    this.#loops = loops
    this.#sizes = sizes
    this.#firsts = firsts
    this.#order = order
    this.#ends = ends
  }

  /** All of a region but its outlines. */
  cellsOf(index: number): Pick<CellRegion, 'value' | 'count' | 'column' | 'row'> {
    const first = this.#firsts[index]
    const row = Math.floor(first / this.#stride) - 1
    const column = first - (row + 1) * this.#stride - 1
    const { columns, values } = this.#grid
    return { value: values[row * columns + column], count: this.#sizes[index], column, row }
  }

  cornerCount(index: number): number {
    const { starts } = this.#loops
    return this.#loopsOf(index).reduce((sum, loop) => sum + starts[loop + 1] - starts[loop], 0)
  }

  region(index: number): CellRegion {
    const [outer, ...holes] = Array.from(this.#loopsOf(index), (loop) => this.#loops.points(loop, this.#stride))
    return { outer, holes, ...this.cellsOf(index) }
  }

  *[Symbol.iterator](): Generator<CellRegion, void, undefined> {
    for (let index = 0; index < this.count; index++) yield this.region(index)
  }

  #loopsOf(index: number): Int32Array {
    return this.#order.subarray(index === 0 ? 0 : this.#ends[index - 1], this.#ends[index])
  }
}

/** The loops with their pieces, by the first cells that they run along: of each piece the outline comes first. */
function loopsOf({ columns, rows }: Grid, { labels, stride, count }: CellPieces) {
  // Top, right, bottom and left, clockwise on a screen where y points down: the solid cell lies to the right of each.
  const beyond = [-stride, 1, stride, -1]
  /** From a cell to the one to whose upper left a side of it starts. */
  const starts = [0, 1, stride + 1, stride]
  /** A bit for each side. */
  const walked = new Uint8Array(labels.length)
  const loops = new Loops()
  const sizes = new Int32Array(count)
  const firsts = new Int32Array(count)

  /** The loop that a side lies on, from where it turns first. */
  const walk = (first: number, firstSide: number, piece: number): void => {
    let cell = first
    let side = firstSide
    do {
      walked[cell] |= 1 << side
      const next = (side + 1) & 3
      if (labels[cell + beyond[next]] !== piece) {
        // Round the own cell.
        loops.add(cell + starts[next])
        side = next
        continue
      }
      cell += beyond[next]
      const before = (side + 3) & 3
      // Straight on along the next cell, or round the corner of the one beyond that.
      if (labels[cell + beyond[side]] !== piece) continue
      cell += beyond[side]
      loops.add(cell + starts[before])
      side = before
    } while (cell !== first || side !== firstSide)
    loops.close(piece)
  }

  for (let row = 0; row < rows; row++) {
    for (let cell = placeOf(0, row, stride), end = cell + columns; cell < end; cell++) {
      const piece = labels[cell]
      if (piece < 0) continue
      if (sizes[piece]++ === 0) firsts[piece] = cell
      // The first side of the first cell is its top, and lies on the outline.
      for (let side = 0; side < 4; side++) {
        if (labels[cell + beyond[side]] !== piece && (walked[cell] & (1 << side)) === 0) walk(cell, side, piece)
      }
    }
  }
  return { loops, sizes, firsts }
}

/** The loops piece by piece, in their order, and where those of each end. */
function byPiece(pieces: readonly number[], count: number): { order: Int32Array; ends: Int32Array } {
  const ends = new Int32Array(count)
  for (const piece of pieces) ends[piece]++
  for (let piece = 1; piece < count; piece++) ends[piece] += ends[piece - 1]
  const order = new Int32Array(pieces.length)
  for (let loop = pieces.length - 1; loop >= 0; loop--) order[--ends[pieces[loop]]] = loop
  // the ends have become beginnings
  return { order, ends: ends.map((_, piece) => (piece + 1 < count ? ends[piece + 1] : pieces.length)) }
}
