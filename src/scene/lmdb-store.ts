/**
 * The store in a data directory, on LMDB.
 *
 * One environment (`scenes.lmdb`), one tree of keys:
 *
 * | key | value |
 * |---|---|
 * | `meta` | JSON text that every version can read: the format, and who made it |
 * | `scene`, id | framed JSON: where the scene stands (`SceneRecord`) |
 * | `log`, incarnation, version | an entry, as it was given |
 * | `snapshot`, incarnation, version, n | chunk n of a snapshot |
 *
 * Every scene that begins gets a new incarnation number, so dropping one is the removal of one record; what lies under
 * its number is cleared away afterwards, by the next process if need be. The same holds for snapshots that were not
 * finished and for entries before the first one.
 */

import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RootDatabase } from 'lmdb'
import { FRAME_KINDS, framed, unframed } from './frame.ts'
import { type Change, LmdbCommits } from './lmdb-commits.ts'
import { type EnvironmentOptions, openEnvironment } from './lmdb-environment.ts'
import { clearLeftovers, REMOVAL_COUNT } from './lmdb-leftovers.ts'
import { lockDirectory } from './lock-directory.ts'
import {
  type Appended,
  type SceneStore,
  StoreClosed,
  StoreDamaged,
  type StoredEntry,
  type StoredScene,
  StoreError,
  StoreFull,
  type StoreUsage,
} from './store.ts'

export interface LmdbStoreOptions extends EnvironmentOptions {
  /** Size up to which entries are taken; snapshots, which make room, are not held back. Default: what the disk has. */
  maxBytes?: number
}

const PAGE_BYTE_COUNT = 4096
/** What an entry costs beside its bytes: key, node, the record. */
const ENTRY_OVERHEAD_BYTE_COUNT = 256
/** Read in one go before other work has its turn. */
const READ_SLICE_BYTE_COUNT = 2 ** 20
const READ_SLICE_COUNT = 1000

export interface SnapshotRecord {
  version: number
  chunkCount: number
}

export interface SceneRecord {
  incarnation: number
  version: number
  first: number
  /** Newest first. */
  snapshots: readonly SnapshotRecord[]
}

/** What the writes of one transaction leave to those behind them: records as they will be, the size of it all. */
interface Group {
  records: Map<string, SceneRecord | null>
  usedBytes: number
}

/** What a write does: nothing but answer, or change keys and perhaps the scene's record (null: remove it). */
type Staged<T> = { answer: T; changes?: Change[]; record?: SceneRecord | null }

/** Rejects with `StoreLocked`, `StoreTooNew`, `StoreDamaged` or `StoreFailed`. */
export async function openLmdbStore(options: LmdbStoreOptions): Promise<SceneStore> {
  const unlock = lockDirectory(options.directory)
  try {
    const database = await openEnvironment(options)
    try {
      return new LmdbStore(database, options, unlock)
    } catch (error) {
      await database.close()
      throw new StoreDamaged(`The data in ${options.directory} cannot be read: ${(error as Error).message}`)
    }
  } catch (error) {
    await unlock()
    throw error
  }
}

class LmdbStore implements SceneStore {
  private database: RootDatabase<Uint8Array>
  private readonly options: LmdbStoreOptions
  private readonly commits: LmdbCommits<Group>
  private readonly maxBytes: number | null
  private readonly unlock: () => Promise<void>
  private readonly records = new Map<string, SceneRecord>()
  private readonly damaged = new Map<string, string>()
  private nextIncarnation: number
  private clearing: Promise<void>
  private closing: Promise<void> | null = null
  /** While the environment is opened anew, and what was used of it before. */
  private resting: Promise<void> | null = null
  private lastUsedBytes = 0

