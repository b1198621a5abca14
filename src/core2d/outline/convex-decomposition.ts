/**
 * Convex pieces that make up a solid outline, all of whose corners are its own vertices.
 *
 * Method: an exact triangulation (`triangulation.ts`) with its diagonals turned towards Delaunay's; for few pieces,
 * diagonals are then taken away, and the rest is cut anew in windows.
 * Frame: the outline's own.
 */

import { spend } from '../../containers/budget.ts'
import { orderOfKeys } from '../../containers/sorting.ts'
import { WINDOW_WORK_COUNT, WINDOW_WORK_PER_VERTEX_COUNT } from '../tolerances.ts'
import { compareVertices } from './edge-intersection.ts'
import { turnAt } from './orientation.ts'
import type { Outline } from './outline.ts'
import { type Mesh, nextInTriangle, triangulate, turnDiagonals } from './triangulation.ts'

/** Rings of vertex indices, each counter-clockwise and strictly convex. */
export type Pieces = number[][]

/** The constrained Delaunay triangulation. */
export function delaunayMesh(outline: Outline): Mesh {
  const mesh = triangulate(outline)
  turnDiagonals(mesh)
  return mesh
}

/** The corners of every triangle, from the leftmost (the lowest of these) on. */
export function trianglesOf({ vertices, origin, triangleCount }: Mesh): Pieces {
  return Array.from({ length: triangleCount }, (_, t) => {
    const [a, b, c] = [origin[3 * t], origin[3 * t + 1], origin[3 * t + 2]]
    const least = (i: number, j: number, k: number): boolean =>
      compareVertices(vertices, i, j) < 0 && compareVertices(vertices, i, k) < 0
    return least(a, b, c) ? [a, b, c] : least(b, c, a) ? [b, c, a] : [c, a, b]
  })
}

/**
 * Few convex pieces with at most `mostVertices` corners each. The least number for outlines without holes that touch themselves
 * nowhere and have at most PARTITION_VERTEX_COUNT vertices.
 */
export function fewConvexPieces(outline: Outline, mostVertices: number): Pieces {
  const faces = facesOfMesh(delaunayMesh(outline))
  removeDiagonals(faces, longestDiagonals(faces))
  nameFaces(faces)
  improveWindows(faces)
  return piecesOfFaces(faces, mostVertices)
}

function piecesOfFaces(faces: Faces, mostVertices: number): Pieces {
  const pieces: Pieces = []
  const ring: number[] = []
  for (let face = 0; face < faces.faceCount; face++) {
    if (faces.first[face] < 0) continue
    faceRing(faces, face, ring)
    // A convex piece stays convex when a run of its corners is cut off.
    let start = 1
    for (; ring.length - start > mostVertices - 1; start += mostVertices - 2) {
      pieces.push([ring[0], ...ring.slice(start, start + mostVertices - 1)])
    }
    pieces.push([ring[0], ...ring.slice(start)])
  }
  return pieces
}

// Fewer convex pieces: takes neighbouring faces together, as many as the optimal partition can take, and cuts what they cover
// anew if that needs fewer.
//
// Method: local search over windows. The faces of a window are joined along a tree of diagonals, so it has no holes, and its
// outline may be a slit in places. A region without holes and with few vertices is one window, and so comes out optimal.

/** After so much work it is looked at whether any is left. */
const WORK_PER_ROUND = 2 ** 16

/** The window in hand: half-edges around it, half-edges of the diagonals that were opened, and its faces. */
const ring: number[] = []
const opened: number[] = []
const members: number[] = []
const corners: number[] = []

/** Looks at windows until none gets better any more, or the work is used up. */
function improveWindows(faces: Faces): void {
  const { first, faceCount, next } = faces
  /** Faces that have been at the centre of a window and have not changed since. */
  const isSettled = new Uint8Array(faceCount)
  let budget = Math.max(WINDOW_WORK_COUNT, WINDOW_WORK_PER_VERTEX_COUNT * next.length)
  let center = 0
  // how many faces in a row there was nothing to do for
  let idle = 0
  while (idle < faceCount && budget > 0) {
    const start = partitionWork()
    /** Vertices of windows: work as well. */
    let looks = 0
    while (idle < faceCount && partitionWork() - start + looks < WORK_PER_ROUND) {
      spend(1)
      const isOpen = first[center] >= 0 && isSettled[center] === 0
      if (isOpen && improveWindow(faces, center, isSettled)) idle = 0
      else idle++
      if (isOpen) looks += ring.length
      center = (center + 1) % faceCount
    }
    budget -= partitionWork() - start + looks
  }
}

