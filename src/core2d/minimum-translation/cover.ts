/**
 * Discs of translations that are forbidden for certain: what lies in one of them need not be looked at one by one.
 *
 * Method: a disc within a part of A, or just a point of it, less one within a part of B, is a disc of translations at which the
 * two overlap, if one of them has an inside; so is a disc within the obstacle of two leaves. A grid of cells about the origin
 * knows for each the disc that holds its middle best; discs of obstacles are learned as the search meets them.
 * Frame: as `search-body.ts`; translations are B's.
 */

import { spend } from '../../containers/budget.ts'
import { vectorLength } from '../../numeric/safe-range.ts'
import { boxDistanceSquare, TREE_DEPTH_COUNT } from '../broad-phase/box-tree.ts'
import { type Body, CENTER_X, CENTER_Y, HALFPLANE, isCurved, RADIUS } from '../shape/body.ts'
import { kindOf } from '../shape/kinds.ts'
import type { CObstacle } from './c-obstacle.ts'
import { placeInPart } from './part-in-outline.ts'
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
const COVER_CAPACITY = 2 ** 13
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

/** Begins to cover translations up to `reach` long. `tolerance`: bound on the rounding error of distances. */
export function setCover(cover: Cover, a: SearchBody, b: SearchBody, reach: number, tolerance: number): void {
  if (cover.cells.length === 0) {
    cover.x = new Float64Array(COVER_CAPACITY)
    cover.y = new Float64Array(COVER_CAPACITY)
    cover.radius = new Float64Array(COVER_CAPACITY)
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
      if (vectorLength(x, y) - radius < reach) coverDisc(cover, x, y, radius, tolerance)
    }
  }
  cover.given = cover.count
}

/** Discs are kept a few tolerances smaller than they are; −1 for one that is too small to be of use. */
function coverDisc(cover: Cover, x: number, y: number, radius: number, tolerance: number): number {
  const kept = radius - 16 * tolerance
  if (!(kept > cover.cellSize / 4) || cover.count === COVER_CAPACITY) return NONE
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
  if (cover.count === COVER_CAPACITY || o.hollow || o.count < 3) return
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
  const disc = coverDisc(cover, x, y, radius, tolerance)
  if (disc < 0) return
  const known = cover.cells[cell]
  if (known >= 0 && depthAt(cover, cell, known) >= depthAt(cover, cell, disc)) cover.count--
  else cover.cells[cell] = disc
}

/** Gives back what it needed. */
export function forgetCover(cover: Cover): void {
  if (cover.cells.length > 0) Object.assign(cover, createCover())
}

// Some discs within a body, and some points of it.
//
// Method: of a convex part the disc about its middle; of a region discs about those points of a coarse grid that lie deepest in
// it, by the distance to its nearest edge. Points are taken from leaves here and there.
// Frame: as `search-body.ts`.

interface Discs {
  count: number
  x: Float64Array
  y: Float64Array
  /** 0 for points. */
  radius: Float64Array
}

const PART_COUNT = 16
const REGION_COUNT = 4
const PROBES_ACROSS = 8
const DISCS_PER_REGION = 16
const POINT_COUNT = 24
const DISC_CAPACITY = PART_COUNT + REGION_COUNT * DISCS_PER_REGION + POINT_COUNT + 3

function createDiscs(): Discs {
  return {
    count: 0,
    x: new Float64Array(DISC_CAPACITY),
    y: new Float64Array(DISC_CAPACITY),
    radius: new Float64Array(DISC_CAPACITY),
  }
}

const discsOfA: Discs = createDiscs()
const discsOfB: Discs = createDiscs()

function addDisc(out: Discs, x: number, y: number, radius: number): void {
  if (out.count === DISC_CAPACITY) return
  out.x[out.count] = x
  out.y[out.count] = y
  out.radius[out.count++] = radius
}

function collectDiscs(side: SearchBody, tolerance: number, out: Discs): void {
  const { partCount, parts, leafCount, leafPart, leafEdge } = side.view
  out.count = 0
  const partStep = Math.ceil(partCount / PART_COUNT)
  for (let p = 0; p < partCount; p += partStep) addPart(side, p, out)
  let regions = 0
  const regionStep = Math.ceil(side.solidCount / REGION_COUNT)
  for (let p = 0; p < partCount && side.solidCount > 0; p++) {
    if (parts[p].outline?.solid === true && regions++ % regionStep === 0) addRegion(side, p, tolerance, out)
  }
  const leafStep = Math.ceil(leafCount / POINT_COUNT)
  for (let leaf = 0; leaf < leafCount; leaf += leafStep) {
    const p = leafPart[leaf]
    const { outline, body } = parts[p]
    const edge = leafEdge[leaf]
    if (outline !== null) {
      const { vertices } = outline
      const x = vertices[2 * edge] - vertices[0]
      addDisc(out, side.baseX[p] + x, side.baseY[p] + (vertices[2 * edge + 1] - vertices[1]), 0)
    } else if (body.count > 1) addDisc(out, side.baseX[p], side.baseY[p], body.numbers[RADIUS])
  }
}

