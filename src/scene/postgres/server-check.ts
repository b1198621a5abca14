/**
 * Checks that a server is fit for acknowledged entries, at every connect, since the next one may be another server. Also the clock of
 * the database, which all replicas share: a replica with a wrong clock neither forgets keys nor writes wrong times. Between two checks
 * time goes on by a clock that nobody can set.
 */

import { StoreFailed, StoreTooNew, StoreTooOld, StoreUnavailable } from '../store/store.ts'
import type { Connection } from './connection.ts'

/** The query whose answer `set` takes. */
export const CLOCK = 'select (extract(epoch from clock_timestamp()) * 1000)::float8'

export class SharedClock {
  private offset: number | null = null

  /** The database's clock was at `at` (ms since 1970) between `askedAt`, by `performance.now()`, and now. */
  set(at: number, askedAt: number): void {
    this.offset = at - (askedAt + performance.now()) / 2
  }

  /** Ms since 1970. Before it was set: of this machine. */
  now(): number {
    return this.offset === null ? Date.now() : Math.round(performance.now() + this.offset)
  }
}

/** The number of the last file in `migrations/`. */
export const SCHEMA_VERSION = 3

const LEAST_SERVER_VERSION = 140_000
const CHECK_TIMEOUT_MS = 5000

const SERVER = `select current_setting('server_version_num')::int, current_setting('server_version'), current_setting('fsync'),
  pg_is_in_recovery(), current_setting('transaction_read_only'), current_setting('synchronous_commit'),
  to_regclass('tangent.schema_version') is not null, (${CLOCK})`

export interface CheckedServer {
  /** The setting that appends use: the server's where that is more than `on`. */
  readonly synchronousCommit: 'on' | 'remote_apply'
  /** Its clock, in ms since 1970. */
  readonly at: number
  /** The version of its schema. */
  readonly schema: number
}

/**
 * Rejects with one line that says what is wrong: `StoreFailed`, or `StoreTooOld` or `StoreTooNew` where the schema is not one of
 * those that this release works with, or `StoreUnavailable` where the server may be another one soon.
 */
export async function checkServer(connection: Connection): Promise<CheckedServer> {
  const [[version, name, fsync, isStandby, isReadOnly, commit, hasSchema, at]] = await connection.query(
    { text: SERVER },
    CHECK_TIMEOUT_MS,
  )
  if ((version as number) < LEAST_SERVER_VERSION) {
    throw new StoreFailed(`The database is PostgreSQL ${name}; 14 or later is needed`)
  }
  if (isStandby === true) throw new StoreUnavailable('The database is a standby, which takes no entries', 'standby')
  if (isReadOnly === 'on') throw new StoreUnavailable('The database takes no entries: it is read-only', 'read-only')
  if (fsync !== 'on') {
    throw new StoreFailed('The database has fsync = off: it would lose what it has acknowledged; set it to on')
  }
  if (hasSchema !== true) throw new StoreTooOld('The database has no schema tangent yet; run the command migrate')
  const schema = await checkSchema(connection)
  return { synchronousCommit: commit === 'remote_apply' ? 'remote_apply' : 'on', at: at as number, schema }
}

/** Each release works on its own schema and on the one before. */
async function checkSchema(connection: Connection): Promise<number> {
  const rows = await connection.query({ text: 'select version from tangent.schema_version' }, CHECK_TIMEOUT_MS)
  const version = Number(rows[0]?.[0] ?? 0)
  if (version > SCHEMA_VERSION) {
    throw new StoreTooNew(
      `The database has schema ${version}; this release works with up to ${SCHEMA_VERSION}: start a newer one`,
    )
  }
  if (version < Math.max(SCHEMA_VERSION - 1, 1)) {
    throw new StoreTooOld(
      `The database has schema ${version}; this release works with ${SCHEMA_VERSION}: run the command migrate`,
    )
  }
  return version
}