/** Cuts the window around a face anew; whether that needs fewer pieces, or nothing has changed. */
function improveWindow(faces: Faces, center: number, isSettled: Uint8Array): boolean {
  isSettled[center] = 1
  openWindow(faces, center)
  for (let k = 0; k < ring.length; k++) corners[k] = faces.origin[ring[k]]
  corners.length = ring.length
  spend(2 * ring.length)
  const pieces = members.length > 1 ? fewestPieces(faces.vertices, corners, members.length) : null
  if (pieces === null) return false
  cutAnew(faces, pieces)
  for (const member of members) isSettled[member] = 0
  return true
}

/** Gathers the faces around `center`, nearest first, as long as they fit. */
function openWindow({ next, twin, face, first }: Faces, center: number): void {
  ring.length = 0
  opened.length = 0
  members.length = 0
  members.push(center)
  let at = first[center]
  do {
    ring.push(at)
    at = next[at]
  } while (at !== first[center])
  // Faces are looked at in the order in which they joined: their diagonals stand in the ring one after the other.
  const waiting = [...ring]
  for (let k = 0; k < waiting.length; k++) {
    const half = waiting[k]
    const other = twin[half]
    if (other < 0 || members.includes(face[other])) continue
    const around: number[] = []
    for (at = next[other]; at !== other && around.length < PARTITION_VERTEX_COUNT; at = next[at]) around.push(at)
    if (ring.length - 1 + around.length > PARTITION_VERTEX_COUNT) continue
    ring.splice(ring.indexOf(half), 1, ...around)
    members.push(face[other])
    opened.push(half)
    waiting.push(...around)
  }
}

/** Replaces the faces of the window by fewer. */
function cutAnew(faces: Faces, pieces: readonly PartitionPiece[]): void {
  const { origin, twin, next, first } = faces
  let used = 0
  /** Of each diagonal behind which pieces lie, by its ends, the half-edge that these have. */
  const behind = new Map<number, number>()
  pieces.forEach((piece, k) => {
    const from = piece[0]
    const to = piece[piece.length - 1]
    const closing = behind.get(from * ring.length + to) ?? ring[to]
    let last = closing
    for (let s = 1; s < piece.length; s++) {
      const i = piece[s - 1]
      const j = piece[s]
      let half = ring[i]
      if (j > i + 1) {
        half = opened[used++]
        const other = twin[half]
        origin[half] = corners[i]
        origin[other] = corners[j]
        behind.set(i * ring.length + j, other)
      }
      join(faces, last, half)
      last = half
    }
    join(faces, last, closing)
    nameFace(faces, members[k], closing)
  })
  for (const half of opened.slice(used)) {
    next[twin[half]] = -1
    next[half] = -1
  }
  for (const member of members.slice(pieces.length)) first[member] = -1
  faces.count -= members.length - pieces.length
}

// The fewest convex pieces that a polygon without holes can be cut into by diagonals.
//
// Method: dynamic programming over the diagonals, after J. M. Keil, "Decomposing a polygon into simpler components", SIAM
// Journal on Computing 14 (1985), in its plainest form: the piece at a diagonal is the convex chain from one end to the other
// that needs the fewest pieces behind it. Only diagonals with a reflex end count: any other can be taken away. Turns are exact.
// Cost up to O(n^5), with a small factor, in practice far less; meant for a few dozen vertices.

/** Most vertices of a polygon. */
const PARTITION_VERTEX_COUNT = 64

/** A piece: positions in the polygon, increasing, with the diagonal or edge from the first to the last that it lies behind. */
type PartitionPiece = number[]

const NONE = 2 ** 20

// The polygon in hand: the vertex at each position, counter-clockwise; vertices may come up several times.
const NOWHERE: Float64Array = new Float64Array(0)
let vertices = NOWHERE
let polygonRing: readonly number[]
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
function partitionWork(): number {
  return workDone
}

/**
 * The pieces of the polygon whose vertices (of the list x0, y0, …) are `polygon`, at most PARTITION_VERTEX_COUNT, counter-
 * clockwise; or null if they cannot be fewer than `bound`. It may touch itself, and lie on both sides of a slit.
 */
function fewestPieces(points: Float64Array, polygon: readonly number[], bound: number): PartitionPiece[] | null {
  try {
    return search(points, polygon, bound)
  } finally {
    vertices = NOWHERE
  }
}

