/**
 * Kept shapes in a database that any number of processes share: each has what any was sent.
 *
 * Blocks are cut into parts, each sent and read by itself. A `GET` of a shape always asks the database. Queries use shapes in memory without
 * asking, but for one look in `LAG_MS`, which notes the use and finds whether another process has deleted the shape.
 */

import { crc32 } from 'node:zlib'
import type { KeptSummary } from '../../schemas/queries/kept-shapes.ts'
import type { Dimension } from '../wire/shape-source.ts'
import type { MadeShape } from './keep-shape.ts'
import { byteLengthOf, type KeptShape } from './kept-shape.ts'
import { blocksOf, type ShapeHead, shapeOf } from './shape-blocks.ts'
import { LAG_MS, type OnFinding, type ShapeStore, type StoreLimits } from './shape-store.ts'

/** The rows of the database. All reject where it cannot be asked. */
export interface ShapeRows {
  find(id: string): Promise<{ readonly dimension: string; readonly head: string; readonly content: string } | null>
  part(content: string, n: number): Promise<Uint8Array | null>
  page(dimension: string, cursor: string, count: number): Promise<string[]>
  add(
    row: { readonly id: string; readonly dimension: string; readonly bytes: number; readonly head: string },
    parts: () => Iterable<Uint8Array>,
  ): Promise<boolean>
  makeRoom(id: string, mostBytes: number, mostCount: number): Promise<string[]>
  remove(id: string, dimension: string): Promise<boolean>
  use(id: string): Promise<boolean>
}

const PART_LENGTH = 2 ** 21

export class ShapeDatabase implements ShapeStore {
  readonly directory = null
  readonly mayHaveAny = true
  readonly #rows: ShapeRows
  readonly #limits: StoreLimits
  readonly #onFinding: OnFinding
  #onGone: (id: string) => void = () => undefined
  /** When the use of a shape was noted, by the clock. */
  readonly #noted = new Map<string, number>()

  constructor(rows: ShapeRows, limits: StoreLimits, onFinding: OnFinding) {
    this.#rows = rows
    this.#limits = limits
    this.#onFinding = onFinding
  }

  watch(onGone: (id: string) => void): void {
    this.#onGone = onGone
  }

  mayHave(): boolean {
    return true
  }

  async summary(id: string): Promise<{ dimension: Dimension; summary: KeptSummary } | null> {
    const found = await this.#rows.find(id)
    return found === null ? null : (JSON.parse(found.head) as ShapeHead)
  }

  async page(dimension: Dimension, cursor: string, count: number): Promise<KeptSummary[]> {
    return (await this.#rows.page(dimension, cursor, count)).map((head) => (JSON.parse(head) as ShapeHead).summary)
  }

  async add({ kept, head }: MadeShape): Promise<boolean> {
    const { id, dimension } = kept
    const row = { id, dimension, bytes: byteLengthOf(kept), head: JSON.stringify(head) }
    const isNew = await this.#rows.add(row, () => partsOf(kept))
    this.#noted.set(id, Date.now())
    if (!isNew) return false
    for (const gone of await this.#rows.makeRoom(id, this.#limits.mostBytes, this.#limits.mostCount)) {
      this.#noted.delete(gone)
      this.#onGone(gone)
    }
    return true
  }

  async read(id: string): Promise<KeptShape | null> {
    const found = await this.#rows.find(id)
    if (found === null) return null
    const head = JSON.parse(found.head) as ShapeHead
    const blocks: { memory: SharedArrayBuffer; checksum: number }[] = []
    let n = 0
    for (const { length } of head.blocks) {
      const memory = new SharedArrayBuffer(length)
      let checksum = 0
      for (let at = 0; at < length; ) {
        const part = await this.#rows.part(found.content, n++)
        // deleted meanwhile
        if (part === null) return null
        if (part.length === 0 || part.length > length - at) return this.#lose(id, head)
        new Uint8Array(memory).set(part, at)
        checksum = crc32(part, checksum)
        at += part.length
      }
      blocks.push({ memory, checksum })
    }
    return shapeOf(head, blocks) ?? this.#lose(id, head)
  }

  async #lose(id: string, { dimension }: ShapeHead): Promise<null> {
    this.#onFinding({ shape: id, reason: 'its rows are damaged, or were written by another release' })
    this.#onGone(id)
    await this.remove(id, dimension)
    return null
  }

  remove(id: string, dimension: Dimension): Promise<boolean> {
    this.#noted.delete(id)
    return this.#rows.remove(id, dimension)
  }

  use(id: string): Promise<boolean> | null {
    const now = Date.now()
    if (now - (this.#noted.get(id) ?? 0) < LAG_MS) return null
    // the longest ago first
    this.#noted.delete(id)
    this.#noted.set(id, now)
    for (const [other, at] of this.#noted) {
      if (now - at < LAG_MS) break
      this.#noted.delete(other)
    }
    return this.#rows.use(id)
  }
}

function* partsOf(kept: KeptShape): Generator<Uint8Array> {
  for (const block of blocksOf(kept)) {
    for (let at = 0; at < block.length; at += PART_LENGTH) yield block.slice(at, at + PART_LENGTH)
  }
}
