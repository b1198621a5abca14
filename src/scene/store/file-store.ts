/**
 * The store in a data directory. Its files are read and written, never mapped into memory, so a damaged file is only damaged data.
 *
 * | file | |
 * |---|---|
 * | `log-N` | entries, trims and drops of all scenes, in the order in which they were written (`group-commit.ts`) |
 * | `snapshot-I-V` | the scene of incarnation I at version V (`log-files.ts`) |
 * | `ledger` | the version of every scene, recorded a second time (`ledger.ts`) |
 * | `owner.N` | the lock (`lock-directory.ts`) |
 * | `*.new` | a file that is being written, and ignored until it is renamed |
 *
 * The log is the truth. It is read once at the start, which gives the place of every entry (`log-recovery.ts`). Space is reclaimed by
 * writing files anew (`reclaim.ts`).
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { adoptScene } from './adopt-scene.ts'
import { DirectoryDisk, type Disk } from './disk.ts'
import { type Group, GroupCommit, LogWriter, submitStaged, type Written } from './group-commit.ts'
import { LEDGER_NAME, Ledger } from './ledger.ts'
import { lockDirectory } from './lock-directory.ts'
import { type LogFiles, numberOfLog, offsetOf, readSnapshotFile, snapshotName, writeSnapshotFile } from './log-files.ts'
import { type IndexedScene, type LogIndex, living, snapshotVersions, storedScene } from './log-index.ts'
import { type Finding, recoverLog } from './log-recovery.ts'
import { Reclaimer } from './reclaim.ts'
import {
  decodeFileHeader,
  FILE_HEADER_BYTE_COUNT,
  FileWindow,
  FORMAT,
  type NewRecord,
  newRecordByteCount,
  RECORD_KINDS,
  readRecord,
} from './record.ts'
import {
  type AdoptedScene,
  type Adopting,
  type Append,
  type Appended,
  type SceneLife,
  type SceneStore,
  StoreClosed,
  type StoredEntry,
  type StoredScene,
  StoreError,
  StoreFailed,
  StoreFull,
  StoreTooNew,
  StoreTooOld,
  type StoreUsage,
} from './store.ts'

const EVERY_MS = 1000
/** A commit checks too if the last check began longer ago. */
const FRESH_MS = 250

/**
 * Detects that the directory or a file of the log was deleted, moved or replaced. The system would still accept writes into the open
 * files, and they would be lost with the process. Checks every second, and with a commit if the last check is not recent, so only writes
 * within a fraction of a second after the deletion can be lost.
 */
class StorageWatch {
  private readonly disk: Disk
  private readonly files: LogFiles
  private readonly writer: LogWriter
  private lookedAt = -Infinity
  private timer: NodeJS.Timeout | null = null
  private running: Promise<unknown> = Promise.resolve()

  constructor(files: LogFiles, writer: LogWriter) {
    this.disk = files.disk
    this.files = files
    this.writer = writer
  }

  start(): void {
    this.timer = setTimeout(() => {
      this.running = this.look().then(() => {
        if (this.timer !== null && this.writer.broken === null) this.start()
      })
    }, EVERY_MS).unref()
  }

  async close(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer)
    this.timer = null
    await this.running
  }

  /** Resolves to the reason why nothing may be acknowledged, or null. Call it when a commit begins; await it when the commit is durable. */
  lookIfDue(): Promise<StoreFailed | null> {
    return performance.now() - this.lookedAt < FRESH_MS ? Promise.resolve(this.writer.broken) : this.look()
  }

  /** Ends all writing if a file or the directory is not in its place. */
  async look(): Promise<StoreFailed | null> {
    this.lookedAt = performance.now()
    if (this.writer.broken !== null) return this.writer.broken
    try {
      const fault = await this.fault()
      if (fault !== null && this.writer.broken === null) this.writer.breakDown(new StoreFailed(fault))
    } catch (error) {
      // A failed check says nothing about the files.
      if (!(error instanceof StoreError)) throw error
    }
    return this.writer.broken
  }

  private async fault(): Promise<string | null> {
    if (!(await this.disk.isInPlace())) return 'The data directory has been deleted, moved or replaced'
    const active = this.writer.activeLog
    const isWhole = active === null || (await this.files.use(active, (file) => file.isInPlace()))
    // The store itself may have replaced a file that is no longer active.
    const lost = isWhole || active !== this.writer.activeLog ? await this.missing() : active?.name
    return lost === undefined ? null : `${lost} has been deleted, moved or replaced in the data directory`
  }

  /** The name of a missing file of the log. It lists twice, because the store may remove or begin files during the first listing. */
  private async missing(): Promise<string | undefined> {
    let suspects: string[] | null = null
    for (let turn = 0; turn < 2; turn++) {
      const names = new Set(await this.disk.list())
      suspects = (suspects ?? this.files.list().map(({ name }) => name)).filter((name) => !names.has(name))
      const known = new Set(this.files.list().map(({ name }) => name))
      suspects = suspects.filter((name) => known.has(name))
      if (suspects.length === 0) return undefined
    }
    return suspects?.[0]
  }
}

