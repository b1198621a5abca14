/**
 * Brings the schema of a database to that of this release: the files in `migrations/`, in the order of their numbers, one transaction
 * each, with the row of `schema_version` locked: of several who migrate at once, one does it and the others find it done.
 */

import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { StoreTooNew } from '../store/store.ts'
import { Connection, type ConnectionSettings } from './connection.ts'
import { LockRefused, StatementRefused, unavailable } from './database-error.ts'
import { Backoff } from './reconnecting.ts'
import { SCHEMA_VERSION } from './server-check.ts'

const MIGRATION_TIMEOUT_MS = 600_000
const ATTEMPT_COUNT = 10
/** Errors when two processes migrate at once: the other has just made the object. */
const BEGUN_BY_ANOTHER = new Set(['23505', '42P06', '42P07', 'XX000'])

const BEGIN = `create schema if not exists tangent;
create table if not exists tangent.schema_version (is_only boolean primary key default true check (is_only), version integer not null);
insert into tangent.schema_version (version) values (0) on conflict do nothing`

export interface Migrated {
  readonly from: number
  readonly to: number
}

/** Rejects with `StoreTooNew` when the schema is one of a later release, and with `StoreUnavailable` or `StoreFull`: what is done is done. */
export async function migrate(settings: ConnectionSettings): Promise<Migrated> {
  const folder = new URL('migrations/', import.meta.url)
  const names = (await readdir(folder)).filter((name) => /^\d+-.*\.sql$/.test(name)).sort()
  try {
    const connection = await Connection.open(settings, { lockTimeoutMs: 0 })
    try {
      await begin(connection)
      let from: number | null = null
      for (const name of names) {
        const text = await readFile(new URL(name, folder), 'utf8')
        const before = await unlocked(() => step(connection, Number.parseInt(name, 10), text))
        from ??= before
      }
      return { from: from ?? SCHEMA_VERSION, to: SCHEMA_VERSION }
    } finally {
      await connection.end()
    }
  } catch (error) {
    throw unavailable(error)
  }
}

async function begin(connection: Connection): Promise<void> {
  const backoff = new Backoff()
  for (let attempt = 1; ; attempt++) {
    try {
      const [[isThere]] = await connection.query(
        { text: "select to_regclass('tangent.schema_version') is not null" },
        MIGRATION_TIMEOUT_MS,
      )
      if (isThere !== true) await connection.run(BEGIN, MIGRATION_TIMEOUT_MS)
      return
    } catch (error) {
      const isRace = error instanceof StatementRefused && BEGUN_BY_ANOTHER.has(error.code)
      if (!isRace || attempt === ATTEMPT_COUNT) throw error
      await sleep(backoff.nextMs())
    }
  }
}

/** Tried again while others hold locks: who waits for one for long holds up all who come behind. */
async function unlocked<T>(action: () => Promise<T>): Promise<T> {
  const backoff = new Backoff()
  for (let attempt = 1; ; attempt++) {
    try {
      return await action()
    } catch (error) {
      if (!(error instanceof LockRefused) || attempt === ATTEMPT_COUNT) throw error
      await sleep(backoff.nextMs())
    }
  }
}

/** Takes the schema to `number`, unless it is there already: the version it had. */
async function step(connection: Connection, number: number, text: string): Promise<number> {
  await connection.run('begin', MIGRATION_TIMEOUT_MS)
  try {
    const rows = await connection.query(
      { text: 'select version from tangent.schema_version for update' },
      MIGRATION_TIMEOUT_MS,
    )
    const version = Number(rows[0][0])
    if (version > SCHEMA_VERSION) {
      throw new StoreTooNew(
        `The database has schema ${version}; this release works with up to ${SCHEMA_VERSION}: start a newer one`,
      )
    }
    if (version < number) {
      await connection.run(text, MIGRATION_TIMEOUT_MS)
      await connection.query(
        { text: 'update tangent.schema_version set version = $1', values: [number] },
        MIGRATION_TIMEOUT_MS,
      )
    }
    await connection.run('commit', MIGRATION_TIMEOUT_MS)
    return version
  } catch (error) {
    if (!connection.isLost) await connection.run('rollback', MIGRATION_TIMEOUT_MS)
    throw error
  }
}