function search(points: Float64Array, polygon: readonly number[], bound: number): PartitionPiece[] | null {
  vertices = points
  polygonRing = polygon
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
    turns[at] = turnAt(vertices, polygonRing[h], polygonRing[i], polygonRing[j])
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
    if (sides[k] === 0 && isBetween(polygonRing[i], polygonRing[j], polygonRing[k])) return false
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

// Convex pieces that share their diagonals, as faces of half-edges; made of triangles by taking diagonals away.
//
// Method: S. Hertel and K. Mehlhorn, "Fast triangulation of simple polygons", FCT 1983: whatever diagonal can go goes, each
// looked at once. At most four times the least number of pieces stays; the longest diagonals are tried first, and then far
// fewer stay. Turns are exact; vertices at which a piece goes straight on stay in its ring.

interface Faces {
  vertices: Float64Array
  /** Of each half-edge: its first vertex, the one that runs the other way (−1 on the boundary), and its neighbours. */
  origin: Int32Array
  twin: Int32Array
  next: Int32Array
  prev: Int32Array
  /** The face that lies to the left of each half-edge; set by `nameFaces`. */
  face: Int32Array
  /** A half-edge of each face; −1 where a face has gone. */
  first: Int32Array
  faceCount: number
  /** Faces that are left. */
  count: number
}

/** The triangles as faces; the arrays of the mesh are taken over. */
function facesOfMesh({ vertices, triangleCount, origin, twin }: Mesh): Faces {
  const halfEdgeCount = 3 * triangleCount
  spend(halfEdgeCount)
  const next = new Int32Array(halfEdgeCount)
  const prev = new Int32Array(halfEdgeCount)
  for (let half = 0; half < halfEdgeCount; half++) {
    next[half] = nextInTriangle(half)
    prev[next[half]] = half
  }
  const face = new Int32Array(halfEdgeCount)
  const first = new Int32Array(triangleCount)
  return { vertices, origin, twin, next, prev, face, first, faceCount: 0, count: triangleCount }
}

/** The diagonals from the longest to the shortest, each by one of its half-edges. Cost O(n log n). */
function longestDiagonals({ vertices, origin, twin, next }: Faces): Int32Array {
  const halves: number[] = []
  for (let half = 0; half < next.length; half++) if (half < twin[half]) halves.push(half)
  // The longer side of the box around it: no square that could over- or underflow, so the order scales with the input.
  const keys = Float64Array.from(halves, (half) => {
    const a = 2 * origin[half]
    const b = 2 * origin[next[half]]
    return -Math.max(Math.abs(vertices[b] - vertices[a]), Math.abs(vertices[b + 1] - vertices[a + 1]))
  })
  return orderOfKeys(keys, (i, j) => i - j).map((i) => halves[i])
}

/** Takes away those of the diagonals that can go, in their order. Cost O(n). */
function removeDiagonals(faces: Faces, diagonals: Int32Array): void {
  spend(4 * diagonals.length)
  for (const half of diagonals) {
    const other = faces.twin[half]
    if (!staysConvex(faces, half, other) || !staysConvex(faces, other, half)) continue
    join(faces, faces.prev[half], faces.next[other])
    join(faces, faces.prev[other], faces.next[half])
    faces.next[half] = -1
    faces.next[other] = -1
    faces.count--
  }
}

/** Whether the two faces along a diagonal do not turn right together where `half` starts. */
function staysConvex({ vertices, origin, next, prev }: Faces, half: number, other: number): boolean {
  return turnAt(vertices, origin[prev[half]], origin[half], origin[next[next[other]]]) >= 0
}

function join({ next, prev }: Faces, half: number, after: number): void {
  next[half] = after
  prev[after] = half
}

/** Numbers the faces, once diagonals have been taken away. Cost O(n). */
function nameFaces(faces: Faces): void {
  const { next, face, first } = faces
  spend(2 * next.length)
  face.fill(-1)
  faces.faceCount = 0
  for (let half = 0; half < next.length; half++) {
    if (next[half] >= 0 && face[half] < 0) nameFace(faces, faces.faceCount++, half)
  }
  first.fill(-1, faces.faceCount)
}

/** Gives the face that `half` lies on the name `name`. */
function nameFace({ next, face, first }: Faces, name: number, half: number): void {
  first[name] = half
  let at = half
  do {
    face[at] = name
    at = next[at]
  } while (at !== half)
}

/** Writes the vertices of a face at which it turns to `ring`, from the leftmost (the lowest of these) on. */
function faceRing({ vertices, origin, next, prev, first }: Faces, name: number, ring: number[]): void {
  ring.length = 0
  let at = first[name]
  do {
    if (turnAt(vertices, origin[prev[at]], origin[at], origin[next[at]]) > 0) ring.push(origin[at])
    at = next[at]
  } while (at !== first[name])
  let lowest = 0
  spend(2 * ring.length)
  for (let k = 1; k < ring.length; k++) if (compareVertices(vertices, ring[k], ring[lowest]) < 0) lowest = k
  ring.push(...ring.splice(0, lowest))
}
