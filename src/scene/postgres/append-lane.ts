/**
 * The connection that entries go through: what waits while a commit is under way goes with the next one. One statement at a time, so
 * that its outcome is known before the next is put together.
 *
 * Whenever the connection is lost with a statement under way, or a warning comes with its answer (as when somebody cancels the wait
 * for a standby, which is answered like a success), nobody knows its outcome: `OutcomeUnknown`, and the connection is closed. A new
 * one makes a commit of its own before anything else: once that is durable, so is everything that was to be seen before it.
 */

import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type Appended,
  OutcomeUnknown,
  StoreClosed,
  type StoreError,
  StoreFull,
  StoreUnavailable,
} from '../store/store.ts'
import { type AppendCall, type Chain, callsOf, groupStatement, settleChain, takeGroup } from './append-group.ts'
import { Backoff } from './backoff.ts'
import { Connection, type Row } from './connection.ts'
import type { ConnectionSettings } from './connection-settings.ts'
import { isTransient, LockRefused, StatementRefused, spoilsConnection, unavailable } from './database-error.ts'
import { InterruptiblePause } from './interruptible-pause.ts'
import { LockedScenes } from './locked-scenes.ts'
import { type CheckedServer, checkServer } from './server-check.ts'
import type { SharedClock } from './shared-clock.ts'
import type { OnEvent } from './store-event.ts'

export interface AppendLaneOptions {
  readonly settings: ConnectionSettings
  /** Names this process among the replicas. */
  readonly replica: string
  readonly hasPooler: boolean
  readonly commitTimeoutMs: number
  readonly waitingByteCount: number
  readonly clock: SharedClock
  readonly onEvent: OnEvent
  /** What has been committed. */
  readonly onCommitted: (appended: readonly Appended[]) => void
  /** It is connected again. */
  readonly onFound: () => void
}

/** When the database has been away for so long, what waits for it is given up. */
const UNSENT_MS = 1000
const ATTEMPT_COUNT = 5
/** For what others have waited for before. */
const LEAST_LOCK_TIMEOUT_MS = 300
/** Bytes that a call costs beside what is in it. */
const CALL_BYTE_COUNT = 500

const CONFIRM = `insert into tangent.replica (replica) values ($1)
  on conflict (replica) do update set confirmed_at = now() returning set_config('synchronous_commit', $2, true)`

interface Open {
  readonly connection: Connection
  readonly server: CheckedServer
}

export class AppendLane {
  commits = 0
  commitMs = 0
  unknownOutcomes = 0
  reconnects = 0
  private readonly options: AppendLaneOptions
  private readonly backoff = new Backoff()
  private readonly locked = new LockedScenes()
  /** Names the row that is committed to. */
  private confirmed: string
  private waiting: AppendCall[] = []
  private waitingByteCount = 0
  private confirming: { resolve: () => void; reject: (error: StoreError) => void }[] = []
  private open: Open | null = null
  private running: Promise<void> | null = null
  private lostAt = performance.now()
  /** Who comes waits no longer than `UNSENT_MS` from then on. */
  private patienceFrom = performance.now()
  private readonly pause = new InterruptiblePause()
  private isClosed = false
  private unfitReason = ''

  constructor(options: AppendLaneOptions) {
    this.options = options
    this.confirmed = options.replica
  }

  get isConnected(): boolean {
    return this.open !== null
  }

  submit(append: AppendCall['append'], kind: AppendCall['kind']): Promise<Appended> {
    if (this.isClosed) return Promise.reject(new StoreClosed())
    if (this.isAway()) return Promise.reject(away())
    const byteCount = append.entries.reduce((sum, { bytes }) => sum + bytes.length, CALL_BYTE_COUNT)
    if (this.waitingByteCount > 0 && this.waitingByteCount + byteCount > this.options.waitingByteCount) {
      return Promise.reject(new StoreUnavailable('Too much waits for the database'))
    }
    this.waitingByteCount += byteCount
    return new Promise((resolve, reject) => {
      const settled =
        <T>(tell: (value: T) => void) =>
        (value: T) => {
          this.waitingByteCount -= byteCount
          tell(value)
        }
      this.waiting.push({ append, kind, byteCount, succeeded: settled(resolve), failed: settled(reject) })
      this.wake()
    })
  }

