/** Entries of a scene out of its log, with where it stands at the same moment. */

import type { SceneLife, StoredEntry } from '../store/store.ts'
import { BATCH_BYTE_COUNT, type Batch, copyRows, inBatches, literal } from './copy-read.ts'
import type { ReadPool } from './read-pool.ts'

/** Who follows a log mostly finds a few small entries at its end: they come with one prepared statement, in a quarter of a copy's time. */
const NEAR_ROW_COUNT = 64
const NEAR_BYTE_COUNT = 64 * 2 ** 10

// $1 scene, $2 and $3 the first and last version. Payloads only up to the size that rows are good for.
const NEAR = `select s.version, e.seq, e.digest, case when e.size <= ${NEAR_BYTE_COUNT} then e.bytes end
  from tangent.scene s left join lateral (
    select seq, digest, bytes, sum(octet_length(bytes)) over (order by seq rows unbounded preceding) as size
    from tangent.entry where scene = s.scene and seq between $2 and $3 order by seq limit ${NEAR_ROW_COUNT}
  ) e on true
  where s.scene = $1 order by e.seq`
/** Of a bigint. */
const LAST_VERSION = '9223372036854775807'

/**
 * As `SceneStore.read`. Of a scene that was dropped the log is read on for as long as it is there: the last entry says so.
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
    // Where it stood first counts, or one who reads slower than others write would never come to an end.
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
    // each in memory of its own
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
  // No payload is looked at for its length: what is large lies elsewhere, and its length with the reference.
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
    // where the scene stands comes without a digest
    if (digest === null) version = number
    else {
      items.push({ version: number, bytes, digest })
      byteCount += (bytes as Uint8Array).length
    }
  }
  items.sort((a, b) => a.version - b.version)
  return { items, byteCount, next: nextAfter(items, to, version), version }
}
