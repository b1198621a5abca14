/**
 * A kept shape as threads share it: text and prepared meshes in shared memory, which nobody writes to any more.
 *
 * The text is the shape as JSON. In place of the numbers of each mesh and height field it has the place of a prepared mesh in the list
 * beside it, whose block of memory has the caller's vertices and triangles, the tree and what else `mesh.ts` says. Opening a shape parses
 * the text and makes views of the blocks; the tree is not built again.
 */

import type { CompoundShape3d, HeightfieldShape3d, MeshShape3d, Shape3d } from '../../schemas/shapes3d.ts'
import { gridHeights } from '../core3d/mesh/height-field.ts'
import { type Mesh, meshOf } from '../core3d/mesh/mesh.ts'
import { preparedMesh, rememberMesh } from '../wire/mesh-3d.ts'
import type { Dimension, ShapeSource, SourceShape } from '../wire/shape-source.ts'

export interface KeptShape {
  readonly id: string
  readonly dimension: Dimension
  /** How many compounds lie in each other in it. */
  readonly depth: number
  readonly text: SharedArrayBuffer
  readonly meshes: readonly SharedArrayBuffer[]
}

/** Bytes that it takes. */
export function byteLengthOf({ text, meshes }: Pick<KeptShape, 'text' | 'meshes'>): number {
  return meshes.reduce((sum, { byteLength }) => sum + byteLength, text.byteLength)
}

/** The meshes of the shape are prepared, in shared memory. */
export function packShape(id: string, dimension: Dimension, shape: object): KeptShape {
  const depth = depthOf(shape)
  if (dimension === '3d') return { id, dimension, depth, ...packMeshes(shape as Shape3d) }
  return { id, dimension, depth, text: sharedText(shape), meshes: [] }
}

/** A shape of space for other threads, whose meshes are prepared, in shared memory. */
export type PackedMeshes = Pick<KeptShape, 'text' | 'meshes'>

export function packMeshes(shape: Shape3d): PackedMeshes {
  const meshes: SharedArrayBuffer[] = []
  return { text: sharedText(withoutNumbers(shape, meshes)), meshes }
}

function sharedText(value: object): SharedArrayBuffer {
  const text = Buffer.from(JSON.stringify(value))
  const shared = new SharedArrayBuffer(text.length)
  new Uint8Array(shared).set(text)
  return shared
}

/** A shape whose numbers are elsewhere. */
interface Stub {
  readonly kept: number
}

function withoutNumbers(shape: Shape3d, meshes: SharedArrayBuffer[]): object {
  switch (shape.type) {
    case 'compound':
      return {
        ...shape,
        children: shape.children.map((child) => ({ ...child, shape: withoutNumbers(child.shape, meshes) })),
      }
    case 'mesh':
    case 'heightfield': {
      const { buffer } = preparedMesh(shape) as Mesh
      const kept = meshes.push(buffer as SharedArrayBuffer) - 1
      return { ...shape, vertices: undefined, triangles: undefined, groups: undefined, heights: undefined, kept }
    }
    default:
      return shape
  }
}

function depthOf(shape: object): number {
  const { type, children } = shape as Partial<CompoundShape3d>
  if (type !== 'compound' || children === undefined) return 0
  return 1 + children.reduce((most, child) => Math.max(most, depthOf(child.shape)), 0)
}

/** As it is on the wire. Cost O(its text). */
function openShape({ dimension, depth, ...packed }: KeptShape): SourceShape {
  return { dimension, depth, shape: openMeshes(packed) }
}

/** The shape, its meshes prepared, and its numbers in typed arrays. Cost O(its text). */
export function openMeshes({ text, meshes }: PackedMeshes): Shape3d {
  const shape = JSON.parse(Buffer.from(new Uint8Array(text)).toString())
  return meshes.length === 0 ? shape : withNumbers(shape, meshes)
}

function withNumbers(shape: Shape3d | (Shape3d & Stub), meshes: readonly SharedArrayBuffer[]): Shape3d {
  if (shape.type === 'compound') {
    for (const child of shape.children) child.shape = withNumbers(child.shape, meshes)
    return shape
  }
  if (!('kept' in shape)) return shape
  const mesh = meshOf(meshes[shape.kept]) as Mesh
  const { kept: _, ...fields } = shape
  const { vertices, triangles, groups } = mesh
  const opened =
    fields.type === 'mesh'
      ? ({ ...fields, vertices, triangles, ...(groups !== null && { groups }) } as MeshShape3d)
      : ({ ...fields, heights: gridHeights(mesh, fields as HeightfieldShape3d) } as HeightfieldShape3d)
  rememberMesh(opened, mesh)
  return opened
}

/** Shapes that stay open when the next job comes. */
const MOST_OPEN = 32

/** The kept shapes that this thread may use, opened when they are first needed. */
export class OpenShapes implements ShapeSource {
  readonly #lent = new Map<string, KeptShape>()
  /** The latest used last. */
  readonly #open = new Map<string, SourceShape>()

  /** Takes the place of those that were lent before. */
  lend(shapes: readonly KeptShape[]): void {
    this.#lent.clear()
    for (const shape of shapes) this.#lent.set(shape.id, shape)
    for (const id of this.#open.keys()) {
      if (this.#open.size <= MOST_OPEN) break
      this.#open.delete(id)
    }
  }

  find(id: string): SourceShape | undefined {
    const shape = this.#lent.get(id)
    if (shape === undefined) return undefined
    const found = this.#open.get(id) ?? openShape(shape)
    this.#open.delete(id)
    this.#open.set(id, found)
    return found
  }

  /** Lets go of what could be opened again. */
  forget(): void {
    this.#open.clear()
  }
}

/** The shapes of a main thread, which are lent by whoever keeps them. */
export class ShapeOpener {
  readonly #open = new WeakMap<KeptShape, SourceShape>()

  open(shape: KeptShape): SourceShape {
    const found = this.#open.get(shape)
    if (found !== undefined) return found
    const opened = openShape(shape)
    this.#open.set(shape, opened)
    return opened
  }
}
