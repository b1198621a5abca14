/**
 * The store in PostgreSQL, for any number of processes at a time: the statement that appends entries also compares them with the log
 * (compare-and-swap), so no lock is held between statements.
 *
 * Four connections: one to append (more by `lanes`), two for the rest, one to notify and listen. All but notifications also works through
 * a pooler that lends connections for a transaction.
 */

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { inBatches } from '../store/adopt-scene.ts'
import {
  type AdoptedScene,
  type Adopting,
  type Append,
  type Appended,
  type Follower,
  type NewEntry,
  OutcomeUnknown,
  type SceneLife,
  type SceneStore,
  type SceneSummary,
  type SharedStatus,
  type SharedStore,
  type Standing,
  StoreClosed,
  type StoredEntry,
  type StoredScene,
  StoreError,
  StoreUnavailable,
  type StoreUsage,
} from '../store/store.ts'
import { APPEND_KINDS, type AppendKind, groupStatement, settleChain } from './append-group.ts'
import { AppendLane } from './append-lane.ts'
import type { Connection, ConnectionSettings } from './connection.ts'
import { type OnEvent, SILENCE, StatementRefused, unavailable } from './database-error.ts'
import { Listener, NOTIFY_STATEMENT, Poll } from './listener.ts'
import { readLog, readSnapshot, writeSnapshot } from './log-and-snapshots.ts'
import { migrate } from './migrate.ts'
import { ReadPool, SWEEP_TIMEOUT_MS } from './read-pool.ts'
import { Backoff } from './reconnecting.ts'
import {
  endedLives,
  expiredScenes,
  keepSummaries,
  recentIds,
  reportUses,
  storedScene,
  storedScenes,
  summaryPage,
  summaryText,
  tableByteCount,
} from './scene-rows.ts'
import { type CheckedServer, CLOCK, SharedClock } from './server-check.ts'
import { ShapeRows } from './shape-rows.ts'
import { Sweeper } from './sweep.ts'

// Exclusive appends: a transaction locks the row of the scene, in which the caller reads where the scene stands and appends behind that.
// Other writers of the scene, and their groups, wait for the lock, so it is held only briefly. If this process stops, the server ends the
// transaction.

const LOCK = 'select from tangent.scene where scene = $1 and dropped_at is null for no key update'
const STATEMENT_MS = 5000
/** This process releases the row after its time; the server does so this much later. */
const GRACE_MS = 500

interface HeldOptions {
  readonly pool: ReadPool
  readonly server: CheckedServer
  readonly commitTimeoutMs: number
  /** Appends without a lock. */
  readonly append: (append: Append) => Promise<Appended>
  readonly onCommitted: (appended: readonly Appended[]) => void
}

/** As `SharedStore.alone`. */
async function holdScene(
  scene: SceneLife,
  holdMs: number,
  action: (append: (append: Append) => Promise<Appended>) => Promise<void>,
  options: HeldOptions,
): Promise<void> {
  // the pool must not see errors of the action, or it would run it again
  const outcome = await options.pool.use(async (connection) => {
    await connection.run(`begin; set local idle_in_transaction_session_timeout = ${holdMs + GRACE_MS}`, STATEMENT_MS)
    try {
      await connection.query({ text: LOCK, values: [scene.incarnation] }, STATEMENT_MS)
    } catch (error) {
      await undo(connection)
      throw error
    }
    const held = new HeldScene(connection, options, holdMs)
    return action((append) => held.append(append))
      .then(
        () => null,
        (error: unknown) => ({ error }),
      )
      .finally(() => held.end())
  })
  if (outcome !== null) throw outcome.error
}

class HeldScene {
  private readonly connection: Connection
  private readonly options: HeldOptions
  private readonly timer: NodeJS.Timeout
  private isOpen = true

  constructor(connection: Connection, options: HeldOptions, holdMs: number) {
    this.connection = connection
    this.options = options
    this.timer = setTimeout(() => this.end(), holdMs)
  }

  /** Appends by the transaction, once; or without the lock if the transaction has ended. */
  async append(append: Append): Promise<Appended> {
    const { connection, options } = this
    clearTimeout(this.timer)
    const appended = await this.added(append)
    if (appended === null) {
      await this.end()
      return options.append(append)
    }
    if (appended.conflict) return appended
    this.isOpen = false
    connection.onNotice = () => connection.destroy('the server has warned')
    try {
      await connection.run('commit', options.commitTimeoutMs)
    } catch (error) {
      connection.destroy((error as Error).message)
      throw new OutcomeUnknown(`It is not known whether it was written: ${(error as Error).message}`)
    } finally {
      connection.onNotice = null
    }
    options.onCommitted([appended])
    return appended
  }

