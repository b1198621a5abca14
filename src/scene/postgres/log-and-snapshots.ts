/**
 * Reads entries of a scene from its log, with its version at the same moment, and reads and writes snapshots.
 *
 * A snapshot is a row that claims it, its chunks, one statement each, and the row marked complete at the end. Each attempt has a number
 * of its own, so a snapshot of the same version replaces an older one at once, and its readers read on. Abandoned and replaced snapshots
 * are marked as gone, and deleted by `sweep`.
 */

import type { SceneLife, StoredEntry } from '../store/store.ts'
import { READ_TIMEOUT_MS, type ReadPool } from './read-pool.ts'

// Bulk reads in batches. Each batch is one `COPY … TO STDOUT`, three times as fast as rows, and is returned once all of it has arrived.
// So a slow reader holds neither a connection nor a transaction, and at most two batches are in memory: one loads while the other is
// read.
//
// Format of the binary copy: a header, then for every row the number of its fields (i16), and for each field its length (i32, −1: null)
// and its bytes; −1 instead of a number of fields ends it. Big-endian (PostgreSQL manual, COPY, "Binary Format"). The first column is a
// whole number. Each other field gets memory of its own, so that keeping one does not keep its neighbours.

type CopiedRow = [number, ...(Uint8Array | null)[]]

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
/** Signature, flags, and the length of an extension, which is skipped. */
const HEADER_BYTE_COUNT = SIGNATURE.length + 8
const FEW_BYTES = 32

class CopyRows {
  readonly rows: CopiedRow[] = []
  private rest: Buffer | null = null
  private row: CopiedRow = [0]
  /** Remaining fields of the row; null between rows. */
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

  /** Throws if rows are missing. */
  finish(): CopiedRow[] {
    if (this.state !== 'end') throw new Error('The copy has no end')
    return this.rows
  }

  /** Reads the next item at `at` and returns its end; `at` if it is incomplete. */
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
    // a view of the bytes costs more than a copy of a few
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

const BATCH_BYTE_COUNT = 4 * 2 ** 20
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

interface Batch<T> {
  readonly items: readonly T[]
  readonly byteCount: number
  /** Where to continue; null at the end. */
  readonly next: number | null
}

/** Yields batches of about `BATCH_BYTE_COUNT` from `start` on. `read` gets the most rows to read. */
async function* inBatches<T>(
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
    // The reader may never await it.
    following.catch(() => {})
    yield items
    batch = await following
  }
}

/** A stored number as text for a statement, because `copy` takes no parameters. */
export function literal(value: number): string {
  if (!Number.isSafeInteger(value)) throw new RangeError(`Not a whole number: ${value}`)
  return `${value}`
}

/** Followers of a log mostly find a few small entries at its end: one prepared statement reads them in a quarter of a copy's time. */
const NEAR_ROW_COUNT = 64
const NEAR_BYTE_COUNT = 64 * 2 ** 10

// $1 scene, $2 and $3 the first and last version. Only payloads up to the size for which rows are fast.
const NEAR = `select s.version, e.seq, e.digest, case when e.size <= ${NEAR_BYTE_COUNT} then e.bytes end
  from tangent.scene s left join lateral (
    select seq, digest, bytes, sum(octet_length(bytes)) over (order by seq rows unbounded preceding) as size
    from tangent.entry where scene = s.scene and seq between $2 and $3 order by seq limit ${NEAR_ROW_COUNT}
  ) e on true
  where s.scene = $1 order by e.seq`
/** Of a bigint. */
const LAST_VERSION = '9223372036854775807'

/**
 * As `SceneStore.read`. The log of a dropped scene is read as long as it exists, because its last entry is the drop.
 */
