/**
 * The fewest convex pieces that a polygon without holes can be cut into by diagonals.
 *
 * Method: dynamic programming over the diagonals, after J. M. Keil, "Decomposing a polygon into simpler components", SIAM
 * Journal on Computing 14 (1985), in its plainest form: the piece at a diagonal is the convex chain from one end to the other
 * that needs the fewest pieces behind it. Only diagonals with a reflex end count: any other can be taken away. Turns are exact.
 * Cost up to O(n^5), with a small factor, in practice far less; meant for a few dozen vertices.
 */
import { spend } from '../../containers/budget.ts'
import { turnAt } from '../points/orientation.ts'

/** Most vertices of a polygon. */
export const PARTITION_VERTEX_COUNT = 64

/** A piece: positions in the polygon, increasing, with the diagonal or edge from the first to the last that it lies behind. */
export type PartitionPiece = number[]

const NONE = 2 ** 20

// The polygon in hand: the vertex at each position, counter-clockwise; vertices may come up several times.
const NOWHERE: Float64Array = new Float64Array(0)
let vertices = NOWHERE
let ring: readonly number[]
let size = 0
/** Whether a diagonal or edge leads from one position to a later one, and the fewest pieces behind it. */
const fewest = new Int32Array(PARTITION_VERTEX_COUNT ** 2)
/** For each position the later ones that it is joined with, in order; `joinedCount` of them. */
const joined = new Int32Array(PARTITION_VERTEX_COUNT ** 2)
const joinedCount = new Int32Array(PARTITION_VERTEX_COUNT)
/** Turns that are known already, 2 for none. */
const turns = new Int8Array(PARTITION_VERTEX_COUNT ** 3)
/** Of chains by their last step: the fewest pieces, and the position before that step. */
const chainCost = new Int32Array(PARTITION_VERTEX_COUNT ** 2)
const chainBefore = new Int32Array(PARTITION_VERTEX_COUNT ** 2)
const sides = new Int8Array(PARTITION_VERTEX_COUNT)
const isReflex = new Uint8Array(PARTITION_VERTEX_COUNT)

/** So many doublings of the work done are one step of the budget: it is counted more finely. */
const STEPS_SHIFT = 1

let workDone = 0

/** Steps taken so far, for callers with a budget. */
export function partitionWork(): number {
  return workDone
}

/**
 * The pieces of the polygon whose vertices (of the list x0, y0, …) are `polygon`, at most PARTITION_VERTEX_COUNT, counter-
 * clockwise; or null if they cannot be fewer than `bound`. It may touch itself, and lie on both sides of a slit.
 */
export function fewestPieces(points: Float64Array, polygon: readonly number[], bound: number): PartitionPiece[] | null {
  try {
    return search(points, polygon, bound)
  } finally {
    vertices = NOWHERE
  }
}

function search(points: Float64Array, polygon: readonly number[], bound: number): PartitionPiece[] | null {
  vertices = points
  ring = polygon
  size = polygon.length
  turns.fill(2, 0, size ** 3)
  let reflexCount = 0
  for (let i = 0; i < size; i++) {
    isReflex[i] = turn(i === 0 ? size - 1 : i - 1, i, i + 1 === size ? 0 : i + 1) < 0 ? 1 : 0
    reflexCount += isReflex[i]
  }
  // A diagonal has two ends, so it can mend two reflex vertices at most.
  if (Math.ceil(reflexCount / 2) + 1 >= bound) return null
  let spent = workDone
  findDiagonals()
  for (let i = size - 2; i >= 0; i--) {
    spend((workDone - spent) >> STEPS_SHIFT)
    spent = workDone
    for (let k = 0; k < joinedCount[i]; k++) {
      const j = joined[size * i + k]
      fewest[size * i + j] = j === i + 1 ? 0 : solve(i, j)
    }
  }
  if (fewest[size - 1] >= bound) return null
  const pieces: PartitionPiece[] = []
  collect(0, size - 1, pieces)
  return pieces
}

/** 1 when the way over three positions turns left. */
function turn(h: number, i: number, j: number): number {
  const at = (h * size + i) * size + j
  if (turns[at] === 2) {
    turns[at] = turnAt(vertices, ring[h], ring[i], ring[j])
    workDone += 4
  }
  return turns[at]
}