  /** Resolves when a commit that has begun after the call is durable. */
  confirm(): Promise<void> {
    if (this.isClosed) return Promise.reject(new StoreClosed())
    if (this.isAway()) return Promise.reject(away())
    return new Promise((resolve, reject) => {
      this.confirming.push({ resolve, reject })
      this.wake()
    })
  }

  /** Connects once. Rejects as `checkServer` does, or with `StoreUnavailable`. */
  async connect(): Promise<void> {
    const { settings, hasPooler, commitTimeoutMs } = this.options
    try {
      const connection = await Connection.open(settings, {
        isLent: hasPooler,
        keepsPlans: !hasPooler,
        transactionTimeoutMs: 2 * commitTimeoutMs,
      })
      try {
        const askedAt = performance.now()
        const server = await checkServer(connection)
        this.options.clock.set(server.at, askedAt)
        await this.commitOwn({ connection, server })
        connection.onLost = ({ message }) => this.lose(message)
        this.open = { connection, server }
      } catch (error) {
        await connection.end()
        throw error
      }
    } catch (error) {
      throw unavailable(error)
    }
  }

  /** Somebody else has found the database again. */
  seekNow(): void {
    if (this.open !== null) return
    this.patienceFrom = performance.now()
    this.pause.interrupt()
  }

  /** Refuses new calls and waits for those that were submitted. */
  async close(): Promise<void> {
    this.isClosed = true
    this.pause.interrupt()
    await this.running
    await this.open?.connection.end()
    this.open = null
  }

  private wake(): void {
    this.running ??= this.run()
  }

  private async run(): Promise<void> {
    // Those who write in the same turn, and those whom the last commit has woken, come along.
    for (await nextTurn(); this.hasWork(); await nextTurn()) {
      const open = this.open ?? (await this.reconnected())
      if (open === null) continue
      if (this.confirming.length > 0) await this.confirmAll(open)
      else await this.commitUnlocked(takeGroup(this.waiting), open)
    }
    this.running = null
  }

  /** A connection is sought also when nobody waits: the next one should not have to. */
  private hasWork(): boolean {
    return this.hasCalls() || (this.open === null && !this.isClosed)
  }

  /** One try to connect, after a while. Those who wait are told when that takes too long. */
  private async reconnected(): Promise<Open | null> {
    const expiry = setInterval(() => this.giveUpLate(), UNSENT_MS / 20)
    try {
      await this.pause.wait(this.backoff.nextMs())
      if (this.isClosed && !this.hasCalls()) return null
      await this.connect()
      this.backoff.succeeded()
      this.reconnects++
      this.unfitReason = ''
      this.options.onEvent({ event: 'database-back', connection: 'append', awayMs: performance.now() - this.lostAt })
      this.options.onFound()
      return this.open
    } catch (error) {
      this.noteUnfit(error as StoreError)
      return null
    } finally {
      clearInterval(expiry)
      this.giveUpLate()
    }
  }

  /** For so long that nobody waits for it any more: whoever comes is refused at once. */
  private isAway(): boolean {
    return this.open === null && performance.now() - this.patienceFrom >= UNSENT_MS
  }

  private hasCalls(): boolean {
    return this.waiting.length > 0 || this.confirming.length > 0
  }

  private noteUnfit(error: StoreError): void {
    const isUnfit = !(error instanceof StoreUnavailable) || error.code === 'standby' || error.code === 'read-only'
    if (!isUnfit || error.message === this.unfitReason) return
    this.unfitReason = error.message
    this.options.onEvent({ event: 'database-unfit', reason: error.message })
  }

  private giveUpLate(): void {
    if (!this.isAway()) return
    const error = away()
    for (const { reject } of this.confirming.splice(0)) reject(error)
    this.refuse(this.waiting, error)
  }