  /** Releases the row. */
  async end(): Promise<void> {
    clearTimeout(this.timer)
    if (!this.isOpen) return
    this.isOpen = false
    await undo(this.connection)
  }

  /** Result of an append that is not committed yet; null if the transaction was rolled back. */
  private async added(append: Append): Promise<Appended | null> {
    if (!this.isOpen) return null
    const { server, commitTimeoutMs } = this.options
    let answer: Appended | null = null
    const call = {
      append,
      kind: APPEND_KINDS.append,
      byteCount: 0,
      caller: null,
      succeeded: (appended: Appended) => {
        answer = appended
      },
      failed: (_: StoreError) => {},
    }
    const chain = { calls: [call], losers: [], entryCount: append.entries.length }
    try {
      const [row] = await this.connection.query(groupStatement([chain], server, false), commitTimeoutMs)
      settleChain(chain, row)
      return answer
    } catch (error) {
      if (error instanceof StatementRefused) throw unavailable(error)
      return null
    }
  }
}

async function undo(connection: Connection): Promise<void> {
  await connection.run('rollback', STATEMENT_MS).catch((error: Error) => connection.destroy(error.message))
}

// Adopts a scene from another store: inserts a row that counts as dropped, then its entries and snapshots in several statements, and
// at the end makes the row a scene. So the scene is invisible before, and no transaction is long.
//
// The drop lies in the future, and is postponed as long as rows are added: no sweep touches the row until then, and an unfinished
// adoption is swept like any dropped scene.

const LEASE = "interval '1 hour'"
/** The drop is postponed when less of the lease is left. */
const LEAST_LEASE = "interval '50 minutes'"

const BATCH_BYTE_COUNT = 8 * 2 ** 20
const BATCH_ENTRY_COUNT = 8192

const ID_IS_TAKEN = '23505'

const IS_THERE = 'select from tangent.scene where id = $1 and dropped_at is null'
const BEGIN = `insert into tangent.scene (id, version, digest, first, trim_to, summary_version, ttl, summary, dropped_at)
  values ($1, $2, decode($3, 'hex'), $4, $4, $5, $6, $7::json, now() + ${LEASE})
  returning scene::float8`
const HELD = `held as (
    update tangent.scene set dropped_at = now() + ${LEASE}
    where scene = $1 and dropped_at < now() + ${LEAST_LEASE}
  )`
// $2 version of the first, $3 digests and $4 payloads, both concatenated, $5 start and $6 length of each payload
const ADD_ENTRIES = `with ${HELD}
  insert into tangent.entry (scene, seq, digest, bytes)
  select $1::bigint, $2::bigint + e.i - 1, substring($3::bytea from (e.i::int - 1) * 16 + 1 for 16),
    substring($4::bytea from e.start + 1 for e.size)
  from unnest($5::int[], $6::int[]) with ordinality as e (start, size, i)
  on conflict do nothing`
// No reader looks for snapshots of a dropped scene, so the row need not wait for its chunks.
const ADD_SNAPSHOT = `insert into tangent.snapshot (scene, version, state, by) values ($1, $2, 1, $3) returning snapshot::float8`
const ADD_CHUNK = `with ${HELD}
  insert into tangent.chunk (snapshot, n, bytes) values ($2, $3, $4::bytea) on conflict do nothing`
// Counts the entries, in case that the adoption took longer than the lease. The flush of this statement includes all before it.
const PUBLISH = `update tangent.scene s set dropped_at = null, begun_at = now(), used_at = now()
  from (
    select set_config('synchronous_commit',
      case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, true) as setting
  ) c
  where s.scene = $1 and s.dropped_at > now() and $2 = (select count(*) from tangent.entry where scene = $1)
  returning s.scene, c.setting`
const IS_PUBLISHED = 'select from tangent.scene where scene = $1 and dropped_at is null'
const GIVE_UP = "update tangent.scene set dropped_at = '-infinity' where scene = $1 and dropped_at is not null"