/** The file of format 1. */
const OLDER_NAME = 'scenes.lmdb'

/** Checks the format before anything is read or changed. Rejects with `StoreTooNew` or `StoreTooOld`; passes headers that cannot be read. */
async function assertReadable(disk: Disk, directory: string): Promise<void> {
  const names = await disk.list()
  const older = names.find((name) => name === OLDER_NAME)
  if (older !== undefined) {
    throw new StoreTooOld(
      `The data in ${directory} have an older format (${older}), which this version does not read; nothing was changed. ` +
        `Start the version that wrote them, or name another DATA_DIR`,
    )
  }
  for (const name of names) {
    if (name !== LEDGER_NAME && numberOfLog(name) === null) continue
    const bytes = Buffer.alloc(FILE_HEADER_BYTE_COUNT)
    const file = await disk.open(name)
    await file.read(bytes, 0).finally(() => file.close())
    const format = decodeFileHeader(bytes)?.format ?? FORMAT
    if (format > FORMAT) {
      throw new StoreTooNew(`The data in ${directory} have format ${format}; this version reads up to format ${FORMAT}`)
    }
  }
}

/** Most bytes and entries that one read of neighbouring entries takes. */
const RUN_BYTE_COUNT = 2 ** 20
const RUN_COUNT = 1000
/** Most bytes between two of them. */
const GAP_BYTE_COUNT = 4096

/** Reads one or more entries of `scene`, from `version` to `last` at most. */
async function readEntries(
  files: LogFiles,
  scene: IndexedScene,
  version: number,
  last: number,
): Promise<StoredEntry[]> {
  const { entries, incarnation } = scene
  const place = entries.placeOf(version)
  if (place === 0) return [{ version, bytes: null, damage: 'it is missing' }]
  const log = files.fileOf(place)
  const start = offsetOf(place)
  const offsets = [start]
  let end = start + entries.byteCountOf(version)
  for (let next = version + 1; next <= last && offsets.length < RUN_COUNT; next++) {
    const following = entries.placeOf(next)
    const offset = offsetOf(following)
    if (following === 0 || files.fileOf(following) !== log || offset < end || offset - end > GAP_BYTE_COUNT) break
    if (offset + entries.byteCountOf(next) - start > RUN_BYTE_COUNT) break
    offsets.push(offset)
    end = offset + entries.byteCountOf(next)
  }
  return files.use(log, async (file) => {
    const window = new FileWindow(file, end, Math.min(RUN_BYTE_COUNT, end - start))
    const found: StoredEntry[] = []
    for (const offset of offsets) {
      const at = version + found.length
      try {
        const record = await readRecord(window, offset, (header) => {
          return header.kind === RECORD_KINDS.entry && header.incarnation === incarnation && header.version === at
        })
        const payload = record?.payload ?? null
        found.push({ version: at, bytes: payload, ...(payload === null && { damage: 'the checksum does not fit' }) })
      } catch (error) {
        if (!(error instanceof StoreError)) throw error
        found.push({ version: at, bytes: null, damage: error.message })
      }
    }
    return found
  })
}

