// Triangles of a mesh as a file has them, gathered in flat arrays that grow.
//
// Bounds: more corners or triangles than are accepted end the reading, so that memory follows the limits and not what a file claims.
// Corners at equal places can be made one (`weld`), the first of each: formats that repeat corners at seams and facets say nothing of which
// triangles are neighbours otherwise. −0 becomes 0.

import { spend } from '../../containers/budget.ts'
import { ImportFault } from '../source-files.ts'

export interface MeshData {
  /** x, y, z of each vertex. */
  readonly vertices: Float64Array<ArrayBuffer>
  /** Three vertices of each triangle. */
  readonly triangles: Uint32Array<ArrayBuffer>
  /** A number for each triangle; null where all have the same. */
  readonly groups: Uint32Array<ArrayBuffer> | null
}

export interface MeshLimits {
  readonly maxVertices: number
  readonly maxTriangles: number
}

/** The file has more than is accepted. */
export class TooManyOfMesh extends Error {
  readonly what: 'vertices' | 'triangles'
  readonly limit: number

  constructor(what: TooManyOfMesh['what'], limit: number) {
    super(`more than ${limit} ${what}`)
    this.what = what
    this.limit = limit
  }
}

export function malformed(where: string, message: string): ImportFault {
  return new ImportFault('import-malformed', where, message)
}

const FIRST_CAPACITY = 1024

export class MeshBuilder {
  vertexCount = 0
  triangleCount = 0
  readonly #limits: MeshLimits
  #vertices = new Float64Array(3 * FIRST_CAPACITY)
  #triangles = new Uint32Array(3 * FIRST_CAPACITY)
  #groups = new Uint32Array(FIRST_CAPACITY)
  #hasGroups = false

  constructor(limits: MeshLimits) {
    this.#limits = limits
  }

  /** Its index. */
  addVertex(x: number, y: number, z: number): number {
    const index = this.vertexCount
    if (index === this.#limits.maxVertices) throw new TooManyOfMesh('vertices', index)
    spend(1)
    if (3 * index === this.#vertices.length) {
      const grown = new Float64Array(6 * index)
      grown.set(this.#vertices)
      this.#vertices = grown
    }
    // −0 + 0 is 0
    this.#vertices[3 * index] = x + 0
    this.#vertices[3 * index + 1] = y + 0
    this.#vertices[3 * index + 2] = z + 0
    this.vertexCount++
    return index
  }

  /** The vertices exist. */
  addTriangle(a: number, b: number, c: number, group: number): void {
    const index = this.triangleCount
    if (index === this.#limits.maxTriangles) throw new TooManyOfMesh('triangles', index)
    spend(1)
    if (index === this.#groups.length) {
      const triangles = new Uint32Array(6 * index)
      triangles.set(this.#triangles)
      this.#triangles = triangles
      const groups = new Uint32Array(2 * index)
      groups.set(this.#groups)
      this.#groups = groups
    }
    this.#triangles[3 * index] = a
    this.#triangles[3 * index + 1] = b
    this.#triangles[3 * index + 2] = c
    this.#groups[index] = group
    if (group !== this.#groups[0]) this.#hasGroups = true
    this.triangleCount++
  }

  finish(): MeshData {
    return {
      vertices: this.#vertices.slice(0, 3 * this.vertexCount),
      triangles: this.#triangles.slice(0, 3 * this.triangleCount),
      groups: this.#hasGroups ? this.#groups.slice(0, this.triangleCount) : null,
    }
  }
}

/** The mesh with one vertex, the first, for all at the same place. Cost O(vertices), by a hash table with open places. */
export function weld({ vertices, triangles, groups }: MeshData): MeshData {
  const count = vertices.length / 3
  const size = 2 ** Math.ceil(Math.log2(2 * count + 2))
  const places = new Int32Array(size).fill(-1)
  const words = new Uint32Array(vertices.buffer, vertices.byteOffset, 2 * vertices.length)
  const kept = new Float64Array(vertices.length)
  const newIndex = new Uint32Array(count)
  let keptCount = 0
  for (let i = 0; i < count; i++) {
    spend(1)
    let hash = 0
    for (let k = 6 * i; k < 6 * i + 6; k++) hash = Math.imul(hash ^ words[k], MIX)
    let place = (hash ^ (hash >>> 15)) & (size - 1)
    const [x, y, z] = [vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]]
    for (;;) {
      const other = places[place]
      if (other < 0) {
        places[place] = keptCount
        kept[3 * keptCount] = x
        kept[3 * keptCount + 1] = y
        kept[3 * keptCount + 2] = z
        newIndex[i] = keptCount++
        break
      }
      if (kept[3 * other] === x && kept[3 * other + 1] === y && kept[3 * other + 2] === z) {
        newIndex[i] = other
        break
      }
      spend(1)
      place = (place + 1) & (size - 1)
    }
  }
  return { vertices: kept.slice(0, 3 * keptCount), triangles: triangles.map((vertex) => newIndex[vertex]), groups }
}

const MIX = 0x9e3779b1 | 0