  constructor(database: RootDatabase<Uint8Array>, options: LmdbStoreOptions, unlock: () => Promise<void>) {
    this.database = database
    this.options = options
    const newGroup = () => ({ records: new Map(), usedBytes: this.usedBytes() })
    this.commits = new LmdbCommits(database, join(options.directory, 'scenes.lmdb'), newGroup)
    this.maxBytes = options.maxBytes ?? null
    this.unlock = unlock
    for (const { key, value } of database.getRange({ start: ['scene'] })) {
      const [table, id] = key as [string, string]
      if (table !== 'scene') break
      try {
        this.records.set(id, decodeRecord(value))
      } catch (error) {
        this.damaged.set(id, `its record is damaged: ${(error as Error).message}`)
      }
    }
    this.nextIncarnation = 1 + lastIncarnation(database, this.records.values())
    // Whose numbers a damaged record held is not known, so nothing is taken for a leftover then.
    this.clearing = this.damaged.size > 0 ? Promise.resolve() : this.clear(1, this.nextIncarnation)
  }

  async list(): Promise<StoredScene[]> {
    this.assertOpen()
    const whole = [...this.records].map(([id, { version, first, snapshots }]) => {
      return { id, version, first, snapshots: snapshots.map((snapshot) => snapshot.version) }
    })
    const damaged = [...this.damaged].map(([id, damage]) => ({ id, version: 0, first: 1, snapshots: [], damage }))
    return [...whole, ...damaged].sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  append(scene: string, expectedVersion: number, entries: readonly Uint8Array[]): Promise<Appended> {
    let byteCount = 0
    for (const bytes of entries) byteCount += storedByteCount(bytes)
    return this.write<Appended>(scene, byteCount, (record, group) => {
      const version = record?.version ?? 0
      if (version !== expectedVersion || this.damaged.has(scene)) return { answer: { version, conflict: true } }
      this.takeRoom(group, byteCount)
      const incarnation = record?.incarnation ?? this.nextIncarnation++
      return {
        answer: { version: version + entries.length, conflict: false },
        changes: entries.map((bytes, index) => [['log', incarnation, version + index + 1], bytes]),
        record: { first: 1, snapshots: [], ...record, incarnation, version: version + entries.length },
      }
    })
  }

  async *read(scene: string, fromVersion: number): AsyncGenerator<StoredEntry> {
    this.assertOpen()
    const incarnation = this.records.get(scene)?.incarnation
    const last = this.records.get(scene)?.version ?? 0
    let bytesLeft = READ_SLICE_BYTE_COUNT
    for (let version = fromVersion; version <= last; version++) {
      if (this.records.get(scene)?.incarnation !== incarnation) return
      await this.resting
      this.assertOpen()
      const bytes = this.fetch(['log', incarnation!, version]) ?? null
      yield { version, bytes }
      bytesLeft -= (bytes?.length ?? 0) + READ_SLICE_BYTE_COUNT / READ_SLICE_COUNT
      if (bytesLeft > 0) continue
      await nextTurn()
      bytesLeft = READ_SLICE_BYTE_COUNT
    }
  }

  cut(scene: string, version: number): Promise<void> {
    return this.write(scene, 0, (record) => {
      if (record === undefined || record.version <= version) return { answer: undefined }
      const changes: Change[] = []
      for (let gone = record.version; gone > version; gone--) {
        changes.push([['log', record.incarnation, gone], undefined])
      }
      const snapshots = record.snapshots.filter((snapshot) => snapshot.version <= version)
      return { answer: undefined, changes, record: { ...record, version, snapshots } }
    })
  }

  async writeSnapshot(scene: string, version: number, chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
    const incarnation = this.records.get(scene)?.incarnation
    this.assertOpen()
    if (incarnation === undefined) return false
    const belongs = (record?: SceneRecord): record is SceneRecord => record?.incarnation === incarnation
    // What is being cleared away might be taken for a leftover, and half a snapshot for a whole one.
    await this.clearing
    await this.write(scene, 0, (record) => {
      const others = record?.snapshots.filter((snapshot) => snapshot.version !== version) ?? []
      if (!belongs(record) || others.length === record.snapshots.length) return { answer: undefined }
      return { answer: undefined, record: { ...record, snapshots: others } }
    })
    let chunkCount = 0
    /** Of the chunk before: it is written while the next one is made. */
    let isThere = Promise.resolve(true)
    for await (const bytes of chunks) {
      if (!(await isThere)) return false
      const key = ['snapshot', incarnation, version, chunkCount++]
      isThere = this.write(scene, storedByteCount(bytes), (record) =>
        belongs(record) ? { answer: true, changes: [[key, bytes]] } : { answer: false },
      )
      // Should the next chunk never come, nobody asks how this one went.
      isThere.catch(() => undefined)
    }
    if (!(await isThere)) return false
    return this.write(scene, 0, (record) => {
      if (!belongs(record)) return { answer: false }
      const others = record.snapshots.filter((snapshot) => snapshot.version !== version)
      const snapshots = [{ version, chunkCount }, ...others].sort((a, b) => b.version - a.version)
      return { answer: true, record: { ...record, snapshots } }
    })
  }

  async *readSnapshot(scene: string, version: number): AsyncGenerator<Uint8Array> {
    this.assertOpen()
    const record = this.records.get(scene)
    const chunkCount = record?.snapshots.find((snapshot) => snapshot.version === version)?.chunkCount ?? 0
    for (let index = 0; index < chunkCount; index++) {
      await this.resting
      this.assertOpen()
      const bytes = this.fetch(['snapshot', record!.incarnation, version, index])
      if (bytes !== undefined) yield bytes
      await nextTurn()
    }
  }

  async trim(scene: string, first: number, snapshots: readonly number[]): Promise<void> {
    let cleared: { incarnation: number; from: number; gone: SnapshotRecord[] } | undefined
    await this.write(scene, 0, (record) => {
      if (record === undefined) return { answer: undefined }
      const gone = record.snapshots.filter(({ version }) => !snapshots.includes(version))
      const kept = record.snapshots.filter(({ version }) => snapshots.includes(version))
      cleared = { incarnation: record.incarnation, from: record.first, gone }
      return { answer: undefined, record: { ...record, first: Math.max(first, record.first), snapshots: kept } }
    })
    if (cleared === undefined) return
    const { incarnation, from, gone } = cleared
    const keys: Change[0][] = []
    for (let version = from; version < first; version++) keys.push(['log', incarnation, version])
    for (const { version, chunkCount } of gone) {
      for (let index = 0; index < chunkCount; index++) keys.push(['snapshot', incarnation, version, index])
    }
    await this.remove(keys)
  }

  async drop(scene: string): Promise<boolean> {
    const incarnation = await this.write(scene, 0, (record) =>
      record === undefined && !this.damaged.has(scene)
        ? { answer: null }
        : { answer: record?.incarnation ?? 0, record: null },
    )
    this.damaged.delete(scene)
    if (incarnation !== null && incarnation > 0) {
      this.clearing = this.clearing.then(() => this.clear(incarnation, incarnation + 1))
    }
    return incarnation !== null
  }

  /** Pages that were read stay mapped, and count as memory of the process, until the environment is closed. */
  async rest(): Promise<void> {
    this.assertOpen()
    await this.clearing
    await this.commits.exchange(async () => {
      this.lastUsedBytes = this.usedBytes()
      this.resting = this.reopen()
      await this.resting
      this.resting = null
      return this.database
    })
  }

  private async reopen(): Promise<void> {
    await this.database.close()
    this.database = await openEnvironment(this.options)
  }

  usage(): StoreUsage {
    this.assertOpen()
    return { bytes: this.usedBytes(), maxBytes: this.maxBytes }
  }

  close(): Promise<void> {
    this.closing ??= (async () => {
      await this.commits.close()
      await this.clearing
      await this.database.close()
      await this.unlock()
    })()
    return this.closing
  }

  /** Runs `stage` when its group is put together: against the record as it will be then, durable or ahead in the group. */
  private write<T>(
    scene: string,
    byteCount: number,
    stage: (record: SceneRecord | undefined, group: Group) => Staged<T>,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      let staged: Staged<T>
      this.commits.submit({
        byteCount,
        stage: (group) => {
          try {
            const record = group.records.has(scene) ? group.records.get(scene) : this.records.get(scene)
            staged = stage(record ?? undefined, group)
          } catch (error) {
            reject(error)
            return null
          }
          const { changes = [], record, answer } = staged
          if (record !== undefined) {
            group.records.set(scene, record)
            changes.push([['scene', scene], record === null ? undefined : encodeRecord(record)])
          }
          if (changes.length > 0) return changes
          resolve(answer)
          return null
        },
        succeeded: () => {
          if (staged.record === null) this.records.delete(scene)
          else if (staged.record !== undefined) this.records.set(scene, staged.record)
          resolve(staged.answer)
        },
        failed: reject,
      })
    })
  }

  /** Throws `StoreFull` when a group would outgrow the quota by `byteCount` more. */
  private takeRoom(group: Group, byteCount: number): void {
    const taken = group.usedBytes + byteCount
    if (this.maxBytes !== null && taken > this.maxBytes) {
      throw new StoreFull(`There is no room left: ${taken} bytes would exceed the limit of ${this.maxBytes}`)
    }
    group.usedBytes = taken
  }

  /** A value, or undefined where there is none or the pages that lead to it are damaged. */
  private fetch(key: Change[0]): Uint8Array | undefined {
    try {
      return this.database.get(key)
    } catch {
      // The read transaction is of no more use after an error.
      this.database.resetReadTxn()
      return undefined
    }
  }

  private assertOpen(): void {
    if (this.closing !== null) throw new StoreClosed()
  }

  private usedBytes(): number {
    if (this.resting !== null) return this.lastUsedBytes
    const pages = this.database.getStats() as Record<string, number>
    return (pages.treeBranchPageCount + pages.treeLeafPageCount + pages.overflowPages) * pages.pageSize
  }

  private async remove(keys: readonly Change[0][]): Promise<void> {
    for (let start = 0; start < keys.length; start += REMOVAL_COUNT) {
      const changes = keys.slice(start, start + REMOVAL_COUNT).map((key): Change => [key, undefined])
      await this.write('', 0, () => ({ answer: undefined, changes }))
    }
  }

  /** Removes what no record speaks of among the incarnations from `from` and before `to`. Failing to is no harm. */
  private async clear(from: number, to: number): Promise<void> {
    try {
      await clearLeftovers(this.database, this.records, from, to, (keys) => this.remove(keys))
    } catch (error) {
      // The next process will come by here again.
      if (!(error instanceof StoreError)) throw error
    }
  }
}

