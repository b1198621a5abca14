/**
 * Scenes of a store that several processes write to: loads them on request, passes on what others write, and unloads the least recently
 * used when memory is short. From time to time, also reports uses, updates summaries, drops expired scenes and sweeps the store.
 */

import type { Prepares } from '../state/geometry.ts'
import {
  type Follower,
  type SceneStore,
  type SharedStore,
  type Standing,
  type StoredScene,
  StoreError,
} from '../store/store.ts'
import { foldScene, type Recovered } from './recovery.ts'
import { lastEntry } from './scene-life.ts'
import { sceneByteCount, summaryOf } from './scene-summary.ts'
import type { SceneWriter } from './scene-writer.ts'

export interface SharedScenesOptions {
  readonly store: SceneStore
  readonly shared: SharedStore
  readonly prepare: Prepares
  /** Memory for scenes, in bytes. */
  readonly maxBytes: number
  /** Keeps a scene that was loaded from the store. */
  readonly keep: (stored: StoredScene, recovered: Recovered) => SceneWriter
  /** Stops keeping a scene. */
  readonly letGo: (kept: SceneWriter) => void
  /** Whether a scene must stay in memory. */
  readonly isHeld: (id: string) => boolean
  readonly report: (event: SharedSceneEvent) => void
}

export type SharedSceneEvent =
  | { event: 'scene-expired'; scene: string }
  | { event: 'scene-damaged'; scene: string; reason: string }
  | { event: 'snapshot-damaged'; scene: string; version: number; reason: string }
  | { event: 'history-forked'; scene: string; version: number; reason: string }
  | { event: 'housekeeping-failed'; reason: string }

/** Why a scene cannot be served, while it is at this version. */
export interface Damage {
  readonly reason: string
  readonly incarnation: number
  readonly version: number
  readonly until: number
}

const LOADS_AT_A_TIME = 4
/** How often loading is repeated if the snapshot or entries disappear meanwhile. */
const MOST_TRIES = 5
/** Time for which a damaged scene is not read again. */
const DAMAGE_MS = 30_000
const TICK_MS = 250
/** Interval between reports of uses; at least four reports within the time after which a scene expires. */
const USE_MS = 60_000
const SWEEP_MS = 30_000
const EXPIRY_MS = 1000
const ROOM_MS = 1000
const EXPIRED_COUNT = 100
const SUMMARY_COUNT = 500
/** Most scenes that are loaded in advance. */
const RECENT_COUNT = 1000

export class SharedScenes implements Follower {
  loadCount = 0
  private readonly options: SharedScenesOptions
  private readonly byIncarnation = new Map<number, SceneWriter>()
  private readonly loads = new Map<string, Promise<SceneWriter | Damage | null>>()
  private readonly damages = new Map<string, Damage>()
  private readonly usesReported = new WeakMap<SceneWriter, number>()
  /** Scenes written here whose summary in the store is out of date. */
  private unlisted = new Set<SceneWriter>()
  private waiting: (() => void)[] = []
  private running = 0
  private readonly timers: NodeJS.Timeout[] = []
  private isClosed = false

  constructor(options: SharedScenesOptions) {
    this.options = options
    options.shared.follow(this)
    this.every(TICK_MS, () => this.list())
    this.every(TICK_MS, () => this.reportUses(false))
    this.every(ROOM_MS, async () => this.makeRoom())
    this.every(EXPIRY_MS, () => this.dropExpired())
    this.every(SWEEP_MS, () => options.shared.sweep())
  }

  /** Loads a scene, once for any number of callers; null if there is none. Rejects with the store's error. */
  load(id: string): Promise<SceneWriter | Damage | null> {
    let load = this.loads.get(id)
    if (load === undefined) {
      load = this.inTurn(() => this.read(id)).finally(() => this.loads.delete(id))
      this.loads.set(id, load)
    }
    return load
  }

  /** Loads the most recently used scenes, as long as there is room. */
  async loadRecent(): Promise<void> {
    for (const id of await this.options.shared.recent(RECENT_COUNT)) {
      if (this.isClosed || this.byteCount() > this.options.maxBytes / 2) return
      await this.load(id).catch(() => undefined)
    }
  }

  /** Notes that a scene is kept from now on. */
  add(kept: SceneWriter): void {
    this.byIncarnation.set(kept.life.incarnation, kept)
  }

  /** Notes that a scene is no longer kept. */
  remove(kept: SceneWriter): void {
    if (this.byIncarnation.get(kept.life.incarnation) === kept) this.byIncarnation.delete(kept.life.incarnation)
    this.unlisted.delete(kept)
  }

  /** Notes that a scene was written here. */
  written(kept: SceneWriter): void {
    this.unlisted.add(kept)
  }

  *standings(): Iterable<Standing> {
    for (const { life, scene } of this.byIncarnation.values()) {
      yield { ...life, version: scene.version, digest: scene.digest }
    }
  }

  notified(incarnation: number, version: number): void {
    this.byIncarnation.get(incarnation)?.notified(version)
  }

  found(known: Standing, stands: { version: number; isDropped: boolean } | null): void {
    const kept = this.byIncarnation.get(known.incarnation)
    if (kept === undefined) return
    // only the log shows whether that history was lost
    if (stands === null || stands.version <= known.version) kept.verify()
    else kept.notified(stands.version)
  }

