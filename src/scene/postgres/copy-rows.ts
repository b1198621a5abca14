/**
 * Rows out of what `COPY … TO STDOUT (FORMAT binary)` sends, as the pieces come: a header, then for every row the number of its fields
 * (i16), and for each its length (i32, −1: null) and its bytes; −1 instead of a number of fields ends it. Big-endian
 * (PostgreSQL manual, COPY, "Binary Format").
 *
 * Each field is put into memory of its own, so that nobody who keeps one keeps what came beside it.
 */

export type CopiedRow = (Uint8Array | null)[]

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
/** Signature, flags, and the length of an extension, which is skipped. */
const HEADER_BYTE_COUNT = SIGNATURE.length + 8

export class CopyRows {
  readonly rows: CopiedRow[] = []
  private rest: Buffer | null = null
  private row: CopiedRow = []
  /** Fields of the row that are still to come; null: between rows. */
  private missing: number | null = null
  private field: Uint8Array | null = null
  private filled = 0
  private state: 'header' | 'rows' | 'end' = 'header'

  push(piece: Buffer): void {
    let bytes = this.rest === null ? piece : Buffer.concat([this.rest, piece])
    this.rest = null
    for (let used = this.step(bytes); used > 0; used = this.step(bytes)) bytes = bytes.subarray(used)
    if (bytes.length > 0) this.rest = bytes
  }

  /** Throws when the rows are not all there. */
  finish(): CopiedRow[] {
    if (this.state !== 'end') throw new Error('The copy has no end')
    return this.rows
  }

  /** Reads the next thing there is at the beginning of `bytes`: how much of them that was, 0 where they are too few. */
  private step(bytes: Buffer): number {
    if (this.state === 'end' || bytes.length === 0) return 0
    if (this.state === 'header') return this.readHeader(bytes)
    if (this.field !== null) return this.fill(this.field, bytes)
    return this.missing === null ? this.beginRow(bytes) : this.beginField(bytes)
  }

  private readHeader(bytes: Buffer): number {
    if (bytes.length < HEADER_BYTE_COUNT) return 0
    if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new Error('What was copied is not binary')
    const byteCount = HEADER_BYTE_COUNT + bytes.readInt32BE(SIGNATURE.length + 4)
    if (bytes.length < byteCount) return 0
    this.state = 'rows'
    return byteCount
  }

  private beginRow(bytes: Buffer): number {
    if (bytes.length < 2) return 0
    const count = bytes.readInt16BE(0)
    if (count === -1) this.state = 'end'
    else {
      this.row = []
      this.missing = count
    }
    return 2
  }

  private beginField(bytes: Buffer): number {
    if (bytes.length < 4) return 0
    const byteCount = bytes.readInt32BE(0)
    if (byteCount > 0) {
      this.field = new Uint8Array(byteCount)
      this.filled = 0
    } else this.endField(byteCount === 0 ? new Uint8Array(0) : null)
    return 4
  }

  private fill(field: Uint8Array, bytes: Buffer): number {
    const count = Math.min(bytes.length, field.length - this.filled)
    field.set(bytes.subarray(0, count), this.filled)
    this.filled += count
    if (this.filled === field.length) this.endField(field)
    return count
  }

  private endField(field: Uint8Array | null): void {
    this.field = null
    this.row.push(field)
    if (this.row.length < (this.missing as number)) return
    this.rows.push(this.row)
    this.missing = null
  }
}

/** A bigint as it is copied; within what a number can hold. */
export function copiedInteger(field: Uint8Array | null): number {
  if (field === null) return 0
  const view = new DataView(field.buffer, field.byteOffset, field.length)
  return field.length === 4 ? view.getInt32(0) : view.getInt32(0) * 2 ** 32 + view.getUint32(4)
}
