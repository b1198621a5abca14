/**
 * A layer of equal cells, solid where they have a value: as regions, or one box for each.
 * Frame: pixels of the editor.
 */

import type { Body2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { noteCount, noteStage } from '../containers/progress.ts'
import { type Drawing, type Drawn, draw, FEWER_OPERATIONS } from './drawing.ts'
import { ImportFault } from './source-files.ts'

interface CellLayer extends Pick<Drawn, 'layer' | 'kind' | 'isHidden' | 'where'> {
  grid: Grid
  /** Place of the first cell of the grid, as the file counts; the origin is where the place 0, 0 begins. */
  first: { column: number; row: number }
  cellWidth: number
  cellHeight: number
  origin: Vec2
  /** Before the place of a cell in its key, where several layers have the same name. */
  prefix: string
  tagsOf(value: number): readonly string[]
}

/** Where cells that are joined are more pieces than one write takes: they may be taken together. */
export class TooManyPieces extends ImportFault {
  constructor(where: string) {
    super('too-many-operations', where, `Its joined cells are more bodies than one write makes. ${FEWER_OPERATIONS}`)
  }
}

export function drawCells(drawing: Drawing, layer: CellLayer, isMerged: boolean): void {
  const { grid } = layer
  if (isMerged) {
    noteStage('merging')
    const { groupSide: side, mostVertices, mostPieces, bodyCount } = drawing
    const left = mostPieces - bodyCount
    const pieces = cellPieces(grid, mostVertices, side === 0 ? left : Infinity)
    if (side === 0 && pieces.count > left) throw new TooManyPieces(layer.where)
    const regions = new CellRegions(grid, pieces)
    const groups = side === 0 ? null : cellGroups(regions, side)
    const count = groups?.length ?? regions.count
    if (count > left) throw new TooManyPieces(layer.where)
    drawing.merged += count
    if (groups === null) for (const region of regions) drawRegions(drawing, layer, [region])
    else
      for (const group of groups)
        drawRegions(
          drawing,
          layer,
          group.map((index) => regions.region(index)),
        )
    noteCount('cells', drawing.cells)
    noteStage('reading')
    return
  }
  for (let cell = 0; cell < grid.columns * grid.rows; cell++) {
    if (grid.values[cell] === 0) continue
    drawing.cells++
    drawCell(drawing, layer, cell % grid.columns, Math.floor(cell / grid.columns), grid.values[cell])
  }
  noteCount('cells', drawing.cells)
}

const keyOf = ({ prefix, first }: CellLayer, column: number, row: number): string =>
  `${prefix}${first.column + column}.${first.row + row}`

function cornerOf({ origin, first, cellWidth, cellHeight }: CellLayer): Vec2 {
  return { x: origin.x + first.column * cellWidth, y: origin.y + first.row * cellHeight }
}

function drawCell(drawing: Drawing, layer: CellLayer, column: number, row: number, value: number): void {
  const { cellWidth: width, cellHeight: height, kind, tagsOf, layer: name, isHidden, where } = layer
  const origin = cornerOf(layer)
  draw(drawing, {
    layer: name,
    key: keyOf(layer, column, row),
    kind,
    shape: { type: 'box', width, height },
    position: { x: origin.x + (column + 0.5) * width, y: origin.y + (row + 0.5) * height },
    ...(isHidden && { isHidden }),
    tags: tagsOf(value),
    where,
  })
}

/** Several are one body. */
function drawRegions(drawing: Drawing, layer: CellLayer, regions: readonly CellRegion[]): void {
  const { kind, tagsOf, layer: name, isHidden, where } = layer
  const [{ value, column, row }] = regions
  for (const { count } of regions) drawing.cells += count
  draw(drawing, {
    layer: name,
    key: keyOf(layer, column, row),
    kind,
    ...(regions.length === 1 ? placedRegion(regions[0], layer, cornerOf(layer)) : compoundOfRegions(regions, layer)),
    ...(isHidden && { isHidden }),
    tags: tagsOf(value),
    where,
  })
}

function compoundOfRegions(regions: readonly CellRegion[], layer: CellLayer): Body2d {
  const children = regions.map((region) => placedRegion(region, layer, null))
  return { shape: { children, type: 'compound' }, position: cornerOf(layer) }
}

/** `origin`: null where the body that it is part of stands there. */
function placedRegion({ outer, holes }: CellRegion, layer: CellLayer, origin: Vec2 | null): Body2d {
  const { cellWidth, cellHeight } = layer
  if (outer.length === 4 && holes.length === 0) return boxOf(outer, origin ?? { x: 0, y: 0 }, layer)
  const inPixels = (ring: readonly Vec2[]): Vec2[] => ring.map(({ x, y }) => ({ x: x * cellWidth, y: y * cellHeight }))
  return {
    ...(origin !== null && { position: origin }),
    // in the order of canonical text
    shape: { ...(holes.length > 0 && { holes: holes.map(inPixels) }), outer: inPixels(outer), type: 'region' },
  }
}

/** Of four corners. */
function boxOf([a, b, c]: readonly Vec2[], origin: Vec2, { cellWidth, cellHeight }: CellLayer) {
  const width = Math.max(Math.abs(b.x - a.x), Math.abs(c.x - b.x)) * cellWidth
  const height = Math.max(Math.abs(b.y - a.y), Math.abs(c.y - b.y)) * cellHeight
  const position = { x: origin.x + ((a.x + c.x) / 2) * cellWidth, y: origin.y + ((a.y + c.y) / 2) * cellHeight }
  return { position, shape: { height, type: 'box', width } as const }
}

// Small regions of cells that lie near each other, together: as many bodies as there are specks in a map of noise, no write takes.
//
// Those of one value that begin in the same block are a group, as long as they are small against it; others stay alone. So what is a
// group hangs on the cells near it and on nothing else of the map.

/** Corners of a region from which on it stays alone, and regions of one group: the service takes ten times as many parts. */
const MOST_CORNERS = 64
const MOST_REGIONS = 1024

/** `side`: of blocks, in cells. The regions of each group by their numbers, the groups in the order of their first ones. */
function cellGroups(regions: CellRegions, side: number): number[][] {
  const groups: number[][] = []
  const open = new Map<string, number[]>()
  for (let index = 0; index < regions.count; index++) {
    const { value, count, column, row } = regions.cellsOf(index)
    const isSmall = count <= side * side && regions.cornerCount(index) <= MOST_CORNERS
    const key = `${value}.${Math.floor(column / side)}.${Math.floor(row / side)}`
    const group = isSmall ? open.get(key) : undefined
    if (group !== undefined && group.length < MOST_REGIONS) {
      group.push(index)
      continue
    }
    const begun = [index]
    groups.push(begun)
    if (isSmall) open.set(key, begun)
  }
  return groups
}

// Solid cells of a grid joined to regions: what touches along a side is one, without seams.
//
// Method: the sides between a piece (`cellPieces`) and what is not of it are walked with its cell on one hand; where two cells meet
// in a corner alone, the walk stays with its own. Each loop is an outline or a hole by its sign; a hole belongs to the piece whose cell
// it runs along. Corners of all loops lie in one list until the regions are made of them, one after the other.
// Frame: columns and rows of the grid; whole numbers. Cost O(cells).

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

/** Regions by their first cells, row by row, made of their loops on demand. Parts of a region that had to be cut touch each other. */
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

// Which cells of a grid hang together: each with the neighbours of its value along its sides, and of what has too many corners each
// with those in the same block.
//
// Method: pieces are numbered by union and find as their cells come row by row. Corners are counted without walking around: a cell
// has one wherever both neighbours beside a corner of it are of other pieces, or both of its own and the cell between them is not.
// Pieces with too many are numbered anew within blocks of half the side, again and again; blocks that are powers of two lie within
// each other, so that what has been parted stays parted, and nothing else is looked at again.
// Frame: columns and rows of the grid; places have a margin of one cell all round. Cost O(cells), and for those of pieces that are cut
// once more for each halving.

export interface Grid {
  columns: number
  rows: number
  /** Row by row; cells of one value are joined, those of 0 are empty. */
  values: ArrayLike<number>
}

interface CellPieces {
  /** Of each place, the number of its piece from 0 by first cells, row by row; −1 of empty ones and of the margin. */
  labels: Int32Array
  /** Places from a row to the next. */
  stride: number
  count: number
}

/** Where a cell lies among the places. */
function placeOf(column: number, row: number, stride: number): number {
  return (row + 1) * stride + column + 1
}

/** None of several cells has more corners than `mostCorners`; but where there are more than `mostPieces` none is cut. */
export function cellPieces(grid: Grid, mostCorners = Infinity, mostPieces = Infinity): CellPieces {
  const { columns, rows } = grid
  const stride = columns + 2
  const labels = new Int32Array(stride * (rows + 2)).fill(-1)
  const whole = labelAll(grid, labels, stride)
  if (mostCorners === Infinity || whole > mostPieces) return { labels, stride, count: whole }
  let largest = cellsOfLarge(labels, stride, whole, mostCorners, null)
  if (largest.length === 0) return { labels, stride, count: whole }
  let next = whole
  for (let shift = Math.ceil(Math.log2(Math.max(columns, rows))) - 1; largest.length > 0; shift--) {
    const from = next
    next = labelInBlocks(labels, stride, largest, shift, from)
    largest = cellsOfLarge(labels, stride, next, mostCorners, { cells: largest, from })
  }
  return { labels, stride, count: renumber(labels, next) }
}

/** Labels that may turn out to be of one piece. */
class Unions {
  #parents = new Int32Array(1024)
  count = 0

  add(): number {
    if (this.count === this.#parents.length) {
      const larger = new Int32Array(2 * this.count)
      larger.set(this.#parents)
      this.#parents = larger
    }
    this.#parents[this.count] = this.count
    return this.count++
  }

  root(label: number): number {
    const parents = this.#parents
    while (parents[label] !== label) {
      parents[label] = parents[parents[label]]
      label = parents[label]
    }
    return label
  }

  /** The lower one stays a root. */
  join(a: number, b: number): number {
    const p = this.root(a)
    const q = this.root(b)
    if (p < q) this.#parents[q] = p
    else this.#parents[p] = q
    return Math.min(p, q)
  }

  /** Of each label the number of its piece, by their lowest labels. */
  numbers(from: number): { numbers: Int32Array; count: number } {
    const numbers = new Int32Array(this.count)
    let count = from
    // roots come before those that have them
    for (let label = 0; label < this.count; label++) {
      const root = this.root(label)
      numbers[label] = root === label ? count++ : numbers[root]
    }
    return { numbers, count }
  }
}

function labelAll({ columns, rows, values }: Grid, labels: Int32Array, stride: number): number {
  const unions = new Unions()
  for (let row = 0, cell = 0; row < rows; row++) {
    for (let column = 0, at = placeOf(0, row, stride); column < columns; column++, cell++, at++) {
      const value = values[cell]
      if (value === 0) continue
      const isLeft = column > 0 && values[cell - 1] === value
      const isAbove = row > 0 && values[cell - columns] === value
      if (isLeft && isAbove) {
        const left = labels[at - 1]
        const above = labels[at - stride]
        labels[at] = left === above ? left : unions.join(left, above)
      } else if (isLeft) labels[at] = labels[at - 1]
      else labels[at] = isAbove ? labels[at - stride] : unions.add()
    }
  }
  const { numbers, count } = unions.numbers(0)
  for (let at = 0; at < labels.length; at++) if (labels[at] >= 0) labels[at] = numbers[labels[at]]
  return count
}

/** `cells`: places of large pieces, in order; their labels are from `from` on afterwards. Returns the next label. */
function labelInBlocks(labels: Int32Array, stride: number, cells: Int32Array, shift: number, from: number): number {
  const unions = new Unions()
  /** Of each new label the piece that it is part of. */
  const parts: number[] = []
  const within = (1 << shift) - 1
  let row = 0
  for (const at of cells) {
    const piece = labels[at]
    while (at >= (row + 1) * stride) row++
    const column = at - row * stride
    // one that has a new label comes before this one, and lies in the same block of the next size where it is of the same piece
    const labelOf = (other: number): number => {
      const label = labels[other] - from
      return label >= 0 && parts[label] === piece ? label : -1
    }
    const left = ((column - 1) & within) === 0 ? -1 : labelOf(at - 1)
    const above = ((row - 1) & within) === 0 ? -1 : labelOf(at - stride)
    let label: number
    if (left >= 0 && above >= 0) label = left === above ? left : unions.join(left, above)
    else label = Math.max(left, above)
    if (label < 0) {
      label = unions.add()
      parts.push(piece)
    }
    labels[at] = from + label
  }
  const { numbers, count } = unions.numbers(from)
  for (const at of cells) labels[at] = numbers[labels[at] - from]
  return count
}

/** The cells numbered last; null: all. */
type Numbered = { cells: Int32Array; from: number } | null

/** The places of pieces that have more corners than they may, and more than one cell, in order. */
function cellsOfLarge(
  labels: Int32Array,
  stride: number,
  count: number,
  mostCorners: number,
  numbered: Numbered,
): Int32Array {
  const from = numbered?.from ?? 0
  const corners = new Int32Array(count - from)
  const sizes = new Int32Array(count - from)
  const length = numbered?.cells.length ?? labels.length
  const placeAt = (k: number): number => (numbered === null ? k : numbered.cells[k])
  for (let k = 0; k < length; k++) {
    const at = placeAt(k)
    const label = labels[at]
    if (label < 0) continue
    corners[label - from] += cornersAt(labels, stride, at)
    sizes[label - from]++
  }
  const isLarge = (label: number): boolean =>
    label >= 0 && corners[label - from] > mostCorners && sizes[label - from] > 1
  let total = 0
  for (let piece = from; piece < count; piece++) if (isLarge(piece)) total += sizes[piece - from]
  const cells = new Int32Array(total)
  if (total === 0) return cells
  for (let k = 0, n = 0; k < length; k++) {
    const at = placeAt(k)
    if (isLarge(labels[at])) cells[n++] = at
  }
  return cells
}

/** How many corners of its piece's outlines a cell accounts for. */
function cornersAt(labels: Int32Array, stride: number, at: number): number {
  const own = labels[at]
  const up = labels[at - stride] === own
  const right = labels[at + 1] === own
  const down = labels[at + stride] === own
  const left = labels[at - 1] === own
  return (
    (up === left && !(up && labels[at - stride - 1] === own) ? 1 : 0) +
    (up === right && !(up && labels[at - stride + 1] === own) ? 1 : 0) +
    (down === right && !(down && labels[at + stride + 1] === own) ? 1 : 0) +
    (down === left && !(down && labels[at + stride - 1] === own) ? 1 : 0)
  )
}

/** Numbers the pieces by their first cells. */
function renumber(labels: Int32Array, most: number): number {
  const numbers = new Int32Array(most).fill(-1)
  let count = 0
  for (let at = 0; at < labels.length; at++) {
    const label = labels[at]
    if (label < 0) continue
    if (numbers[label] < 0) numbers[label] = count++
    labels[at] = numbers[label]
  }
  return count
}
