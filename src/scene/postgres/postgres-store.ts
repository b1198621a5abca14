/**
 * Scenes in PostgreSQL, which any number of processes write to at a time: what each of them appends is compared with what is there, in
 * the statement that adds it, and nobody holds anything in between.
 *
 * Four connections: one to append (more by `lanes`), two for the rest, one to notify and listen. Through a pooler that lends
 * connections for a transaction all of it works but being notified.
 */

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AdoptedScene,
  type Adopting,
  type Append,
  type Appended,
  type Follower,
  type SceneLife,
  type SceneStore,
  type SceneSummary,
  type SharedStatus,
  type SharedStore,
  type Standing,
  StoreClosed,
  type StoredEntry,
  type StoredScene,
  StoreUnavailable,
  type StoreUsage,
} from '../store/store.ts'
import { adoptScene } from './adopt.ts'
import { APPEND_KINDS, type AppendKind } from './append-group.ts'
import { AppendLane } from './append-lane.ts'
import type { ConnectionSettings } from './connection.ts'
import { type OnEvent, SILENCE } from './database-error.ts'
import { type HeldOptions, holdScene } from './held-scene.ts'
import { Listener, NOTIFY_STATEMENT, Poll } from './listener.ts'
import { readLog, readSnapshot, writeSnapshot } from './log-and-snapshots.ts'
import { migrate } from './migrate.ts'
import { ReadPool } from './read-pool.ts'
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
  tableByteCount,
} from './scene-rows.ts'
import { CLOCK, SharedClock } from './server-check.ts'
import { Sweeper } from './sweep.ts'

export interface PostgresStoreOptions {
  readonly connection: ConnectionSettings
  /** Where to listen, past a pooler; its other settings are those of `connection`. Default: `connection`. */
  readonly listenUrl?: string
  /** Whether `connection` leads to a pooler that lends connections for a transaction. Default: false. */
  readonly hasPooler?: boolean
  /** Connections that append. Default: 1. */
  readonly lanes?: number
  /** Whether to bring the schema to that of this release. Default: false. */
  readonly migrate?: boolean
  /** Between two polls, where notifications come; where they do not, 100 ms at most. Default: 1,000. */
  readonly pollMs?: number
  /** Most age of what is told for new, see `SharedStatus.staleMs`; what others write is asked for so often that it can be kept. Default: any. */
  readonly maxStalenessMs?: number
  /** For how long logs that are trimmed, and scenes that are dropped, are kept. Default: an hour. */
  readonly logRetentionMs?: number
  /** A commit that has not been answered by then is one whose outcome is unknown. Default: 5,000. */
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
 * Connects, and checks the server. Rejects with one line for people: `StoreUnavailable` when it cannot be reached, `StoreTooOld` or
 * `StoreTooNew` when its schema does not fit, `StoreFailed` when it is not one to leave data with.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<SceneStore & Adopting> {
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

class PostgresStore implements SceneStore, SharedStore, Adopting {
  readonly shared: SharedStore = this
  private readonly replica = randomUUID()
  private readonly lanes: AppendLane[]
  private readonly pool: ReadPool
  private readonly listener: Listener
  private readonly followed: Poll
  private readonly sweeper: Sweeper
  private readonly clock = new SharedClock()
  private readonly held: Pick<HeldOptions, 'commitTimeoutMs' | 'onCommitted'>
  /** One scene is held at a time, or there would be no connection left to read by. */
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

  /** One connection is there again: the others need not wait for their next try. */
  private seekNow(): void {
    for (const lane of this.lanes) lane.seekNow()
    this.pool.seekNow()
    this.listener.seekNow()
  }

  /** Nothing came on one connection for too long: the way to the database may be broken, and the others are not to find out one by one. */
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

  /** The size of the tables, as it was when it was last looked at: at the beginning, and at each sweep. */
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

/** All of a scene goes one way, or its calls would overtake each other. */
function laneOf(id: string, count: number): number {
  let hash = 0
  for (let k = 0; k < id.length; k++) hash = (hash * 31 + id.charCodeAt(k)) >>> 0
  return hash % count
}
