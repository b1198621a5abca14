/** What the rows of scenes say: where each stands, and what is listed of it. */

import type { SceneSummary, Standing, StoredScene } from '../store/store.ts'
import type { Row } from './connection.ts'
import type { ReadPool } from './read-pool.ts'
import { bareSummary, parsedSummary } from './summary-text.ts'

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
