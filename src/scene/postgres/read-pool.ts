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
import { InterruptiblePause } from './interruptible-pause.ts'
import type { OnEvent } from './store-event.ts'

export interface ReadPoolOptions {
  readonly settings: ConnectionSettings
  readonly count: number
  /** As `PostgresStoreOptions.hasPooler`. */
  readonly hasPooler: boolean
  readonly onEvent: OnEvent
  /** It has a connection again, after it had none. */
  readonly onFound: () => void
}

/** Without any answer. */
export const READ_TIMEOUT_MS = 5000
/** For statements that take away much. */
export const SWEEP_TIMEOUT_MS = 30_000
/** Who comes when the database has just gone waits so long for it. */
const CONNECT_MS = 1000
/** No statement here takes so long, unless whoever has sent it is not there any more. */
const TRANSACTION_TIMEOUT_MS = 120_000
const QUEUE_MS = 10_000
const ATTEMPT_COUNT = 3

interface Slot {
  connection: Connection | null
  /** Settles when a connection is found; null while none is sought. */
  seeking: Promise<Connection | null> | null
  readonly pause: InterruptiblePause
}

const newSlot = (): Slot => ({ connection: null, seeking: null, pause: new InterruptiblePause() })

interface Waiter {
  readonly take: (slot: Slot) => void
  readonly giveUp: (error: StoreError) => void
}

export class ReadPool {
  /** Whether the last that was tried went well. */
  isReachable = true
  private readonly options: ReadPoolOptions
  private readonly slots: readonly Slot[]
  private readonly free: Slot[]
  private readonly waiters = new Set<Waiter>()
  private readonly underWay = new Set<Promise<unknown>>()
  /** Since when no connection was found; null: the last one that was sought was. */
  private awaySince: number | null = null
  /** Why none was found. */
  private failure: StoreError = new StoreUnavailable('The database cannot be reached')
  /** Who comes waits no longer than `CONNECT_MS` from then on. */
  private patienceFrom = 0
  /** One that worked does not any more, and none was found since. */
  private isLost = false
  private isClosed = false

  constructor(options: ReadPoolOptions) {
    this.options = options
    this.slots = Array.from({ length: options.count }, newSlot)
    this.free = [...this.slots]
  }

  query(text: string, values: readonly unknown[] = [], timeoutMs = READ_TIMEOUT_MS): Promise<Row[]> {
    const statement: Statement = { text, values }
    return this.use((connection) => connection.query(statement, timeoutMs))
  }

  /** The same for what is asked all the time: prepared once on each connection. */
  prepared(name: string, text: string, values: readonly unknown[]): Promise<Row[]> {
    const statement: Statement = this.options.hasPooler ? { text, values } : { name, text, values }
    return this.use((connection) => connection.query(statement, READ_TIMEOUT_MS))
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

  /** Somebody else has found the database again. */
  seekNow(): void {
    if (this.awaySince === null) return
    this.patienceFrom = performance.now()
    for (const { pause } of this.slots) pause.interrupt()
  }

  /** Waits for the statements under way. */
  async close(): Promise<void> {
    this.isClosed = true
    for (const { giveUp } of this.waiters) giveUp(new StoreClosed())
    for (const { pause } of this.slots) pause.interrupt()
    await Promise.allSettled([...this.underWay, ...this.slots.map(({ seeking }) => seeking)])
    await Promise.all(this.slots.map(({ connection }) => connection?.end()))
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

  /** Rejects when none is found in time; it is sought on all the same, and who comes later does not wait as long again. */
  private async connected(slot: Slot): Promise<Connection> {
    if (slot.connection !== null && !slot.connection.isLost) return slot.connection
    const seeking = this.sought(slot)
    const waited = new AbortController()
    const since = this.awaySince === null ? performance.now() : this.patienceFrom
    const late = sleep(Math.max(0, since + CONNECT_MS - performance.now()), null, { signal: waited.signal })
    try {
      const connection = await Promise.race([seeking, late])
      if (connection !== null) return connection
    } finally {
      waited.abort()
    }
    throw this.failure
  }

  private sought(slot: Slot): Promise<Connection | null> {
    slot.seeking ??= this.seek(slot).finally(() => {
      slot.seeking = null
    })
    return slot.seeking
  }

  /** Tries to connect until it goes well, or the pool is closed. */
  private async seek(slot: Slot): Promise<Connection | null> {
    const { settings, hasPooler } = this.options
    const backoff = new Backoff()
    while (!this.isClosed) {
      try {
        const connection = await Connection.open(settings, {
          isLent: hasPooler,
          keepsPlans: !hasPooler,
          transactionTimeoutMs: TRANSACTION_TIMEOUT_MS,
        })
        connection.onLost = ({ message }) => {
          this.lose(message)
          this.sought(slot).catch(() => undefined)
        }
        slot.connection = connection
        this.found()
        return connection
      } catch (error) {
        this.isReachable = false
        this.noteGone()
        this.failure = unavailable(error)
        if (!this.isClosed) await slot.pause.wait(backoff.nextMs())
      }
    }
    return null
  }

  private noteGone(): void {
    if (this.awaySince !== null) return
    this.awaySince = performance.now()
    this.patienceFrom = this.awaySince
  }

  private found(): void {
    const { awaySince } = this
    this.awaySince = null
    if (awaySince !== null) this.options.onFound()
    if (!this.isLost) return
    this.isLost = false
    const awayMs = performance.now() - (awaySince as number)
    this.options.onEvent({ event: 'database-back', connection: 'read', awayMs })
  }

  private lose(reason: string): void {
    if (this.isClosed || this.isLost) return
    this.isLost = true
    this.noteGone()
    this.options.onEvent({ event: 'database-lost', connection: 'read', reason })
  }
}
