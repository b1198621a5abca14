/**
 * The bytes of the files in a data directory. All three kinds, log, snapshot and ledger, are a header and then records.
 *
 * Header of a file, 64 bytes:
 *
 * | at | | |
 * |---|---|---|
 * | 0 | 8 bytes | `tangent` and a zero |
 * | 8 | u32 | format, 2 (1 was LMDB) |
 * | 12 | u32 | kind of file |
 * | 16 | f64 | number of a log; incarnation of the scene of a snapshot |
 * | 24 | f64 | when it was begun, ms since 1970 |
 * | 32 | 28 bytes | who made it, UTF-8, padded with zeros |
 * | 60 | u32 | CRC-32 of the 60 bytes before |
 *
 * Record, at a multiple of 8 bytes: a header of 48, the id of the scene, the payload, zeros up to the next multiple.
 *
 * | at | | |
 * |---|---|---|
 * | 0 | u32 | mark |
 * | 4 | u32 | bytes of id and payload |
 * | 8 | f64 | sequence number, greater than that of every record before it in the log |
 * | 16 | f64 | incarnation of the scene |
 * | 24 | f64 | version (what it is of, hangs on the kind) |
 * | 32 | u8 | kind |
 * | 33 | u8 | 1 when the next record belongs to the same append |
 * | 34 | u16 | bytes of the id |
 * | 36 | u32 | bytes back to the first record of the same commit |
 * | 40 | u32 | CRC-32 of id and payload |
 * | 44 | u32 | CRC-32 of the 44 bytes before |
 *
 * Little-endian. The header is checked by itself, so a length is believed only when it is what was written, and a record whose
 * payload is damaged still says what it was. Text of clients never looks like a record: a header has zeros, JSON has none.
 */

import { crc32 } from 'node:zlib'
import type { DiskFile } from './disk.ts'

export const FORMAT = 2
export const FILE_HEADER_BYTE_COUNT = 64
export const RECORD_HEADER_BYTE_COUNT = 48
const ALIGNMENT = 8

export const FILE_KINDS = {
  /** As it was written, commit by commit: its end may be torn. */
  log: 1,
  /** Written whole before it got its name. */
  compactedLog: 2,
  snapshot: 3,
  ledger: 4,
} as const

export const RECORD_KINDS = {
  /** An entry of a scene's log; `version` is its own. */
  entry: 1,
  /** The scene is gone. */
  drop: 2,
  /** `version`: the first entry that is kept. */
  trim: 3,
  /** Of a snapshot; `version` is the snapshot's, the sequence number counts from 0. */
  chunk: 4,
  /** The end of a snapshot; the sequence number says how many chunks there are. */
  snapshotEnd: 5,
  /** Of the ledger: the scene is at `version`. */
  standing: 6,
  /** Of the ledger: the end of its table; the sequence number says up to where the table speaks. */
  tableEnd: 7,
} as const
type RecordKind = (typeof RECORD_KINDS)[keyof typeof RECORD_KINDS]

const MAGIC = Buffer.from('tangent\0')
const MARK = 0x5243_4754
const CREATOR_BYTE_COUNT = 28
const NO_PAYLOAD = new Uint8Array(0)
/** Payloads up to so long are put into one piece with what is around them. */
const COPIED_BYTE_COUNT = 2048
/** Ids are no longer; what is, is no record. */
const MOST_ID_BYTE_COUNT = 1024

export interface FileHeader {
  format: number
  kind: number
  number: number
  createdAt: number
  createdBy: string
}

export function encodeFileHeader({ kind, number, createdAt, createdBy }: Omit<FileHeader, 'format'>): Buffer {
  const bytes = Buffer.alloc(FILE_HEADER_BYTE_COUNT)
  bytes.set(MAGIC)
  bytes.writeUInt32LE(FORMAT, 8)
  bytes.writeUInt32LE(kind, 12)
  bytes.writeDoubleLE(number, 16)
  bytes.writeDoubleLE(createdAt, 24)
  bytes.write(createdBy, 32, CREATOR_BYTE_COUNT)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 60)), 60)
  return bytes
}

/** The header that `bytes` begin with, or null where they do not begin with one. */
export function decodeFileHeader(bytes: Buffer): FileHeader | null {
  if (bytes.length < FILE_HEADER_BYTE_COUNT || bytes.compare(MAGIC, 0, 8, 0, 8) !== 0) return null
  if (crc32(bytes.subarray(0, 60)) !== bytes.readUInt32LE(60)) return null
  const creator = bytes.subarray(32, 32 + CREATOR_BYTE_COUNT)
  const end = creator.indexOf(0)
  return {
    format: bytes.readUInt32LE(8),
    kind: bytes.readUInt32LE(12),
    number: bytes.readDoubleLE(16),
    createdAt: bytes.readDoubleLE(24),
    createdBy: creator.toString('utf8', 0, end < 0 ? creator.length : end),
  }
}