/** A convex part: the disc about its middle. */
function addPart({ view, baseX, baseY }: SearchBody, p: number, out: Discs): void {
  const { body, outline } = view.parts[p]
  if (outline !== null || body.kind === HALFPLANE) return
  if (isCurved(body)) addDisc(out, baseX[p], baseY[p], kindOf(body).innerRadius(body, 0, 0))
  else addDisc(out, baseX[p] + body.numbers[CENTER_X], baseY[p] + body.numbers[CENTER_Y], depthOf(body))
}

function depthOf({ count, normals, offsets, numbers }: Body): number {
  const centerX = numbers[CENTER_X]
  const centerY = numbers[CENTER_Y]
  const radius = numbers[RADIUS]
  let depth = count < 3 ? 0 : Infinity
  for (let k = 0; count > 2 && k < count; k++) {
    depth = Math.min(
      depth,
      numbers[offsets + k] - numbers[normals + 2 * k] * centerX - numbers[normals + 2 * k + 1] * centerY,
    )
  }
  spend(count)
  return Math.max(depth, 0) + radius
}

const depths = new Float64Array(PROBES_ACROSS * PROBES_ACROSS)

/** The deepest points of a grid. */
function addRegion(side: SearchBody, p: number, tolerance: number, out: Discs): void {
  const { partBoxes } = side
  const minX = partBoxes[4 * p]
  const minY = partBoxes[4 * p + 1]
  const stepX = (partBoxes[4 * p + 2] - minX) / PROBES_ACROSS
  const stepY = (partBoxes[4 * p + 3] - minY) / PROBES_ACROSS
  const xOf = (probe: number): number => minX + ((probe % PROBES_ACROSS) + 0.5) * stepX
  const yOf = (probe: number): number => minY + (Math.floor(probe / PROBES_ACROSS) + 0.5) * stepY
  for (let probe = 0; probe < depths.length; probe++) {
    const x = xOf(probe)
    const y = yOf(probe)
    depths[probe] = placeInPart(side, p, x, y, tolerance) < 0 ? clearance(side, p, x, y) : 0
  }
  for (let k = 0; k < DISCS_PER_REGION; k++) {
    let deepest = 0
    for (let probe = 1; probe < depths.length; probe++) if (depths[probe] > depths[deepest]) deepest = probe
    if (!(depths[deepest] > 0)) return
    addDisc(out, xOf(deepest), yOf(deepest), depths[deepest])
    depths[deepest] = 0
  }
}

/** Nodes yet to visit: one more for each level, at most. */
const stack = new Int32Array(TREE_DEPTH_COUNT + 2)

/** Distance from a point to the nearest edge of the outline that is part `p`. Cost O(log n) as a rule. */
function clearance(side: SearchBody, p: number, px: number, py: number): number {
  const { view, shiftX, shiftY } = side
  const { boxes, child } = view.tree
  const bx = px - shiftX
  const by = py - shiftY
  let least = Infinity
  let visits = 0
  let top = 0
  stack[top++] = 0
  while (top > 0) {
    const node = stack[--top]
    visits++
    if (boxDistanceSquare(boxes, node, bx, by) >= least * least) continue
    const next = child[node]
    if (next >= 0) {
      const inOrder = boxDistanceSquare(boxes, next, bx, by) <= boxDistanceSquare(boxes, next + 1, bx, by)
      stack[top++] = inOrder ? next + 1 : next
      stack[top++] = inOrder ? next : next + 1
    } else if (view.leafPart[~next] === p) least = Math.min(least, distanceToEdge(side, p, ~next, px, py))
  }
  spend(visits)
  return least
}

function distanceToEdge({ view, baseX, baseY }: SearchBody, p: number, leaf: number, px: number, py: number): number {
  const { outline } = view.parts[p]
  if (outline === null) return Infinity
  const { vertices, edgeEnd } = outline
  const edge = view.leafEdge[leaf]
  const end = edgeEnd[edge]
  const ex = vertices[2 * end] - vertices[2 * edge]
  const ey = vertices[2 * end + 1] - vertices[2 * edge + 1]
  const x = px - (baseX[p] + (vertices[2 * edge] - vertices[0]))
  const y = py - (baseY[p] + (vertices[2 * edge + 1] - vertices[1]))
  const length = vectorLength(ex, ey)
  if (length === 0) return vectorLength(x, y)
  const along = Math.min(Math.max((x * ex + y * ey) / length, 0), length)
  return vectorLength(x - (along * ex) / length, y - (along * ey) / length)
}