export interface FileStoreOptions {
  directory: string
  /** Written into every file: the version of the service. */
  createdBy?: string
  /** Size from which on entries are refused; snapshots are not, because they make room. Default: what the disk has. */
  maxBytes?: number
  /** Length at which the log continues in a new file. */
  fileByteCount?: number
  /** Called for every file with unreadable bytes. */
  onFinding?: (finding: Finding) => void
  /** Called once, when the store stops writing for good. */
  onFailure?: (failure: StoreFailed) => void
  /** For tests. */
  disk?: Disk
}

const FILE_BYTE_COUNT = 2 ** 25
/** Pause before a failed rewrite of the ledger is tried again. */
const LEDGER_RETRY_MS = 5000

/** Rejects with `StoreLocked`, `StoreTooNew`, `StoreTooOld` or `StoreFailed`. Recovery runs afterwards; calls wait for it. */
export async function openFileStore(options: FileStoreOptions): Promise<SceneStore & Adopting> {
  const unlock = await lockDirectory(options.directory)
  try {
    const disk = options.disk ?? new DirectoryDisk(options.directory)
    await assertReadable(disk, options.directory)
    return new FileStore(disk, options, unlock)
  } catch (error) {
    await unlock()
    throw error
  }
}

interface Parts {
  index: LogIndex
  writer: LogWriter
  ledger: Ledger
  commits: GroupCommit<Group>
  reclaimer: Reclaimer
  watch: StorageWatch
}

class FileStore implements SceneStore, Adopting {
  readonly shared = null
  private readonly disk: Disk
  private readonly maxBytes: number | null
  private readonly unlock: () => Promise<void>
  private readonly createdBy: string
  private readonly ready: Promise<Parts>
  private parts: Parts | null = null
  private snapshotByteCount = 0
  private ledgerTriedAt = -Infinity
  private closing: Promise<void> | null = null

  constructor(disk: Disk, options: FileStoreOptions, unlock: () => Promise<void>) {
    this.disk = disk
    this.maxBytes = options.maxBytes ?? null
    this.unlock = unlock
    this.createdBy = options.createdBy ?? 'unknown'
    this.ready = this.recover(options)
    // Every call awaits it, and rejects with its error.
    this.ready.catch(() => undefined)
  }

