/**
 * The ledger: a second record of the version of every scene.
 *
 * A log by itself does not show that its end is missing, nor which scenes had entries in an unreadable part of it. So the store notes
 * every commit here after it is durable in the log and before it is acknowledged. The ledger is not flushed for that: its bytes survive
 * the end of the process, and after a power cut it has too few records, never wrong ones. So each record is a lower bound: a scene
 * reached at least this version; a scene was dropped.
 *
 * It begins with a table of all scenes (`standing`, then `tableEnd`), followed by later changes (`standing`, `drop`). When these are
 * longer than the table, a new file is written and replaces it.
 */

import { type Disk, type DiskFile, unfinished } from './disk.ts'
import {
  decodeFileHeader,
  encodeFileHeader,
  encodeRecord,
  FILE_HEADER_BYTE_COUNT,
  FILE_KINDS,
  FORMAT,
  type NewRecord,
  RECORD_KINDS,
  scanRecords,
} from './record.ts'

export const LEDGER_NAME = 'ledger'
const LEAST_REWRITTEN_BYTE_COUNT = 2 ** 22
/** Scenes of the table in one write. */
const SLICE_COUNT = 1000

/** Where a scene stands; `version` null: it is gone. */
export interface Standing {
  id: string
  incarnation: number
  version: number | null
}

export interface LedgerContents {
  /** Whether it has its table and no damage, so that only later commits are missing from it. */
  isWhole: boolean
  /** The table includes all records up to this sequence number; −1 if there is no whole table. */
  tableEnd: number
  /** By incarnation; the id is '' if it could not be read. */
  standings: Map<number, { id: string; version: number }>
  gone: Set<number>
  /** As the file says it; null where that cannot be read. */
  format: number | null
  /** Its last word is readable, and another before that is not. */
  hasGap: boolean
  byteCount: number
}

export async function readLedger(disk: Disk): Promise<LedgerContents | null> {
  if (!(await disk.list()).includes(LEDGER_NAME)) return null
  const file = await disk.open(LEDGER_NAME)
  try {
    return await contentsOf(file)
  } finally {
    await file.close()
  }
}

async function contentsOf(file: DiskFile): Promise<LedgerContents> {
  const size = await file.size()
  const first = Buffer.alloc(FILE_HEADER_BYTE_COUNT)
  await file.read(first, 0)
  const header = decodeFileHeader(first)
  const contents: LedgerContents = {
    isWhole: header?.kind === FILE_KINDS.ledger,
    tableEnd: -1,
    standings: new Map(),
    gone: new Set(),
    format: header?.format ?? null,
    hasGap: false,
    byteCount: size,
  }
  if (header !== null && header.format > FORMAT) return contents
  let lost = 0
  let counted = 0
  await scanRecords(file, size, {
    record: ({ kind, incarnation, version, sequence, id }) => {
      // Lost bytes at the very end were being written when the power failed.
      if (lost > 0 || id === null) contents.hasGap = true
      if (kind === RECORD_KINDS.tableEnd) {
        if (id !== null && counted === version && lost === 0) contents.tableEnd = sequence
      } else if (kind === RECORD_KINDS.standing) {
        counted++
        const known = contents.standings.get(incarnation)
        const said = { id: id || known?.id || '', version: Math.max(version, known?.version ?? 0) }
        contents.standings.set(incarnation, said)
      } else if (kind === RECORD_KINDS.drop) contents.gone.add(incarnation)
    },
    lost: (from, to) => {
      lost += to - from
    },
  })
  for (const incarnation of contents.gone) contents.standings.delete(incarnation)
  contents.isWhole &&= contents.tableEnd >= 0 && !contents.hasGap
  return contents
}

export class Ledger {
  private readonly disk: Disk
  private readonly createdBy: string
  private file: DiskFile | null = null
  private size = 0
  private tableByteCount = 0
  /** Whether it lacks records, because a write failed. */
  private isBehind = false

  constructor(disk: Disk, createdBy: string) {
    this.disk = disk
    this.createdBy = createdBy
  }

  get byteCount(): number {
    return this.size
  }

  /** Whether it should be rewritten. */
  get isDue(): boolean {
    const since = this.size - this.tableByteCount
    return this.file === null || this.isBehind || since > Math.max(LEAST_REWRITTEN_BYTE_COUNT, this.tableByteCount)
  }

  /** Rewrites it, with `scenes` as of the record `sequence`. Rejects with a `StoreError`, and is then unchanged. */
  async rewrite(scenes: Iterable<Standing>, sequence: number): Promise<void> {
    const name = unfinished(LEDGER_NAME)
    const file = await this.disk.create(name)
    try {
      const header = { kind: FILE_KINDS.ledger, number: 0, createdAt: Date.now(), createdBy: this.createdBy }
      let pieces: Uint8Array[] = [encodeFileHeader(header)]
      let size = 0
      let count = 0
      const flush = async () => {
        await file.write(pieces, size)
        for (const { length } of pieces) size += length
        pieces = []
      }
      for (const standing of scenes) {
        pieces.push(...encodeRecord(recordOf(standing), 0, 0))
        if (++count % SLICE_COUNT === 0) await flush()
      }
      const end = { kind: RECORD_KINDS.tableEnd, incarnation: 0, version: count, id: '' }
      pieces.push(...encodeRecord(end, sequence, 0))
      await flush()
      await file.sync()
      await this.disk.rename(name, LEDGER_NAME)
      await this.file?.close().catch(() => undefined)
      this.file = file
      this.size = size
      this.tableByteCount = size
      this.isBehind = false
    } catch (error) {
      await file.close().catch(() => undefined)
      await this.disk.remove(name).catch(() => undefined)
      throw error
    }
  }

  /** Notes durable versions. If that fails, the ledger lacks them until it is rewritten. */
  async note(standings: Iterable<Standing>): Promise<void> {
    if (this.file === null || this.isBehind) {
      this.isBehind = true
      return
    }
    const pieces: Uint8Array[] = []
    for (const standing of standings) pieces.push(...encodeRecord(recordOf(standing), 0, 0))
    try {
      await this.file.write(pieces, this.size)
      for (const { length } of pieces) this.size += length
    } catch {
      this.isBehind = true
      // Half a record would count as damage once another follows it.
      await this.file.truncate(this.size).catch(() => undefined)
    }
  }

  /** Whether everything noted in it is durable. */
  async sync(): Promise<boolean> {
    if (this.file === null || this.isBehind) return false
    try {
      await this.file.sync()
      return true
    } catch {
      this.isBehind = true
      return false
    }
  }

  async close(): Promise<void> {
    await this.file?.close()
    this.file = null
  }
}

function recordOf({ id, incarnation, version }: Standing): NewRecord {
  return version === null
    ? { kind: RECORD_KINDS.drop, incarnation, version: 0, id }
    : { kind: RECORD_KINDS.standing, incarnation, version, id }
}
