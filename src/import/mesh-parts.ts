/**
 * OBJ and STL: the objects and groups of a file become bodies, as do the solids of STL in text. A part has the vertices that its triangles
 * name, in their order in the file; materials are its groups.
 * Frame: that of the file.
 */

import type { MeshShape3d } from '../../schemas/shapes3d.ts'
import { spend } from '../containers/budget.ts'
import type { ShapeLimits } from '../wire/body.ts'
import { isProblem } from '../wire/decode-problem.ts'
import { decodeMesh, rememberMesh } from '../wire/mesh-3d.ts'
import { type Drawing3d, draw, noteRepaired, skip } from './drawing.ts'
import type { MeshData } from './meshes/mesh-data.ts'
import { readObj } from './meshes/obj.ts'
import { readStl } from './meshes/stl.ts'
import type { SourceFiles } from './source-files.ts'

/** Vertices of all parts of a file, before those that are one are made one, and triangles. */
const MOST_OF_FILE = 2 ** 23

interface Part {
  readonly key: string
  readonly kind: 'object' | 'group' | 'solid'
  readonly tags: readonly string[]
}

/** The parts of a file, and which triangles are whose. */
class Parts {
  readonly #byKey = new Map<string, number>()
  readonly parts: Part[] = []
  /** From its first triangle on, up to that of the next. */
  readonly runs: { first: number; part: number }[] = []

  begin(first: number, part: Part): void {
    const known = this.#byKey.get(part.key) ?? this.parts.push(part) - 1
    this.#byKey.set(part.key, known)
    this.runs.push({ first, part: known })
  }
}

/** `name`: of what belongs to no object or group. `isSolid`: closed parts have an inside. */
export function importObj(
  { main }: SourceFiles,
  { name, isSolid }: { name: string; isSolid: boolean },
  limits: ShapeLimits,
  drawing: Drawing3d,
): void {
  const parts = new Parts()
  let [object, groups] = ['', '']
  const others = new Map<string, number>()
  const begin = (first: number) => parts.begin(first, partOfObj(object, groups, name))
  begin(0)
  const mesh = readObj(bytesOf(main.bytes), mostOf(limits), {
    section(word, names, triangles) {
      if (word === 'o') {
        object = names
        groups = ''
      } else groups = names
      begin(triangles)
    },
    other: (word) => others.set(word, (others.get(word) ?? 0) + 1),
  })
  drawParts(mesh, parts, isSolid, limits, drawing)
  for (const [word, count] of others) {
    skip(
      drawing,
      main.name,
      word,
      `${count} of them have no triangles: lines, points and curved surfaces are not read.`,
    )
  }
}

function partOfObj(object: string, groups: string, name: string): Part {
  const groupNames = groups.split(/\s+/).filter((group) => group !== '' && group !== 'default')
  const tags = [...(object === '' ? [] : [`object:${object}`]), ...groupNames.map((group) => `group:${group}`)]
  const key = [object, groupNames.join('.')].filter((word) => word !== '').join(':')
  return { key: key || name, kind: groupNames.length > 0 ? 'group' : 'object', tags }
}

export function importStl(
  { main }: SourceFiles,
  { name, isSolid }: { name: string; isSolid: boolean },
  limits: ShapeLimits,
  drawing: Drawing3d,
): void {
  const parts = new Parts()
  parts.begin(0, { key: name, kind: 'solid', tags: [] })
  const mesh = readStl(bytesOf(main.bytes), mostOf(limits), (solid, triangles) => {
    parts.begin(triangles, { key: solid || name, kind: 'solid', tags: [] })
  })
  drawParts(mesh, parts, isSolid, limits, drawing)
}

function bytesOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}

/** A part has no more than a shape may have; of all of them there may be more. */
function mostOf({ maxVertices }: ShapeLimits): { maxVertices: number; maxTriangles: number } {
  return { maxVertices: Math.max(maxVertices, MOST_OF_FILE), maxTriangles: Math.max(2 * maxVertices, MOST_OF_FILE) }
}

function drawParts(
  mesh: MeshData,
  { parts, runs }: Parts,
  isSolid: boolean,
  limits: ShapeLimits,
  drawing: Drawing3d,
): void {
  const triangleCount = mesh.triangles.length / 3
  const own: { from: number; to: number }[][] = parts.map(() => [])
  for (const [k, { first, part }] of runs.entries()) {
    const to = runs[k + 1]?.first ?? triangleCount
    if (to > first) own[part].push({ from: first, to })
  }
  const newIndices = new Int32Array(mesh.vertices.length / 3).fill(-1)
  for (const [k, { key, kind, tags }] of parts.entries()) {
    const where = `${kind} ${key}`
    if (own[k].length === 0) {
      // what is before the first name is as a rule nothing
      if (k > 0) skip(drawing, where, kind, 'It has no triangles.')
      continue
    }
    const shape = partShape(mesh, own[k], newIndices)
    const mostVertices = limits.maxVertices
    const closed = isSolid ? decodeMesh({ ...shape, solid: true }, mostVertices, true) : null
    if (closed !== null && isProblem(closed)) {
      noteRepaired(drawing, where, 'mesh', `${closed.detail} Its surface is taken.`)
    } else if (closed !== null) {
      shape.solid = true
      rememberMesh(shape, closed)
    }
    if (shape.solid !== true) {
      const surface = decodeMesh(shape, mostVertices, true)
      if (!isProblem(surface)) rememberMesh(shape, surface)
    }
    draw(drawing, { key, kind, shape, tags, where })
  }
  if (triangleCount === 0) skip(drawing, '', 'file', 'It has no triangles.')
}

function partShape(
  { vertices, triangles, groups }: MeshData,
  runs: readonly { from: number; to: number }[],
  newIndices: Int32Array,
): MeshShape3d {
  const used: number[] = []
  for (const { from, to } of runs) {
    spend(to - from)
    for (let k = 3 * from; k < 3 * to; k++) {
      if (newIndices[triangles[k]] >= 0) continue
      newIndices[triangles[k]] = 0
      used.push(triangles[k])
    }
  }
  used.sort((a, b) => a - b)
  for (const [index, vertex] of used.entries()) newIndices[vertex] = index
  const corners: number[] = []
  const numbers: number[] = []
  for (const { from, to } of runs) {
    for (let k = 3 * from; k < 3 * to; k++) corners.push(newIndices[triangles[k]])
    for (let t = from; groups !== null && t < to; t++) numbers.push(groups[t])
  }
  const coordinates = new Array<number>(3 * used.length)
  for (let k = 0; k < coordinates.length; k++) coordinates[k] = vertices[3 * used[Math.floor(k / 3)] + (k % 3)]
  for (const vertex of used) newIndices[vertex] = -1
  const isOneGroup = numbers.every((number) => number === numbers[0])
  return { type: 'mesh', vertices: coordinates, triangles: corners, ...(!isOneGroup && { groups: numbers }) }
}