  /** Reports the remaining uses, and does nothing else. */
  async close(): Promise<void> {
    this.isClosed = true
    for (const timer of this.timers) clearTimeout(timer)
    await this.reportUses(true).catch(() => undefined)
  }

  private async read(id: string): Promise<SceneWriter | Damage | null> {
    const { store, prepare, keep, report } = this.options
    for (let tries = 1; ; tries++) {
      const stored = await store.head(id)
      if (stored === null) return null
      const known = this.damages.get(id)
      if (
        known?.incarnation === stored.incarnation &&
        known.version === stored.version &&
        performance.now() < known.until
      ) {
        return known
      }
      const passOver = (version: number, reason: string) =>
        report({ event: 'snapshot-damaged', scene: id, version, reason })
      // the next entry may be its last: its writer takes that in
      const recovered = await foldScene(store, stored, prepare, { version: stored.version, passOver })
      if (typeof recovered === 'string') {
        const again = await store.head(id)
        const isSame = again?.incarnation === stored.incarnation && again.first === stored.first
        if (!isSame && tries < MOST_TRIES) continue
        const { incarnation, version } = stored
        const damage = { reason: recovered, incarnation, version, until: performance.now() + DAMAGE_MS }
        this.damages.set(id, damage)
        report({ event: 'scene-damaged', scene: id, reason: recovered })
        return damage
      }
      this.damages.delete(id)
      this.loadCount++
      const kept = keep(stored, recovered)
      // No notification came for entries written since it was read.
      await kept.refresh()
      if (!kept.isOver) return kept
      if (tries === MOST_TRIES) return null
    }
  }

  private async inTurn<T>(action: () => Promise<T>): Promise<T> {
    if (this.running === LOADS_AT_A_TIME) await new Promise<void>((resolve) => this.waiting.push(resolve))
    else this.running++
    try {
      return await action()
    } finally {
      const next = this.waiting.shift()
      if (next === undefined) this.running--
      else next()
    }
  }

  private byteCount(): number {
    let count = 0
    for (const { scene } of this.byIncarnation.values()) count += sceneByteCount(scene)
    return count
  }

  /** Unloads the least recently used scenes until the rest has room. */
  private makeRoom(): void {
    let count = this.byteCount()
    const { maxBytes, letGo, isHeld } = this.options
    if (count <= maxBytes) return
    const idle = [...this.byIncarnation.values()].sort((a, b) => a.usedAt - b.usedAt)
    for (const kept of idle) {
      if (count <= maxBytes) return
      if (!kept.isAtRest || isHeld(kept.id) || this.unlisted.has(kept) || this.isUsedSince(kept)) continue
      count -= sceneByteCount(kept.scene)
      letGo(kept)
    }
  }

  private isUsedSince(kept: SceneWriter): boolean {
    return kept.scene.ttl !== null && kept.usedAt > (this.usesReported.get(kept) ?? 0)
  }

  private async list(): Promise<void> {
    const due: SceneWriter[] = []
    for (const kept of this.unlisted) {
      if (due.length === SUMMARY_COUNT) break
      due.push(kept)
    }
    if (due.length === 0) return
    for (const kept of due) this.unlisted.delete(kept)
    try {
      await this.options.shared.summarise(due.map(({ life, scene }) => ({ ...life, summary: summaryOf(scene) })))
    } catch (error) {
      for (const kept of due) if (!kept.isOver) this.unlisted.add(kept)
      throw error
    }
  }

  private async reportUses(isLast: boolean): Promise<void> {
    const due: SceneWriter[] = []
    const now = performance.now()
    for (const kept of this.byIncarnation.values()) {
      // of others it does not matter
      if (kept.scene.ttl === null) continue
      const reported = this.usesReported.get(kept) ?? -Infinity
      const interval = Math.min(USE_MS, 250 * kept.scene.ttl)
      if (kept.usedAt > Math.max(reported, 0) && (isLast || now - reported >= interval)) due.push(kept)
    }
    if (due.length === 0) return
    const uses = due.map((kept) => ({ kept, usedAt: kept.usedAt }))
    await this.options.shared.use(due.map(({ life }) => life))
    for (const { kept, usedAt } of uses) this.usesReported.set(kept, usedAt)
  }

  private async dropExpired(): Promise<void> {
    const { shared, report } = this.options
    for (const standing of await shared.expired(EXPIRED_COUNT)) {
      const { conflict } = await shared.dropExpired(standing, lastEntry(standing, 'expired', shared.now()))
      if (conflict) continue
      report({ event: 'scene-expired', scene: standing.id })
      this.byIncarnation.get(standing.incarnation)?.notified(standing.version + 1)
    }
  }

  /** Repeats a job, never twice at a time, at moments that differ from those of other processes. */
  private every(ms: number, action: () => Promise<void>): void {
    const index = this.timers.length
    const again = () => {
      this.timers[index] = setTimeout(run, ms * (0.75 + 0.5 * Math.random())).unref()
    }
    const run = () => {
      action()
        .catch((error: Error) => {
          // A store that cannot be reached is reported elsewhere.
          if (!(error instanceof StoreError))
            this.options.report({ event: 'housekeeping-failed', reason: error.message })
        })
        .finally(() => {
          if (!this.isClosed) again()
        })
    }
    again()
  }
}
