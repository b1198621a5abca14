/**
 * Notices that the files of the store are no longer where the next start would look for them: the directory or a file of the log
 * was deleted, moved or replaced by somebody else. The system would go on to take writes into what is open, and they would
 * be gone with the process.
 *
 * It looks every second, and along with a commit that comes when it has not looked just before: so nothing is acknowledged that would
 * be gone, but for what is written within a fraction of a second after the deed.
 */

import type { Disk } from './disk.ts'
import type { LogFiles } from './log-files.ts'
import type { LogWriter } from './log-writer.ts'
import { StoreError, StoreFailed } from './store.ts'

const EVERY_MS = 1000
/** A commit looks too when the last look was begun longer ago. */
const FRESH_MS = 250

export class StorageWatch {
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

  /** Resolves to why nothing may be acknowledged, or null. To be called when a commit begins, and awaited when it is durable. */
  lookIfDue(): Promise<StoreFailed | null> {
    return performance.now() - this.lookedAt < FRESH_MS ? Promise.resolve(this.writer.broken) : this.look()
  }

  /** Ends all writing where something is not in its place. */
  async look(): Promise<StoreFailed | null> {
    this.lookedAt = performance.now()
    if (this.writer.broken !== null) return this.writer.broken
    try {
      const fault = await this.fault()
      if (fault !== null && this.writer.broken === null) this.writer.breakDown(new StoreFailed(fault))
    } catch (error) {
      // That it could not be looked at says nothing about what is there.
      if (!(error instanceof StoreError)) throw error
    }
    return this.writer.broken
  }

  private async fault(): Promise<string | null> {
    if (!(await this.disk.isInPlace())) return 'The data directory has been deleted, moved or replaced'
    const active = this.writer.activeLog
    const isWhole = active === null || (await this.files.use(active, (file) => file.isInPlace()))
    // A file that is not written to any more may have been written anew by the store itself.
    const lost = isWhole || active !== this.writer.activeLog ? await this.missing() : active?.name
    return lost === undefined ? null : `${lost} has been deleted, moved or replaced in the data directory`
  }

  /** A file of the log that is not there. What is taken away or begun meanwhile is not told from it at the first look. */
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
