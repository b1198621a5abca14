// The form in which a kept shape is stored: a head, and blocks of bytes: its text and its prepared meshes, as they lie in memory.

import { crc32 } from 'node:zlib'
import type { KeptSummary } from '../../schemas/queries/kept-shapes.ts'
import { meshOf } from '../core3d/mesh/mesh.ts'
import type { KeptShape } from './kept-shape.ts'

interface BlockHead {
  readonly length: number
  /** CRC-32. */
  readonly checksum: number
}

/** The summary of a shape, and the lengths and checksums of its blocks: a plain record, also as JSON. */
export interface ShapeHead {
  readonly summary: KeptSummary
  readonly dimension: KeptShape['dimension']
  readonly depth: number
  /** Of its text, and of each mesh. */
  readonly blocks: readonly BlockHead[]
}

export function blocksOf({ text, meshes }: KeptShape): Uint8Array[] {
  return [text, ...meshes].map((memory) => new Uint8Array(memory))
}

export function headOf(kept: KeptShape, summary: KeptSummary): ShapeHead {
  const blocks = blocksOf(kept).map((block) => ({ length: block.length, checksum: crc32(block) }))
  return { summary, dimension: kept.dimension, depth: kept.depth, blocks }
}

/** The shape with these blocks; null where a checksum of a block differs, or another release has prepared a mesh. */
export function shapeOf(
  { summary, dimension, depth, blocks }: ShapeHead,
  read: readonly { readonly memory: SharedArrayBuffer; readonly checksum: number }[],
): KeptShape | null {
  if (!blocks.every(({ checksum }, k) => read[k]?.checksum === checksum)) return null
  const [text, ...meshes] = read.map(({ memory }) => memory)
  if (!meshes.every((mesh) => meshOf(mesh) !== null)) return null
  return { id: summary.id, dimension, depth, text, meshes }
}
