/**
 * The connection that appends entries. Calls that arrive while a commit is under way go into the next one. One statement runs at a
 * time, so its outcome is known before the next is put together. A call is in the stage `sent` of its write (`keeper/pending-write.ts`)
 * from `submit` until it is settled:
 *
 *                          committed ─────────────────────► landed, or a conflict
 *   waiting ──takeGroup──► sent ──refused by the server───► refused: nothing was written
 *      ▲                    │ └───connection lost, or warned► OutcomeUnknown
 *      └────────────────────┘
 *      not sent after all, or behind a call that did not land
 *
 * The outcome is unknown when the connection is lost with a statement under way, or when a warning comes with the answer: a commit
 * whose wait for a standby was cancelled is answered like a success. The connection is closed then. A new one first makes a commit of
 * its own: once that is durable, so is everything that was visible before it.
 *
 * Scenes whose rows another session was found to lock are checked before they go into a group again, so that no other scene waits for
 * them (`LockedScenes`).
 */

import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { type Caller, currentCaller } from '../../watched.ts'
import {
  type Appended,
  OutcomeUnknown,
  StoreClosed,
  type StoreError,
  StoreFull,
  StoreUnavailable,
} from '../store/store.ts'
import { type AppendCall, type Chain, callsOf, groupStatement, settleChain, takeGroup } from './append-group.ts'
import { Connection, type ConnectionSettings, isWatched, LOCK_TIMEOUT_MS, type Row } from './connection.ts'
import {
  isTransient,
  LockRefused,
  type OnEvent,
  StatementRefused,
  spoilsConnection,
  unavailable,
} from './database-error.ts'
import { Reconnecting } from './reconnecting.ts'
import { type CheckedServer, checkServer, type SharedClock } from './server-check.ts'

export interface AppendLaneOptions {
  readonly settings: ConnectionSettings
  /** Names this process among the replicas. */
  readonly replica: string
  readonly hasPooler: boolean
  readonly commitTimeoutMs: number
  readonly waitingByteCount: number
  readonly clock: SharedClock
  readonly onEvent: OnEvent
  /** Called after each commit, with the entries in it. */
  readonly onCommitted: (appended: readonly Appended[]) => void
  /** It is connected again. */
  readonly onFound: () => void
}

const ATTEMPT_COUNT = 5
/** For what others have waited for before. */
const LEAST_LOCK_TIMEOUT_MS = 300
/** Bytes that a call costs beside what is in it. */
const CALL_BYTE_COUNT = 500

const CONFIRM = `insert into tangent.replica (replica) values ($1)
  on conflict (replica) do update set confirmed_at = now() returning set_config('synchronous_commit', $2, true)`

export class AppendLane {
  commits = 0
  commitMs = 0
  unknownOutcomes = 0
  reconnects = 0
  private readonly options: AppendLaneOptions
  private readonly locked = new LockedScenes()
  /** Names the row that is committed to. */
  private confirmed: string
  private waiting: AppendCall[] = []
  private waitingByteCount = 0
  private confirming: { resolve: () => void; reject: (error: StoreError) => void }[] = []
  private readonly link: Reconnecting
  /** As it was when the lane was last connected. */
  server!: CheckedServer
  private running: Promise<void> | null = null
  private isDoubted = false
  private isClosed = false
  private unfitReason = ''

  constructor(options: AppendLaneOptions) {
    this.options = options
    this.confirmed = options.replica
    const { onEvent } = options
    this.link = new Reconnecting({
      connect: () => this.connected(),
      onLost: (reason) => onEvent({ event: 'database-lost', connection: 'append', reason }),
      onFound: (awayMs) => {
        this.reconnects++
        this.unfitReason = ''
        onEvent({ event: 'database-back', connection: 'append', awayMs })
        options.onFound()
      },
      onFailed: (error) => this.noteUnfit(error),
    })
  }

  get isConnected(): boolean {
    return this.link.current !== null
  }

