/**
 * Discs of translations that are forbidden for certain: what lies in one of them need not be looked at one by one.
 *
 * Method: a disc within a part of A, or just a point of it, less one within a part of B, is a disc of translations at which the
 * two overlap, if one of them has an inside; so is a disc within the obstacle of two leaves. A grid of cells about the origin
 * knows for each the disc that holds its middle best; discs of obstacles are learned as the search meets them.
 * Frame: as `search-body.ts`; translations are B's.
 */

import { spend } from '../../containers/budget.ts'
import { vectorLength } from '../../numeric/vector-length.ts'
import type { CObstacle } from './c-obstacle.ts'
import { collectDiscs, createDiscs, type Discs } from './discs.ts'
import type { SearchBody } from './search-body.ts'

export interface Cover {
  active: boolean
  count: number
  /** Discs that are there from the start; the others have been learned. */
  given: number
  x: Float64Array
  y: Float64Array
  radius: Float64Array
  /** Best disc for each cell; NONE, or UNKNOWN as long as it has not been asked for. */
  cells: Int16Array
  cellSize: number
  /** For each cell of a finer grid the leaves of A and B that forbade last there; −1: none. */
  hints: Int32Array
}

const CELLS_ACROSS = 64
/** How much finer the grid of hints is, each way. */
const HINTS_PER_CELL = 4
const CAPACITY = 2 ** 13
const UNKNOWN = -2
const NONE = -1

export function createCover(): Cover {
  return {
    active: false,
    count: 0,
    given: 0,
    x: new Float64Array(0),
    y: new Float64Array(0),
    radius: new Float64Array(0),
    cells: new Int16Array(0),
    cellSize: 0,
    hints: new Int32Array(0),
  }
}

const discsOfA: Discs = createDiscs()
const discsOfB: Discs = createDiscs()

/** Begins to cover translations up to `reach` long. `tolerance`: bound on the rounding error of distances. */
export function setCover(cover: Cover, a: SearchBody, b: SearchBody, reach: number, tolerance: number): void {
  if (cover.cells.length === 0) {
    cover.x = new Float64Array(CAPACITY)
    cover.y = new Float64Array(CAPACITY)
    cover.radius = new Float64Array(CAPACITY)
    cover.cells = new Int16Array(CELLS_ACROSS * CELLS_ACROSS)
    cover.hints = new Int32Array(2 * (CELLS_ACROSS * HINTS_PER_CELL) ** 2)
  }
  cover.cells.fill(UNKNOWN)
  cover.hints.fill(-1)
  cover.cellSize = (2 * reach) / CELLS_ACROSS
  cover.count = 0
  cover.active = cover.cellSize > 0
  collectDiscs(a, tolerance, discsOfA)
  collectDiscs(b, tolerance, discsOfB)
  for (let i = 0; i < discsOfA.count; i++) {
    for (let j = 0; j < discsOfB.count; j++) {
      const radius = discsOfA.radius[i] + discsOfB.radius[j]
      const x = discsOfA.x[i] - discsOfB.x[j]
      const y = discsOfA.y[i] - discsOfB.y[j]
      if (vectorLength(x, y) - radius < reach) addDisc(cover, x, y, radius, tolerance)
    }
  }
  cover.given = cover.count
}

/** Discs are kept a few tolerances smaller than they are; −1 for one that is too small to be of use. */
function addDisc(cover: Cover, x: number, y: number, radius: number, tolerance: number): number {
  const kept = radius - 16 * tolerance
  if (!(kept > cover.cellSize / 4) || cover.count === CAPACITY) return NONE
  const disc = cover.count++
  cover.x[disc] = x
  cover.y[disc] = y
  cover.radius[disc] = kept
  return disc
}

/** The cell in which a translation lies; −1 outside the grid. */
function cellAt({ cellSize }: Cover, x: number, y: number): number {
  return cellOf(x / cellSize, y / cellSize, CELLS_ACROSS)
}

/** The cell of a grid of so many each way about the origin. */
function cellOf(x: number, y: number, across: number): number {
  const column = Math.floor(x) + across / 2
  const row = Math.floor(y) + across / 2
  if (!(column >= 0 && column < across && row >= 0 && row < across)) return -1
  return row * across + column
}

/** Where in `hints` the leaves are that forbade last near a translation; −1 outside the grid. */
export function hintAt({ cellSize }: Cover, x: number, y: number): number {
  const size = cellSize / HINTS_PER_CELL
  return 2 * cellOf(x / size, y / size, CELLS_ACROSS * HINTS_PER_CELL)
}

/** How deep the middle of a cell lies in a disc. */
function depthAt({ cellSize, x, y, radius }: Cover, cell: number, disc: number): number {
  const middleX = ((cell % CELLS_ACROSS) - CELLS_ACROSS / 2 + 0.5) * cellSize
  const middleY = (Math.floor(cell / CELLS_ACROSS) - CELLS_ACROSS / 2 + 0.5) * cellSize
  const dx = middleX - x[disc]
  const dy = middleY - y[disc]
  return radius[disc] - Math.sqrt(dx * dx + dy * dy)
}

/** The disc to ask about a translation; −1 when there is none. */
export function discAt(cover: Cover, x: number, y: number): number {
  const cell = cellAt(cover, x, y)
  if (cell < 0) return NONE
  const known = cover.cells[cell]
  if (known !== UNKNOWN) return known
  spend(1 + (cover.given >>> 3))
  let best = NONE
  let most = -cover.cellSize / 2
  for (let disc = 0; disc < cover.given; disc++) {
    const depth = depthAt(cover, cell, disc)
    if (depth <= most) continue
    most = depth
    best = disc
  }
  cover.cells[cell] = best
  return best
}

export function isInDisc({ x, y, radius }: Cover, disc: number, px: number, py: number): boolean {
  const dx = px - x[disc]
  const dy = py - y[disc]
  return dx * dx + dy * dy < radius[disc] * radius[disc]
}

/** Whether a box of translations lies in one disc. */
export function isBoxCovered(cover: Cover, minX: number, minY: number, maxX: number, maxY: number): boolean {
  const disc = discAt(cover, (minX + maxX) / 2, (minY + maxY) / 2)
  if (disc < 0) return false
  const dx = Math.max(cover.x[disc] - minX, maxX - cover.x[disc])
  const dy = Math.max(cover.y[disc] - minY, maxY - cover.y[disc])
  return dx * dx + dy * dy < cover.radius[disc] * cover.radius[disc]
}

/** Learns from an obstacle that forbids the translation: a disc about its middle. */
export function learnFrom(cover: Cover, o: CObstacle, tx: number, ty: number, tolerance: number): void {
  if (cover.count === CAPACITY || o.hollow || o.count < 3) return
  const cell = cellAt(cover, tx, ty)
  if (cell < 0) return
  let x = 0
  let y = 0
  for (let k = 0; k < o.count; k++) {
    x += o.x[k] / o.count
    y += o.y[k] / o.count
  }
  let radius = Infinity
  for (let k = 0; k < o.count; k++) radius = Math.min(radius, o.height[k] - o.nx[k] * x - o.ny[k] * y)
  radius += o.radius
  const disc = addDisc(cover, x, y, radius, tolerance)
  if (disc < 0) return
  const known = cover.cells[cell]
  if (known >= 0 && depthAt(cover, cell, known) >= depthAt(cover, cell, disc)) cover.count--
  else cover.cells[cell] = disc
}

/** Gives back what it needed. */
export function forgetCover(cover: Cover): void {
  if (cover.cells.length > 0) Object.assign(cover, createCover())
}
