/**
 * Writes the end of the log: commits, each one write and one flush, to the newest file, until that is long enough.
 *
 * What could not be written is cut off again, and the log goes on from where it was. A flush that failed is another matter: what the
 * system does with the pages then is not known, and a second flush would succeed without them. So nothing is written any more, and
 * the same holds where a piece of a commit cannot be cut off.
 */

import { type DiskFile, unfinished } from './disk.ts'
import { type LogFile, type LogFiles, logName, placeInLog } from './log-files.ts'
import { encodeFileHeader, encodeRecord, FILE_HEADER_BYTE_COUNT, FILE_KINDS, type NewRecord } from './record.ts'
import { type StoreError, StoreFailed, StoreFull } from './store.ts'

const SEQUENCES_PER_FILE = 2 ** 32

export interface Written {
  place: number
  byteCount: number
}

export interface LogWriterOptions {
  files: LogFiles
  /** Of the next file. Nothing that was ever written had it, nor a greater one. */
  nextNumber: number
  /** Length from which on a file is not added to. */
  fileByteCount: number
  createdBy: string
  /** Told once, when nothing is written any more. */
  onBroken: ((failure: StoreFailed) => void) | undefined
}

export class LogWriter {
  private readonly options: LogWriterOptions
  private nextNumber: number
  private sequence: number
  private active: { log: LogFile; file: DiskFile } | null = null
  /** Why nothing is written any more. */
  broken: StoreFailed | null = null

  constructor(options: LogWriterOptions) {
    this.options = options
    this.nextNumber = options.nextNumber
    this.sequence = options.nextNumber * SEQUENCES_PER_FILE
  }

  /** The last one that was given to a record. */
  get lastSequence(): number {
    return this.sequence
  }

  /** A number that nothing else has or will have. */
  takeSequence(): number {
    return ++this.sequence
  }

  get activeLog(): LogFile | null {
    return this.active?.log ?? null
  }

  /** The next commit begins another file. */
  roll(): void {
    if (this.active !== null) this.options.files.release(this.active.log)
    this.active = null
  }

  /**
   * Where the records lie, which are durable then: all or none. Rejects with `StoreFull` when nothing was written, and with
   * `StoreFailed` when nothing can be any more.
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

  /** Nothing is written any more, because of `error`. */
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