interface RecordHeader {
  kind: number
  sequence: number
  incarnation: number
  version: number
  isFollowed: boolean
  /** Bytes of id and payload. */
  bodyByteCount: number
  idByteCount: number
  commitOffset: number
  bodyChecksum: number
}

/** Input of `encodeRecord`. */
export interface NewRecord {
  kind: RecordKind
  incarnation: number
  version: number
  id: string
  payload?: Uint8Array
  isFollowed?: boolean
}

/** Bytes that a record with so long an id and payload takes in a file. */
function recordByteCount(bodyByteCount: number): number {
  return RECORD_HEADER_BYTE_COUNT + Math.ceil(bodyByteCount / ALIGNMENT) * ALIGNMENT
}

export function newRecordByteCount({ id, payload }: Pick<NewRecord, 'id' | 'payload'>): number {
  return recordByteCount(Buffer.byteLength(id) + (payload?.length ?? 0))
}

/** The record as pieces that are written one after the other: all of it as one, or where the payload is long, that by itself, not copied. */
export function encodeRecord(record: NewRecord, sequence: number, commitOffset: number): Uint8Array[] {
  const { kind, incarnation, version, id, payload = NO_PAYLOAD, isFollowed = false } = record
  const idByteCount = Buffer.byteLength(id)
  const bodyByteCount = idByteCount + payload.length
  const payloadAt = RECORD_HEADER_BYTE_COUNT + idByteCount
  const byteCount = recordByteCount(bodyByteCount)
  const isCopied = payload.length <= COPIED_BYTE_COUNT
  const bytes = Buffer.allocUnsafe(isCopied ? byteCount : payloadAt)
  bytes.writeUInt32LE(MARK, 0)
  bytes.writeUInt32LE(bodyByteCount, 4)
  bytes.writeDoubleLE(sequence, 8)
  bytes.writeDoubleLE(incarnation, 16)
  bytes.writeDoubleLE(version, 24)
  bytes.writeUInt8(kind, 32)
  bytes.writeUInt8(isFollowed ? 1 : 0, 33)
  bytes.writeUInt16LE(idByteCount, 34)
  bytes.writeUInt32LE(commitOffset, 36)
  bytes.write(id, RECORD_HEADER_BYTE_COUNT)
  if (isCopied) bytes.set(payload, payloadAt)
  const checksum = crc32(bytes.subarray(RECORD_HEADER_BYTE_COUNT, isCopied ? payloadAt + payload.length : payloadAt))
  bytes.writeUInt32LE(isCopied ? checksum : crc32(payload, checksum), 40)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 44)), 44)
  if (isCopied) {
    bytes.fill(0, payloadAt + payload.length)
    return [bytes]
  }
  const padding = byteCount - payloadAt - payload.length
  return padding === 0 ? [bytes, payload] : [bytes, payload, new Uint8Array(padding)]
}

/** The header of a record at `at` in `bytes`, which have that much, or null where there is none. */
export function decodeRecordHeader(bytes: Buffer, at: number): RecordHeader | null {
  if (bytes.readUInt32LE(at) !== MARK) return null
  if (crc32(bytes.subarray(at, at + 44)) !== bytes.readUInt32LE(at + 44)) return null
  const header = {
    kind: bytes.readUInt8(at + 32),
    sequence: bytes.readDoubleLE(at + 8),
    incarnation: bytes.readDoubleLE(at + 16),
    version: bytes.readDoubleLE(at + 24),
    isFollowed: bytes.readUInt8(at + 33) === 1,
    bodyByteCount: bytes.readUInt32LE(at + 4),
    idByteCount: bytes.readUInt16LE(at + 34),
    commitOffset: bytes.readUInt32LE(at + 36),
    bodyChecksum: bytes.readUInt32LE(at + 40),
  }
  const { sequence, incarnation, version, idByteCount, bodyByteCount } = header
  return isCount(sequence) &&
    isCount(incarnation) &&
    isCount(version) &&
    idByteCount <= Math.min(MOST_ID_BYTE_COUNT, bodyByteCount)
    ? header
    : null
}

const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0

// Scanning: the records of a file are read one after the other, in windows, whatever the file contains. Bytes that are no record are
// skipped, eight at a time, up to the next record. A length that reaches beyond the end of the file is rejected, and memory stays at one
// window.

const WINDOW_BYTE_COUNT = 2 ** 20

/** A record where it lies. */
export interface FoundRecord extends RecordHeader {
  offset: number
  /** Of all of it. */
  byteCount: number
  /** null where the body is not whole: then it cannot be trusted. */
  id: string | null
}

/** Called for each find of a scan. `lost`: bytes that are no record, or a record that reaches beyond the end. */
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

interface WholeRecord {
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
