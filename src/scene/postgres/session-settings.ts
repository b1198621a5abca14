/**
 * What every connection sets for itself, so that the server keeps nothing open for somebody who has gone:
 *
 * - `lock_timeout`: a statement that waits for a lock is refused before anybody gives up on it. Nothing was changed then.
 * - `client_connection_check_interval`: a statement whose client has closed its connection is ended.
 * - `tcp_keepalives_…`: a client that has vanished without a word is noticed within seconds instead of hours, also between the parts
 *   of a statement, when it holds locks.
 * - `transaction_timeout` (PostgreSQL 17): the same where something on the way, such as a proxy, still answers for the client.
 *
 * A pooler lends its connections: there the first two are set for each statement, in the same transaction and round trip, and the rest
 * is between the pooler and the server.
 */

import pg from 'pg'

export const LOCK_TIMEOUT_MS = 2000
const CHECK_INTERVAL_MS = 2000

/**
 * Plans of prepared statements are made once, whatever the values, and such as stay right while the tables grow: to make one anew each
 * time takes longer than most statements do.
 */
const KEEP_PLANS = 'set plan_cache_mode = force_generic_plan; set enable_seqscan = off;'

const KEEP_ALIVE =
  'set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3; set tcp_user_timeout = 15000;'

export interface SessionOptions {
  /** A pooler lends it for a transaction: whoever has it next would find what was set for it. Default: false. */
  readonly isLent?: boolean
  /** Whether plans are kept. Default: false. */
  readonly keepsPlans?: boolean
  /** Default: 2,000; 0: none. */
  readonly lockTimeoutMs?: number
  /** Most time of a transaction, where the server can say so. Default: none. */
  readonly transactionTimeoutMs?: number
}

/** Sent once, when the connection is there. `checksClient`: not every system can. */
export function sessionSettings(
  { keepsPlans = false, lockTimeoutMs = LOCK_TIMEOUT_MS, transactionTimeoutMs }: SessionOptions,
  checksClient: boolean,
): string {
  return [
    keepsPlans ? KEEP_PLANS : '',
    KEEP_ALIVE,
    `set lock_timeout = ${lockTimeoutMs};`,
    checksClient ? `set client_connection_check_interval = ${CHECK_INTERVAL_MS};` : '',
    transactionTimeoutMs === undefined
      ? ''
      : `select set_config(name, '${transactionTimeoutMs}', false) from pg_settings where name = 'transaction_timeout';`,
  ].join('')
}

/** Sent before a statement, in its transaction. */
export function transactionSettings(lockTimeoutMs: number, checksClient: boolean): string {
  const check = checksClient ? `, set_config('client_connection_check_interval', '${CHECK_INTERVAL_MS}', true)` : ''
  return `select set_config('lock_timeout', '${lockTimeoutMs}', true)${check}`
}

/** What the client has that its types do not say. */
interface Wire {
  parse(message: { text: string }): void
  bind(message: object): void
  execute(message: object): void
}

interface Inner {
  prepare(wire: Wire): void
  handleDataRow(row: unknown): void
  handleCommandComplete(done: unknown, wire: Wire): void
}

const QUERY = pg.Query as unknown as new (config: object) => Inner

/** A statement behind its settings: all of it goes out at once, and is one transaction until its end (`Sync`). */
export class SettledQuery extends QUERY {
  private readonly settings: string
  private isSet = false

  constructor(settings: string, config: object) {
    super({ ...config, queryMode: 'extended' })
    this.settings = settings
  }

  override prepare(wire: Wire): void {
    wire.parse({ text: this.settings })
    wire.bind({})
    wire.execute({})
    super.prepare(wire)
  }

  override handleDataRow(row: unknown): void {
    if (this.isSet) super.handleDataRow(row)
  }

  override handleCommandComplete(done: unknown, wire: Wire): void {
    if (this.isSet) super.handleCommandComplete(done, wire)
    this.isSet = true
  }
}