  submit(append: AppendCall['append'], kind: AppendCall['kind']): Promise<Appended> {
    if (this.isClosed) return Promise.reject(new StoreClosed())
    if (this.link.isAway) return Promise.reject(away())
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
      const caller = isWatched() ? currentCaller() : null
      this.waiting.push({ append, kind, caller, byteCount, succeeded: settled(resolve), failed: settled(reject) })
      this.wake()
    })
  }

  /** Resolves when a commit that has begun after the call is durable. */
  confirm(): Promise<void> {
    if (this.isClosed) return Promise.reject(new StoreClosed())
    if (this.link.isAway) return Promise.reject(away())
    return new Promise((resolve, reject) => {
      this.confirming.push({ resolve, reject })
      this.wake()
    })
  }

  /** Connects once. Rejects as `checkServer` does, or with `StoreUnavailable`. */
  async connect(): Promise<void> {
    await this.link.open()
  }

  /** Somebody else has found the database again. */
  seekNow(): void {
    this.link.seekNow()
  }

  /** Another connection has heard nothing for too long: nothing is sent on this one before it has proven itself. */
  doubt(): void {
    if (this.isClosed || this.link.current === null) return
    this.isDoubted = true
    this.wake()
  }

  /** Refuses new calls and waits for those that were submitted. */
  async close(): Promise<void> {
    this.isClosed = true
    await this.running
    await this.link.close()
  }

  private wake(): void {
    this.running ??= this.run()
  }

  private async run(): Promise<void> {
    // Those who write in the same turn, and those whom the last commit has woken, come along.
    for (await nextTurn(); this.hasWork(); await nextTurn()) {
      const connection = await this.link.soon()
      const isDoubted = this.isDoubted
      this.isDoubted = false
      if (connection === null) this.giveUp()
      else if (isDoubted) await connection.probe().catch(() => undefined)
      else if (this.confirming.length > 0) await this.confirmAll(connection)
      else await this.commitWaiting(connection)
    }
    this.running = null
  }

  /** For the first who waits, as far as statements are watched. */
  private commitWaiting(connection: Connection): Promise<void> {
    const chains = takeGroup(this.waiting)
    const commit = () => this.commitUnlocked(chains, connection)
    const [caller = null] = callersOf(chains)
    return caller === null ? commit() : caller(commit)
  }

  private async connected(): Promise<Connection> {
    const { settings, hasPooler, commitTimeoutMs, clock } = this.options
    const connection = await Connection.open(settings, {
      isLent: hasPooler,
      keepsPlans: !hasPooler,
      transactionTimeoutMs: 2 * commitTimeoutMs,
    })
    try {
      const askedAt = performance.now()
      this.server = await checkServer(connection)
      clock.set(this.server.at, askedAt)
      await this.commitOwn(connection)
      return connection
    } catch (error) {
      await connection.end()
      throw error
    }
  }

  private hasWork(): boolean {
    return this.waiting.length > 0 || this.confirming.length > 0 || this.isDoubted
  }

  private noteUnfit(error: StoreError): void {
    const isUnfit = !(error instanceof StoreUnavailable) || error.code === 'standby' || error.code === 'read-only'
    if (!isUnfit || error.message === this.unfitReason) return
    this.unfitReason = error.message
    this.options.onEvent({ event: 'database-unfit', reason: error.message })
  }

  private giveUp(): void {
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

  private async commitOwn(connection: Connection): Promise<void> {
    const { synchronousCommit } = this.server
    const statement = { text: CONFIRM, values: [this.confirmed, synchronousCommit] }
    const [[setting]] = await this.watched(connection, statement).catch((error: unknown) => {
      // An earlier one, whose end has never come to the server, may hold the row: another does as well.
      if (error instanceof LockRefused) this.confirmed = randomUUID()
      throw error
    })
    if (setting !== synchronousCommit) {
      throw new StoreUnavailable('The database does not let synchronous_commit be set', 'synchronous_commit')
    }
  }

  private async confirmAll(connection: Connection): Promise<void> {
    const all = this.confirming.splice(0)
    try {
      await this.commitOwn(connection)
      for (const { resolve } of all) resolve()
    } catch (error) {
      spoil(connection, error)
      const failure = unavailable(error)
      for (const { reject } of all) reject(failure)
    }
  }

  /** Without scenes on whose rows somebody else holds a lock: of these the calls are refused. */
  private async commitUnlocked(chains: readonly Chain[], connection: Connection, error = lockHeld()): Promise<void> {
    const suspects = this.locked.suspects(chains)
    const free = suspects.length === 0 ? chains : await this.passOver(chains, suspects, connection, error)
    await this.commit(free, connection)
  }

  /** Those of the chains that are not locked, as the suspects among them are looked at; all others have been told, or wait again. */
  private async passOver(
    chains: readonly Chain[],
    suspects: readonly Chain[],
    connection: Connection,
    error: StoreError,
  ): Promise<readonly Chain[]> {
    try {
      const locked = await this.locked.lookAt(suspects, connection, this.options.commitTimeoutMs)
      for (const chain of locked) this.refuse(callsOf(chain), error)
      return chains.filter((chain) => !locked.has(chain))
    } catch (failure) {
      // nothing was sent: they wait for the next connection
      if (!spoil(connection, failure)) connection.destroy((failure as Error).message)
      this.waiting.unshift(...chains.flatMap(callsOf))
      return []
    }
  }

  /** Null: every call has been told, or waits again; otherwise what they have been told. */
  private async commit(
    chains: readonly Chain[],
    connection: Connection,
    lockTimeoutMs?: number,
  ): Promise<StoreError | null> {
    if (chains.length === 0) return null
    const error = await this.tryCommit(chains, connection, lockTimeoutMs)
    if (error === null) return null
    const calls = chains.flatMap(callsOf)
    if (!(error instanceof StatementRefused)) {
      connection.destroy(error.message)
      this.unknownOutcomes += calls.length
      this.options.onEvent({ event: 'outcome-unknown', calls: calls.length, reason: error.message })
      return failAll(calls, new OutcomeUnknown(`It is not known whether it was written: ${error.message}`))
    }
    const isLocked = error instanceof LockRefused
    if (isLocked && chains.length === 1) this.locked.add(chains[0])
    // the second time it cannot be seen which is locked: it is a table
    const isLast = chains.length === 1 || (isLocked && lockTimeoutMs !== undefined)
    if (spoil(connection, error) || isTransient(error) || isLast) {
      return this.refuse(calls, unavailable(error))
    }
    if (isLocked) {
      await this.commitRest(chains, connection, unavailable(error))
      return null
    }
    await this.commitEach(chains, connection, unavailable(error))
    return null
  }

  /** Those that are not locked, together where it can be seen which they are. */
  private async commitRest(chains: readonly Chain[], connection: Connection, error: StoreError): Promise<void> {
    const begun = chains.filter(({ calls }) => calls[0].append.incarnation !== null)
    const unbegun = chains.filter(({ calls }) => calls[0].append.incarnation === null)
    const free = await this.passOver(begun, begun, connection, error)
    const isOneLocked = free.length < begun.length
    if (free.length > 0) await this.commit(free, connection, LEAST_LOCK_TIMEOUT_MS)
    if (isOneLocked && !connection.isLost && unbegun.length > 0) {
      await this.commit(unbegun, connection, LEAST_LOCK_TIMEOUT_MS)
    } else await this.commitEach(unbegun, connection, error, LEAST_LOCK_TIMEOUT_MS)
  }

  /** One of them may be what the server refuses, or too much for the room that is left: each stands for itself. */
  private async commitEach(
    chains: readonly Chain[],
    connection: Connection,
    refusal: StoreError,
    lockTimeoutMs?: number,
  ): Promise<void> {
    let leastTooMuch = Infinity
    const until = performance.now() + LOCK_TIMEOUT_MS
    for (const [index, chain] of chains.entries()) {
      if (connection.isLost) {
        // not sent: they wait for the next connection
        this.waiting.unshift(...chains.slice(index).flatMap(callsOf))
        return
      }
      const byteCount = chain.calls.reduce((sum, call) => sum + call.byteCount, 0)
      const isInTime = lockTimeoutMs === undefined || performance.now() < until
      const error =
        byteCount < leastTooMuch && isInTime
          ? await this.commit([chain], connection, lockTimeoutMs)
          : this.refuse(callsOf(chain), refusal)
      if (error instanceof StoreFull) leastTooMuch = Math.min(leastTooMuch, byteCount)
    }
  }

  /** Null: every call has been told, or waits again; otherwise none has been. */
  private async tryCommit(
    chains: readonly Chain[],
    connection: Connection,
    lockTimeoutMs: number | undefined,
  ): Promise<Error | null> {
    const { hasPooler } = this.options
    for (let attempt = 1; ; attempt++) {
      const begun = performance.now()
      try {
        const statement = groupStatement(chains, this.server, !hasPooler)
        const hasty = lockTimeoutMs === undefined ? statement : { ...statement, lockTimeoutMs }
        const rows = await this.watched(connection, { ...hasty, callers: callersOf(chains) })
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
}

/** Those who have submitted the calls, where statements are watched. */
function callersOf(chains: readonly Chain[]): Caller[] {
  return chains.flatMap((chain) => callsOf(chain).flatMap(({ caller }) => caller ?? []))
}

/** Lets go of a connection on which nothing more will come, and says whether it did. */
function spoil(connection: Connection, error: unknown): boolean {
  if (!spoilsConnection(error) && !(error instanceof StoreUnavailable)) return false
  connection.destroy((error as Error).message)
  return true
}

const lockHeld = () => new StoreUnavailable('Another session of the database holds a lock on the scene', '55P03')
const away = () => new StoreUnavailable('The database cannot be reached')

function failAll(calls: readonly AppendCall[], error: StoreError): StoreError {
  for (const { failed } of calls) failed(error)
  return error
}

// Rows that nobody holds; those that are not there are not held either.
const FREE = `select k from unnest($1::bigint[]) with ordinality as g (scene, k)
  where not exists (select from tangent.scene s where s.scene = g.scene)
    or exists (select from tangent.scene s where s.scene = g.scene for no key update skip locked)`

/** A commit of another process holds a row for milliseconds. */
const LOOK_COUNT = 3
const BETWEEN_LOOKS_MS = 40
const LOOK_TIMEOUT_MS = 100
/** A scene that is to be begun has no row to look at: for so long it is taken for locked. */
const UNBEGUN_MS = 5000

const keyOf = ({ calls }: Chain) => calls[0].append.incarnation ?? calls[0].append.id

class LockedScenes {
  /** By incarnation, or by id where there is none; when it was found. */
  private readonly found = new Map<number | string, number>()

  /** Those of the chains that may still be locked. */
  suspects(chains: readonly Chain[]): Chain[] {
    return this.found.size === 0 ? [] : chains.filter((chain) => this.found.has(keyOf(chain)))
  }

  /** Its lock was waited for in vain. */
  add(chain: Chain): void {
    this.found.set(keyOf(chain), performance.now())
  }

  /** Of the chains those that are locked. Rejects as the connection does. */
  async lookAt(chains: readonly Chain[], connection: Connection, timeoutMs: number): Promise<Set<Chain>> {
    const locked = new Set<Chain>()
    let left: Chain[] = []
    for (const chain of chains) {
      const since = this.found.get(keyOf(chain)) ?? -Infinity
      if (chain.calls[0].append.incarnation !== null) left.push(chain)
      else if (performance.now() - since < UNBEGUN_MS) locked.add(chain)
      else this.found.delete(keyOf(chain))
    }
    for (let looks = 0; left.length > 0 && looks < LOOK_COUNT; looks++) {
      if (looks > 0) await sleep(BETWEEN_LOOKS_MS)
      const free = await freeAmong(left, connection, timeoutMs)
      for (const k of free) this.found.delete(keyOf(left[k - 1]))
      left = left.filter((_, index) => !free.has(index + 1))
    }
    for (const chain of left) {
      this.add(chain)
      locked.add(chain)
    }
    return locked
  }
}

/** Their numbers, from 1 on. */
async function freeAmong(chains: readonly Chain[], connection: Connection, timeoutMs: number): Promise<Set<number>> {
  const values = [`{${chains.map(({ calls }) => calls[0].append.incarnation)}}`]
  try {
    const rows = await connection.query({ text: FREE, values, lockTimeoutMs: LOOK_TIMEOUT_MS }, timeoutMs)
    return new Set(rows.map(([k]) => Number(k)))
  } catch (error) {
    // the whole table is
    if (error instanceof LockRefused) return new Set()
    throw error
  }
}