export async function* readLog(
  pool: ReadPool,
  { incarnation }: SceneLife,
  fromVersion: number,
  toVersion: number,
): AsyncGenerator<StoredEntry> {
  if (toVersion < fromVersion) return
  let last = toVersion
  let isNear = true
  const batches = inBatches(fromVersion, async (from, rowCount) => {
    const read = isNear ? readNear(pool, incarnation, from, last) : readBatch(pool, incarnation, from, last, rowCount)
    const { version, ...batch } = await read
    isNear = false
    // Ends at the version of the first batch, or a reader slower than the writers would never end.
    last = Math.min(last, version)
    return batch
  })
  let expected = fromVersion
  for await (const entries of batches) {
    for (const entry of entries) {
      for (; expected < entry.version; expected++) yield missing(expected)
      yield entry
      expected = entry.version + 1
    }
  }
  for (; expected <= last; expected++) yield missing(expected)
}

const missing = (version: number): StoredEntry => ({ version, bytes: null, damage: 'it is missing' })

/** `version`: where the scene stands. */
type LogBatch = Batch<StoredEntry> & { version: number }

async function readNear(pool: ReadPool, incarnation: number, from: number, to: number): Promise<LogBatch> {
  const values = [incarnation, from, to === Infinity ? LAST_VERSION : to]
  const rows = await pool.prepared('read-near', NEAR, values)
  const version = rows.length === 0 ? 0 : Number(rows[0][0])
  const items: StoredEntry[] = []
  let byteCount = 0
  for (const [, seq, digest, bytes] of rows) {
    if (bytes === null) return { items, byteCount, next: seq === null ? null : Number(seq), version }
    // each with memory of its own
    const entry = {
      version: Number(seq),
      bytes: new Uint8Array(bytes as Buffer),
      digest: new Uint8Array(digest as Buffer),
    }
    items.push(entry)
    byteCount += entry.bytes.length
  }
  return { items, byteCount, next: nextAfter(items, to, version), version }
}

function nextAfter(items: readonly StoredEntry[], to: number, version: number): number | null {
  const end = items.at(-1)?.version ?? Infinity
  return end < Math.min(to, version) ? end + 1 : null
}

async function readBatch(
  pool: ReadPool,
  incarnation: number,
  from: number,
  to: number,
  rowCount: number,
): Promise<LogBatch> {
  const scene = literal(incarnation)
  const upTo = to === Infinity ? '' : ` and seq <= ${literal(to)}`
  // Does not read payloads for their length: large ones lie elsewhere, and the reference has the length.
  const rows = await copyRows(
    pool,
    `select version, null::bytea, null::bytea from tangent.scene where scene = ${scene}
    union all
    select seq, digest, bytes from (
      select seq, digest, bytes, sum(octet_length(bytes)) over (order by seq rows unbounded preceding) - octet_length(bytes) as before
      from tangent.entry where scene = ${scene} and seq >= ${literal(from)}${upTo} order by seq limit ${literal(rowCount)}
    ) e where before < ${BATCH_BYTE_COUNT}`,
  )
  let version = 0
  let byteCount = 0
  const items: StoredEntry[] = []
  for (const [number, digest, bytes] of rows) {
    // the row with the version has no digest
    if (digest === null) version = number
    else {
      items.push({ version: number, bytes, digest })
      byteCount += (bytes as Uint8Array).length
    }
  }
  items.sort((a, b) => a.version - b.version)
  return { items, byteCount, next: nextAfter(items, to, version), version }
}

/** Time after which a claim is void, by the clock of the database. */
export const CLAIM_LASTS = "interval '10 minutes'"

// Replaces a void claim. A statement does not see its own inserts, so no row means that another process has the claim.
const VOID = `update tangent.snapshot set state = 2, claimed_at = now()
  where snapshot in (
    select snapshot from tangent.snapshot
    where scene = $1 and version = $2 and state = 0 and claimed_at < now() - ${CLAIM_LASTS} for update skip locked
  )`
const CLAIM = `insert into tangent.snapshot (scene, version, by)
  select scene, $2, $3 from tangent.scene where scene = $1 and dropped_at is null
  on conflict (scene, version) where state = 0 do nothing
  returning snapshot`