const encodeRecord = (record: SceneRecord) =>
  framed({ kind: FRAME_KINDS.record, version: 0, ordinal: 0 }, Buffer.from(JSON.stringify(record)))

const decodeRecord = (bytes: Uint8Array): SceneRecord =>
  JSON.parse(Buffer.from(unframed({ kind: FRAME_KINDS.record, version: 0, ordinal: 0 }, bytes)).toString())

/** Values of more than about half a page lie on pages of their own. */
function storedByteCount({ length }: Uint8Array): number {
  const byteCount = length + ENTRY_OVERHEAD_BYTE_COUNT
  return byteCount > PAGE_BYTE_COUNT / 2 ? Math.ceil(byteCount / PAGE_BYTE_COUNT) * PAGE_BYTE_COUNT : byteCount
}

function lastIncarnation(database: RootDatabase<Uint8Array>, records: Iterable<SceneRecord>): number {
  let last = 0
  for (const { incarnation } of records) last = Math.max(last, incarnation)
  for (const table of ['log', 'snapshot']) {
    const above = [table, Number.MAX_SAFE_INTEGER]
    for (const key of database.getKeys({ start: above, reverse: true, limit: 1 })) {
      const [found, incarnation] = key as [string, number]
      if (found === table) last = Math.max(last, incarnation)
    }
  }
  return last
}
