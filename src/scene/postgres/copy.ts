/**
 * Bulk reads in batches. Each batch is one `COPY … TO STDOUT`, three times as fast as rows, and has arrived as a whole before any of it
 * is handed out. So a slow reader holds neither a connection nor a transaction, and at most two batches are in memory: the next one
 * loads while one is being read.
 *
 * Format of the binary copy: a header, then for every row the number of its fields (i16), and for each field its length (i32, −1: null)
 * and its bytes; −1 instead of a number of fields ends it. Big-endian (PostgreSQL manual, COPY, "Binary Format"). The first column is a
 * whole number. Each other field gets memory of its own, so that keeping one does not keep its neighbours.
 */

import { READ_TIMEOUT_MS, type ReadPool } from './read-pool.ts'

type CopiedRow = [number, ...(Uint8Array | null)[]]

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
/** Signature, flags, and the length of an extension, which is skipped. */
const HEADER_BYTE_COUNT = SIGNATURE.length + 8
const FEW_BYTES = 32

class CopyRows {
  readonly rows: CopiedRow[] = []
  private rest: Buffer | null = null
  private row: CopiedRow = [0]
  /** Fields of the row that are still to come; null: between rows. */
  private missing: number | null = null
  private isNumberNext = false
  private field: Uint8Array | null = null
  private filled = 0
  private state: 'header' | 'rows' | 'end' = 'header'

  push(piece: Buffer): void {
    const bytes = this.rest === null ? piece : Buffer.concat([this.rest, piece])
    let at = 0
    for (let end = this.step(bytes, at); end > at; end = this.step(bytes, at)) at = end
    this.rest = at < bytes.length ? bytes.subarray(at) : null
  }

  /** Throws when the rows are not all there. */
  finish(): CopiedRow[] {
    if (this.state !== 'end') throw new Error('The copy has no end')
    return this.rows
  }

  /** Reads the next thing there is at `at`: where it ends; `at` where there is too little of it. */
  private step(bytes: Buffer, at: number): number {
    if (this.state === 'end' || at === bytes.length) return at
    if (this.state === 'header') return this.readHeader(bytes, at)
    if (this.field !== null) return this.fill(this.field, bytes, at)
    return this.missing === null ? this.beginRow(bytes, at) : this.beginField(bytes, at)
  }

  private readHeader(bytes: Buffer, at: number): number {
    const end = at + HEADER_BYTE_COUNT
    if (bytes.length < end) return at
    if (!bytes.subarray(at, at + SIGNATURE.length).equals(SIGNATURE)) throw new Error('What was copied is not binary')
    const endOfAll = end + bytes.readInt32BE(end - 4)
    if (bytes.length < endOfAll) return at
    this.state = 'rows'
    return endOfAll
  }

  private beginRow(bytes: Buffer, at: number): number {
    if (bytes.length < at + 2) return at
    const count = bytes.readInt16BE(at)
    if (count === -1) this.state = 'end'
    else {
      this.row = [0]
      this.missing = count
      this.isNumberNext = true
    }
    return at + 2
  }

  private beginField(bytes: Buffer, at: number): number {
    if (bytes.length < at + 4) return at
    const byteCount = bytes.readInt32BE(at)
    if (this.isNumberNext) {
      const end = at + 4 + byteCount
      if (bytes.length < end) return at
      this.row[0] =
        byteCount === 4 ? bytes.readInt32BE(at + 4) : bytes.readInt32BE(at + 4) * 2 ** 32 + bytes.readUInt32BE(at + 8)
      this.isNumberNext = false
      this.endRow()
      return end
    }
    if (byteCount > 0) {
      this.field = new Uint8Array(byteCount)
      this.filled = 0
    } else this.endField(byteCount === 0 ? new Uint8Array(0) : null)
    return at + 4
  }

  private fill(field: Uint8Array, bytes: Buffer, at: number): number {
    const count = Math.min(bytes.length - at, field.length - this.filled)
    // to look at a part of the bytes costs more than to copy a few of them
    if (count > FEW_BYTES) field.set(bytes.subarray(at, at + count), this.filled)
    else for (let k = 0; k < count; k++) field[this.filled + k] = bytes[at + k]
    this.filled += count
    if (this.filled === field.length) this.endField(field)
    return at + count
  }

  private endField(field: Uint8Array | null): void {
    this.field = null
    this.row.push(field)
    this.endRow()
  }

  private endRow(): void {
    if (this.row.length < (this.missing as number)) return
    this.rows.push(this.row)
    this.missing = null
  }
}

export const BATCH_BYTE_COUNT = 4 * 2 ** 20
const LEAST_ROW_COUNT = 16
const MOST_ROW_COUNT = 2048
const FIRST_ROW_COUNT = 512

/** The rows of a `select` without values. */
export function copyRows(pool: ReadPool, select: string): Promise<CopiedRow[]> {
  return pool.use(async (connection) => {
    const rows = new CopyRows()
    await connection.copy(`copy (${select}) to stdout (format binary)`, (piece) => rows.push(piece), READ_TIMEOUT_MS)
    return rows.finish()
  })
}

export interface Batch<T> {
  readonly items: readonly T[]
  readonly byteCount: number
  /** Where to go on; null: there is no more. */
  readonly next: number | null
}

/** Batches one after the other, from `start` on, of about `BATCH_BYTE_COUNT`. `read` is given the most rows to look at. */
export async function* inBatches<T>(
  start: number,
  read: (from: number, rowCount: number) => Promise<Batch<T>>,
): AsyncGenerator<readonly T[]> {
  let batch = await read(start, FIRST_ROW_COUNT)
  for (;;) {
    const { items, byteCount, next } = batch
    if (next === null) {
      yield items
      return
    }
    const meanByteCount = byteCount / Math.max(items.length, 1)
    const rowCount = Math.ceil((1.25 * BATCH_BYTE_COUNT) / Math.max(meanByteCount, 1))
    const following = read(next, Math.min(Math.max(rowCount, LEAST_ROW_COUNT), MOST_ROW_COUNT))
    // Nobody may come to see it.
    following.catch(() => {})
    yield items
    batch = await following
  }
}

/** Numbers out of what is kept, to be written into a statement: `copy` takes no values. */
export function literal(value: number): string {
  if (!Number.isSafeInteger(value)) throw new RangeError(`Not a whole number: ${value}`)
  return `${value}`
}