/** Sets which positions are joined: neighbours, the last with the first, and what sees each other with a reflex end. */
function findDiagonals(): void {
  for (let i = 0; i < size; i++) {
    let count = 0
    for (let j = i + 1; j < size; j++) {
      const isEdge = j === i + 1 || (i === 0 && j === size - 1)
      if (!isEdge && ((isReflex[i] === 0 && isReflex[j] === 0) || !seeEachOther(i, j))) continue
      fewest[size * i + j] = NONE
      joined[size * i + count++] = j
    }
    joinedCount[i] = count
  }
}

/** Whether the inside of the way from one position to another lies in the inside of the polygon. */
function seeEachOther(i: number, j: number): boolean {
  if (!looksInward(i, j) || !looksInward(j, i)) return false
  workDone += size
  for (let k = 0; k < size; k++) {
    sides[k] = turn(i, j, k)
    if (sides[k] === 0 && isBetween(ring[i], ring[j], ring[k])) return false
  }
  for (let k = 0; k < size; k++) {
    const l = k + 1 === size ? 0 : k + 1
    if (sides[k] * sides[l] < 0 && turn(k, l, i) * turn(k, l, j) < 0) return false
  }
  return true
}

/** Whether the way from one position to another begins inside the polygon. */
function looksInward(i: number, j: number): boolean {
  const before = i === 0 ? size - 1 : i - 1
  const after = i + 1 === size ? 0 : i + 1
  const leftOfAfter = turn(i, after, j) > 0
  const leftOfBefore = turn(before, i, j) > 0
  return isReflex[i] === 1 ? leftOfAfter || leftOfBefore : leftOfAfter && leftOfBefore
}

/** Whether a vertex on the line through two others lies strictly between them. */
function isBetween(a: number, b: number, c: number): boolean {
  const axis = vertices[2 * a] === vertices[2 * b] ? 1 : 0
  const from = vertices[2 * a + axis]
  const to = vertices[2 * b + axis]
  const at = vertices[2 * c + axis]
  return from < to ? from < at && at < to : to < at && at < from
}

/** The fewest pieces behind the diagonal from i to j; leaves the best chain in `chainBefore`, its last step in `lastStep`. */
function solve(i: number, j: number): number {
  for (let p = i; p < j; p++) {
    for (let k = 0; k < joinedCount[p]; k++) chainCost[size * p + joined[size * p + k]] = NONE
  }
  for (let k = 0; k < joinedCount[i]; k++) {
    const c = joined[size * i + k]
    if (c < j && turn(j, i, c) >= 0) chainCost[size * i + c] = fewest[size * i + c] + 1
  }
  for (let p = i; p < j; p++) {
    for (let k = 0; k < joinedCount[p]; k++) {
      const c = joined[size * p + k]
      if (c >= j) break
      const cost = chainCost[size * p + c]
      if (cost < NONE) prolong(p, c, cost, j)
    }
  }
  let best = NONE
  for (let p = i + 1; p < j; p++) {
    const cost = chainCost[size * p + j]
    if (!isJoined(p, j) || cost >= best || turn(p, j, i) < 0) continue
    best = cost
    lastStep = p
  }
  return best
}

let lastStep = 0

function isJoined(i: number, j: number): boolean {
  for (let k = 0; k < joinedCount[i]; k++) if (joined[size * i + k] === j) return true
  return false
}

/** Tries every step from c that does not turn right after the one from p, up to position j. */
function prolong(p: number, c: number, cost: number, j: number): void {
  workDone += joinedCount[c]
  for (let k = 0; k < joinedCount[c]; k++) {
    const q = joined[size * c + k]
    if (q > j) return
    const at = size * c + q
    const sum = cost + fewest[at]
    if (sum >= chainCost[at] || turn(p, c, q) < 0) continue
    chainCost[at] = sum
    chainBefore[at] = p
  }
}

/** Appends the piece behind the diagonal from i to j, and those behind its own diagonals. */
function collect(i: number, j: number, pieces: PartitionPiece[]): void {
  solve(i, j)
  const piece = [j]
  for (let p = lastStep, q = j; ; ) {
    piece.unshift(p)
    if (p === i) break
    const before = chainBefore[size * p + q]
    q = p
    p = before
  }
  pieces.push(piece)
  for (let k = 1; k < piece.length; k++) if (piece[k] > piece[k - 1] + 1) collect(piece[k - 1], piece[k], pieces)
}
