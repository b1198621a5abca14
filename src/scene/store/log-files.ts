/**
 * The files of the log and of snapshots.
 *
 * Log files are numbered in the order in which they were begun. Few of them are open at a time, however many there are. A place is one
 * number: the id of the file in this process, times 2^32, plus the offset. A file that replaces others is another file, so places in the
 * old ones stay readable until the last of them is exchanged.
 *
 * A snapshot is a file of its own, `snapshot-INCARNATION-VERSION`, which is renamed when it is whole and durable.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Disk, type DiskFile, unfinished } from './disk.ts'
import {
  encodeFileHeader,
  encodeRecord,
  FILE_HEADER_BYTE_COUNT,
  FILE_KINDS,
  FileWindow,
  newRecordByteCount,
  RECORD_HEADER_BYTE_COUNT,
  RECORD_KINDS,
  readRecord,
} from './record.ts'

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

/** Bytes between flushes of a snapshot, so that its last flush, and commits at the same time, do not wait for all of it. */
const FLUSHED_BYTE_COUNT = 2 ** 23

export const snapshotName = (incarnation: number, version: number) => `snapshot-${incarnation}-${version}`

/** Parses the name of a snapshot; null for other names. */
export function snapshotOfName(name: string): { incarnation: number; version: number } | null {
  const found = /^snapshot-(\d{1,16})-(\d{1,16})$/.exec(name)
  return found === null ? null : { incarnation: Number(found[1]), version: Number(found[2]) }
}

interface SnapshotOf {
  id: string
  incarnation: number
  version: number
  createdBy: string
}

/** Its size; null when `isWanted` turned false, and nothing was written. Rejects as `chunks` does, or with a `StoreError`. */
export async function writeSnapshotFile(
  disk: Disk,
  of: SnapshotOf,
  chunks: AsyncIterable<Uint8Array>,
  isWanted: () => boolean,
): Promise<number | null> {
  const { id, incarnation, version, createdBy } = of
  const name = snapshotName(incarnation, version)
  const file = await disk.create(unfinished(name))
  let size = 0
  let flushed = 0
  let chunkCount = 0
  const add = async (pieces: Uint8Array[]) => {
    await file.write(pieces, size)
    for (const { length } of pieces) size += length
    if (size - flushed < FLUSHED_BYTE_COUNT) return
    await file.sync()
    flushed = size
  }
  try {
    const header = { kind: FILE_KINDS.snapshot, number: incarnation, createdAt: Date.now(), createdBy }
    await add([encodeFileHeader(header)])
    for await (const payload of chunks) {
      if (!isWanted()) break
      await add(encodeRecord({ kind: RECORD_KINDS.chunk, incarnation, version, id, payload }, chunkCount++, 0))
    }
    await add(encodeRecord({ kind: RECORD_KINDS.snapshotEnd, incarnation, version, id }, chunkCount, 0))
    await file.sync()
    if (isWanted()) {
      await disk.rename(unfinished(name), name)
      return size
    }
    await disk.remove(unfinished(name))
    return null
  } catch (error) {
    await disk.remove(unfinished(name)).catch(() => undefined)
    throw error
  } finally {
    await file.close().catch(() => undefined)
  }
}

/** Its chunks in order, up to the first that is not whole. */
export async function* readSnapshotFile(
  disk: Disk,
  { id, incarnation, version }: Omit<SnapshotOf, 'createdBy'>,
): AsyncGenerator<Uint8Array> {
  const file = await disk.open(snapshotName(incarnation, version)).catch(() => null)
  if (file === null) return
  try {
    const window = new FileWindow(file, await file.size())
    let offset = FILE_HEADER_BYTE_COUNT
    for (let ordinal = 0; offset + RECORD_HEADER_BYTE_COUNT <= window.size; ordinal++) {
      const record = await readRecord(window, offset, (header) => {
        const isOfIt = header.incarnation === incarnation && header.version === version && header.sequence === ordinal
        return header.kind === RECORD_KINDS.chunk && isOfIt
      })
      if (record === null || record.id !== id) return
      yield record.payload
      offset += newRecordByteCount(record)
      await nextTurn()
    }
  } finally {
    await file.close().catch(() => undefined)
  }
}

/** The id of the scene that it is of, or null where it does not say it. */
export async function sceneOfSnapshot(disk: Disk, name: string, incarnation: number): Promise<string | null> {
  const file = await disk.open(name)
  try {
    const window = new FileWindow(file, await file.size())
    const record = await readRecord(window, FILE_HEADER_BYTE_COUNT, (header) => header.incarnation === incarnation)
    return record?.id ?? null
  } finally {
    await file.close()
  }
}
