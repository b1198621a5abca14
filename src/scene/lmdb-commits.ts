/**
 * Group commit over one LMDB environment: what waits while a commit is under way goes into the next one together, so
 * that durability costs one flush per group, not one per write.
 *
 * One transaction is under way at a time and its outcome is known before the next is put together. So a write can be
 * decided against what is durable: if the write it builds on failed, it sees that.
 *
 * With `overlappingSync` off a commit is LMDB's classic one: data pages are written and flushed (fdatasync), then the
 * meta page, through a descriptor that is synchronous (O_DSYNC). It is reported after both.
 */

import { open } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RootDatabase } from 'lmdb'
import { StoreClosed, type StoreError, StoreFailed, StoreFull } from './store.ts'

/** A change of the environment: `value` undefined removes the key. */
export type Change = readonly [key: (string | number)[], value: Uint8Array | undefined]

export interface Write<G> {
  /** Bytes it will write, roughly: bounds a group. */
  readonly byteCount: number
  /** Decides against `group` what is to change; null when there is nothing to write any more (it has settled itself). */
  stage(group: G): readonly Change[] | null
  /** Durable. */
  succeeded(): void
  failed(error: StoreError): void
}

const GROUP_BYTE_COUNT = 64 * 2 ** 20
/** Errors that say there is no room, by LMDB's numbers and by those of `fs`. */
const FULL_CODES = new Set<unknown>([28, 122, 27, -30792, 'ENOSPC', 'EDQUOT', 'EFBIG'])
const LEAST_PROBE_BYTE_COUNT = 2 ** 16

/** `G`: what the writes of one transaction leave to those behind them. */
export class LmdbCommits<G> {
  private database: RootDatabase<Uint8Array>
  private readonly file: string
  private readonly newGroup: () => G
  private waiting: Write<G>[] = []
  private running: Promise<void> | null = null
  /** What is to be done between two commits. */
  private between: (() => Promise<void>)[] = []
  private isClosed = false
  private broken: StoreFailed | null = null

  /** `file`: where `database` lies. */
  constructor(database: RootDatabase<Uint8Array>, file: string, newGroup: () => G) {
    this.database = database
    this.file = file
    this.newGroup = newGroup
  }

  submit(write: Write<G>): void {
    if (this.isClosed) write.failed(new StoreClosed())
    else if (this.broken !== null) write.failed(this.broken)
    else {
      this.waiting.push(write)
      this.running ??= this.run()
    }
  }

  /** Refuses new writes and waits for those that were submitted. */
  async close(): Promise<void> {
    this.isClosed = true
    await this.running
  }

  /** Goes on with what `exchange` resolves to, which is called while no commit is under way. Should it fail, so does all else. */
  exchange(exchange: () => Promise<RootDatabase<Uint8Array>>): Promise<void> {
    if (this.isClosed) return Promise.reject(new StoreClosed())
    return new Promise((resolve, reject) => {
      this.between.push(async () => {
        try {
          this.database = await exchange()
          resolve()
        } catch (error) {
          this.broken = new StoreFailed(`The storage failed: ${(error as Error).message}`)
          reject(this.broken)
        }
      })
      this.running ??= this.run()
    })
  }

  private async run(): Promise<void> {
    // Those who write in the same turn, and those whom the last commit has woken, come along.
    for (await nextTurn(); this.waiting.length > 0 || this.between.length > 0; await nextTurn()) {
      for (const action of this.between.splice(0)) await action()
      if (this.waiting.length === 0) continue
      const group = this.takeGroup()
      const error = await this.commit(group)
      if (error === null || group.length === 1) {
        settle(group, error)
        continue
      }
      // One of them may have been too much for the room that is left: each stands for itself then.
      let full: { error: StoreFull; byteCount: number } | null = null
      for (const write of group) {
        if (full !== null && write.byteCount >= full.byteCount) {
          write.failed(full.error)
          continue
        }
        const single = [write]
        const itsError = await this.commit(single)
        if (itsError instanceof StoreFull) full = { error: itsError, byteCount: write.byteCount }
        settle(single, itsError)
      }
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

  /** Commits the writes as one transaction. Writes that turn out to be nothing are taken out of `writes`. */
  private async commit(writes: Write<G>[]): Promise<StoreError | null> {
    if (this.broken !== null) return this.broken
    const group = this.newGroup()
    const changes: Change[] = []
    let kept = 0
    for (const write of writes) {
      const staged = write.stage(group)
      if (staged === null) continue
      for (const change of staged) changes.push(change)
      writes[kept++] = write
    }
    writes.length = kept
    if (changes.length === 0) return null
    try {
      await this.database.batch(() => {
        for (const [key, value] of changes) {
          if (value === undefined) void this.database.remove(key)
          else void this.database.put(key, value)
        }
      })
      return null
    } catch (error) {
      let byteCount = LEAST_PROBE_BYTE_COUNT
      for (const write of writes) byteCount += write.byteCount
      return this.explained(error as Error & { commitError?: Promise<unknown> }, byteCount)
    }
  }

  private async explained(error: Error & { commitError?: Promise<unknown> }, byteCount: number): Promise<StoreError> {
    const cause = (await error.commitError?.catch((reason: unknown) => reason)) ?? error
    const { code, message } = cause as Error & { code?: unknown }
    // A failed write of the meta page leaves the environment unusable, and a later commit would never be reported:
    // beginning a transaction here tells.
    try {
      this.database.transactionSync(() => undefined)
    } catch (panic) {
      this.broken = new StoreFailed(`The storage failed: ${message}; ${(panic as Error).message}`)
      return this.broken
    }
    // A disk that takes a part of a write makes it an input/output error for LMDB, and one that fails early loses its
    // cause on the way: asking the file itself is the only way to know.
    if (FULL_CODES.has(code) || !(await this.hasRoom(byteCount))) {
      return new StoreFull('There is no room left in the data directory')
    }
    return new StoreFailed(`The storage failed: ${message}`)
  }

  /** Whether the file could grow by so much: tries it, behind its last page, where nothing is. */
  private async hasRoom(byteCount: number): Promise<boolean> {
    const file = await open(this.file, 'r+')
    try {
      const { size } = await file.stat()
      try {
        const zeros = new Uint8Array(LEAST_PROBE_BYTE_COUNT)
        for (let written = 0; written < byteCount; ) {
          const { bytesWritten } = await file.write(zeros, 0, zeros.length, size + written)
          written += bytesWritten
        }
        return true
      } catch (error) {
        return !FULL_CODES.has((error as NodeJS.ErrnoException).code)
      } finally {
        await file.truncate(size)
      }
    } finally {
      await file.close()
    }
  }
}

function settle(writes: readonly Write<never>[], error: StoreError | null): void {
  for (const write of writes) {
    if (error === null) write.succeeded()
    else write.failed(error)
  }
}
