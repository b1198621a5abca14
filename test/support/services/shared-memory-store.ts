// A store in memory that several keepers write to at a time, each by a handle of its own that can be cut off or made to lie about what
// became of an append: as a database behind a network is, but thousands of faults a second, and the same ones for the same seed.

import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { firstDigest, isSameDigest } from '../../../src/scene/store/checksum-frame.ts'
import {
  type Append,
  type Appended,
  type Follower,
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
  StoreUnavailable,
} from '../../../src/scene/store/store.ts'

interface Kept {
  readonly id: string
  readonly incarnation: number
  version: number
  digest: Uint8Array
  first: number
  readonly entries: Map<number, { bytes: Uint8Array; digest: Uint8Array }>
  readonly snapshots: Map<number, Uint8Array[]>
  summary: SceneSummary | null
  usedAt: number
  isDropped: boolean
}

/** What all handles see. */
export class SharedDatabase {
  readonly scenes = new Map<number, Kept>()
  readonly handles = new Set<SharedMemoryStore>()
  /** Scenes that one handle alone writes to for a while. */
  readonly held = new Map<number, Promise<void>>()
  private begun = 0

  living(id: string): Kept | undefined {
    for (const scene of this.scenes.values()) if (scene.id === id && !scene.isDropped) return scene
    return undefined
  }

  /** Compares and appends, in one go. */
  append({ id, incarnation, expectedVersion, expectedDigest, entries, summary }: Append, isLast = false): Appended {
    let scene = incarnation === null ? this.living(id) : this.scenes.get(incarnation)
    if (incarnation === null && scene === undefined && expectedVersion === 0) {
      scene = { id, incarnation: ++this.begun, version: 0, digest: firstDigest(), first: 1, entries: new Map() } as Kept
      Object.assign(scene, { snapshots: new Map(), summary: null, usedAt: performance.now(), isDropped: false })
      this.scenes.set(scene.incarnation, scene)
    } else if (incarnation === null || scene === undefined || scene.isDropped) {
      return { version: 0, conflict: true, incarnation: 0 }
    }
    if (scene.version !== expectedVersion || !isSameDigest(scene.digest, expectedDigest)) {
      const { version, digest } = scene
      return { version, digest, conflict: true, incarnation: scene.incarnation }
    }
    for (const entry of entries) {
      scene.entries.set(++scene.version, entry)
      scene.digest = entry.digest
    }
    if (summary !== undefined) scene.summary = summary
    scene.isDropped = isLast
    return { version: scene.version, conflict: false, incarnation: scene.incarnation }
  }

  /** Puts a scene back to where it was, as a standby does that has not got the last commits. */
  rollBack(id: string, version: number): void {
    const scene = this.living(id)
    if (scene === undefined || version >= scene.version) return
    for (let n = version + 1; n <= scene.version; n++) scene.entries.delete(n)
    for (const n of scene.snapshots.keys()) if (n > version) scene.snapshots.delete(n)
    scene.version = version
    scene.digest = scene.entries.get(version)?.digest ?? firstDigest()
  }
}

/** What becomes of an append: it is done; it is done or not, and not known; it is done some time later; the database is away. */
export type Weather = 'fair' | 'done-unknown' | 'not-done-unknown' | 'late' | 'away'

export interface HandleOptions {
  /** Decides what becomes of every call. */
  weather?: () => Weather
  /** Milliseconds that a round trip takes. */
  latency?: () => number
  pollMs?: number
  /** Whether a word of others gets lost. */
  isDeaf?: () => boolean
  /** Whether all but appends fails. */
  isUnreadable?: () => boolean
}

export class SharedMemoryStore implements SceneStore {
  readonly shared: SharedStore
  readonly #database: SharedDatabase
  readonly #options: Required<HandleOptions>
  #follower: Follower | null = null
  #waiting: (() => Promise<void>)[] = []
  #running: Promise<void> | null = null
  #poll: NodeJS.Timeout | null = null
  #isClosed = false
  #isAway = false