// Locks the row, so that a sweep does not mark it as gone and delete its chunks meanwhile.
const CHUNK = `insert into tangent.chunk (snapshot, n, bytes)
  select s.snapshot, $2::int, $3::bytea from tangent.snapshot s where s.snapshot = $1 and s.state = 0 for share
  on conflict do nothing
  returning n`
const IS_CLAIMED = 'select from tangent.snapshot where snapshot = $1 and state = 0'
const IS_COMPLETE = 'select from tangent.snapshot where snapshot = $1 and state = 1'
const COMPLETE = `update tangent.snapshot p set state = 1, claimed_at = now()
  from tangent.scene s
  where p.snapshot = $1 and p.state = 0 and s.scene = p.scene and s.dropped_at is null
  returning p.snapshot`
const REPLACED = `update tangent.snapshot set state = 2, claimed_at = now()
  where snapshot in (
    select snapshot from tangent.snapshot
    where scene = $1 and version = $2 and state = 1 and snapshot < $3 order by snapshot for update skip locked
  )`
const GIVE_UP = 'update tangent.snapshot set state = 2, claimed_at = now() where snapshot = $1 and state = 0'

/** As `SceneStore.writeSnapshot`. `by`: names the process. */
export async function writeSnapshot(
  pool: ReadPool,
  { incarnation }: SceneLife,
  version: number,
  chunks: AsyncIterable<Uint8Array>,
  by: string,
): Promise<boolean> {
  await pool.query(VOID, [incarnation, version])
  const [claim] = await pool.query(CLAIM, [incarnation, version, by])
  if (claim === undefined) return false
  const snapshot = Number(claim[0])
  let isComplete = false
  try {
    let n = 0
    for await (const chunk of chunks) {
      if (!(await isDone(pool, CHUNK, [snapshot, n++, chunk], IS_CLAIMED))) return false
    }
    isComplete = await isDone(pool, COMPLETE, [snapshot], IS_COMPLETE)
    if (isComplete) await pool.query(REPLACED, [incarnation, version, snapshot])
    return isComplete
  } finally {
    // if that fails too, the claim becomes void later
    if (!isComplete) await pool.query(GIVE_UP, [snapshot]).catch(() => {})
  }
}

/** A statement may run twice if its answer is lost: `ask` tells whether the result is as wanted. */
async function isDone(pool: ReadPool, text: string, values: readonly unknown[], ask: string): Promise<boolean> {
  if ((await pool.query(text, values)).length > 0) return true
  return (await pool.query(ask, values.slice(0, 1))).length > 0
}

/** The chunks of a complete snapshot, in order. */
export async function* readSnapshot(
  pool: ReadPool,
  { incarnation }: SceneLife,
  version: number,
): AsyncGenerator<Uint8Array> {
  const [row] = await pool.query(
    'select max(snapshot) from tangent.snapshot where scene = $1 and version = $2 and state = 1',
    [incarnation, version],
  )
  if (row[0] === null) return
  const snapshot = Number(row[0])
  for await (const chunks of inBatches(0, (from, count) => readChunks(pool, snapshot, from, count))) yield* chunks
}

async function readChunks(
  pool: ReadPool,
  snapshot: number,
  from: number,
  rowCount: number,
): Promise<Batch<Uint8Array>> {
  const rows = await copyRows(
    pool,
    `select n, bytes from (
      select n, bytes, sum(octet_length(bytes)) over (order by n rows unbounded preceding) - octet_length(bytes) as before
      from tangent.chunk where snapshot = ${literal(snapshot)} and n >= ${literal(from)} order by n limit ${literal(rowCount)}
    ) c where before < ${BATCH_BYTE_COUNT} order by n`,
  )
  const items = rows.map(([, bytes]) => bytes as Uint8Array)
  const byteCount = items.reduce((sum, { length }) => sum + length, 0)
  const last = rows.at(-1)
  return { items, byteCount, next: last === undefined ? null : last[0] + 1 }
}
