/**
 * The files of the log, numbered in the order in which they were begun. Few of them are open at a time, however many there are.
 *
 * A place is one number: the id of the file in this process, times 2^32, plus the offset. A file that takes the place of others is
 * another file, so places in the old ones stay good, and readable, until the last of them is exchanged.
 */

import type { Disk, DiskFile } from './disk.ts'

const MOST_OPEN_COUNT = 16
const FILE_SPAN = 2 ** 32

export interface LogFile {
  readonly id: number
  /** Its name says it, and its header. */
  readonly number: number
  readonly name: string
  byteCount: number
  /** Bytes of records that are still needed. */
  liveByteCount: number
  /** Something in it could not be read. */
  isDamaged: boolean
}

export const logName = (number: number) => `log-${number}`

/** The number in the name of a log, or null. */
export function numberOfLog(name: string): number | null {
  const digits = /^log-(\d{1,7})$/.exec(name)?.[1]
  return digits === undefined ? null : Number(digits)
}

export const placeInLog = (file: LogFile, offset: number) => file.id * FILE_SPAN + offset
export const offsetOf = (place: number) => place % FILE_SPAN

interface OpenFile {
  file: Promise<DiskFile>
  users: number
}

export class LogFiles {
  readonly disk: Disk
  private readonly all = new Map<number, LogFile>()
  /** The one that was used last comes last. */
  private readonly opened = new Map<LogFile, OpenFile>()
  private nextId = 1

  constructor(disk: Disk) {
    this.disk = disk
  }

  /** `file`: where it is open already; it stays so until `release`. */
  add(number: number, byteCount: number, file?: DiskFile): LogFile {
    const added = {
      id: this.nextId++,
      number,
      name: logName(number),
      byteCount,
      liveByteCount: 0,
      isDamaged: false,
    }
    this.all.set(added.id, added)
    if (file !== undefined) this.opened.set(added, { file: Promise.resolve(file), users: 1 })
    return added
  }

  /** In the order of their numbers. */
  list(): LogFile[] {
    return [...this.all.values()].sort((a, b) => a.number - b.number)
  }

  fileOf(place: number): LogFile {
    return this.all.get(Math.floor(place / FILE_SPAN)) as LogFile
  }

  get byteCount(): number {
    let byteCount = 0
    for (const file of this.all.values()) byteCount += file.byteCount
    return byteCount
  }

  /** Has the file open while `action` runs. */
  async use<T>(log: LogFile, action: (file: DiskFile) => Promise<T>): Promise<T> {
    const open = this.opened.get(log) ?? { file: this.disk.open(log.name), users: 0 }
    this.opened.delete(log)
    this.opened.set(log, open)
    open.users++
    try {
      return await action(await open.file)
    } finally {
      open.users--
      await this.closeSome()
    }
  }

  release(log: LogFile): void {
    const open = this.opened.get(log)
    if (open !== undefined) open.users--
  }

  /** Forgets a file to which no place leads any more. It stays readable for those who use it. */
  forget(log: LogFile): void {
    this.all.delete(log.id)
  }

  async close(): Promise<void> {
    const opened = [...this.opened.values()]
    this.opened.clear()
    for (const { file } of opened) await file.then((each) => each.close()).catch(() => undefined)
  }

  private async closeSome(): Promise<void> {
    const isGone = (log: LogFile) => !this.all.has(log.id)
    for (const [log, { file, users }] of this.opened) {
      if (users > 0 || (this.opened.size <= MOST_OPEN_COUNT && !isGone(log))) continue
      this.opened.delete(log)
      await file.then((each) => each.close()).catch(() => undefined)
    }
  }
}
