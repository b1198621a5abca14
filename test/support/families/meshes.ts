/** Meshes for tests: closed ones of many forms, and hostile ones. Triangles are counter-clockwise from outside. */

import { existsSync, readFileSync } from 'node:fs'
import type { MeshSource } from '../../../src/core3d/mesh/mesh.ts'

export interface Triangles extends Pick<MeshSource, 'vertices' | 'triangles'> {
  vertices: number[]
  triangles: number[]
}

/** Numbers from 0 to 1, always the same for a seed: the generator of Lehmer (1951) with the multiplier of MINSTD. */
export function lehmer(seed: number): () => number {
  let state = (seed % 2147483646) + 1
  return () => {
    state = (state * 48271) % 2147483647
    return state / 2147483647
  }
}

/** A torus about z of radii 1 and `tube`, its vertices moved by up to `noise`, in rings of `count`. */
export function torus(rings: number, count: number, tube = 0.4, noise: () => number = () => 0): Triangles {
  const vertices: number[] = []
  const triangles: number[] = []
  for (let i = 0; i < rings; i++) {
    for (let j = 0; j < count; j++) {
      const a = (2 * Math.PI * i) / rings
      const b = (2 * Math.PI * j) / count
      const r = 1 + tube * Math.cos(b)
      vertices.push(r * Math.cos(a) + noise(), r * Math.sin(a) + noise(), tube * Math.sin(b) + noise())
      const [here, next] = [i * count, ((i + 1) % rings) * count]
      const beside = (j + 1) % count
      triangles.push(here + j, next + j, next + beside, here + j, next + beside, here + beside)
    }
  }
  return { vertices, triangles }
}

/** The surface of a union of unit cells of a lattice, on integers: flat edges, reflex ones, and edges of four triangles. */
export function lattice(cells: readonly [number, number, number][]): Triangles {
  const filled = new Set(cells.map(String))
  const vertices: number[] = []
  const triangles: number[] = []
  const names = new Map<string, number>()
  const name = (p: number[]): number => {
    const key = String(p)
    const known = names.get(key)
    if (known !== undefined) return known
    names.set(key, vertices.length / 3)
    vertices.push(...p)
    return vertices.length / 3 - 1
  }
  for (const cell of cells) {
    for (let k = 0; k < 3; k++) {
      for (const side of [0, 1]) {
        const beyond = cell.map((x, i) => (i === k ? x + 2 * side - 1 : x))
        if (filled.has(String(beyond))) continue
        const corner = (u: number, v: number): number => {
          const p = [...cell]
          p[k] += side
          p[(k + 1) % 3] += u
          p[(k + 2) % 3] += v
          return name(p)
        }
        const [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)]
        triangles.push(...(side === 1 ? [a, b, c, a, c, d] : [a, c, b, a, d, c]))
      }
    }
  }
  return { vertices, triangles }
}

/** A tetrahedron, wound outward. */
export const tetrahedron: Triangles = {
  vertices: [0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4],
  triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
}

/** The triangles with their winding turned round. */
export function insideOut({ vertices, triangles }: Triangles): Triangles {
  return { vertices, triangles: triangles.map((_, i) => triangles[i % 3 === 1 ? i + 1 : i % 3 === 2 ? i - 1 : i]) }
}

/** Both, side by side. */
export function together(a: Triangles, b: Triangles): Triangles {
  const from = a.vertices.length / 3
  return { vertices: [...a.vertices, ...b.vertices], triangles: [...a.triangles, ...b.triangles.map((i) => i + from)] }
}

/** The triangles in another order, each begun at another corner, and each with vertices of its own. */
export function described({ vertices, triangles }: Triangles, random: () => number): Triangles {
  const order = Array.from({ length: triangles.length / 3 }, (_, i) => ({ i, key: random() }))
  order.sort((a, b) => a.key - b.key)
  const out: Triangles = { vertices: [], triangles: [] }
  for (const { i } of order) {
    const turn = Math.floor(3 * random())
    for (let k = 0; k < 3; k++) {
      const vertex = triangles[3 * i + ((k + turn) % 3)]
      out.triangles.push(out.vertices.length / 3)
      out.vertices.push(...vertices.slice(3 * vertex, 3 * vertex + 3))
    }
  }
  return out
}

const FOLDER = new URL('../../../../shared/data/meshes/', import.meta.url)

/** A mesh of ../shared/data, which lies beside the repository; null where it is not there. */
export function sharedMesh(name: 'spot' | 'fandisk'): Triangles | null {
  const file = new URL(`${name}.obj`, FOLDER)
  if (!existsSync(file)) return null
  const out: Triangles = { vertices: [], triangles: [] }
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [kind, ...rest] = line.trim().split(/\s+/)
    if (kind === 'v') out.vertices.push(...rest.slice(0, 3).map(Number))
    if (kind !== 'f') continue
    const corners = rest.map((text) => Number.parseInt(text, 10) - 1)
    for (let i = 2; i < corners.length; i++) out.triangles.push(corners[0], corners[i - 1], corners[i])
  }
  return out
}