  /**
   * For calls of which nothing was written, nor will be. What waits behind them builds on them, and goes with them: it would land after
   * all if somebody else wrote the same in their place, as a retry with their key does.
   */
  private refuse(calls: readonly AppendCall[], error: StoreError): StoreError {
    const scenes = new Set(calls.map(({ append }) => append.id))
    const refused = new Set([...calls, ...this.waiting.filter(({ append }) => scenes.has(append.id))])
    this.waiting = this.waiting.filter((call) => !refused.has(call))
    return failAll([...refused], error)
  }

  private lose(reason: string): void {
    if (this.open === null) return
    this.open = null
    this.lostAt = performance.now()
    this.patienceFrom = this.lostAt
    this.options.onEvent({ event: 'database-lost', connection: 'append', reason })
    if (!this.isClosed) this.wake()
  }

  private async commitOwn({ connection, server }: Open): Promise<void> {
    const statement = { text: CONFIRM, values: [this.confirmed, server.synchronousCommit] }
    const [[setting]] = await this.watched(connection, statement).catch((error: unknown) => {
      // An earlier one, whose end has never come to the server, may hold the row: another does as well.
      if (error instanceof LockRefused) this.confirmed = randomUUID()
      throw error
    })
    if (setting !== server.synchronousCommit) {
      throw new StoreUnavailable('The database does not let synchronous_commit be set', 'synchronous_commit')
    }
  }

  private async confirmAll(open: Open): Promise<void> {
    const all = this.confirming.splice(0)
    try {
      await this.commitOwn(open)
      for (const { resolve } of all) resolve()
    } catch (error) {
      this.spoil(open, error)
      const failure = unavailable(error)
      for (const { reject } of all) reject(failure)
    }
  }

  /** Without scenes on whose rows somebody else holds a lock: of these the calls are refused. */
  private async commitUnlocked(chains: readonly Chain[], open: Open, error = lockHeld()): Promise<void> {
    const suspects = this.locked.suspects(chains)
    const free = suspects.length === 0 ? chains : await this.passOver(chains, suspects, open, error)
    await this.commit(free, open)
  }

  /** Those of the chains that are not locked, as the suspects among them are looked at; all others have been told, or wait again. */
  private async passOver(
    chains: readonly Chain[],
    suspects: readonly Chain[],
    open: Open,
    error: StoreError,
  ): Promise<readonly Chain[]> {
    try {
      const locked = await this.locked.lookAt(suspects, open.connection, this.options.commitTimeoutMs)
      for (const chain of locked) this.refuse(callsOf(chain), error)
      return chains.filter((chain) => !locked.has(chain))
    } catch (failure) {
      // nothing was sent: they wait for the next connection
      if (!this.spoil(open, failure)) open.connection.destroy((failure as Error).message)
      this.waiting.unshift(...chains.flatMap(callsOf))
      return []
    }
  }

  /** Null: every call has been told, or waits again; otherwise what they have been told. */
  private async commit(chains: readonly Chain[], open: Open, lockTimeoutMs?: number): Promise<StoreError | null> {
    if (chains.length === 0) return null
    const error = await this.tryCommit(chains, open, lockTimeoutMs)
    if (error === null) return null
    const calls = chains.flatMap(callsOf)
    if (!(error instanceof StatementRefused)) {
      open.connection.destroy(error.message)
      this.unknownOutcomes += calls.length
      this.options.onEvent({ event: 'outcome-unknown', calls: calls.length, reason: error.message })
      return failAll(calls, new OutcomeUnknown(`It is not known whether it was written: ${error.message}`))
    }
    const isLocked = error instanceof LockRefused
    if (isLocked && chains.length === 1) this.locked.add(chains[0])
    if (this.spoil(open, error) || isTransient(error) || chains.length === 1) {
      return this.refuse(calls, unavailable(error))
    }
    if (isLocked) {
      await this.commitRest(chains, open, unavailable(error))
      return null
    }
    await this.commitEach(chains, open, unavailable(error))
    return null
  }

