/**
 * Convex pieces that make up a solid outline, all of whose corners are its own vertices.
 *
 * Method: an exact triangulation (`triangulation.ts`) with its diagonals turned (`triangulation-flips.ts`); for few pieces,
 * diagonals are then taken away (`convex-faces.ts`) and what is left is cut anew in windows (`convex-windows.ts`).
 * Frame: the outline's own.
 */
import { type Faces, faceRing, facesOfMesh, longestDiagonals, nameFaces, removeDiagonals } from './convex-faces.ts'
import { advanceWindows, beginWindows } from './convex-windows.ts'
import type { Outline } from './outline.ts'
import { compareVertices } from './outline-conflict.ts'
import { advanceTriangulation, beginTriangulation } from './triangulation.ts'
import { advanceFlips, beginFlips } from './triangulation-flips.ts'
import type { Mesh } from './triangulation-mesh.ts'

/** Steps between two pauses, a few milliseconds of each kind. */
const POINTS_PER_SLICE = 1024
const FLIPS_PER_SLICE = 2048
const DIAGONALS_PER_SLICE = 8192
const WINDOW_WORK_PER_SLICE = 2 ** 16
const FACES_PER_SLICE = 4096

/** Rings of vertex indices, each counter-clockwise and strictly convex. */
export type Pieces = number[][]

/** The constrained Delaunay triangulation; pauses every few milliseconds, and the outline must not change meanwhile. */
export function* triangulated(outline: Outline): Generator<undefined, Mesh, undefined> {
  const triangulation = beginTriangulation(outline)
  yield
  while (!advanceTriangulation(triangulation, POINTS_PER_SLICE)) yield
  yield
  const flips = beginFlips(triangulation.mesh)
  while (!advanceFlips(flips, FLIPS_PER_SLICE)) yield
  return triangulation.mesh
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
 * Few convex pieces with at most `mostVertices` corners each; pauses every few milliseconds. The least number for outlines
 * without holes that touch themselves nowhere and have at most PARTITION_VERTEX_COUNT vertices.
 */
export function* fewConvexPieces(outline: Outline, mostVertices: number): Generator<undefined, Pieces, undefined> {
  const faces = facesOfMesh(yield* triangulated(outline))
  yield
  const diagonals = longestDiagonals(faces)
  for (let start = 0; start < diagonals.length; start += DIAGONALS_PER_SLICE) {
    yield
    removeDiagonals(faces, diagonals, start, Math.min(start + DIAGONALS_PER_SLICE, diagonals.length))
  }
  nameFaces(faces)
  const windows = beginWindows(faces)
  while (!advanceWindows(windows, WINDOW_WORK_PER_SLICE)) yield
  return yield* piecesOfFaces(faces, mostVertices)
}

function* piecesOfFaces(faces: Faces, mostVertices: number): Generator<undefined, Pieces, undefined> {
  const pieces: Pieces = []
  const ring: number[] = []
  for (let face = 0; face < faces.faceCount; face++) {
    if (face % FACES_PER_SLICE === 0) yield
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
