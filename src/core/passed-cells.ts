/**
 * The cells of a grid that bodies pass through, and which of their edges or triangles do (`sectors.ts`), as numbers: records are made only
 * at the end, where they take most of the time.
 */

import type { Pace, Slices } from '../containers/budget.ts'
import { orderOfWholeInSlices } from '../containers/sorting.ts'
import { cellAt, type SectorGrid, type SectorShapes, TooManyPassages, visitSectors } from './sectors.ts'

/** What other threads found out about one body, as plain arrays. */
export interface PackedCells {
  readonly found: Int32Array
  readonly names: Int32Array
}

export class PassedCells {
  readonly #grid: SectorGrid
  #left: number
  #count = 0
  /** Four numbers each: cell, body, flags (1 full, 2 convex), and where its names begin, which end where the next ones begin. */
  #found = new Int32Array(256)
  #nameCount = 0
  #names = new Int32Array(64)

  /** `most`: passages through cells that it takes. */
  constructor(grid: SectorGrid, most: number) {
    this.#grid = grid
    this.#left = most
  }

  get grid(): SectorGrid {
    return this.#grid
  }

  /** How many more passages it takes. */
  get left(): number {
    return this.#left
  }

  /** Adds the cells of a body. Throws `TooManyPassages`, or `OutOfBudget`, and then has none of them. */
  add<Body>(index: number, body: Body, shapes: SectorShapes<Body>): void {
    const left = this.#left
    const count = this.#count
    const nameCount = this.#nameCount
    const hasNames = shapes.leafCount(body) > 1 || shapes.nameOf(body, 0) >= 0
    try {
      visitSectors(body, this.#grid, shapes, left, (cell, isFull, leaves, from, to) => {
        this.#addCell(cell, index, (isFull ? 1 : 0) + (hasNames ? 0 : 2))
        if (hasNames) this.#addNames(body, shapes, leaves, from, to)
      })
      if (this.#left < 0) throw new TooManyPassages()
    } catch (error) {
      this.#left = left
      this.#count = count
      this.#nameCount = nameCount
      throw error
    }
  }

  #addCell(cell: number, index: number, flags: number): void {
    const at = 4 * this.#count++
    if (at + 4 >= this.#found.length) this.#found = grown(this.#found)
    this.#found[at] = cell
    this.#found[at + 1] = index
    this.#found[at + 2] = flags
    this.#found[at + 3] = this.#nameCount
    this.#left--
  }

  /** Ascending, each once. */
  #addNames<Body>(body: Body, shapes: SectorShapes<Body>, leaves: Int32Array, from: number, to: number): void {
    const first = this.#nameCount
    for (let i = from; i < to; i++) {
      const name = shapes.nameOf(body, leaves[i])
      if (name < 0) continue
      if (this.#nameCount === this.#names.length) this.#names = grown(this.#names)
      this.#names[this.#nameCount++] = name
    }
    const names = this.#names.subarray(first, this.#nameCount)
    if (names.length > 1) names.sort()
    this.#nameCount = first
    for (const name of names) {
      if (this.#nameCount === first || this.#names[this.#nameCount - 1] !== name) this.#names[this.#nameCount++] = name
    }
  }

  /** What was added, to be sent to another thread. */
  packed(): PackedCells {
    return { found: this.#found.slice(0, 4 * this.#count), names: this.#names.slice(0, this.#nameCount) }
  }

  /** Adds the cells of a body as another thread found them with as many passages left. */
  take(index: number, { found, names }: PackedCells): void {
    for (let at = 0; at < found.length; at += 4) {
      this.#addCell(found[at], index, found[at + 2])
      const end = at + 4 < found.length ? found[at + 7] : names.length
      for (let k = found[at + 3]; k < end; k++) {
        if (this.#nameCount === this.#names.length) this.#names = grown(this.#names)
        this.#names[this.#nameCount++] = names[k]
      }
    }
  }

  /**
   * Cells in order, each a list of its column, row and in space layer, and of the bodies in it, in their order, made by `encode`. `count`: how
   * many parts of a body pass through the cell, and `parts`: which. With pauses, in which nothing may be added; at most `limit` cells.
   */
  *list<Item>(
    encode: (body: number, cover: 'part' | 'full', count: number, parts: number[]) => Item,
    limit: number,
    pace: Pace,
  ): Slices<{ cells: unknown[][]; truncated: boolean }> {
    const isInSpace = this.#grid.counts.length > 2
    const found = this.#found
    const cells: unknown[][] = []
    let last = -1
    let bodies: Item[] = []
    for (const i of yield* orderOfWholeInSlices(found, this.#count, 4, pace)) {
      const cell = found[4 * i]
      if (cell !== last && cells.length === limit) return { cells, truncated: true }
      const from = found[4 * i + 3]
      const end = i + 1 < this.#count ? found[4 * i + 7] : this.#nameCount
      const flags = found[4 * i + 2]
      // As long as they will be: what grows is given room for 17.
      const parts = new Array<number>(end - from)
      for (let at = from; at < end; at++) parts[at - from] = this.#names[at]
      const count = flags >= 2 ? 1 : parts.length
      const item = encode(found[4 * i + 1], flags % 2 === 1 ? 'full' : 'part', count, parts)
      if (cell === last) bodies.push(item)
      else {
        last = cell
        bodies = [item]
        const [column, row, layer] = cellAt(this.#grid, cell)
        cells.push(isInSpace ? [column, row, layer, bodies] : [column, row, bodies])
      }
      if (pace.isDue(1 + (parts.length >> 3))) yield
    }
    return { cells, truncated: false }
  }
}

function grown(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const more = new Int32Array(2 * numbers.length)
  more.set(numbers)
  return more
}
