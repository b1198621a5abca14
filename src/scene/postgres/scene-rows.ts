/**
 * The rows of scenes: versions, summaries, uses and expiry. A summary is stored as JSON in ASCII, so that no encoding of a database
 * changes a name. Rows are locked in order of scenes, like those of a group of appends, so that nobody waits in a circle; the search for
 * expired scenes skips locked rows.
 */

import type { SceneLife, SceneSummary, Standing, StoredScene, StoreError } from '../store/store.ts'
import type { Row } from './connection.ts'
import type { ReadPool } from './read-pool.ts'

const PART_COUNT = 1000
const UNDEFINED_COLUMN = '42703'
/** So long nobody else is given an expired scene. */
const LEASE = "interval '30 seconds'"

const USE = `with locked as materialized (
    select scene from tangent.scene where scene = any ($1::bigint[]) and dropped_at is null order by scene for no key update
  )
  update tangent.scene s set used_at = greatest(s.used_at, now()) from locked l where s.scene = l.scene`

// Of a version that the scene has not come to, or of another history, is what somebody tells who has not heard of its loss.
const SUMMARISE = `with given as materialized (
    select scene, version, decode(digest, 'hex') as digest, ttl, summary
    from unnest($1::bigint[], $2::bigint[], $3::text[], $4::float8[], $5::text[]) as g (scene, version, digest, ttl, summary)
  ),
  locked as materialized (
    select s.scene, s.version, s.digest, s.summary_version
    from given g join tangent.scene s on s.scene = g.scene and s.dropped_at is null
    order by s.scene
    for no key update of s
  )
  update tangent.scene s set summary_version = g.version, ttl = g.ttl, summary = g.summary::json
  from locked l join given g on g.scene = l.scene
  where s.scene = l.scene and g.version > l.summary_version
    and (g.version < l.version or (g.version = l.version and g.digest = l.digest))`

/** One looks at a time, and at so many: those that have been used are put off. */
const LOOK_COUNT = 2000
const SWEEPER = 730_244_117

// A scene that is handed out is put off too: so long nobody else is given it.
export const EXPIRED = `with sweeper as materialized (select pg_try_advisory_xact_lock(${SWEEPER}) as is_mine),
  found as materialized (
    select scene, used_at + make_interval(secs => ttl) as due_at from tangent.scene
    where ttl is not null and dropped_at is null and coalesce(due_at, '-infinity') <= now() and (select is_mine from sweeper)
    order by coalesce(due_at, '-infinity') limit ${LOOK_COUNT}
    for no key update skip locked
  ),
  expired as materialized (select scene from found where due_at <= now() order by due_at limit $1),
  put_off as (
    update tangent.scene s set due_at = f.due_at from found f where s.scene = f.scene and f.due_at > now()
  )
  update tangent.scene s set due_at = now() + ${LEASE} from expired e where s.scene = e.scene
  returning s.id, s.scene, s.version, encode(s.digest, 'hex')`

/** Of schema 1. */
const EXPIRED_1 = `with found as materialized (
    select scene from tangent.scene
    where ttl is not null and dropped_at is null and used_at + make_interval(secs => ttl) <= now()
      and (claimed_at is null or claimed_at < now() - ${LEASE})
    order by scene limit $1
    for no key update skip locked
  )
  update tangent.scene s set claimed_at = now() from found f where s.scene = f.scene
  returning s.id, s.scene, s.version, encode(s.digest, 'hex')`

export async function reportUses(pool: ReadPool, scenes: readonly SceneLife[]): Promise<void> {
  for (let at = 0; at < scenes.length; at += PART_COUNT) {
    const part = scenes.slice(at, at + PART_COUNT)
    await pool.query(USE, [`{${part.map(({ incarnation }) => incarnation)}}`])
  }
}

export async function keepSummaries(
  pool: ReadPool,
  scenes: readonly (SceneLife & { readonly summary: SceneSummary })[],
): Promise<void> {
  // of several of one scene the newest: an update takes any of those that fit
  const newest = new Map<number, SceneSummary>()
  for (const { incarnation, summary } of scenes) {
    if (summary.version > (newest.get(incarnation)?.version ?? 0)) newest.set(incarnation, summary)
  }
  const all = [...newest]
  for (let at = 0; at < all.length; at += PART_COUNT) {
    const part = all.slice(at, at + PART_COUNT)
    await pool.query(SUMMARISE, [
      part.map(([scene]) => scene),
      part.map(([, { version }]) => version),
      part.map(([, { digest }]) => Buffer.from(digest).toString('hex')),
      part.map(([, { ttl }]) => ttl),
      part.map(([, summary]) => summaryText(summary)),
    ])
  }
}