/** As `Adopting.adopt`. `by`: names the process. */
async function adoptScene(pool: ReadPool, adopted: AdoptedScene, by: string): Promise<boolean> {
  const { id, version, digest, first, summary, snapshots } = adopted
  const query = (text: string, values: readonly unknown[]) => pool.query(text, values, SWEEP_TIMEOUT_MS)
  if ((await query(IS_THERE, [id])).length > 0) return false
  const hex = Buffer.from(digest).toString('hex')
  const [[scene]] = await query(BEGIN, [id, version, hex, first, summary.version, summary.ttl, summaryText(summary)])
  let isKept = false
  try {
    let reached = first - 1
    for await (const batch of inBatches(adopted.entries(), BATCH_ENTRY_COUNT, BATCH_BYTE_COUNT)) {
      await query(ADD_ENTRIES, [scene, reached + 1, ...columnsOf(batch)])
      reached += batch.length
    }
    if (reached !== version) {
      throw new StoreError(`The scene ${id} has entries from ${first} to ${reached}, not to ${version}`)
    }
    for (const each of snapshots) {
      const [[snapshot]] = await query(ADD_SNAPSHOT, [scene, each, by])
      let n = 0
      for await (const chunk of adopted.snapshot(each)) await query(ADD_CHUNK, [scene, snapshot, n++, chunk])
    }
    isKept = await published(query, scene as number, version - first + 1)
    return isKept
  } finally {
    // if that fails too, a sweep does it later
    if (!isKept) await query(GIVE_UP, [scene]).catch(() => undefined)
  }
}

/** False if there is another scene with its id. */
async function published(
  query: (text: string, values: readonly unknown[]) => Promise<readonly unknown[]>,
  scene: number,
  entryCount: number,
): Promise<boolean> {
  try {
    if ((await query(PUBLISH, [scene, entryCount])).length > 0) return true
  } catch (error) {
    if (error instanceof StoreUnavailable && error.code === ID_IS_TAKEN) return false
    throw error
  }
  // It was adopted, but the answer was lost.
  if ((await query(IS_PUBLISHED, [scene])).length > 0) return true
  throw new StoreError('What was written of the scene has been swept away meanwhile')
}

/** Digests, payloads, and the start and length of each payload. */
function columnsOf(batch: readonly NewEntry[]): [Buffer, Buffer, string, string] {
  const starts: number[] = []
  let start = 0
  for (const { bytes } of batch) {
    starts.push(start)
    start += bytes.length
  }
  const digests = Buffer.concat(batch.map(({ digest }) => digest))
  const payloads = Buffer.concat(batch.map(({ bytes }) => bytes))
  return [digests, payloads, `{${starts}}`, `{${batch.map(({ bytes }) => bytes.length)}}`]
}

export interface PostgresStoreOptions {
  readonly connection: ConnectionSettings
  /** Where to listen, without the pooler; other settings as in `connection`. Default: `connection`. */
  readonly listenUrl?: string
  /** Whether `connection` leads to a pooler that lends connections for a transaction. Default: false. */
  readonly hasPooler?: boolean
  /** Connections that append. Default: 1. */
  readonly lanes?: number
  /** Whether to migrate the schema to that of this release. Default: false. */
  readonly migrate?: boolean
  /** Interval between polls while notifications arrive; otherwise 100 ms at most. Default: 1,000. */
  readonly pollMs?: number
  /** Most staleness of answers, see `SharedStatus.staleMs`; polls are frequent enough to keep it. Default: any. */
  readonly maxStalenessMs?: number
  /** For how long trimmed entries and dropped scenes are kept. Default: an hour. */
  readonly logRetentionMs?: number
  /** Time after which an unanswered commit has an unknown outcome. Default: 5,000. */
  readonly commitTimeoutMs?: number
  /** Bytes that may wait to be appended. Default: 256 MiB. */
  readonly waitingByteCount?: number
  /** For how long to try to connect at first. Default: 5,000. */
  readonly openTimeoutMs?: number
  readonly onEvent?: OnEvent
}

const READ_CONNECTION_COUNT = 2
const WAITING_BYTE_COUNT = 256 * 2 ** 20

