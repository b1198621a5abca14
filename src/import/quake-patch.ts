/**
 * Curved patches of Quake 3 as triangles: biquadratic Bézier patches side by side, three by three control points each.
 *
 * Method: every patch is cut evenly in its two directions, all of a column or row of patches alike, so that neighbours share their
 * edges. The triangles of a cell of h by k lie within (h² |S_uu| + 2hk |S_uv| + k² |S_vv|) / 8 of the surface (D. Filip, R. Magedson,
 * R. Markot, "Surface algorithms using bounds on derivatives", Computer Aided Geometric Design 3, 1986). Derivatives are bounded by those
 * of their control points. Vertices at the same place are one, and triangles without three of them are left out: a row of control points
 * may be a single tip.
 */

import type { MapPatch } from './quake-text.ts'

/** Most cuts of a patch in a direction. */
const MOST_CUTS = 2 ** 10

export interface PatchMesh {
  type: 'mesh'
  vertices: number[]
  triangles: number[]
}

/** A sentence where it would take more vertices than `mostVertices`, or is no surface. `tolerance`: in the file's units. */
export function patchMesh(patch: MapPatch, tolerance: number, mostVertices: number): PatchMesh | string {
  const { columns, rows } = patch
  const across = (columns - 1) / 2
  const down = (rows - 1) / 2
  const bends = boundsOf(patch)
  const [cutsAcross, cutsDown] = cutsFor(bends, across, down, tolerance)
  const count = (sum(cutsAcross) + 1) * (sum(cutsDown) + 1)
  if (count > mostVertices) {
    return `To lie within the tolerance its triangles would have ${count} vertices; a shape has at most ${mostVertices}.`
  }
  const mesh = triangulated(patch, cutsAcross, cutsDown)
  return mesh.triangles.length > 0 ? mesh : 'Its control points span no surface.'
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Bounds of the second derivatives of a patch. */
interface Bends {
  uu: number
  uv: number
  vv: number
}

/** Of all patches, column by column. */
function boundsOf(patch: MapPatch): Bends[][] {
  const across = (patch.columns - 1) / 2
  const down = (patch.rows - 1) / 2
  return Array.from({ length: across }, (_, i) => Array.from({ length: down }, (_, j) => bendsOf(patch, 2 * i, 2 * j)))
}

function bendsOf({ rows, points }: MapPatch, column: number, row: number): Bends {
  /** Length of a sum of control points with the weights. */
  const size = (...terms: readonly [number, number, number][]): number =>
    Math.hypot(
      ...[0, 1, 2].map((axis) =>
        terms.reduce((total, [i, j, weight]) => total + weight * points[3 * ((column + i) * rows + row + j) + axis], 0),
      ),
    )
  const three = [0, 1, 2]
  const two = [0, 1]
  return {
    uu: 2 * Math.max(...three.map((j) => size([0, j, 1], [1, j, -2], [2, j, 1]))),
    vv: 2 * Math.max(...three.map((i) => size([i, 0, 1], [i, 1, -2], [i, 2, 1]))),
    uv:
      4 *
      Math.max(
        ...two.flatMap((i) => two.map((j) => size([i, j, 1], [i + 1, j, -1], [i, j + 1, -1], [i + 1, j + 1, 1]))),
      ),
  }
}

/** Cuts of each column and each row of patches. */
function cutsFor(bends: readonly Bends[][], across: number, down: number, tolerance: number): [number[], number[]] {
  const cutsAcross = new Array<number>(across).fill(1)
  const cutsDown = new Array<number>(down).fill(1)
  for (let i = 0; i < across; i++) {
    for (let j = 0; j < down; j++) {
      const { uu, uv, vv } = bends[i][j]
      for (;;) {
        const [n, m] = [cutsAcross[i], cutsDown[j]]
        if ((uu / n ** 2 + (2 * uv) / (n * m) + vv / m ** 2) / 8 <= tolerance) break
        if (n >= MOST_CUTS && m >= MOST_CUTS) break
        const isAcross = m >= MOST_CUTS || (n < MOST_CUTS && (uu + uv) / n >= (vv + uv) / m)
        if (isAcross) cutsAcross[i]++
        else cutsDown[j]++
      }
    }
  }
  return [cutsAcross, cutsDown]
}

function triangulated(patch: MapPatch, cutsAcross: readonly number[], cutsDown: readonly number[]): PatchMesh {
  const vertices: number[] = []
  const known = new Map<string, number>()
  const vertexAt = (u: Place, v: Place): number => {
    const [x, y, z] = [0, 1, 2].map((axis) => surface(patch, u, v, axis) + 0)
    const key = `${x} ${y} ${z}`
    const index = known.get(key) ?? vertices.push(x, y, z) / 3 - 1
    known.set(key, index)
    return index
  }
  const across = placesOf(cutsAcross)
  const down = placesOf(cutsDown)
  const triangles: number[] = []
  const add = (a: number, b: number, c: number): void => {
    if (a !== b && b !== c && c !== a) triangles.push(a, b, c)
  }
  let before = down.map((v) => vertexAt(across[0], v))
  for (const u of across.slice(1)) {
    const next = down.map((v) => vertexAt(u, v))
    for (let j = 0; j + 1 < down.length; j++) {
      add(before[j], before[j + 1], next[j])
      add(next[j], before[j + 1], next[j + 1])
    }
    before = next
  }
  return { type: 'mesh', vertices, triangles }
}

/** A place along one direction: the first control point of its patch, and the three weights there. */
interface Place {
  first: number
  weights: readonly [number, number, number]
}

function placesOf(cuts: readonly number[]): Place[] {
  const places: Place[] = [{ first: 0, weights: [1, 0, 0] }]
  cuts.forEach((count, patch) => {
    for (let k = 1; k <= count; k++) {
      const t = k / count
      places.push({ first: 2 * patch, weights: [(1 - t) ** 2, 2 * t * (1 - t), t ** 2] })
    }
  })
  return places
}

function surface({ rows, points }: MapPatch, u: Place, v: Place, axis: number): number {
  let total = 0
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      total += u.weights[i] * v.weights[j] * points[3 * ((u.first + i) * rows + v.first + j) + axis]
    }
  }
  return total
}
