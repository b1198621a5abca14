/**
 * The connections that everything but appending and listening goes through. Each is lent for one statement, and whatever is asked here
 * may be asked twice: when a connection turns out to be lost, the same is tried once more on another.
 */

import { StoreClosed, type StoreError, StoreUnavailable } from '../store/store.ts'
import { Connection, type ConnectionSettings, type Row, type Statement } from './connection.ts'
import { ConnectionLost, isTransient, type OnEvent, SILENCE, spoilsConnection, unavailable } from './database-error.ts'
import { Reconnecting } from './reconnecting.ts'

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
/** No statement here takes so long, unless whoever has sent it is not there any more. */
const TRANSACTION_TIMEOUT_MS = 120_000
const QUEUE_MS = 10_000
const ATTEMPT_COUNT = 3

interface Waiter {
  readonly take: (slot: Reconnecting) => void
  readonly giveUp: (error: StoreError) => void
}

export class ReadPool {
  /** Whether the last that was tried went well. */
  isReachable = true
  private readonly options: ReadPoolOptions
  private readonly slots: readonly Reconnecting[]
  private readonly free: Reconnecting[]
  private readonly waiters = new Set<Waiter>()
  private readonly underWay = new Set<Promise<unknown>>()
  /** Of those that worked, so many are sought. */
  private lostCount = 0
  private isClosed = false

  constructor(options: ReadPoolOptions) {
    this.options = options
    this.slots = Array.from({ length: options.count }, () => this.newSlot())
    this.free = [...this.slots]
  }

  /** Connects all, also before anybody asks. */
  start(): void {
    for (const slot of this.slots) void slot.found()
  }

  query(text: string, values: readonly unknown[] = [], timeoutMs = READ_TIMEOUT_MS): Promise<Row[]> {
    const statement: Statement = { text, values }
    return this.use((connection) => connection.query(statement, timeoutMs))
  }

  /** The rows of a frequent statement: prepared once on each connection. */
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
    for (const slot of this.slots) slot.seekNow()
  }

  /** Probes idle connections after another one was silent for too long: dead ones would delay the next caller. */
  doubt(): void {
    for (let count = this.free.length; count > 0; count--) {
      this.use((connection) => connection.probe()).catch(() => undefined)
    }
  }

  /** Waits for the statements under way. */
  async close(): Promise<void> {
    this.isClosed = true
    for (const { giveUp } of this.waiters) giveUp(new StoreClosed())
    await Promise.allSettled([...this.underWay])
    await Promise.all(this.slots.map((slot) => slot.close()))
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

  private nextFree(): Promise<Reconnecting> {
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

  private async tried<T>(slot: Reconnecting, action: (connection: Connection) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const connection = await slot.soon()
      if (connection === null) throw slot.failure
      try {
        const answer = await action(connection)
        this.isReachable = true
        return answer
      } catch (error) {
        const isLost = error instanceof ConnectionLost
        if (spoilsConnection(error)) connection.destroy((error as Error).message)
        if (isLost) this.isReachable = false
        // what has timed out once would again
        const mayGoWell = isTransient(error) || (isLost && error.message !== SILENCE)
        if (!mayGoWell || attempt === ATTEMPT_COUNT) throw unavailable(error)
      }
    }
  }

  private newSlot(): Reconnecting {
    const { settings, hasPooler, onEvent, onFound } = this.options
    return new Reconnecting({
      connect: () =>
        Connection.open(settings, {
          isLent: hasPooler,
          keepsPlans: !hasPooler,
          transactionTimeoutMs: TRANSACTION_TIMEOUT_MS,
        }),
      onLost: (reason) => {
        if (this.lostCount++ === 0) onEvent({ event: 'database-lost', connection: 'read', reason })
      },
      onFound: (awayMs) => {
        onFound()
        if (--this.lostCount === 0) onEvent({ event: 'database-back', connection: 'read', awayMs })
      },
      onFailed: () => {
        this.isReachable = false
      },
    })
  }
}
