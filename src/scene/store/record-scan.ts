/**
 * Reads the records of a file one after the other, in windows, whatever is in it: what is no record is passed over, eight bytes at
 * a time, up to the next one. No length is believed that reaches beyond the end of the file, and memory stays at one window.
 */

import { crc32 } from 'node:zlib'
import type { DiskFile } from './disk.ts'
import {
  ALIGNMENT,
  decodeRecordHeader,
  FILE_HEADER_BYTE_COUNT,
  RECORD_HEADER_BYTE_COUNT,
  type RecordHeader,
  recordByteCount,
} from './record.ts'

const WINDOW_BYTE_COUNT = 2 ** 20

/** A record where it lies. */
export interface FoundRecord extends RecordHeader {
  offset: number
  /** Of all of it. */
  byteCount: number
  /** null where the body is not whole: then it cannot be trusted. */
  id: string | null
}

/** What a scan meets. `lost`: bytes that are no record, or one that reaches beyond the end. */
export interface ScanVisitor {
  record(record: FoundRecord): void
  lost(from: number, to: number): void
}

/** The bytes of a file, read ahead a window at a time. */
export class FileWindow {
  readonly size: number
  private readonly file: DiskFile
  private readonly buffer: Buffer
  private start = 0
  private length = 0

  constructor(file: DiskFile, size: number, byteCount = WINDOW_BYTE_COUNT) {
    this.file = file
    this.size = size
    this.buffer = Buffer.allocUnsafeSlow(Math.max(RECORD_HEADER_BYTE_COUNT, Math.min(byteCount, size)))
  }

  /** At least `least` bytes from `at`, or what there are up to the end; at most a window. Good until the next call. */
  async from(at: number, least: number): Promise<Buffer> {
    const wanted = Math.min(least, this.buffer.length, this.size - at)
    if (at < this.start || at + wanted > this.start + this.length) {
      this.start = at
      this.length = 0
      this.length = await this.file.read(this.buffer.subarray(0, Math.min(this.buffer.length, this.size - at)), at)
    }
    return this.buffer.subarray(at - this.start, this.length)
  }
}

/** Tells `visitor` everything between `from` and `to`. */
export async function scanRecords(
  file: DiskFile,
  size: number,
  visitor: ScanVisitor,
  from = FILE_HEADER_BYTE_COUNT,
  to = size,
): Promise<void> {
  const window = new FileWindow(file, to)
  let lostFrom = -1
  const found = (at: number) => {
    if (lostFrom >= 0) visitor.lost(lostFrom, at)
    lostFrom = -1
  }
  let at = from
  while (at < to) {
    const bytes = await window.from(at, RECORD_HEADER_BYTE_COUNT)
    const near = nextInside(bytes, 0, to - at)
    if (near !== null) {
      found(at)
      let offset = 0
      for (let next: InnerRecord | null = near; next !== null; next = nextInside(bytes, offset, to - at)) {
        visitor.record({ ...next, offset: at + offset })
        offset += next.byteCount
      }
      at += offset
      continue
    }
    // One that is longer than what was read ahead, or none.
    const header = bytes.length < RECORD_HEADER_BYTE_COUNT ? null : decodeRecordHeader(bytes, 0)
    const byteCount = header === null ? 0 : recordByteCount(header.bodyByteCount)
    if (header === null || at + byteCount > to) {
      if (lostFrom < 0) lostFrom = at
      at += nextMark(bytes)
      continue
    }
    found(at)
    visitor.record({ ...header, offset: at, byteCount, id: await readId(window, at, header) })
    at += byteCount
  }
  found(to)
}

type InnerRecord = Omit<FoundRecord, 'offset'>

/** The record at `at` in `bytes`, if all of it is there and before `end`. */
function nextInside(bytes: Buffer, at: number, end: number): InnerRecord | null {
  const header = at + RECORD_HEADER_BYTE_COUNT <= bytes.length ? decodeRecordHeader(bytes, at) : null
  if (header === null) return null
  const byteCount = recordByteCount(header.bodyByteCount)
  if (at + byteCount > Math.min(bytes.length, end)) return null
  const start = at + RECORD_HEADER_BYTE_COUNT
  const isWhole = crc32(bytes.subarray(start, start + header.bodyByteCount)) === header.bodyChecksum
  return { ...header, byteCount, id: isWhole ? bytes.toString('utf8', start, start + header.idByteCount) : null }
}

/** How far on the next header may begin, for those of `bytes` that can be judged. */
function nextMark(bytes: Buffer): number {
  let at = ALIGNMENT
  while (at + RECORD_HEADER_BYTE_COUNT <= bytes.length && decodeRecordHeader(bytes, at) === null) at += ALIGNMENT
  return at
}

/** The id in the body of the record at `offset`; null when the body is not what was written. */
async function readId(window: FileWindow, offset: number, header: RecordHeader): Promise<string | null> {
  const { bodyByteCount, idByteCount, bodyChecksum } = header
  const start = offset + RECORD_HEADER_BYTE_COUNT
  let checksum = 0
  let id = ''
  for (let done = 0; done < bodyByteCount; ) {
    const least = done === 0 ? idByteCount : 1
    const bytes = await window.from(start + done, least)
    if (bytes.length < Math.min(least, bodyByteCount)) return null
    if (done === 0) id = bytes.toString('utf8', 0, idByteCount)
    const part = bytes.subarray(0, bodyByteCount - done)
    checksum = crc32(part, checksum)
    done += part.length
  }
  return checksum === bodyChecksum ? id : null
}

export interface WholeRecord {
  id: string
  /** A copy. */
  payload: Uint8Array
}

/** The record at `offset`; null where there is no whole one. `isExpected` says whether it is the one that was meant. */
export async function readRecord(
  window: FileWindow,
  offset: number,
  isExpected: (header: RecordHeader) => boolean,
): Promise<WholeRecord | null> {
  const bytes = await window.from(offset, RECORD_HEADER_BYTE_COUNT)
  const header = bytes.length < RECORD_HEADER_BYTE_COUNT ? null : decodeRecordHeader(bytes, 0)
  if (header === null || !isExpected(header)) return null
  const { bodyByteCount, idByteCount, bodyChecksum } = header
  const start = offset + RECORD_HEADER_BYTE_COUNT
  if (start + bodyByteCount > window.size) return null
  const body = Buffer.allocUnsafeSlow(bodyByteCount)
  for (let done = 0; done < bodyByteCount; ) {
    const part = (await window.from(start + done, bodyByteCount - done)).subarray(0, bodyByteCount - done)
    if (part.length === 0) return null
    body.set(part, done)
    done += part.length
  }
  if (crc32(body) !== bodyChecksum) return null
  // No Buffer: its `slice` does not copy.
  const payload = new Uint8Array(body.buffer, idByteCount, bodyByteCount - idByteCount)
  return { id: body.toString('utf8', 0, idByteCount), payload }
}