/**
 * Connects, and checks the server. Rejects with a message of one line: `StoreUnavailable` if it cannot be reached, `StoreTooOld` or
 * `StoreTooNew` if its schema does not fit, `StoreFailed` if it is not safe for data.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const until = performance.now() + (options.openTimeoutMs ?? 5000)
  if (options.migrate === true) await trying(until, () => migrate(options.connection))
  const store = new PostgresStore(options)
  try {
    await trying(until, () => store.connect())
  } catch (error) {
    await store.close()
    throw error
  }
  return store
}

async function trying<T>(until: number, action: () => Promise<T>): Promise<T> {
  const backoff = new Backoff()
  for (;;) {
    try {
      return await action()
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || performance.now() >= until) throw error
      await sleep(backoff.nextMs())
    }
  }
}

export class PostgresStore implements SceneStore, SharedStore, Adopting {
  readonly shared: SharedStore = this
  readonly shapes: ShapeRows
  private readonly replica = randomUUID()
  private readonly lanes: AppendLane[]
  private readonly pool: ReadPool
  private readonly listener: Listener
  private readonly followed: Poll
  private readonly sweeper: Sweeper
  private readonly clock = new SharedClock()
  private readonly held: Pick<HeldOptions, 'commitTimeoutMs' | 'onCommitted'>
  /** Only one scene is locked at a time, or no connection would be left for reads. */
  private holding: Promise<unknown> = Promise.resolve()
  private follower: Follower | null = null
  private bytes = 0
  private closing: Promise<void> | null = null

  constructor(options: PostgresStoreOptions) {
    const { connection: settings, listenUrl, hasPooler = false, lanes = 1 } = options
    const onEvent: OnEvent = (event) => {
      options.onEvent?.(event)
      if (event.event === 'database-lost' && event.reason === SILENCE) this.doubt()
    }
    const lane = {
      settings,
      replica: this.replica,
      hasPooler,
      commitTimeoutMs: options.commitTimeoutMs ?? 5000,
      clock: this.clock,
      waitingByteCount: options.waitingByteCount ?? WAITING_BYTE_COUNT,
      onEvent,
      onCommitted: (appended: readonly Appended[]) => this.listener.announce(appended),
      onFound: () => this.seekNow(),
    }
    this.held = lane
    this.lanes = Array.from({ length: lanes }, () => new AppendLane(lane))
    this.pool = new ReadPool({ settings, count: READ_CONNECTION_COUNT, hasPooler, onEvent, onFound: lane.onFound })
    this.shapes = new ShapeRows(this.pool)
    this.listener = new Listener({
      settings: listenUrl === undefined ? settings : { ...settings, url: listenUrl },
      isLent: hasPooler && listenUrl === undefined,
      notifyElsewhere: (payload) => this.pool.query(NOTIFY_STATEMENT, [payload]),
      isProofRepeated: !hasPooler || listenUrl !== undefined,
      onTold: (incarnation, version) => this.follower?.notified(incarnation, version),
      onConnected: () => this.followed.soon(),
      onFound: lane.onFound,
      onEvent,
    })
    this.followed = new Poll(this.pool, options.pollMs ?? 1000, () => this.listener.isHearing, options.maxStalenessMs)
    this.sweeper = new Sweeper(this.pool, options.logRetentionMs ?? 3_600_000)
  }

  async connect(): Promise<void> {
    for (const lane of this.lanes) if (!lane.isConnected) await lane.connect()
    this.pool.start()
    this.bytes = await tableByteCount(this.pool)
    this.listener.start()
  }

  /** Called when a connection is back: the others then try again at once. */
  private seekNow(): void {
    for (const lane of this.lanes) lane.seekNow()
    this.pool.seekNow()
    this.listener.seekNow()
  }

  /** Called when a connection was silent for too long: probes the others at once, because the network to the database may be broken. */
  private doubt(): void {
    for (const lane of this.lanes) lane.doubt()
    this.pool.doubt()
    this.listener.doubt()
  }

  async list(): Promise<StoredScene[]> {
    return storedScenes(this.pool)
  }

  async head(id: string): Promise<StoredScene | null> {
    return storedScene(this.pool, id)
  }

  append(append: Append): Promise<Appended> {
    return this.submit(append, APPEND_KINDS.append)
  }

  read(scene: SceneLife, fromVersion: number, toVersion = Infinity): AsyncIterable<StoredEntry> {
    return readLog(this.pool, scene, fromVersion, toVersion)
  }

  writeSnapshot(scene: SceneLife, version: number, chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
    return writeSnapshot(this.pool, scene, version, chunks, this.replica)
  }

  readSnapshot(scene: SceneLife, version: number): AsyncIterable<Uint8Array> {
    return readSnapshot(this.pool, scene, version)
  }

  trim(scene: SceneLife, first: number, snapshots: readonly number[]): Promise<void> {
    return this.sweeper.trim(scene, first, snapshots)
  }

  drop(scene: SceneLife, last: Append): Promise<Appended> {
    return this.submit({ ...last, ...scene }, APPEND_KINDS.drop)
  }

  async adopt(scene: AdoptedScene): Promise<boolean> {
    const isKept = await adoptScene(this.pool, scene, this.replica)
    // The other connections take a commit for one that a standby has, too, where the server was told not to wait for it.
    if (isKept) await this.confirm()
    return isKept
  }

  /** The size of the tables at the last look: at the start, and at each sweep. */
  usage(): StoreUsage {
    return { bytes: this.bytes, maxBytes: null }
  }

  close(): Promise<void> {
    this.closing ??= this.closeAll()
    return this.closing
  }

  follow(follower: Follower): void {
    this.followed.follow(follower)
    this.follower = follower
  }

  confirm(): Promise<void> {
    return this.lanes[0].confirm()
  }

  alone(
    scene: SceneLife,
    holdMs: number,
    action: (append: (append: Append) => Promise<Appended>) => Promise<void>,
  ): Promise<void> {
    const hold = () =>
      holdScene(scene, holdMs, action, {
        ...this.held,
        pool: this.pool,
        server: this.lanes[0].server,
        append: (append) => this.append(append),
      })
    const held = this.holding.then(hold)
    this.holding = held.catch(() => undefined)
    return held
  }

  use(scenes: readonly SceneLife[]): Promise<void> {
    return reportUses(this.pool, scenes)
  }

  expired(limit: number): Promise<Standing[]> {
    return expiredScenes(this.pool, limit)
  }

  ended(id: string): Promise<Standing[]> {
    return endedLives(this.pool, id)
  }

  now(): number {
    return this.clock.now()
  }

  dropExpired(scene: SceneLife, last: Append): Promise<Appended> {
    return this.submit({ ...last, ...scene }, APPEND_KINDS.dropExpired)
  }

  summarise(scenes: readonly (SceneLife & { readonly summary: SceneSummary })[]): Promise<void> {
    return keepSummaries(this.pool, scenes)
  }

  page(cursor: string, limit: number): Promise<SceneSummary[]> {
    return summaryPage(this.pool, cursor, limit)
  }

  recent(limit: number): Promise<string[]> {
    return recentIds(this.pool, limit)
  }

  async sweep(): Promise<void> {
    const askedAt = performance.now()
    const [[at]] = await this.pool.query(CLOCK)
    this.clock.set(at as number, askedAt)
    await this.sweeper.sweep()
    this.bytes = await tableByteCount(this.pool)
  }

  status(): SharedStatus {
    const sum = (of: (lane: AppendLane) => number) => this.lanes.reduce((total, lane) => total + of(lane), 0)
    const isWritable = this.lanes.every(({ isConnected }) => isConnected)
    const mode = this.listener.isHearing ? 'notify' : 'poll'
    return {
      isReachable: isWritable && this.pool.isReachable,
      isWritable,
      following: this.followed.isFollowing ? mode : 'none',
      staleMs: this.followed.staleMs,
      commits: sum(({ commits }) => commits),
      commitMs: sum(({ commitMs }) => commitMs),
      unknownOutcomes: sum(({ unknownOutcomes }) => unknownOutcomes),
      reconnects: sum(({ reconnects }) => reconnects),
    }
  }

  private submit(append: Append, kind: AppendKind): Promise<Appended> {
    if (this.closing !== null) return Promise.reject(new StoreClosed())
    return this.lanes[laneOf(append.id, this.lanes.length)].submit(append, kind)
  }

  private async closeAll(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.close()))
    await Promise.all([this.listener.close(), this.followed.close()])
    await this.pool.close()
  }
}

/** All appends of a scene use one lane, or they would overtake each other. */
function laneOf(id: string, count: number): number {
  let hash = 0
  for (let k = 0; k < id.length; k++) hash = (hash * 31 + id.charCodeAt(k)) >>> 0
  return hash % count
}
