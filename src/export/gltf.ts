/**
 * Scenes of space as binary glTF 2.0: a node for each body, with its id as its name, its pose, and the body itself in `extras` (`gltf-extras.ts`
 * of imports reads it back). Bodies of one shape show one mesh; its coordinates are single floats, as the format has it.
 *
 * The lengths at the beginning of the file need all of it: the document is gathered as text, and the numbers of its meshes as bytes.
 * Source: Khronos, "glTF 2.0 specification", sections 3 and 4.4.
 */

import type { Shape3d } from '../../schemas/shapes3d.ts'
import { EXTRAS_NAME, type ExportedMesh, rotationOf } from '../import/gltf-extras.ts'
import { contentsOf } from '../scene/state/kept-content.ts'
import type { SceneBody } from '../scene/state/operation.ts'
import { PackedShape, plainShape, shapeOfText, shownText } from '../scene/state/shape-text.ts'
import type { Sheet } from './export-format.ts'
import { type Triangles, trianglesOf } from './triangles.ts'

/** Most runs of triangles of one group that are primitives of a mesh; where there are more, the mesh has one. */
const MOST_PRIMITIVES = 1024
const FLOAT = 5126
const UNSIGNED_INT = 5125

interface WrittenMesh {
  readonly index: number
  readonly groups: readonly number[]
}

/** A file that is being gathered. */
export class GlbFile {
  readonly #nodes: string[] = []
  readonly #meshes: string[] = []
  readonly #accessors: string[] = []
  readonly #views: string[] = []
  readonly #bytes: Uint8Array[] = []
  /** By the text of the shape; null of shapes without triangles. */
  readonly #known = new Map<string, WrittenMesh | null>()
  #length = 0

