/** Entries of a scene out of its log, with where it stands at the same moment. */

import type { SceneLife, StoredEntry } from '../store/store.ts'
import { BATCH_BYTE_COUNT, type Batch, copyRows, inBatches, literal } from './copy-read.ts'
import { copiedInteger } from './copy-rows.ts'
import type { ReadPool } from './read-pool.ts'

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
  const batches = inBatches(fromVersion, async (from, rowCount) => {
    const { version, ...batch } = await readBatch(pool, incarnation, from, last, rowCount)
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

async function readBatch(
  pool: ReadPool,
  incarnation: number,
  from: number,
  to: number,
  rowCount: number,
): Promise<Batch<StoredEntry> & { version: number }> {
  const scene = literal(incarnation)
  const upTo = to === Infinity ? '' : ` and seq <= ${literal(to)}`
  // No payload is looked at for its length: what is large lies elsewhere, and its length with the reference.
  const rows = await copyRows(
    pool,
    `select 0::bigint, version, null::bytea, null::bytea from tangent.scene where scene = ${scene}
    union all
    select 1::bigint, seq, digest, bytes from (
      select seq, digest, bytes, sum(octet_length(bytes)) over (order by seq rows unbounded preceding) - octet_length(bytes) as before
      from tangent.entry where scene = ${scene} and seq >= ${literal(from)}${upTo} order by seq limit ${literal(rowCount)}
    ) e where before < ${BATCH_BYTE_COUNT}`,
  )
  let version = 0
  let byteCount = 0
  const items: StoredEntry[] = []
  for (const [kind, number, digest, bytes] of rows) {
    if (copiedInteger(kind) === 0) version = copiedInteger(number)
    else {
      items.push({ version: copiedInteger(number), bytes, digest: digest as Uint8Array })
      byteCount += (bytes as Uint8Array).length
    }
  }
  items.sort((a, b) => a.version - b.version)
  const end = items.at(-1)?.version ?? Infinity
  return { items, byteCount, next: end < Math.min(to, version) ? end + 1 : null, version }
}
