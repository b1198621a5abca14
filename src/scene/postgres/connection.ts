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
import { type ConnectionSettings, clientConfig } from './connection-settings.ts'
import { ConnectionLost, reasonOf, StatementRefused } from './database-error.ts'

/** `name`: prepared once for the connection. */
export interface Statement {
  readonly name?: string
  readonly text: string
  readonly values?: readonly unknown[]
}

export type Row = readonly unknown[]

export interface Notification {
  readonly processId: number
  readonly payload: string
}

const CONNECT_TIMEOUT_MS = 2000
/**
 * Plans of prepared statements are made once, whatever the values, and such as stay right while the tables grow: to make one anew each
 * time takes longer than most statements do.
 */
const KEEP_PLANS = 'set plan_cache_mode = force_generic_plan; set enable_seqscan = off'
const KEEP_ALIVE_MS = 10_000
/** Time after which others have their turn, where much comes at once. */
const SLICE_MS = 1

export class Connection {
  private readonly client: pg.Client
  private readonly socket: Socket
  private drains = 0
  private lost: ConnectionLost | null = null
  private readonly pending = new Set<(error: ConnectionLost) => void>()
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

  /**
   * Rejects with `ConnectionLost`, or with a `StoreError` where the settings are wrong. `keepsPlans`: not behind a pooler, where whoever
   * has the server's connection next would find what was set for it.
   */
  static async open(settings: ConnectionSettings, { keepsPlans = false } = {}): Promise<Connection> {
    const config = await clientConfig(settings)
    const socket = new Socket()
    const client = new pg.Client({
      ...config,
      stream: () => socket,
      application_name: 'tangent',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    })
    const connection = new Connection(client, socket)
    try {
      await client.connect()
      if (keepsPlans) await connection.run(KEEP_PLANS, CONNECT_TIMEOUT_MS)
    } catch (error) {
      throw connection.lose(error)
    }
    return connection
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
    const config: QueryArrayConfig = { ...statement, values: statement.values as never, rowMode: 'array' }
    return this.within(timeoutMs, async () => (await this.client.query<never[]>(config)).rows)
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

  /** Lets go of it as it is. */
  destroy(reason: string): void {
    this.lose(new ConnectionLost(reason))
  }

  /** Says goodbye, once nothing is under way. */
  async end(): Promise<void> {
    if (this.lost !== null) return
    this.onLost = null
    const timer = setTimeout(() => this.socket.destroy(), CONNECT_TIMEOUT_MS)
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
        this.destroy('no answer in time')
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
        throw new StatementRefused(code)
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
