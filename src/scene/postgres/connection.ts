/**
 * One connection, on which one statement is under way at a time. Every statement has an end: when nothing comes for too long, the
 * connection is closed, and is lost as if it had been cut. Nothing is ever cancelled: a commit that waits for a standby would be
 * reported as done.
 *
 * A statement that the server refuses has done nothing, but only if the server works on: that is waited for, since the same message
 * also comes from servers that go away (and its severity is in the language of the server).
 */

import { Socket } from 'node:net'
import pg, { type QueryArrayConfig } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { CONNECT_TIMEOUT_MS, type ConnectionSettings, clientConfig } from './connection-settings.ts'
import { ConnectionLost, reasonOf, refusal, SILENCE, StatementRefused } from './database-error.ts'
import {
  LOCK_TIMEOUT_MS,
  type SessionOptions,
  SettledQuery,
  sessionSettings,
  transactionSettings,
} from './session-settings.ts'

/** `name`: prepared once for the connection. `lockTimeoutMs`: instead of the session's; it is prepared each time then. */
export interface Statement {
  readonly name?: string
  readonly text: string
  readonly values?: readonly unknown[]
  readonly lockTimeoutMs?: number
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
    return this.within(timeoutMs, async () => {
      await this.client.query(text)
    })
  }

  /** What `copy (…) to stdout` sends, piece by piece; no longer than `timeoutMs` without one. Rejects like `query`. */
  copy(text: string, onPiece: (piece: Buffer) => void, timeoutMs: number): Promise<void> {
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
