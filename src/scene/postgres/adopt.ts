/**
 * Takes a scene over from another store: a row that counts as dropped, then its entries and snapshots, some in each statement, and the
 * row made a scene at the end. So nobody sees it before, and no transaction is long.
 *
 * The row is dropped some time from now, and further on as long as something is added: until then no sweep looks at it, and what was
 * left half done is swept away like any scene that was dropped.
 */

import { inBatches } from '../store/adopt-scene.ts'
import { type AdoptedScene, type NewEntry, StoreError, StoreUnavailable } from '../store/store.ts'
import { type ReadPool, SWEEP_TIMEOUT_MS } from './read-pool.ts'
import { summaryText } from './scene-rows.ts'

const LEASE = "interval '1 hour'"
/** Put off when less of it is left. */
const LEAST_LEASE = "interval '50 minutes'"

const BATCH_BYTE_COUNT = 8 * 2 ** 20
const BATCH_ENTRY_COUNT = 8192

const ID_IS_TAKEN = '23505'

const IS_THERE = 'select from tangent.scene where id = $1 and dropped_at is null'
const BEGIN = `insert into tangent.scene (id, version, digest, first, trim_to, summary_version, ttl, summary, dropped_at)
  values ($1, $2, decode($3, 'hex'), $4, $4, $5, $6, $7::json, now() + ${LEASE})
  returning scene::float8`
const HELD = `held as (
    update tangent.scene set dropped_at = now() + ${LEASE}
    where scene = $1 and dropped_at < now() + ${LEAST_LEASE}
  )`
// $2 version of the first, $3 digests and $4 payloads one behind the other, $5 where each payload begins, $6 how long it is
const ADD_ENTRIES = `with ${HELD}
  insert into tangent.entry (scene, seq, digest, bytes)
  select $1::bigint, $2::bigint + e.i - 1, substring($3::bytea from (e.i::int - 1) * 16 + 1 for 16),
    substring($4::bytea from e.start + 1 for e.size)
  from unnest($5::int[], $6::int[]) with ordinality as e (start, size, i)
  on conflict do nothing`
// Nobody looks for snapshots of a scene that is dropped: it need not wait for its chunks.
const ADD_SNAPSHOT = `insert into tangent.snapshot (scene, version, state, by) values ($1, $2, 1, $3) returning snapshot::float8`
const ADD_CHUNK = `with ${HELD}
  insert into tangent.chunk (snapshot, n, bytes) values ($2, $3, $4::bytea) on conflict do nothing`
// Entries are counted in case that it took longer than the lease. Being flushed, this has all before it flushed.
const PUBLISH = `update tangent.scene s set dropped_at = null, begun_at = now(), used_at = now()
  from (
    select set_config('synchronous_commit',
      case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, true) as setting
  ) c
  where s.scene = $1 and s.dropped_at > now() and $2 = (select count(*) from tangent.entry where scene = $1)
  returning s.scene, c.setting`
const IS_PUBLISHED = 'select from tangent.scene where scene = $1 and dropped_at is null'
const GIVE_UP = "update tangent.scene set dropped_at = '-infinity' where scene = $1 and dropped_at is not null"

/** As `Adopting.adopt`. `by`: names the process. */
export async function adoptScene(pool: ReadPool, adopted: AdoptedScene, by: string): Promise<boolean> {
  const { id, version, digest, first, summary, snapshots } = adopted
  const query = (text: string, values: readonly unknown[]) => pool.query(text, values, SWEEP_TIMEOUT_MS)
  if ((await query(IS_THERE, [id])).length > 0) return false
  const hex = Buffer.from(digest).toString('hex')
  const [[scene]] = await query(BEGIN, [id, version, hex, first, summary.version, summary.ttl, summaryText(summary)])
  let isKept = false
  try {
    let reached = first - 1
    for await (const batch of inBatches(adopted.entries(), BATCH_ENTRY_COUNT, BATCH_BYTE_COUNT)) {
      await query(ADD_ENTRIES, [scene, reached + 1, ...columnsOf(batch)])
      reached += batch.length
    }
    if (reached !== version) {
      throw new StoreError(`The scene ${id} has entries from ${first} to ${reached}, not to ${version}`)
    }
    for (const each of snapshots) {
      const [[snapshot]] = await query(ADD_SNAPSHOT, [scene, each, by])
      let n = 0
      for await (const chunk of adopted.snapshot(each)) await query(ADD_CHUNK, [scene, snapshot, n++, chunk])
    }
    isKept = await published(query, scene as number, version - first + 1)
    return isKept
  } finally {
    // where that fails too, a sweep does it in time
    if (!isKept) await query(GIVE_UP, [scene]).catch(() => undefined)
  }
}

/** False: there is another scene of its id. */
async function published(
  query: (text: string, values: readonly unknown[]) => Promise<readonly unknown[]>,
  scene: number,
  entryCount: number,
): Promise<boolean> {
  try {
    if ((await query(PUBLISH, [scene, entryCount])).length > 0) return true
  } catch (error) {
    if (error instanceof StoreUnavailable && error.code === ID_IS_TAKEN) return false
    throw error
  }
  // It was, and the answer did not come.
  if ((await query(IS_PUBLISHED, [scene])).length > 0) return true
  throw new StoreError('What was written of the scene has been swept away meanwhile')
}

/** Digests, payloads, where each begins and how long it is. */
function columnsOf(batch: readonly NewEntry[]): [Buffer, Buffer, string, string] {
  const starts: number[] = []
  let start = 0
  for (const { bytes } of batch) {
    starts.push(start)
    start += bytes.length
  }
  const digests = Buffer.concat(batch.map(({ digest }) => digest))
  const payloads = Buffer.concat(batch.map(({ bytes }) => bytes))
  return [digests, payloads, `{${starts}}`, `{${batch.map(({ bytes }) => bytes.length)}}`]
}
