/**
 * Group commit: what waits while a commit is under way goes into the next one together, so that durability costs one flush for the
 * group, whatever scenes it is about, not one for each write.
 *
 * One commit is under way at a time and its outcome is known before the next is put together. So a write can be decided against
 * what is durable: if the write it builds on failed, it sees that.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { storageError } from './disk.ts'
import type { Written } from './log-writer.ts'
import type { NewRecord } from './record.ts'
import { StoreClosed, type StoreError, StoreFull } from './store.ts'

/** `G`: what the writes of one commit leave to those behind them. */
export interface Write<G> {
  /** Bytes it will write, roughly: bounds a group. */
  readonly byteCount: number
  /** Decides against `group` what is to be written; null when there is nothing to write any more (it has settled itself). */
  stage(group: G): readonly NewRecord[] | null
  /** Its records are durable, where `written` says. What they change is to be seen from now on. */
  landed(written: readonly Written[]): void
  /** May be acknowledged. */
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
  /** What is to be done between two commits. */
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

  /** Does something while no commit is under way. Rejects as `action` does, or with `StoreClosed`. */
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
    // Those who write in the same turn, and those whom the last commit has woken, come along.
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
    // One of them may have been too much for the room that is left: each stands for itself then.
    let leastTooMuch = Infinity
    for (const write of group) {
      const itsError = write.byteCount < leastTooMuch ? await this.commit([write]) : error
      if (itsError === null) continue
      if (itsError instanceof StoreFull) leastTooMuch = Math.min(leastTooMuch, write.byteCount)
      write.failed(itsError)
    }
  }

  /** Commits the writes together; acknowledges them unless there is an error. Those that turn out to be nothing leave `writes`. */
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