  constructor(database: SharedDatabase, options: HandleOptions = {}) {
    this.#database = database
    const never = () => false
    this.#options = {
      weather: () => 'fair',
      latency: () => 0,
      pollMs: 20,
      isDeaf: never,
      isUnreadable: never,
      ...options,
    }
    database.handles.add(this)
    this.shared = {
      follow: (follower) => {
        this.#follower = follower
        this.#poll = setInterval(() => void this.#look().catch(() => undefined), this.#options.pollMs).unref()
      },
      confirm: () => this.#trip(() => undefined),
      alone: async ({ incarnation }, holdMs, action) => {
        await this.#trip(() => undefined)
        while (database.held.has(incarnation)) await database.held.get(incarnation)
        let letGo = () => {}
        const held = new Promise<void>((resolve) => {
          letGo = () => {
            if (database.held.get(incarnation) === held) database.held.delete(incarnation)
            resolve()
          }
        })
        database.held.set(incarnation, held)
        const timer = setTimeout(letGo, holdMs)
        try {
          await action((append) =>
            database.held.get(incarnation) === held ? this.#append(append, false, true) : this.append(append),
          )
        } finally {
          clearTimeout(timer)
          letGo()
        }
      },
      use: (scenes) =>
        this.#trip(() => {
          for (const { incarnation } of scenes) {
            const scene = database.scenes.get(incarnation)
            if (scene !== undefined) scene.usedAt = performance.now()
          }
        }),
      expired: (limit) =>
        this.#trip(() => [...database.scenes.values()].filter(hasExpired).slice(0, limit).map(standing)),
      ended: (id) =>
        this.#trip(() =>
          [...database.scenes.values()]
            .filter((scene) => scene.id === id && scene.isDropped)
            .toReversed()
            .map(standing),
        ),
      now: Date.now,
      dropExpired: (scene, last) =>
        this.#trip(() => {
          const kept = database.scenes.get(scene.incarnation)
          if (kept === undefined || !hasExpired(kept)) return { version: 0, conflict: true, incarnation: 0 }
          return database.append(last, true)
        }),
      summarise: (scenes) =>
        this.#trip(() => {
          for (const { incarnation, summary } of scenes) {
            const kept = database.scenes.get(incarnation)
            if (kept !== undefined && (kept.summary?.version ?? 0) <= summary.version) kept.summary = summary
          }
        }),
      page: (cursor, limit) =>
        this.#trip(() => {
          const listed = [...database.scenes.values()].filter(({ id, isDropped }) => !isDropped && id > cursor)
          listed.sort((a, b) => (a.id < b.id ? -1 : 1))
          return listed.slice(0, limit).map(({ summary }) => summary as SceneSummary)
        }),
      recent: (limit) =>
        this.#trip(() => {
          const living = [...database.scenes.values()].filter(({ isDropped }) => !isDropped)
          return living
            .sort((a, b) => b.usedAt - a.usedAt)
            .map(({ id }) => id)
            .slice(0, limit)
        }),
      sweep: async () => undefined,
      status: (): SharedStatus => ({
        isReachable: !this.#isAway,
        isWritable: !this.#isAway,
        following: 'notify',
        staleMs: 0,
        commits: 0,
        commitMs: 0,
        unknownOutcomes: 0,
        reconnects: 0,
      }),
    }
  }

  async list(): Promise<StoredScene[]> {
    const living = await this.#trip(() => [...this.#database.scenes.values()].filter(({ isDropped }) => !isDropped))
    return living.map(stored).sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  head(id: string): Promise<StoredScene | null> {
    return this.#trip(() => {
      const scene = this.#database.living(id)
      return scene === undefined ? null : stored(scene)
    })
  }

  append(append: Append): Promise<Appended> {
    return this.#appendInTurn(append, false)
  }

  drop(_scene: SceneLife, last: Append): Promise<Appended> {
    return this.#appendInTurn(last, true)
  }

  async *read({ incarnation }: SceneLife, from: number, to = Infinity): AsyncGenerator<StoredEntry> {
    const entries = await this.#trip(() => {
      const scene = this.#database.scenes.get(incarnation)
      const found: StoredEntry[] = []
      for (let version = from; version <= Math.min(scene?.version ?? 0, to); version++) {
        found.push({ version, ...(scene?.entries.get(version) ?? { bytes: null }) })
      }
      return found
    })
    for (const entry of entries) yield entry
  }

  async writeSnapshot(
    { incarnation }: SceneLife,
    version: number,
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<boolean> {
    const kept: Uint8Array[] = []
    for await (const bytes of chunks) kept.push(bytes)
    return this.#trip(() => {
      const scene = this.#database.scenes.get(incarnation)
      scene?.snapshots.set(version, kept)
      return scene !== undefined
    })
  }

  async *readSnapshot({ incarnation }: SceneLife, version: number): AsyncGenerator<Uint8Array> {
    for (const bytes of this.#database.scenes.get(incarnation)?.snapshots.get(version) ?? []) {
      await nextTurn()
      yield bytes
    }
  }

  async trim({ incarnation }: SceneLife, first: number, snapshots: readonly number[]): Promise<void> {
    const scene = this.#database.scenes.get(incarnation)
    if (scene === undefined) return
    for (; scene.first < first; scene.first++) scene.entries.delete(scene.first)
    for (const version of scene.snapshots.keys()) if (!snapshots.includes(version)) scene.snapshots.delete(version)
  }

  usage() {
    return { bytes: 0, maxBytes: null }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#poll !== null) clearInterval(this.#poll)
    this.#database.handles.delete(this)
    await this.#running
  }

  /** Somebody else has written. */
  hear({ incarnation, version }: { incarnation: number; version: number }): void {
    if (!this.#options.isDeaf())
      setTimeout(() => this.#follower?.notified(incarnation, version), this.#options.latency())
  }

  /** Appends go one behind the other, as on one connection. */
  #appendInTurn(append: Append, isLast: boolean): Promise<Appended> {
    if (this.#isClosed) return Promise.reject(new StoreClosed())
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => this.#append(append, isLast).then(resolve, reject))
      this.#running ??= this.#run()
    })
  }

  async #run(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) await next()
    this.#running = null
  }

  async #append(append: Append, isLast: boolean, isHolder = false): Promise<Appended> {
    const weather = this.#options.weather()
    this.#isAway = weather === 'away'
    await this.#wait()
    if (weather === 'away') throw new StoreUnavailable('away')
    if (weather === 'not-done-unknown') throw new OutcomeUnknown('not done')
    const { held } = this.#database
    const { incarnation } = append
    while (!isHolder && incarnation !== null && held.has(incarnation)) await held.get(incarnation)
    if (weather === 'late') {
      void delay(2 * this.#options.latency()).then(() => this.#do(append, isLast))
      throw new OutcomeUnknown('late')
    }
    const appended = this.#do(append, isLast)
    await this.#wait()
    if (weather === 'done-unknown') throw new OutcomeUnknown('done')
    return appended
  }

  #do(append: Append, isLast: boolean): Appended {
    const appended = this.#database.append(append, isLast)
    if (!appended.conflict) for (const other of this.#database.handles) if (other !== this) other.hear(appended)
    return appended
  }

  async #look(): Promise<void> {
    const follower = this.#follower
    if (follower === null) return
    const standings = [...follower.standings()]
    const found = await this.#trip(() =>
      standings.map(({ incarnation }) => ({ ...this.#database.scenes.get(incarnation) })),
    )
    standings.forEach((known, k) => {
      const { version, digest, isDropped = false } = found[k]
      if (version === undefined || digest === undefined) follower.found(known, null)
      else if (version !== known.version || !isSameDigest(digest, known.digest)) {
        follower.found(known, { version, digest, isDropped })
      }
    })
  }

  async #trip<T>(action: () => T): Promise<T> {
    if (this.#isClosed) throw new StoreClosed()
    const isAway = this.#options.weather() === 'away' || this.#options.isUnreadable()
    await this.#wait()
    if (isAway) throw new StoreUnavailable('away')
    const result = action()
    await this.#wait()
    return result
  }

  async #wait(): Promise<void> {
    const ms = this.#options.latency() / 2
    if (ms > 0) await delay(ms)
    else await nextTurn()
  }
}

function hasExpired({ isDropped, summary, usedAt }: Kept): boolean {
  const ttl = summary?.ttl ?? null
  return !isDropped && ttl !== null && performance.now() - usedAt > 1000 * ttl
}

function standing({ id, incarnation, version, digest }: Kept): Standing {
  return { id, incarnation, version, digest }
}

function stored({ id, incarnation, version, digest, first, snapshots }: Kept): StoredScene {
  return { id, incarnation, version, digest, first, snapshots: [...snapshots.keys()].sort((a, b) => b - a) }
}