  /** Those that are not locked, together where it can be seen which they are. */
  private async commitRest(chains: readonly Chain[], open: Open, error: StoreError): Promise<void> {
    const begun = chains.filter(({ calls }) => calls[0].append.incarnation !== null)
    const unbegun = chains.filter(({ calls }) => calls[0].append.incarnation === null)
    const free = await this.passOver(begun, begun, open, error)
    const isOneLocked = free.length < begun.length
    if (free.length > 0) await this.commit(free, open, LEAST_LOCK_TIMEOUT_MS)
    if (isOneLocked && this.open === open && unbegun.length > 0) {
      await this.commit(unbegun, open, LEAST_LOCK_TIMEOUT_MS)
    } else await this.commitEach(unbegun, open, error, LEAST_LOCK_TIMEOUT_MS)
  }

  /** One of them may be what the server refuses, or too much for the room that is left: each stands for itself. */
  private async commitEach(
    chains: readonly Chain[],
    open: Open,
    refusal: StoreError,
    lockTimeoutMs?: number,
  ): Promise<void> {
    let leastTooMuch = Infinity
    for (const [index, chain] of chains.entries()) {
      if (this.open !== open) {
        // not sent: they wait for the next connection
        this.waiting.unshift(...chains.slice(index).flatMap(callsOf))
        return
      }
      const byteCount = chain.calls.reduce((sum, call) => sum + call.byteCount, 0)
      const error =
        byteCount < leastTooMuch
          ? await this.commit([chain], open, lockTimeoutMs)
          : this.refuse(callsOf(chain), refusal)
      if (error instanceof StoreFull) leastTooMuch = Math.min(leastTooMuch, byteCount)
    }
  }

  /** Null: every call has been told, or waits again; otherwise none has been. */
  private async tryCommit(
    chains: readonly Chain[],
    open: Open,
    lockTimeoutMs: number | undefined,
  ): Promise<Error | null> {
    const { hasPooler } = this.options
    for (let attempt = 1; ; attempt++) {
      const begun = performance.now()
      try {
        const statement = groupStatement(chains, open.server, !hasPooler)
        const hasty = lockTimeoutMs === undefined ? statement : { ...statement, lockTimeoutMs }
        const rows = await this.watched(open.connection, hasty)
        this.commits++
        this.commitMs += performance.now() - begun
        this.settle(chains, rows)
        return null
      } catch (error) {
        // A group that was undone for another's sake is sent again, as it is.
        if (!isTransient(error) || attempt === ATTEMPT_COUNT) return error as Error
      }
    }
  }

  private settle(chains: readonly Chain[], rows: readonly Row[]): void {
    const landed: Appended[] = []
    const again: AppendCall[] = []
    for (const [index, chain] of chains.entries()) {
      const row = rows[index]
      again.push(...settleChain(chain, row))
      if (row[0] !== true) continue
      const { expectedVersion } = chain.calls[0].append
      landed.push({ version: expectedVersion + chain.entryCount, conflict: false, incarnation: row[1] as number })
    }
    this.waiting.unshift(...again)
    if (landed.length > 0) this.options.onCommitted(landed)
  }

  /** One statement whose answer counts only if nothing is said beside it. */
  private async watched(connection: Connection, statement: Parameters<Connection['query']>[0]): Promise<Row[]> {
    connection.onNotice = () => connection.destroy('the server has warned')
    try {
      return await connection.query(statement, this.options.commitTimeoutMs)
    } finally {
      connection.onNotice = null
    }
  }

  /** Lets go of a connection on which nothing more will come, and says whether it did. */
  private spoil({ connection }: Open, error: unknown): boolean {
    if (!spoilsConnection(error) && !(error instanceof StoreUnavailable)) return false
    connection.destroy((error as Error).message)
    return true
  }
}

const lockHeld = () => new StoreUnavailable('Another session of the database holds a lock on the scene', '55P03')
const away = () => new StoreUnavailable('The database cannot be reached')

function failAll(calls: readonly AppendCall[], error: StoreError): StoreError {
  for (const { failed } of calls) failed(error)
  return error
}
