/**
 * The connections that everything but appending and listening goes through. Each is lent for one statement, and whatever is asked here
 * may be asked twice: when a connection turns out to be lost, the same is tried once more on another.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { StoreClosed, type StoreError, StoreUnavailable } from '../store/store.ts'
import { Backoff } from './backoff.ts'
import { Connection, type Row, type Statement } from './connection.ts'
import type { ConnectionSettings } from './connection-settings.ts'
import { ConnectionLost, isTransient, spoilsConnection, unavailable } from './database-error.ts'
import type { OnEvent } from './store-event.ts'

export interface ReadPoolOptions {
  readonly settings: ConnectionSettings
  readonly count: number
  readonly onEvent: OnEvent
}

/** Without any answer. */
export const READ_TIMEOUT_MS = 5000
/** For statements that take away much. */
export const SWEEP_TIMEOUT_MS = 30_000
/** So long a connection is sought, or waited for. */
const CONNECT_MS = 1000
const QUEUE_MS = 10_000
const ATTEMPT_COUNT = 3

interface Slot {
  connection: Connection | null
  readonly backoff: Backoff
}

interface Waiter {
  readonly take: (slot: Slot) => void
  readonly giveUp: (error: StoreError) => void
}

export class ReadPool {
  /** Whether the last that was tried went well. */
  isReachable = true
  private readonly options: ReadPoolOptions
  private readonly free: Slot[]
  private readonly waiters = new Set<Waiter>()
  private readonly underWay = new Set<Promise<unknown>>()
  private lostAt = 0
  private isClosed = false

  constructor(options: ReadPoolOptions) {
    this.options = options
    this.free = Array.from({ length: options.count }, () => ({ connection: null, backoff: new Backoff() }))
  }

  query(text: string, values: readonly unknown[] = [], timeoutMs = READ_TIMEOUT_MS): Promise<Row[]> {
    const statement: Statement = { text, values }
    return this.use((connection) => connection.query(statement, timeoutMs))
  }

  /** Does one thing on a connection, perhaps twice. Rejects with a `StoreError`. */
  async use<T>(action: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.isClosed) throw new StoreClosed()
    const used = this.lend(action)
    this.underWay.add(used)
    try {
      return await used
    } finally {
      this.underWay.delete(used)
    }
  }

  /** Waits for the statements under way. */
  async close(): Promise<void> {
    this.isClosed = true
    for (const { giveUp } of this.waiters) giveUp(new StoreClosed())
    await Promise.allSettled(this.underWay)
    await Promise.all(this.free.map(({ connection }) => connection?.end()))
  }

  private async lend<T>(action: (connection: Connection) => Promise<T>): Promise<T> {
    const slot = this.free.pop() ?? (await this.nextFree())
    try {
      return await this.tried(slot, action)
    } finally {
      const [waiter] = this.waiters
      if (waiter === undefined) this.free.push(slot)
      else {
        this.waiters.delete(waiter)
        waiter.take(slot)
      }
    }
  }

  private nextFree(): Promise<Slot> {
    return new Promise((resolve, reject) => {
      const done = (action: () => void) => {
        clearTimeout(timer)
        this.waiters.delete(waiter)
        action()
      }
      const waiter: Waiter = {
        take: (slot) => done(() => resolve(slot)),
        giveUp: (error) => done(() => reject(error)),
      }
      const timer = setTimeout(() => waiter.giveUp(new StoreUnavailable('The database is too slow')), QUEUE_MS)
      this.waiters.add(waiter)
    })
  }

  private async tried<T>(slot: Slot, action: (connection: Connection) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const connection = await this.connected(slot)
      try {
        const answer = await action(connection)
        this.isReachable = true
        return answer
      } catch (error) {
        const isLost = error instanceof ConnectionLost
        if (spoilsConnection(error)) connection.destroy((error as Error).message)
        if (isLost) this.isReachable = false
        // what has timed out once would again
        const mayGoWell = isTransient(error) || (isLost && error.message !== 'no answer in time')
        if (!mayGoWell || attempt === ATTEMPT_COUNT) throw unavailable(error)
      }
    }
  }

  private async connected(slot: Slot): Promise<Connection> {
    const begun = performance.now()
    while (slot.connection === null || slot.connection.isLost) {
      try {
        slot.connection = await Connection.open(this.options.settings)
        slot.connection.onLost = ({ message }) => this.lose(message)
        slot.backoff.succeeded()
        this.found()
      } catch (error) {
        this.isReachable = false
        const waitMs = slot.backoff.nextMs()
        const leftMs = begun + CONNECT_MS - performance.now()
        if (this.isClosed || leftMs <= 0) throw unavailable(error)
        await sleep(Math.min(waitMs, leftMs))
      }
    }
    return slot.connection
  }

  private found(): void {
    if (this.lostAt === 0) return
    this.options.onEvent({ event: 'database-back', connection: 'read', awayMs: performance.now() - this.lostAt })
    this.lostAt = 0
  }

  private lose(reason: string): void {
    if (this.isClosed || this.lostAt > 0) return
    this.lostAt = performance.now()
    this.options.onEvent({ event: 'database-lost', connection: 'read', reason })
  }
}