  async list(): Promise<StoredScene[]> {
    const { index } = await this.opened()
    return [...index.scenes.values()].map(storedScene).sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  async head(id: string): Promise<StoredScene | null> {
    const { index } = await this.opened()
    const scene = index.scenes.get(id)
    return scene === undefined ? null : storedScene(scene)
  }

  async append({ id, incarnation: life, expectedVersion, entries }: Append): Promise<Appended> {
    const { index, writer, commits } = await this.opened()
    let byteCount = 0
    for (const { bytes } of entries) byteCount += newRecordByteCount({ id, payload: bytes })
    return submitStaged<Appended>(commits, index, id, byteCount, (stand, group) => {
      const from = stand?.version ?? 0
      const isExpected = from === expectedVersion && (stand?.incarnation ?? null) === life
      if (!isExpected || index.scenes.get(id)?.damage !== undefined) {
        return { answer: { version: from, conflict: true, incarnation: stand?.incarnation ?? 0 } }
      }
      this.takeRoom(group, byteCount)
      const incarnation = stand?.incarnation ?? writer.takeSequence()
      const version = from + entries.length
      group.stands.set(id, { incarnation, version })
      group.standings.set(incarnation, { id, incarnation, version })
      const records = entries.map(({ bytes }, k): NewRecord => {
        const isFollowed = k < entries.length - 1
        return { kind: RECORD_KINDS.entry, incarnation, version: from + k + 1, id, payload: bytes, isFollowed }
      })
      const land = (written: readonly Written[]) => {
        const scene = index.byIncarnation.get(incarnation) ?? index.begin(incarnation, id)
        written.forEach(({ place, byteCount: length }, k) => {
          index.addEntry(scene, from + k + 1, place, length)
        })
      }
      return { answer: { version, conflict: false, incarnation }, records, land }
    })
  }

  async *read(life: SceneLife, fromVersion: number, toVersion = Infinity): AsyncGenerator<StoredEntry> {
    const { index } = await this.opened()
    const scene = living(index, life)
    if (scene === undefined) return
    const last = Math.min(scene.version, toVersion)
    for (let version = fromVersion; version <= last; ) {
      for (const entry of await readEntries(index.files, scene, version, last)) {
        this.assertOpen()
        if (living(index, life) !== scene) return
        yield entry
        version++
      }
      await nextTurn()
    }
  }

  async writeSnapshot(life: SceneLife, version: number, chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
    const { index, writer } = await this.opened()
    const scene = living(index, life)
    if (scene === undefined) return false
    if (writer.broken !== null) throw writer.broken
    const { id, incarnation } = life
    const isWanted = () => index.byIncarnation.has(incarnation)
    const size = await writeSnapshotFile(
      this.disk,
      { id, incarnation, version, createdBy: this.createdBy },
      chunks,
      isWanted,
    )
    if (size === null) return false
    if (!isWanted()) {
      await this.disk.remove(snapshotName(incarnation, version))
      return false
    }
    this.snapshotByteCount += size - (scene.snapshots.get(version) ?? 0)
    scene.snapshots.set(version, size)
    return true
  }

  async *readSnapshot(life: SceneLife, version: number): AsyncGenerator<Uint8Array> {
    const { index } = await this.opened()
    if (living(index, life)?.snapshots.has(version) !== true) return
    for await (const chunk of readSnapshotFile(this.disk, { id: life.id, incarnation: life.incarnation, version })) {
      this.assertOpen()
      yield chunk
    }
  }

  async trim({ id, incarnation: life }: SceneLife, first: number, snapshots: readonly number[]): Promise<void> {
    const { index, commits, reclaimer } = await this.opened()
    const trimmed = await submitStaged<IndexedScene | null>(commits, index, id, 0, (stand) => {
      const scene = stand?.incarnation === life ? index.byIncarnation.get(life) : undefined
      if (scene === undefined) return { answer: null }
      const from = Math.min(first, scene.version + 1)
      if (from <= scene.first) return { answer: scene }
      const { incarnation } = scene
      const records: NewRecord[] = [{ kind: RECORD_KINDS.trim, incarnation, version: from, id }]
      const land = ([{ place, byteCount }]: readonly Written[]) => index.trim(scene, from, place, byteCount)
      return { answer: scene, records, land }
    })
    if (trimmed === null) return
    await this.forgetSnapshots(
      trimmed,
      snapshotVersions(trimmed).filter((version) => !snapshots.includes(version)),
    )
    await reclaimer.reclaim()
  }

  async drop({ id, incarnation }: SceneLife): Promise<Appended> {
    const { index, commits, reclaimer } = await this.opened()
    const dropped = await submitStaged<IndexedScene | true | null>(commits, index, id, 0, (stand, group) => {
      if (stand?.incarnation !== incarnation) return { answer: null }
      group.stands.set(id, null)
      return { answer: index.byIncarnation.get(incarnation) ?? true, ...this.dropping(index, group, id, incarnation) }
    })
    if (dropped === null) return { version: 0, conflict: true, incarnation: 0 }
    if (dropped !== true) await this.forgetSnapshots(dropped, [...dropped.snapshots.keys()])
    void reclaimer.reclaim()
    return { version: dropped === true ? 0 : dropped.version, conflict: false, incarnation }
  }

  async adopt(scene: AdoptedScene): Promise<boolean> {
    const { index, writer, commits } = await this.opened()
    return adoptScene(
      {
        index,
        writer,
        commits,
        disk: this.disk,
        createdBy: this.createdBy,
        takeRoom: (group, byteCount) => this.takeRoom(group, byteCount),
        keptSnapshot: (byteCount) => {
          this.snapshotByteCount += byteCount
        },
        drop: (group, incarnation) => this.dropping(index, group, '', incarnation),
      },
      scene,
    )
  }

  usage(): StoreUsage {
    this.assertOpen()
    return { bytes: this.usedBytes(), maxBytes: this.maxBytes }
  }

  get failure(): StoreFailed | null {
    return this.parts?.writer.broken ?? null
  }

  close(): Promise<void> {
    this.closing ??= (async () => {
      const parts = await this.ready.catch(() => null)
      if (parts !== null) {
        // Lets earlier calls submit their commits.
        await nextTurn()
        await parts.watch.close()
        await parts.reclaimer.close()
        await parts.commits.close()
        await parts.index.files.close()
        await parts.ledger.close().catch(() => undefined)
      }
      await this.disk.close()
      await this.unlock()
    })()
    return this.closing
  }

  private async recover(options: FileStoreOptions): Promise<Parts> {
    const { fileByteCount = FILE_BYTE_COUNT, onFinding, onFailure: onBroken } = options
    const { disk, createdBy } = this
    await disk.isInPlace()
    const { index, nextNumber, findings, isSure, dropped } = await recoverLog(disk)
    for (const finding of findings) onFinding?.(finding)
    for (const { snapshots } of index.byIncarnation.values()) {
      for (const size of snapshots.values()) this.snapshotByteCount += size
    }
    const writer = new LogWriter({ files: index.files, nextNumber, fileByteCount, createdBy, onBroken })
    const watch = new StorageWatch(index.files, writer)
    const ledger = new Ledger(disk, createdBy)
    const commits = new GroupCommit<Group>({
      newGroup: () => ({ stands: new Map(), standings: new Map(), usedBytes: this.usedBytes() }),
      append: async (records) => {
        // Do not begin a file of the log in a directory that has replaced the right one.
        if (writer.activeLog === null) await watch.look()
        const looked = watch.lookIfDue()
        const written = await writer.append(records)
        const failure = await looked
        if (failure !== null) throw failure
        return written
      },
      note: async ({ standings }) => {
        if (standings.size > 0) await ledger.note(standings.values())
        await this.renewLedger(ledger, index, writer)
      },
    })
    const reclaimer = new Reclaimer({ index, writer, ledger, commits, fileByteCount, createdBy, isSure })
    this.parts = { index, writer, ledger, commits, reclaimer, watch }
    watch.start()
    await this.renewLedger(ledger, index, writer)
    for (const { id, incarnation } of dropped) {
      // Writes the missing drop to the log. If that fails, the ledger still has it.
      submitStaged(commits, index, id, 0, (_, group) => ({
        answer: true,
        ...this.dropping(index, group, id, incarnation),
      })).catch(() => undefined)
    }
    void reclaimer.reclaim()
    return this.parts
  }

  /** Rewrites the ledger if it is due. If that fails, the log still has everything. */
  private async renewLedger(ledger: Ledger, index: LogIndex, writer: LogWriter): Promise<void> {
    if (!ledger.isDue || performance.now() - this.ledgerTriedAt < LEDGER_RETRY_MS) return
    try {
      await ledger.rewrite(index.byIncarnation.values(), writer.lastSequence)
      this.ledgerTriedAt = -Infinity
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      this.ledgerTriedAt = performance.now()
    }
  }

  private dropping(index: LogIndex, group: Group, id: string, incarnation: number) {
    group.standings.set(incarnation, { id, incarnation, version: null })
    const records: NewRecord[] = [{ kind: RECORD_KINDS.drop, incarnation, version: 0, id }]
    const land = ([{ place, byteCount }]: readonly Written[]) => {
      const scene = index.byIncarnation.get(incarnation)
      if (scene !== undefined) index.drop(scene)
      index.bury(incarnation, place, byteCount)
    }
    return { records, land }
  }

  private async forgetSnapshots(scene: IndexedScene, versions: readonly number[]): Promise<void> {
    if (versions.length === 0) return
    for (const version of versions) {
      this.snapshotByteCount -= scene.snapshots.get(version) ?? 0
      scene.snapshots.delete(version)
    }
    await this.disk.remove(...versions.map((version) => snapshotName(scene.incarnation, version)))
  }

  /** Throws `StoreFull` when a group would outgrow the quota by `byteCount` more. */
  private takeRoom(group: Group, byteCount: number): void {
    const taken = group.usedBytes + byteCount
    if (this.maxBytes !== null && taken > this.maxBytes) {
      throw new StoreFull(`There is no room left: ${taken} bytes would exceed the limit of ${this.maxBytes}`)
    }
    group.usedBytes = taken
  }

  private async opened(): Promise<Parts> {
    this.assertOpen()
    return this.ready
  }

  private assertOpen(): void {
    if (this.closing !== null) throw new StoreClosed()
  }

  private usedBytes(): number {
    if (this.parts === null) return 0
    const { index, ledger } = this.parts
    return index.files.byteCount + ledger.byteCount + this.snapshotByteCount
  }
}
