/**
 * Triangles that know their neighbours, as half-edges in flat arrays.
 *
 * Half-edges 3t, 3t + 1, 3t + 2 go round triangle t counter-clockwise.
 */

export interface Mesh {
  /** Vertices x0, y0, x1, y1, … */
  vertices: Float64Array
  triangleCount: number
  /** The vertex at which each half-edge starts. */
  origin: Int32Array
  /** The half-edge that runs the other way, of the triangle beyond; −1 on the boundary. */
  twin: Int32Array
}

/** An empty mesh with room for every triangle that `vertexCount` vertices can make. */
export function createMesh(vertices: Float64Array, vertexCount: number): Mesh {
  // Fewer than two triangles for each vertex, however many holes there are (Euler).
  const halfEdgeCount = 6 * vertexCount
  return {
    vertices,
    triangleCount: 0,
    origin: new Int32Array(halfEdgeCount),
    twin: new Int32Array(halfEdgeCount).fill(-1),
  }
}

/** Adds the triangle of three vertices in counter-clockwise order, without neighbours, and returns its first half-edge. */
export function addTriangle(mesh: Mesh, a: number, b: number, c: number): number {
  const first = 3 * mesh.triangleCount++
  mesh.origin[first] = a
  mesh.origin[first + 1] = b
  mesh.origin[first + 2] = c
  return first
}

/** Makes two half-edges each other's twin. */
export function joinTwins({ twin }: Mesh, half: number, other: number): void {
  twin[half] = other
  twin[other] = half
}

/** The half-edge after `half` in its triangle. */
export function nextInTriangle(half: number): number {
  return half % 3 === 2 ? half - 2 : half + 1
}

/** Checks the mesh's bookkeeping, for tests: returns the first fault, or null. */
export function validateMesh({ triangleCount, origin, twin }: Mesh): string | null {
  for (let half = 0; half < 3 * triangleCount; half++) {
    const other = twin[half]
    if (other === -1) continue
    if (other < 0 || other >= 3 * triangleCount) return `half-edge ${half} has the twin ${other}`
    if (twin[other] !== half) return `half-edge ${half} is not the twin of its twin`
    const endsMatch = origin[other] === origin[nextInTriangle(half)] && origin[half] === origin[nextInTriangle(other)]
    if (!endsMatch) return `half-edge ${half} and its twin ${other} have different ends`
  }
  return null
}
