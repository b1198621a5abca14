/**
 * Kept shapes as files of a directory that this process alone has.
 *
 * A start reads their names, sizes and times only: some tens of milliseconds for a thousand. The time of a file is when its shape was last
 * used, so a new process knows it.
 */

import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeptSummary } from '../../schemas/queries/kept-shapes.ts'
import type { Dimension } from '../wire/shape-source.ts'
import type { MadeShape } from './keep-shape.ts'
import { byteLengthOf, type KeptShape } from './kept-shape.ts'
import type { ShapeHead } from './shape-blocks.ts'
import { readShapeFile, readShapeHead, shapeOfFile, shapePath, writeShapeFile } from './shape-file.ts'
import { LAG_MS, type OnFinding, type ShapeStore, type StoreLimits } from './shape-store.ts'

interface ShapeFile {
  readonly id: string
  readonly dimension: Dimension
  readonly bytes: number
  /** When its use was noted, by the clock. */
  notedAt: number
}

/** Files that are looked at together. */
const TOGETHER = 64

export class ShapeFiles implements ShapeStore {
  readonly directory: string
  readonly #limits: StoreLimits
  readonly #onFinding: OnFinding
  #onGone: (id: string) => void = () => undefined
  /** The longest unused first. */
  readonly #files = new Map<string, ShapeFile>()
  /** Deletions of files that are under way, by id. */
  readonly #removals = new Map<string, Promise<void>>()
  /** The ids of a dimension in their order; null where some have come or gone since. */
  readonly #sorted: Record<Dimension, string[] | null> = { '2d': null, '3d': null }
  #bytes = 0

  constructor(directory: string, limits: StoreLimits, onFinding: OnFinding) {
    this.directory = directory
    this.#limits = limits
    this.#onFinding = onFinding
  }

  watch(onGone: (id: string) => void): void {
    this.#onGone = onGone
  }

  /** Finds the files of earlier processes. */
  async open(): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 })
    const names = await readdir(this.directory)
    const found: ShapeFile[] = []
    for (let at = 0; at < names.length; at += TOGETHER) {
      for (const file of await Promise.all(names.slice(at, at + TOGETHER).map((name) => this.#look(name)))) {
        if (file !== null) found.push(file)
      }
    }
    found.sort((a, b) => a.notedAt - b.notedAt)
    for (const file of found) this.#insert(file)
    await this.#makeRoom()
  }

  async #look(name: string): Promise<ShapeFile | null> {
    const path = join(this.directory, name)
    // one that was not finished
    if (name.endsWith('.new')) await rm(path, { force: true })
    const shape = shapeOfFile(name)
    if (shape === null) return null
    try {
      const { size, mtimeMs } = await stat(path)
      return { ...shape, bytes: size, notedAt: mtimeMs }
    } catch (error) {
      this.#onFinding({ shape: shape.id, reason: (error as Error).message })
      return null
    }
  }

  get figures(): { shapes: number; bytes: number } {
    return { shapes: this.#files.size, bytes: this.#bytes }
  }

  get mayHaveAny(): boolean {
    return this.#files.size > 0
  }

  mayHave(id: string): boolean {
    return this.#files.has(id)
  }

  summary(id: string): Promise<ShapeHead | null> {
    return this.#readFrom(id, readShapeHead)
  }

  async page(dimension: Dimension, cursor: string, count: number): Promise<KeptSummary[]> {
    const ids = this.#idsOf(dimension)
    const first = firstBehind(ids, cursor)
    const heads = await Promise.all(ids.slice(first, first + count).map((id) => this.summary(id)))
    return heads.flatMap((head) => (head === null ? [] : [head.summary]))
  }

  #idsOf(dimension: Dimension): readonly string[] {
    let ids = this.#sorted[dimension]
    if (ids === null) {
      ids = [...this.#files.values()].filter((file) => file.dimension === dimension).map(({ id }) => id)
      this.#sorted[dimension] = ids.sort()
    }
    return ids
  }

  /** Its file is there already, unless it was deleted after a worker saw it: then it is written again. */
  async add({ kept, head }: MadeShape): Promise<boolean> {
    const { id, dimension } = kept
    await this.#removals.get(id)
    if (this.#files.has(id)) return false
    if (!existsSync(shapePath(this.directory, kept))) writeShapeFile(this.directory, kept, head)
    this.#insert({ id, dimension, bytes: byteLengthOf(kept), notedAt: Date.now() })
    await this.#makeRoom()
    return true
  }

  read(id: string): Promise<KeptShape | null> {
    return this.#readFrom(id, readShapeFile)
  }

  async #readFrom<Read>(
    id: string,
    read: (directory: string, file: ShapeFile) => Promise<Read | null>,
  ): Promise<Read | null> {
    const file = this.#files.get(id)
    if (file === undefined) return null
    let reason = 'its file is damaged, or was written by another release'
    try {
      const found = await read(this.directory, file)
      if (found !== null) return found
    } catch (error) {
      reason = (error as Error).message
    }
    // one that was deleted while it was read is no fault
    if (this.#files.get(id) === file) {
      this.#onFinding({ shape: id, reason })
      await this.#drop(file)
    }
    return null
  }

  async remove(id: string, dimension: Dimension): Promise<boolean> {
    const file = this.#files.get(id)
    if (file === undefined || file.dimension !== dimension) return false
    await this.#drop(file)
    return true
  }

  use(id: string): null {
    const file = this.#files.get(id)
    if (file === undefined) return null
    this.#files.delete(id)
    this.#files.set(id, file)
    const now = Date.now()
    if (now - file.notedAt < LAG_MS) return null
    file.notedAt = now
    // a file that has gone meanwhile is no fault
    utimes(shapePath(this.directory, file), now / 1000, now / 1000).catch(() => undefined)
    return null
  }

  #insert(file: ShapeFile): void {
    this.#files.set(file.id, file)
    this.#sorted[file.dimension] = null
    this.#bytes += file.bytes
  }

  /** The latest stays whatever its size. */
  async #makeRoom(): Promise<void> {
    const { mostBytes, mostCount } = this.#limits
    for (const file of this.#files.values()) {
      if ((this.#bytes <= mostBytes && this.#files.size <= mostCount) || this.#files.size === 1) return
      await this.#drop(file)
    }
  }

  async #drop(file: ShapeFile): Promise<void> {
    if (!this.#files.delete(file.id)) return
    this.#onGone(file.id)
    this.#sorted[file.dimension] = null
    this.#bytes -= file.bytes
    const removal = rm(shapePath(this.directory, file), { force: true }).finally(() => this.#removals.delete(file.id))
    this.#removals.set(file.id, removal)
    await removal
  }
}

/** The place of the first of the sorted ids that comes behind the cursor. */
function firstBehind(ids: readonly string[], cursor: string): number {
  let low = 0
  let high = ids.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (ids[middle] > cursor) high = middle
    else low = middle + 1
  }
  return low
}