export async function expiredScenes(pool: ReadPool, limit: number): Promise<Standing[]> {
  const rows = await pool.query(EXPIRED, [limit]).catch((error: unknown) => {
    if ((error as StoreError).code !== UNDEFINED_COLUMN) throw error
    return pool.query(EXPIRED_1, [limit])
  })
  return rows.map(([id, scene, version, digest]) => ({
    id: id as string,
    incarnation: Number(scene),
    version: Number(version),
    digest: new Uint8Array(Buffer.from(digest as string, 'hex')),
  }))
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

export function summaryText(summary: SceneSummary): string {
  const { digest, ...rest } = summary
  const text = JSON.stringify({ ...rest, digest: Buffer.from(digest).toString('hex') })
  return text.replace(/[\u007f-\uffff]/g, escaped)
}

/** The summary that `summaryText` made the text of. */
function parsedSummary(text: string): SceneSummary {
  const { digest, ...rest } = JSON.parse(text) as Omit<SceneSummary, 'digest'> & { digest: string }
  return { ...rest, digest: new Uint8Array(Buffer.from(digest, 'hex')) }
}

/** Of a scene about which nothing has been told yet but that it was begun. */
function bareSummary(id: string, begunAt: number): SceneSummary {
  return {
    id,
    version: 0,
    digest: new Uint8Array(16),
    name: null,
    dimension: 2,
    ttl: null,
    margin: 0,
    createdAt: begunAt,
    updatedAt: begunAt,
    bodyCount: 0,
    bounds: null,
  }
}

const PAGE_COUNT = 1000

const STORED = `select s.id, s.scene, s.version, encode(s.digest, 'hex'), s.first,
  (select string_agg(distinct p.version::text, ' ') from tangent.snapshot p where p.scene = s.scene and p.state = 1)
  from tangent.scene s where s.dropped_at is null`

/** Null: there is none. */
export async function storedScene(pool: ReadPool, id: string): Promise<StoredScene | null> {
  const [row] = await pool.prepared('head', `${STORED} and s.id = $1`, [id])
  return row === undefined ? null : stored(row)
}

/** All of them, by id. */
export async function storedScenes(pool: ReadPool): Promise<StoredScene[]> {
  const scenes: StoredScene[] = []
  for (let cursor = ''; ; cursor = scenes[scenes.length - 1].id) {
    const rows = await pool.query(`${STORED} and s.id > $1 order by s.id limit ${PAGE_COUNT}`, [cursor])
    for (const row of rows) scenes.push(stored(row))
    if (rows.length < PAGE_COUNT) return scenes
  }
}

function stored([id, scene, version, digest, first, snapshots]: Row): StoredScene {
  const versions = snapshots === null ? [] : (snapshots as string).split(' ').map(Number)
  return {
    id: id as string,
    incarnation: Number(scene),
    version: Number(version),
    digest: new Uint8Array(Buffer.from(digest as string, 'hex')),
    first: Number(first),
    snapshots: versions.sort((a, b) => b - a),
  }
}

/** Those with ids greater than `cursor`. */
export async function summaryPage(pool: ReadPool, cursor: string, limit: number): Promise<SceneSummary[]> {
  const rows = await pool.query(
    `select id, summary::text, extract(epoch from begun_at) * 1000 from tangent.scene
      where dropped_at is null and id > $1 order by id limit $2`,
    [cursor, limit],
  )
  return rows.map(([id, text, begunAt]) => {
    return text === null ? bareSummary(id as string, Math.round(Number(begunAt))) : parsedSummary(text as string)
  })
}

const ENDED_COUNT = 8

/** Lives of an id that have ended and are still there, latest first. */
export async function endedLives(pool: ReadPool, id: string): Promise<Standing[]> {
  const rows = await pool.query(
    `select scene, version, encode(digest, 'hex') from tangent.scene
      where id = $1 and dropped_at is not null order by scene desc limit ${ENDED_COUNT}`,
    [id],
  )
  return rows.map(([scene, version, digest]) => ({
    id,
    incarnation: Number(scene),
    version: Number(version),
    digest: new Uint8Array(Buffer.from(digest as string, 'hex')),
  }))
}

/** Those that were begun last are looked at: what is older is loaded when somebody asks. */
const RECENT_COUNT = 50_000

/** Ids, last used first, of those that were begun last. */
export async function recentIds(pool: ReadPool, limit: number): Promise<string[]> {
  const rows = await pool.query(
    `select id from (
        select id, scene, used_at from tangent.scene where dropped_at is null order by scene desc limit ${RECENT_COUNT}
      ) s order by used_at desc, scene desc limit $1`,
    [limit],
  )
  return rows.map(([id]) => id as string)
}

/** Bytes of all tables, as they are on disk. */
export async function tableByteCount(pool: ReadPool): Promise<number> {
  const [[byteCount]] = await pool.query(
    `select sum(pg_total_relation_size(c.oid)) from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'tangent' and c.relkind = 'r'`,
  )
  return Number(byteCount)
}
