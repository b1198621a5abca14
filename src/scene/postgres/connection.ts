/**
 * One connection, with one statement under way at a time. Every statement has a time limit: when nothing arrives for too long, the
 * connection is closed and counts as lost. No statement is ever cancelled, because the server reports a cancelled commit that waits for
 * a standby as done.
 *
 * A statement that the server refuses has changed nothing, but only if the server goes on working. `query` waits for that, since
 * servers that shut down send the same message (and its severity is in the language of the server).
 *
 * Settings of the session, so that the server keeps nothing open for a client that has gone:
 *
 * - `lock_timeout`: a statement that waits for a lock is refused before its caller gives up. Nothing was changed then.
 * - `client_connection_check_interval`: a statement whose client has closed its connection is ended.
 * - `tcp_keepalives_…`: a client that vanished is noticed within seconds instead of hours, also between the parts of a statement, when
 *   it holds locks.
 * - `transaction_timeout` (PostgreSQL 17): limits transactions where a proxy on the way still answers for the client.
 *
 * A pooler lends its connections. There the first two are set for each statement, in the same transaction and round trip, and the rest
 * is between the pooler and the server.
 */

import { tracingChannel } from 'node:diagnostics_channel'
import { readFile } from 'node:fs/promises'
import { isIP, Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import pg, { type ClientConfig, type QueryArrayConfig } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { type Caller, watched } from '../../watched.ts'
import { StoreFailed, StoreUnavailable } from '../store/store.ts'
import { ConnectionLost, reasonOf, refusal, SILENCE, StatementRefused } from './database-error.ts'

export const LOCK_TIMEOUT_MS = 2000
const CHECK_INTERVAL_MS = 2000

/**
 * Plans of prepared statements are made once, whatever the values, and such as stay right while the tables grow: to make one anew each
 * time takes longer than most statements do.
 */
const KEEP_PLANS = 'set plan_cache_mode = force_generic_plan; set enable_seqscan = off;'

const KEEP_ALIVE =
  'set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3; set tcp_user_timeout = 15000;'

interface SessionOptions {
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
function sessionSettings(
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
function transactionSettings(lockTimeoutMs: number, checksClient: boolean): string {
  const check = checksClient ? `, set_config('client_connection_check_interval', '${CHECK_INTERVAL_MS}', true)` : ''
  return `select set_config('lock_timeout', '${lockTimeoutMs}', true)${check}`
}

/** A member of the client that its types omit. */
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
class SettledQuery extends QUERY {
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

// Address of the database and TLS. An address contains a password, so it is never part of a message.

/** As libpq has them; `verify-ca`: to whom an authority has certified, whatever the name. */
export type TlsMode = 'verify-full' | 'verify-ca' | 'require' | 'off'

export interface ConnectionSettings {
  /** `postgresql://user:password@host:port/database`. */
  readonly url?: string
  /** A file with such an address, read again at each connect. */
  readonly urlFile?: string
  /** Default: what the address says (`sslmode`), else off where the server is on this machine, and `verify-full` elsewhere. */
  readonly tls?: TlsMode
  /** Certificates (PEM) that are trusted instead of the system's. */
  readonly caFile?: string
  /** Most time that it takes to connect. Default: 5,000. */
  readonly connectTimeoutMs?: number
}

const CONNECT_TIMEOUT_MS = 5000

const DEFAULT_PORT = 5432
const TLS_BY_SSLMODE: ReadonlyMap<string, TlsMode> = new Map([
  ['disable', 'off'],
  ['require', 'require'],
  ['verify-ca', 'verify-ca'],
  ['verify-full', 'verify-full'],
])

/** How to connect now. Rejects with `StoreFailed` when that is not said as it must be, or `StoreUnavailable` when a file cannot be read. */
async function clientConfig(settings: ConnectionSettings): Promise<ClientConfig> {
  const address = parsedAddress(settings.url ?? (await contents(settings.urlFile, 'address of the database')).trim())
  const host = address.searchParams.get('host') ?? (decodeURIComponent(address.hostname) || 'localhost')
  const options = address.searchParams.get('options')
  return {
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port: Number(address.searchParams.get('port') ?? (address.port || DEFAULT_PORT)),
    user: decodeURIComponent(address.username) || 'tangent',
    password: decodeURIComponent(address.password),
    database: decodeURIComponent(address.pathname.slice(1)) || 'tangent',
    ssl: await tlsOptions(tlsMode(settings, address, host), settings.caFile ?? rootOf(address)),
    ...(options !== null && { options }),
  }
}

function parsedAddress(text: string): URL {
  let address: URL
  try {
    address = new URL(text)
    decodeURIComponent(address.username + address.password + address.pathname)
  } catch {
    throw new StoreFailed('The address of the database is not a URL such as postgresql://user:password@host:5432/name')
  }
  if (address.protocol !== 'postgresql:' && address.protocol !== 'postgres:') {
    throw new StoreFailed('The address of the database does not begin with postgresql://')
  }
  return address
}

function tlsMode({ tls }: ConnectionSettings, address: URL, host: string): TlsMode {
  if (tls !== undefined) return tls
  const said = address.searchParams.get('sslmode')
  if (said === null) return isHere(host) ? 'off' : 'verify-full'
  const mode = TLS_BY_SSLMODE.get(said)
  if (mode !== undefined) return mode
  const choice = 'say disable, require, verify-ca or verify-full'
  // what they mean leaves it to whoever answers whether anything is encrypted
  if (said === 'prefer' || said === 'allow') {
    throw new StoreFailed(`The address of the database has sslmode=${said}, which may or may not encrypt: ${choice}`)
  }
  throw new StoreFailed(`The address of the database has an sslmode that is not known: ${choice}`)
}

/** TLS parameters of an address that are not supported. */
const UNHEEDED = ['sslcert', 'sslkey', 'sslcrl', 'sslcrldir', 'sslpassword', 'sslnegotiation', 'ssl']

/** The file with certificates that the address names. */
function rootOf(address: URL): string | undefined {
  for (const name of UNHEEDED) {
    if (address.searchParams.has(name)) {
      throw new StoreFailed(`The address of the database has ${name}, which this release does not take`)
    }
  }
  const root = address.searchParams.get('sslrootcert')
  return root === null || root === 'system' ? undefined : root
}

/** Whether what is sent to the host stays on this machine. */
function isHere(host: string): boolean {
  if (host.startsWith('/') || host === 'localhost' || host === '::1' || host === '[::1]') return true
  return isIP(host) === 4 && host.startsWith('127.')
}

async function tlsOptions(mode: TlsMode, caFile: string | undefined): Promise<false | ConnectionOptions> {
  if (mode === 'off') return false
  const ca = caFile === undefined ? undefined : await contents(caFile, 'certificates of the database')
  if (mode === 'verify-full') return { rejectUnauthorized: true, ...(ca !== undefined && { ca }) }
  if (mode === 'verify-ca') {
    return { rejectUnauthorized: true, ...(ca !== undefined && { ca }), checkServerIdentity: () => undefined }
  }
  // as libpq has it: who names certificates wants them to be asked for, if not whose they are
  return ca === undefined
    ? { rejectUnauthorized: false }
    : { rejectUnauthorized: true, ca, checkServerIdentity: () => undefined }
}

async function contents(path: string | undefined, what: string): Promise<string> {
  if (path === undefined) throw new StoreFailed(`The ${what} is not given`)
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new StoreUnavailable(`The file with the ${what} cannot be read: ${code}`, code)
  }
}

/** `name`: prepared once for the connection. `lockTimeoutMs`: instead of the session's; it is prepared each time then. */
export interface Statement {
  readonly name?: string
  readonly text: string
  readonly values?: readonly unknown[]
  readonly lockTimeoutMs?: number
  /** All for whom it is, where statements are watched and it is for more than one. */
  readonly callers?: readonly Caller[]
}

/** What the channel `tangent:statement` says of a statement. */
export interface WatchedStatement {
  /** Of one that is prepared. */
  readonly name: string | undefined
  readonly text: string
  readonly callers: readonly Caller[]
  readonly host: string
  readonly port: number
  readonly database: string | undefined
  /** The server's number for the connection. */
  readonly processId: number
  readonly error?: unknown
  /** Set by who watches: a comment, without its marks, to be sent with it. It is not sent by its name then. */
  comment?: string
}

const STATEMENTS = tracingChannel<object, WatchedStatement>('tangent:statement')

export function isWatched(): boolean {
  return STATEMENTS.hasSubscribers
}

export type Row = readonly unknown[]

export interface Notification {
  readonly processId: number
  readonly payload: string
}

/** For an answer that takes the server no time. */
const PROBE_MS = 2000
/** To say goodbye. */
const END_MS = 2000
const KEEP_ALIVE_MS = 5000
/** Time after which others have their turn, where much comes at once. */
const SLICE_MS = 1

export class Connection {
  private readonly client: pg.Client
  private readonly socket: Socket
  private drains = 0
  private lost: ConnectionLost | null = null
  private readonly pending = new Set<(error: ConnectionLost) => void>()
  private isLent = false
  /** Whether the server can see while a statement runs that its client has gone. */
  private checksClient = true
  onLost: ((error: ConnectionLost) => void) | null = null
  /** A warning, or anything else that the server says without being asked. */
  onNotice: (() => void) | null = null
  onNotification: ((notification: Notification) => void) | null = null

  private constructor(client: pg.Client, socket: Socket) {
    this.client = client
    this.socket = socket
    client.on('drain', () => this.drains++)
    client.on('notice', () => this.onNotice?.())
    client.on('notification', ({ processId, payload = '' }) => this.onNotification?.({ processId, payload }))
    client.on('error', (error) => this.lose(error))
    client.on('end', () => this.lose(new Error('end')))
  }

  /** Rejects with `ConnectionLost`, or with a `StoreError` where the settings are wrong. */
  static async open(settings: ConnectionSettings, session: SessionOptions = {}): Promise<Connection> {
    const { connectTimeoutMs = CONNECT_TIMEOUT_MS } = settings
    const config = await clientConfig(settings)
    const socket = new Socket()
    const client = new pg.Client({
      ...config,
      stream: () => socket,
      application_name: 'tangent',
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    })
    const connection = new Connection(client, socket)
    try {
      await client.connect()
      await connection.settle(session, connectTimeoutMs)
    } catch (error) {
      throw connection.lose(error)
    }
    return connection
  }

  private async settle(session: SessionOptions, timeoutMs: number): Promise<void> {
    this.isLent = session.isLent === true
    const text = (checksClient: boolean) =>
      this.isLent ? transactionSettings(LOCK_TIMEOUT_MS, checksClient) : sessionSettings(session, checksClient)
    try {
      await this.run(text(true), timeoutMs)
    } catch (error) {
      if (!(error instanceof StatementRefused)) throw error
      this.checksClient = false
      await this.run(text(false), timeoutMs)
    }
  }

  get isLost(): boolean {
    return this.lost !== null
  }

  /** The server's number for this connection. */
  get processId(): number {
    return (this.client as unknown as { processID: number }).processID
  }

  /**
   * The rows of one statement. Rejects with `StatementRefused` when it has done nothing, and with `ConnectionLost` when it may have,
   * or may yet: also when there is no answer within `timeoutMs`.
   */
  query(statement: Statement, timeoutMs: number): Promise<Row[]> {
    return this.watched(statement, (sent) => this.send(sent, timeoutMs))
  }

  private send({ callers: _, ...statement }: Statement, timeoutMs: number): Promise<Row[]> {
    const { lockTimeoutMs, ...rest } = statement
    const config: QueryArrayConfig = { ...rest, values: statement.values as never, rowMode: 'array' }
    if (lockTimeoutMs === undefined && !this.isLent) {
      return this.within(timeoutMs, async () => (await this.client.query<never[]>(config)).rows)
    }
    const settings = transactionSettings(lockTimeoutMs ?? LOCK_TIMEOUT_MS, this.checksClient)
    // without its name: the client would take it for prepared when the settings are, also where the server then refuses to prepare it
    return this.within(timeoutMs, () => this.settled(settings, { ...config, name: undefined }))
  }

  /** Asks whether the server is there; else it is lost. */
  async probe(): Promise<void> {
    await this.run('select 1', PROBE_MS)
  }

  /** Several statements without values, one after the other; in one transaction unless they say otherwise. */
  run(text: string, timeoutMs: number): Promise<void> {
    const send = (sent: Statement) =>
      this.within(timeoutMs, async () => {
        await this.client.query(sent.text)
      })
    return this.watched({ text }, send)
  }

  /** Passes on the output of `copy (…) to stdout` piece by piece; fails after `timeoutMs` without a piece. Rejects like `query`. */
  copy(text: string, onPiece: (piece: Buffer) => void, timeoutMs: number): Promise<void> {
    return this.watched({ text }, (sent) => this.copyPieces(sent.text, onPiece, timeoutMs))
  }

  private copyPieces(text: string, onPiece: (piece: Buffer) => void, timeoutMs: number): Promise<void> {
    return this.within(timeoutMs, (progress) => {
      const stream = this.client.query(copyTo(text))
      return new Promise((resolve, reject) => {
        let end = 0
        const nextTurn = () => {
          end = 0
          stream.resume()
        }
        stream.on('error', reject)
        stream.on('end', resolve)
        stream.on('data', (piece: Buffer) => {
          progress()
          if (end === 0) {
            end = performance.now() + SLICE_MS
            setImmediate(nextTurn)
          }
          try {
            onPiece(piece)
          } catch (error) {
            reject(error)
          }
          // what has come is otherwise read to its end, megabytes in one go
          if (performance.now() >= end) stream.pause()
        })
      })
    })
  }

  /** `send`: sends the statement, which may not be as it was. */
  private watched<Answer>(statement: Statement, send: (statement: Statement) => Promise<Answer>): Promise<Answer> {
    const messageOf = (): WatchedStatement => {
      const { host, port, database } = this.client
      const { name, text, callers = [] } = statement
      return { name, text, callers, host, port, database, processId: this.processId }
    }
    return watched(STATEMENTS, messageOf, (message) =>
      send(message?.comment === undefined ? statement : commented(statement, message.comment)),
    )
  }

  private settled(settings: string, config: QueryArrayConfig): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      const callback = (error: Error | null, result?: { rows: Row[] }) =>
        error === null ? resolve((result as { rows: Row[] }).rows) : reject(error)
      this.client.query(new SettledQuery(settings, { ...config, callback }) as unknown as pg.Query)
    })
  }

  /** Lets go of it as it is. */
  destroy(reason: string): void {
    this.lose(new ConnectionLost(reason))
  }

  /** Says goodbye, once nothing is under way. */
  async end(): Promise<void> {
    if (this.lost !== null) return
    this.onLost = null
    const timer = setTimeout(() => this.socket.destroy(), END_MS)
    try {
      await this.client.end()
    } catch {
      // it is gone either way
    }
    clearTimeout(timer)
  }

  private async within<T>(timeoutMs: number, action: (progress: () => void) => Promise<T>): Promise<T> {
    if (this.lost !== null) throw this.lost
    const before = this.drains
    let isLate = false
    // In two halves: where this process was held up, an answer may lie there that it has not come to read.
    const timer = setTimeout(() => {
      if (isLate) {
        this.destroy(SILENCE)
        return
      }
      isLate = true
      timer.refresh()
    }, timeoutMs / 2)
    const progress = () => {
      isLate = false
      timer.refresh()
    }
    let fail: (error: ConnectionLost) => void = () => {}
    const loss = new Promise<never>((_, reject) => {
      fail = reject
    })
    this.pending.add(fail)
    try {
      return await Promise.race([loss, action(progress)])
    } catch (error) {
      if (error instanceof ConnectionLost) throw error
      const { code } = error as { code?: unknown }
      if (error instanceof pg.DatabaseError && typeof code === 'string') {
        await Promise.race([loss, this.drainedSince(before)])
        throw refusal(code)
      }
      throw this.lose(error)
    } finally {
      clearTimeout(timer)
      this.pending.delete(fail)
    }
  }

  private async drainedSince(before: number): Promise<void> {
    if (this.drains > before) return
    await new Promise((resolve) => this.client.once('drain', resolve))
  }

  private lose(error: unknown): ConnectionLost {
    if (this.lost !== null) return this.lost
    if (error instanceof ConnectionLost) this.lost = error
    else {
      const { reason, code } = reasonOf(error)
      this.lost = new ConnectionLost(reason, code)
    }
    this.socket.destroy()
    for (const reject of this.pending) reject(this.lost)
    this.onLost?.(this.lost)
    return this.lost
  }
}

/** What is prepared by a name keeps its text: with a comment it has no name. */
function commented({ name: _, ...statement }: Statement, comment: string): Statement {
  return { ...statement, text: `${statement.text} /*${comment}*/` }
}
