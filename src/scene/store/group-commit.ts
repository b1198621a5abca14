/**
 * Group commit: writes that arrive during a commit go into the next one together, so that a group costs one flush, whatever its scenes.
 * Only one commit runs at a time, and its outcome is known before the next group is formed. So each write is decided against durable
 * state, and sees whether the write that it builds on has failed.
 *
 * `LogWriter` writes the end of the log: each commit is one write and one flush to the newest file, until that is long enough. A failed
 * write is truncated, and the log continues from there. After a failed flush, the state of the system's pages is unknown, and a second
 * flush would succeed without them: so the store stops writing for good. The same holds if a failed write cannot be truncated.
 *
 * `submitStaged` decides a write when its group is formed.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { type DiskFile, storageError, unfinished } from './disk.ts'
import type { Standing } from './ledger.ts'
import { type LogFile, type LogFiles, logName, placeInLog } from './log-files.ts'
import type { LogIndex } from './log-index.ts'
import { encodeFileHeader, encodeRecord, FILE_HEADER_BYTE_COUNT, FILE_KINDS, type NewRecord } from './record.ts'
import { StoreClosed, type StoreError, StoreFailed, StoreFull } from './store.ts'

const SEQUENCES_PER_FILE = 2 ** 32

export interface Written {
  place: number
  byteCount: number
}

interface LogWriterOptions {
  files: LogFiles
  /** Number of the next file, greater than any used before. */
  nextNumber: number
  /** Length at which the log continues in a new file. */
  fileByteCount: number
  createdBy: string
  /** Called once, when the store stops writing for good. */
  onBroken: ((failure: StoreFailed) => void) | undefined
}

export class LogWriter {
  private readonly options: LogWriterOptions
  private nextNumber: number
  private sequence: number
  private active: { log: LogFile; file: DiskFile } | null = null
  /** The reason why the store has stopped writing, or null. */
  broken: StoreFailed | null = null

  constructor(options: LogWriterOptions) {
    this.options = options
    this.nextNumber = options.nextNumber
    this.sequence = options.nextNumber * SEQUENCES_PER_FILE
  }

  /** The last sequence number that a record got. */
  get lastSequence(): number {
    return this.sequence
  }

  /** Takes a sequence number that nothing else gets. */
  takeSequence(): number {
    return ++this.sequence
  }

  get activeLog(): LogFile | null {
    return this.active?.log ?? null
  }

  /** Makes the next commit begin a new file. */
  roll(): void {
    if (this.active !== null) this.options.files.release(this.active.log)
    this.active = null
  }

  /**
   * Writes records, all or none, and returns their places once they are durable. Rejects with `StoreFull` if nothing was written, and
   * with `StoreFailed` if the store has stopped writing for good.
   */
  async append(records: readonly NewRecord[]): Promise<Written[]> {
    if (this.broken !== null) throw this.broken
    if (this.active !== null && this.active.log.byteCount >= this.options.fileByteCount) this.roll()
    this.active ??= await this.begin()
    const { log, file } = this.active
    const start = log.byteCount
    const pieces: Uint8Array[] = []
    const written: Written[] = []
    let offset = start
    for (const record of records) {
      let byteCount = 0
      for (const piece of encodeRecord(record, this.takeSequence(), offset - start)) {
        pieces.push(piece)
        byteCount += piece.length
      }
      written.push({ place: placeInLog(log, offset), byteCount })
      offset += byteCount
    }
    await this.put(file, pieces, start)
    log.byteCount = offset
    return written
  }

  private async put(file: DiskFile, pieces: readonly Uint8Array[], start: number): Promise<void> {
    try {
      await file.write(pieces, start)
    } catch (error) {
      if (!(error instanceof StoreFull)) throw this.breakDown(error as StoreError)
      await file.truncate(start).catch((reason: StoreError) => {
        throw this.breakDown(reason)
      })
      throw error
    }
    await file.sync().catch((error: StoreError) => {
      throw this.breakDown(error)
    })
  }

  /** Stops writing for good, because of `error`. */
  breakDown(error: StoreError): StoreFailed {
    this.broken = new StoreFailed(`${error.message}; nothing is written until the next start`, error.code)
    this.options.onBroken?.(this.broken)
    return this.broken
  }

  private async begin(): Promise<{ log: LogFile; file: DiskFile }> {
    const { files, createdBy } = this.options
    const number = this.nextNumber
    const name = logName(number)
    const file = await files.disk.create(unfinished(name), true)
    try {
      await file.write([encodeFileHeader({ kind: FILE_KINDS.log, number, createdAt: Date.now(), createdBy })], 0)
      await file.sync()
      await files.disk.rename(unfinished(name), name)
    } catch (error) {
      await file.close().catch(() => undefined)
      await files.disk.remove(unfinished(name)).catch(() => undefined)
      throw error
    }
    this.nextNumber++
    this.sequence = Math.max(this.sequence, number * SEQUENCES_PER_FILE)
    return { log: files.add(number, FILE_HEADER_BYTE_COUNT, file), file }
  }
}

