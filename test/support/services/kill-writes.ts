// The writes of the kill rounds: what a seed stands for, so that whoever knows the seed knows the entry.

import type { Entry, Operation } from '../../../src/scene/state/operation.ts'
import { CREATED_AT, spaceShape } from './kept-scenes.ts'

export const WRITER_COUNT = 64
/** Seeds take turns: those that are even write to the plane, the others to space. */
export const SCENE_IDS = ['plane', 'space']
export const dimensionOf = (id: string) => (id === 'space' ? 3 : 2)
/** Small, so that snapshots are being taken at most moments. */
export const TAIL_BYTE_COUNT = 100_000

/** A batch about the writer's own three bodies, all of which show the seed: half a batch would be seen. */
export function operationsOf(seed: number, writer: number): Operation[] {
  const operations: Operation[] = []
  if (seed % 4001 === 0) operations.push({ op: 'clear' })
  for (let n = 0; n < 3; n++) {
    const id = `w${writer}.${n}`
    const flat = seed % 4 === 0 ? { type: 'circle', radius: 1 + (seed % 5) } : { type: 'box', width: 1, height: 2 }
    const shape = seed % 2 === 0 ? flat : spaceShape(seed >> 1)
    const z = seed % 2 === 0 ? {} : { z: n }
    const data = seed % 7 === 0 ? { seed, ballast: 'x'.repeat(seed % 3000) } : { seed }
    operations.push({ op: 'put', body: { id, shape, position: { x: seed, y: n, ...z }, data } })
    if (seed % 3 === 0)
      operations.push({ op: 'move', id, position: { x: n, y: seed, ...z }, velocity: { x: 1, y: 0, ...z } })
  }
  if (seed % 11 === 0) operations.push({ op: 'remove', id: `w${writer}.1` })
  return operations
}

/** Entries are never before the one that begins the scene. */
export const timeOf = (seed: number) => CREATED_AT + seed

export const entryOf = (version: number, seed: number, writer: number): Entry => ({
  version,
  at: timeOf(seed),
  operations: operationsOf(seed, writer),
})
