/** Shapes as workers make them to be kept. */

import { type KeepTask, keepShape, type MadeShape } from '../../src/kept/keep-shape.ts'
import { NO_SHAPES, type ShapeSource } from '../../src/wire/shape-source.ts'

export const PYRAMID = {
  vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
  triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
}
export const MESH = { type: 'mesh', ...PYRAMID }

/** A shape, or a file; or the problem that it is. */
export function made(shape: object | string, rest: Partial<KeepTask> = {}, shapes: ShapeSource = NO_SHAPES): MadeShape {
  const isFile = Buffer.isBuffer(shape) || typeof shape === 'string'
  const bytes = Buffer.from(isFile ? (shape as string) : JSON.stringify(shape))
  const limits = { maxVertices: 1000, maxParts: 10 }
  const frame = { scale: 1, up: 'y', node: null } as const
  const own = { dimension: '3d', format: 'json', solid: false, directory: null } as const
  return keepShape({ kind: 'keep', bytes, frame, limits, ...own, ...rest }, shapes) as MadeShape
}
