/**
 * Convex pieces that make up a solid outline, all of whose corners are its own vertices.
 *
 * Method: an exact triangulation (`triangulation.ts`) with its diagonals turned (`delaunay-flips.ts`); for few pieces,
 * diagonals are then taken away (`convex-faces.ts`) and what is left is cut anew in windows (`convex-windows.ts`).
 * Frame: the outline's own.
 */

import { compareVertices } from '../outline/edge-intersection.ts'
import type { Outline } from '../outline/outline.ts'
import { type Faces, faceRing, facesOfMesh, longestDiagonals, nameFaces, removeDiagonals } from './convex-faces.ts'
import { improveWindows } from './convex-windows.ts'
import { turnDiagonals } from './delaunay-flips.ts'
import type { Mesh } from './triangle-mesh.ts'
import { triangulate } from './triangulation.ts'

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