/** A write to commit. `G`: the state that writes of one commit pass to those behind them. */
export interface Write<G> {
  /** Estimate of its bytes, to limit a group. */
  readonly byteCount: number
  /** Decides its records against `group`; null if it has none (it has settled itself). */
  stage(group: G): readonly NewRecord[] | null
  /** Called when its records are durable, at the places in `written`: makes its changes visible. */
  landed(written: readonly Written[]): void
  /** Called when it may be acknowledged. */
  succeeded(): void
  failed(error: StoreError): void
}

export interface CommitTarget<G> {
  newGroup(): G
  /** Resolves when the records are durable. */
  append(records: readonly NewRecord[]): Promise<Written[]>
  /** Called when all writes of the group have landed, and before any is acknowledged. */
  note(group: G): Promise<void>
}

const GROUP_BYTE_COUNT = 64 * 2 ** 20

export class GroupCommit<G> {
  private readonly target: CommitTarget<G>
  private waiting: Write<G>[] = []
  private running: Promise<void> | null = null
  /** Runs between two commits. */
  private between: (() => Promise<void>)[] = []
  private isClosed = false

  constructor(target: CommitTarget<G>) {
    this.target = target
  }

  submit(write: Write<G>): void {
    if (this.isClosed) {
      write.failed(new StoreClosed())
      return
    }
    this.waiting.push(write)
    this.running ??= this.run()
  }

  /** Runs `action` while no commit runs. Rejects with its error, or with `StoreClosed`. */
  pause<T>(action: () => Promise<T> | T): Promise<T> {
    if (this.isClosed) return Promise.reject(new StoreClosed())
    return new Promise((resolve, reject) => {
      this.between.push(async () => {
        try {
          resolve(await action())
        } catch (error) {
          reject(error)
        }
      })
      this.running ??= this.run()
    })
  }

  /** Refuses new writes and waits for those that were submitted. */
  async close(): Promise<void> {
    this.isClosed = true
    await this.running
  }

  private async run(): Promise<void> {
    // Writes of the same turn, and those that the last commit has released, join the group.
    for (await nextTurn(); this.waiting.length > 0 || this.between.length > 0; await nextTurn()) {
      for (const action of this.between.splice(0)) await action()
      if (this.waiting.length > 0) await this.commitGroup(this.takeGroup())
    }
    this.running = null
  }

  private takeGroup(): Write<G>[] {
    let count = 0
    for (let bytes = 0; count < this.waiting.length && (count === 0 || bytes < GROUP_BYTE_COUNT); count++) {
      bytes += this.waiting[count].byteCount
    }
    return this.waiting.splice(0, count)
  }

  private async commitGroup(group: Write<G>[]): Promise<void> {
    const error = await this.commit(group)
    if (error === null) return
    if (!(error instanceof StoreFull) || group.length === 1) {
      for (const write of group) write.failed(error)
      return
    }
    // One of them may have been too large for the remaining room: try each alone.
    let leastTooMuch = Infinity
    for (const write of group) {
      const itsError = write.byteCount < leastTooMuch ? await this.commit([write]) : error
      if (itsError === null) continue
      if (itsError instanceof StoreFull) leastTooMuch = Math.min(leastTooMuch, write.byteCount)
      write.failed(itsError)
    }
  }

  /** Commits the writes together, and acknowledges them unless there is an error. Writes without records are removed from `writes`. */
  private async commit(writes: Write<G>[]): Promise<StoreError | null> {
    const group = this.target.newGroup()
    const records: NewRecord[] = []
    const counts: number[] = []
    let kept = 0
    for (const write of writes) {
      const staged = write.stage(group)
      if (staged === null) continue
      for (const record of staged) records.push(record)
      counts.push(staged.length)
      writes[kept++] = write
    }
    writes.length = kept
    if (kept === 0) return null
    try {
      const written = await this.target.append(records)
      let start = 0
      for (let k = 0; k < kept; k++) {
        writes[k].landed(written.slice(start, start + counts[k]))
        start += counts[k]
      }
      await this.target.note(group)
    } catch (error) {
      return storageError(error, 'commit')
    }
    for (const write of writes) write.succeeded()
    return null
  }
}

/** The version of a scene; null if it is gone. */
type SceneVersion = { incarnation: number; version: number } | null

/** State that the writes of one commit pass to the writes behind them. */
export interface Group {
  stands: Map<string, SceneVersion>
  standings: Map<number, Standing>
  usedBytes: number
}

interface Staged<T> {
  answer: T
  records?: NewRecord[]
  /** Called once the records are durable. */
  land?: (written: readonly Written[]) => void
}

/** Runs `stage` when its group is formed, against the scene's durable version or that of a write before it in the group. */
export function submitStaged<T>(
  commits: GroupCommit<Group>,
  index: LogIndex,
  id: string,
  byteCount: number,
  stage: (stand: SceneVersion, group: Group) => Staged<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let staged: Staged<T>
    commits.submit({
      byteCount,
      stage: (group) => {
        try {
          const ahead = group.stands.get(id)
          staged = stage(ahead === undefined ? (index.scenes.get(id) ?? null) : ahead, group)
        } catch (error) {
          reject(error)
          return null
        }
        if (staged.records !== undefined && staged.records.length > 0) return staged.records
        resolve(staged.answer)
        return null
      },
      landed: (written) => staged.land?.(written),
      succeeded: () => resolve(staged.answer),
      failed: reject,
    })
  })
}