  /** The cost of it, in points. */
  add({ id, shape: put, data, ...rest }: SceneBody): number {
    const shape = contentsOf(put).length === 0 ? put : shapeOfText(shownText(put))
    const text = shape instanceof PackedShape ? shape.form : JSON.stringify(shape)
    let known = this.#known.get(text)
    let cost = 1
    if (known === undefined) {
      const found = trianglesOf(plainShape(shape) as Shape3d)
      known = found === null || !isSingle(found.vertices) ? null : this.#addMesh(found)
      cost += (found?.vertices.length ?? 0) / 3
      this.#known.set(text, known)
    }
    const isMesh = known !== null && (shape as Shape3d).type === 'mesh'
    const { orientation, position } = rest
    const rotation = orientation === undefined ? null : rotationOf(orientation)
    const { solid } = (isMesh ? { solid: text.includes('"solid":true') } : {}) as ExportedMesh
    const mesh: ExportedMesh = { ...(solid && { solid }), ...(known?.groups.length && { groups: known.groups }) }
    const said = JSON.stringify({ id, ...rest, ...(isMesh ? { mesh } : {}) }).slice(0, -1)
    const dataText = data === undefined ? '' : `,"data":${data}${exactData(data as string)}`
    const shapeText = isMesh ? '' : `,"shape":${text}`
    const { x = 0, y = 0, z = 0 } = position ?? {}
    this.#nodes.push(
      `{"name":${JSON.stringify(id)}${known === null ? '' : `,"mesh":${known.index}`}` +
        `${position === undefined ? '' : `,"translation":[${x},${y},${z}]`}` +
        `${rotation === null ? '' : `,"rotation":[${rotation.x},${rotation.y},${rotation.z},${rotation.w}]`}` +
        `,"extras":{"${EXTRAS_NAME}":${said}${shapeText}${dataText}}}}`,
    )
    return cost
  }

  #addMesh({ vertices, triangles, groups }: Triangles): WrittenMesh {
    const positions = Float32Array.from(vertices)
    const [min, max] = sidesOf(positions)
    const position = this.#addNumbers(positions, FLOAT, 'VEC3', `,"min":[${min}],"max":[${max}]`)
    const runs = groups === null ? [] : runsOf(groups)
    const isSplit = runs.length > 0 && runs.length <= MOST_PRIMITIVES
    const starts = isSplit ? runs : [0]
    const indices = Uint32Array.from(triangles)
    const primitives = starts.map((start, k) => {
      const end = starts[k + 1] ?? indices.length / 3
      const accessor = this.#addNumbers(indices.subarray(3 * start, 3 * end), UNSIGNED_INT, 'SCALAR')
      return `{"attributes":{"POSITION":${position}},"indices":${accessor}}`
    })
    const index = this.#meshes.push(`{"primitives":[${primitives}]}`) - 1
    return { index, groups: isSplit && groups !== null ? runs.map((start) => groups[start]) : [] }
  }

  /** The index of the accessor. */
  #addNumbers(numbers: Float32Array | Uint32Array, componentType: number, type: 'VEC3' | 'SCALAR', more = ''): number {
    const { byteLength } = numbers
    this.#views.push(`{"buffer":0,"byteOffset":${this.#length},"byteLength":${byteLength}}`)
    this.#bytes.push(new Uint8Array(numbers.buffer, numbers.byteOffset, byteLength))
    this.#length += byteLength
    const count = numbers.length / (type === 'VEC3' ? 3 : 1)
    const bufferView = this.#views.length - 1
    return this.#accessors.push(`{"bufferView":${bufferView},"componentType":${componentType},"count":${count},"type":"${type}"${more}}`) - 1 // biome-ignore format: one text
  }

  writeTo(sheet: Sheet, name: string): void {
    const fields = [`"asset":{"version":"2.0","generator":"Tangent"}`, `"scene":0`]
    const roots = this.#nodes.length === 0 ? '' : `,"nodes":[${Array.from(this.#nodes, (_, k) => k)}]`
    fields.push(`"scenes":[{"name":${JSON.stringify(name)}${roots}}]`)
    // lists of the format are never empty
    if (this.#nodes.length > 0) fields.push(`"nodes":[${this.#nodes}]`)
    if (this.#meshes.length > 0) {
      fields.push(`"meshes":[${this.#meshes}]`, `"accessors":[${this.#accessors}]`, `"bufferViews":[${this.#views}]`)
      fields.push(`"buffers":[{"byteLength":${this.#length}}]`)
    }
    const text = Buffer.from(`{${fields.join(',')}}`)
    const blanks = -text.length & 3
    const binary = this.#length === 0 ? 0 : 8 + this.#length
    sheet.writeBytes(wordsOf(0x46546c67, 2, 12 + 8 + text.length + blanks + binary, text.length + blanks, 0x4e4f534a))
    sheet.writeBytes(text)
    sheet.writeBytes(Buffer.from(' '.repeat(blanks)))
    if (this.#length === 0) return
    sheet.writeBytes(wordsOf(this.#length, 0x004e4942))
    for (const bytes of this.#bytes) sheet.writeBytes(bytes)
  }
}

function wordsOf(...words: number[]): Buffer {
  const bytes = Buffer.alloc(4 * words.length)
  for (const [k, word] of words.entries()) bytes.writeUInt32LE(word, 4 * k)
  return bytes
}

/** Whether single floats can have them. */
function isSingle(vertices: ArrayLike<number>): boolean {
  for (let k = 0; k < vertices.length; k++) if (!Number.isFinite(Math.fround(vertices[k]))) return false
  return vertices.length > 0
}

function sidesOf(positions: Float32Array): [min: number[], max: number[]] {
  const min = [Infinity, Infinity, Infinity]
  const max = [-Infinity, -Infinity, -Infinity]
  for (let k = 0; k < positions.length; k++) {
    min[k % 3] = Math.min(min[k % 3], positions[k])
    max[k % 3] = Math.max(max[k % 3], positions[k])
  }
  return [min, max]
}

/** Where triangles of another group begin. */
function runsOf(groups: ArrayLike<number>): number[] {
  const starts: number[] = []
  for (let t = 0; t < groups.length; t++) if (t === 0 || groups[t] !== groups[t - 1]) starts.push(t)
  return starts
}

/** The data as text beside its value where a program that reads and writes the value would write another text. */
function exactData(data: string): string {
  return JSON.stringify(JSON.parse(data)) === data ? '' : `,"dataText":${JSON.stringify(data)}`
}
