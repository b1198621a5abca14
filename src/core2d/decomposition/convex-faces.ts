/**
 * Convex pieces that share their diagonals, as faces of half-edges; made of triangles by taking diagonals away.
 *
 * Method: S. Hertel and K. Mehlhorn, "Fast triangulation of simple polygons", FCT 1983: whatever diagonal can go goes, each
 * looked at once. At most four times the least number of pieces stays; the longest diagonals are tried first, and then far
 * fewer stay. Turns are exact; vertices at which a piece goes straight on stay in its ring.
 */
import { spend } from '../../containers/budget.ts'
import { orderOfKeys } from '../../containers/sort-by-keys.ts'
import { compareVertices } from '../outline/edge-intersection.ts'
import { turnAt } from '../points/orientation.ts'
import { type Mesh, nextInTriangle } from './triangle-mesh.ts'

export interface Faces {
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
export function facesOfMesh({ vertices, triangleCount, origin, twin }: Mesh): Faces {
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
export function longestDiagonals({ vertices, origin, twin, next }: Faces): Int32Array {
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
export function removeDiagonals(faces: Faces, diagonals: Int32Array): void {
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

export function join({ next, prev }: Faces, half: number, after: number): void {
  next[half] = after
  prev[after] = half
}

/** Numbers the faces, once diagonals have been taken away. Cost O(n). */
export function nameFaces(faces: Faces): void {
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
export function nameFace({ next, face, first }: Faces, name: number, half: number): void {
  first[name] = half
  let at = half
  do {
    face[at] = name
    at = next[at]
  } while (at !== half)
}

/** Writes the vertices of a face at which it turns to `ring`, from the leftmost (the lowest of these) on. */
export function faceRing({ vertices, origin, next, prev, first }: Faces, name: number, ring: number[]): void {
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
