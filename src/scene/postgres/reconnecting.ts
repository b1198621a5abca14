/**
 * A connection that is opened again whenever it is lost, even when nobody waits for it, so that the next caller need not.
 *
 *             connected
 *   seeking ─────────────► open          from both: closed
 *    │   ▲                   │
 *    └───┘◄──────────────────┘
 *    a try has failed:       lost: cut off, or silent for longer than a statement may take
 *    the next try follows within 2 s (`Backoff`), or at once when another connection was found again (`seekNow`)
 *
 * A try ends after the connect timeout at the latest. So once the server can be reached again, the connection is open within that time
 * and 2 s. Callers wait for it until `PATIENCE_MS` after it was lost; later ones are refused at once.
 */

import { StoreClosed, type StoreError, StoreUnavailable } from '../store/store.ts'
import type { Connection } from './connection.ts'
import { unavailable } from './database-error.ts'

/** A wait that can be ended early, at no cost to those who do so often: a signal would make an error each time. */
export class InterruptiblePause {
  private end: (() => void) | null = null

  /** Resolves after so long, or when it is interrupted. One at a time. */
  async wait(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.end = resolve
      timer = setTimeout(resolve, ms)
    })
    clearTimeout(timer)
    this.end = null
  }

  /** Nothing, where nobody waits. */
  interrupt(): void {
    this.end?.()
  }
}

const LEAST_MS = 50
const MOST_MS = 2000

/** The random delay before the next try: up to 50 ms at first, doubling up to 2 s, so that many clients do not retry at once. */
export class Backoff {
  private failures = 0

  /** After a failure. */
  nextMs(): number {
    const most = Math.min(LEAST_MS * 2 ** this.failures, MOST_MS)
    if (most < MOST_MS) this.failures++
    return Math.random() * most
  }

  succeeded(): void {
    this.failures = 0
  }
}

export interface ReconnectingOptions {
  /** One try: a connection on which all has been done that comes before its use. */
  readonly connect: () => Promise<Connection>
  readonly onLost: (reason: string) => void
  /** It is open again: for how long it was not. */
  readonly onFound: (awayMs: number) => void
  readonly onFailed?: (error: StoreError) => void
}

/** Who comes when it has just been lost waits so long for it. */
export const PATIENCE_MS = 1000

export class Reconnecting {
  /** Null while it is sought, or was never asked for. */
  current: Connection | null = null
  /** Why the last try has failed. */
  failure: StoreError = new StoreUnavailable('The database cannot be reached')
  private readonly options: ReconnectingOptions
  private readonly backoff = new Backoff()
  private readonly pause = new InterruptiblePause()
  private seeking: Promise<Connection | null> | null = null
  private lostAt: number | null = null
  /** Since when it cannot be had: it was lost, or a try has failed. */
  private awaySince: number | null = null
  /** Who waits does so for `PATIENCE_MS` from then on. */
  private patienceFrom = 0
  private isClosed = false

  constructor(options: ReconnectingOptions) {
    this.options = options
  }

  /** Away for so long that nobody waits for it any more. */
  get isAway(): boolean {
    return this.awaySince !== null && performance.now() - this.patienceFrom >= PATIENCE_MS
  }

  /** Tries once. Rejects with a `StoreError`. */
  async open(): Promise<Connection> {
    try {
      const connection = await this.options.connect()
      connection.onLost = ({ message }) => this.lost(message)
      this.current = connection
    } catch (error) {
      this.failure = unavailable(error)
      this.gone()
      this.options.onFailed?.(this.failure)
      throw this.failure
    }
    this.backoff.succeeded()
    const { lostAt } = this
    this.lostAt = null
    this.awaySince = null
    if (lostAt !== null) this.options.onFound(performance.now() - lostAt)
    return this.current
  }

  /** The connection once it is open, however long that takes; null: it has been closed. */
  found(): Promise<Connection | null> {
    if (this.current !== null) return Promise.resolve(this.current)
    this.seeking ??= this.seek().finally(() => {
      this.seeking = null
    })
    return this.seeking
  }

  /** The connection, waited for no longer than `PATIENCE_MS` after it was lost; null: not yet. */
  async soon(): Promise<Connection | null> {
    if (this.current !== null) return this.current
    if (this.awaySince === null) this.patienceFrom = performance.now()
    const found = this.found()
    for (;;) {
      const leftMs = this.patienceFrom + PATIENCE_MS - performance.now()
      if (leftMs <= 0 || this.isClosed) return null
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<null>((resolve) => {
        timer = setTimeout(resolve, leftMs, null)
      })
      const connection = await Promise.race([found, late])
      clearTimeout(timer)
      if (connection !== null) return connection
    }
  }

  /** Another connection has been found again: the next try is now, and it is waited for anew. */
  seekNow(): void {
    if (this.awaySince === null) return
    this.patienceFrom = performance.now()
    this.pause.interrupt()
  }

  /** Waits for a try that is under way. */
  async close(): Promise<void> {
    this.isClosed = true
    this.failure = new StoreClosed()
    this.pause.interrupt()
    await this.seeking
    await this.current?.end()
    this.current = null
  }

  private async seek(): Promise<Connection | null> {
    while (!this.isClosed) {
      const connection = await this.open().catch(() => null)
      if (connection !== null) return connection
      if (!this.isClosed) await this.pause.wait(this.backoff.nextMs())
    }
    return null
  }

  private lost(reason: string): void {
    this.current = null
    this.gone()
    this.lostAt = performance.now()
    if (this.isClosed) return
    this.options.onLost(reason)
    void this.found()
  }

  private gone(): void {
    if (this.awaySince !== null) return
    this.awaySince = performance.now()
    this.patienceFrom = this.awaySince
  }
}
