/**
 * Which cells of a grid hang together: each with the neighbours of its value along its sides, and of what has too many corners each
 * with those in the same block.
 *
 * Method: pieces are numbered by union and find as their cells come row by row. Corners are counted without walking around: a cell
 * has one wherever both neighbours beside a corner of it are of other pieces, or both of its own and the cell between them is not.
 * Pieces with too many are numbered anew within blocks of half the side, again and again; blocks that are powers of two lie within
 * each other, so that what has been parted stays parted, and nothing else is looked at again.
 * Frame: columns and rows of the grid; places have a margin of one cell all round. Cost O(cells), and for those of pieces that are cut
 * once more for each halving.
 */

export interface Grid {
  columns: number
  rows: number
  /** Row by row; cells of one value are joined, those of 0 are empty. */
  values: ArrayLike<number>
}

export interface CellPieces {
  /** Of each place, the number of its piece from 0 by first cells, row by row; −1 of empty ones and of the margin. */
  labels: Int32Array
  /** Places from a row to the next. */
  stride: number
  count: number
}

/** Where a cell lies among the places. */
export function placeOf(column: number, row: number, stride: number): number {
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

/** What has been numbered last; null: all. */
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
