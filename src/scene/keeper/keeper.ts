/**
 * Keeps scenes: recovers them from a store, writes to them, lets them expire, and closes in order.
 *
 * Readers use the `Scene` itself, which shows durable versions only. If one process owns the store, all scenes are kept from the start;
 * of a shared store, those that are requested (`shared-scenes.ts`).
 */

import { Pace, type Slices } from '../../containers/budget.ts'
import type { Prepares, SceneDimension } from '../state/geometry.ts'
import { dropUnaskedPairs } from '../state/kept-pairs.ts'
import type { CreateOperation, DropOperation, Entry, Operation } from '../state/operation.ts'
import type { Scene } from '../state/scene.ts'
import type { View } from '../state/view.ts'
import {
  type SceneLife,
  type SceneStore,
  type SceneSummary,
  type SharedStatus,
  StoreClosed,
  type StoreFailed,
  type StoreUsage,
} from '../store/store.ts'
import type { Divergence } from './catch-up.ts'
import type { Logged } from './log-tail.ts'
import type { WriteOutcome, WriteRequest } from './pending-write.ts'
import { type RecoveryEvent, recoverScene, ScenePast } from './recovery.ts'
import type { RememberedWrites, RequestKey } from './remembered-writes.ts'
import { beginScene, dropUnread, EndedScenes } from './scene-life.ts'
import { summaryOf } from './scene-summary.ts'
import { SceneLeft, type SceneWatcher, SceneWriter } from './scene-writer.ts'
import { type SharedSceneEvent, SharedScenes } from './shared-scenes.ts'
import { type SnapshotFailure, SnapshotTaker, TAIL_BYTE_COUNT } from './snapshot-taker.ts'
import { type Below, bodiesIn, type DimensionedCheck, refusalOf, type WriteRefusal } from './write-checks.ts'

export interface KeeperOptions {
  /** The keeper closes it. */
  store: SceneStore
  prepare: Prepares
  /** Checks the body that a `patch` or a turning `move` would leave: returns the fault, or null. */
  accepts?: DimensionedCheck
  maxScenes?: number
  /** For a shared store: how long a write may wait while nothing is done for it, in ms. Default: 8,000. */
  writeDeadlineMs?: number
  /** Most bodies of one scene. */
  maxBodies?: number
  /** Memory for the scenes of a shared store, in bytes. */
  maxSceneBytes?: number
  /** Ms since 1970. */
  now?: () => number
  onEvent?: (event: KeeperEvent) => void
  /** Called for every entry, in order, after the scene has applied it. */
  onApplied?: (scene: Scene, entry: Entry, logged: Logged) => void
  /** Called when a scene is no longer served; null if it could not be read. */
  onGone?: (id: string, scene: Scene | null) => void
  /** Called when the served scene diverges from the one in the store, which is then read again. */
  onReset?: (id: string, scene: Scene) => void
  /** Whether a scene has listeners, so that it must stay in memory. */
  isHeld?: (id: string) => boolean
  /** Weight of entries at which a snapshot is taken. */
  tailByteCount?: number
}

export type KeeperEvent =
  | RecoveryEvent
  | SharedSceneEvent
  | SnapshotFailure
  | { event: 'scene-expired'; scene: string }
  | { event: 'expiry-failed'; scene: string; reason: string }

/** `damage`: why the scene cannot be served. */
export type Found = { scene: Scene; damage?: undefined } | { scene?: undefined; damage: string }

/** Counts since the start, for a shared store. */
interface SharedCounts {
  readonly conflicts: number
  readonly forks: number
  readonly loads: number
}

/** Conditions of a write on the version of its scene. */
export type WriteCondition = Pick<WriteRequest, 'ifVersion' | 'ifDigest'>

type Reason = DropOperation['reason']

const EXPIRY_INTERVAL_MS = 1000
const MOST_TRIES = 5

export class Keeper implements SceneWatcher<SceneWriter> {
  private readonly options: KeeperOptions
  private readonly store: SceneStore
  private readonly now: () => number
  private readonly kept = new Map<string, SceneWriter>()
  private readonly damaged = new Map<string, string>()
  /** Scenes that are being begun or dropped; another caller for the same scene waits. */
  private readonly changing = new Map<string, Promise<unknown>>()
  private readonly snapshots: SnapshotTaker
  private readonly ended: EndedScenes
  private readonly expiry: NodeJS.Timeout
  private readonly sharing: SharedScenes | null
  private conflicts = 0
  private forks = 0
  private closing: Promise<void> | null = null

  /** Resolves when scenes can be served. Damaged scenes are reported and left as they are. */
  static async open(options: KeeperOptions): Promise<Keeper> {
    const keeper = new Keeper(options)
    try {
      if (keeper.sharing === null) await keeper.recover()
      else void keeper.sharing.loadRecent().catch(() => undefined)
    } catch (error) {
      await keeper.close()
      throw error
    }
    return keeper
  }

  private constructor(options: KeeperOptions) {
    this.options = options
    this.store = options.store
    this.ended = new EndedScenes(options.store)
    const { shared } = options.store
    // A clock set back must not make a scene look unused.
    this.now = shared === null ? (options.now ?? Date.now) : () => performance.now()
    this.snapshots = new SnapshotTaker(this.store, options.tailByteCount ?? TAIL_BYTE_COUNT, this.report)
    this.expiry = setInterval(() => this.expire(), EXPIRY_INTERVAL_MS).unref()
    this.sharing = shared && this.share(shared)
  }

  private share(shared: NonNullable<SceneStore['shared']>): SharedScenes {
    const { store, prepare, maxSceneBytes = Infinity, isHeld = () => false } = this.options
    return new SharedScenes({
      store,
      shared,
      prepare,
      maxBytes: maxSceneBytes,
      keep: (stored, { scene, writes, tailByteCount, snapshotByteCount }) => {
        const kept = this.keep(scene, { id: stored.id, incarnation: stored.incarnation }, writes)
        return Object.assign(kept, { tailByteCount, snapshotByteCount, snapshotVersion: stored.snapshots[0] ?? 0 })
      },
      letGo: (kept) => this.letGo(kept),
      isHeld,
      report: this.report,
    })
  }

  /** The scene; counts as a use, which postpones its expiry. `isCurrent`: with all that others have written. Rejects with the store's error. */
  async find(id: string, isCurrent = false): Promise<Found | null> {
    const kept = await this.keptOne(id)
    if (!(kept instanceof SceneWriter)) return kept
    kept.usedAt = this.now()
    if (isCurrent) await kept.refresh()
    return isCurrent && kept.isOver ? this.find(id) : { scene: kept.scene }
  }

  /** The scene if it is in memory; null: use `find`. */
  findNow(id: string): Scene | null {
    const kept = this.living(id)
    if (kept !== undefined) kept.usedAt = this.now()
    return kept?.scene ?? null
  }

  /** The scene if it is in memory and can be served. Does not count as using it. */
  loaded(id: string): Scene | null {
    return this.living(id)?.scene ?? null
  }

  /**
   * Waits until the scene has reached a version, at most `until` (by `performance.now()`), and returns the scene as it is then. Reads
   * what others have written at once. Rejects with the store's error.
   */
  async reach(id: string, version: number, until: number): Promise<Found | null> {
    for (;;) {
      const kept = await this.keptOne(id)
      if (!(kept instanceof SceneWriter)) return kept
      kept.usedAt = this.now()
      await kept.reach(version, until)
      if (!kept.isOver || performance.now() >= until) return { scene: kept.scene }
    }
  }

  /** Every scene that is in memory and can be served, by id. Does not count as using them. */
  scenes(): Scene[] {
    const found = [...this.kept.keys()].map((id) => this.loaded(id))
    return found.filter((scene) => scene !== null).sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  /**
   * Summaries of scenes of a dimension with an id greater than `cursor`, by id. Does not count as using them. Rejects with the store's
   * error.
   */
  async page(dimension: SceneDimension, cursor: string, limit: number): Promise<SceneSummary[]> {
    const { shared } = this.store
    if (shared === null) {
      const behind = this.scenes().filter((scene) => scene.id > cursor && scene.dimension === dimension)
      return behind.slice(0, limit).map(summaryOf)
    }
    const found: SceneSummary[] = []
    for (let behind = cursor; ; ) {
      const listed = await shared.page(behind, limit)
      for (const summary of listed) {
        const scene = this.loaded(summary.id)
        const latest = scene !== null && scene.version > summary.version ? summaryOf(scene) : summary
        if (latest.dimension === dimension && found.length < limit) found.push(latest)
      }
      if (listed.length < limit || found.length === limit) return found
      behind = listed[listed.length - 1].id
    }
  }

  /** Scenes that cannot be served, and why. */
  damages(): ReadonlyMap<string, string> {
    return this.damaged
  }

  /** Past entries and versions of the scenes, as far as the store keeps them. */
  past(): ScenePast {
    return new ScenePast(this.store, this.options.prepare, (id) => this.kept.get(id)?.life ?? null)
  }

  usage(): StoreUsage {
    return this.store.usage()
  }

  /** The reason why the store does not write until the next start, or null. */
  failure(): StoreFailed | null {
    return this.store.failure ?? null
  }

  /** The status of a shared store; null for a store that one process owns. */
  status(): (SharedStatus & SharedCounts) | null {
    const { conflicts, forks, sharing } = this
    const status = this.store.shared?.status()
    return status === undefined ? null : { ...status, conflicts, forks, loads: sharing?.loadCount ?? 0 }
  }

  /** The time for new writes, in ms since 1970, by a clock that all writers of the store share. */
  time(): number {
    return this.store.shared?.now() ?? Date.now()
  }

  /**
   * The outcome of the write with the key. Null if the scene does not exist, or remembers no such write. Rejects with the store's error.
   */
  async answered(id: string, key: RequestKey): Promise<WriteOutcome | null> {
    const kept = await this.keptOne(id)
    if (!(kept instanceof SceneWriter)) return null
    const outcome = await kept.answered(key, this.time())
    return outcome === null && kept.isOver ? this.answered(id, key) : outcome
  }

  /** Begins a scene; the operation names it. Rejects with the store's error. */
  async create(operation: CreateOperation, key?: RequestKey): Promise<WriteOutcome> {
    const { sceneId } = operation
    for (;;) {
      // No pause if nothing is changing: what is found here must hold until the change is announced.
      if (this.changing.has(sceneId)) await this.changed(sceneId)
      this.assertOpen()
      if (this.living(sceneId) !== undefined) return { refusal: 'scene-exists' }
      if (!this.kept.has(sceneId)) break
      // Expired, but not dropped yet.
      await this.drop(sceneId)
    }
    const damage = this.damaged.get(sceneId)
    if (damage !== undefined && this.sharing === null) return { refusal: 'scene-damaged', damage }
    const { prepare, maxScenes = Infinity, writeDeadlineMs } = this.options
    if (this.sharing === null && this.sceneCount() >= maxScenes) return { refusal: 'too-many-scenes' }
    return this.change(sceneId, async () => {
      const entryKey = key && { key: key.key, fingerprint: key.fingerprint, answer: true as const }
      const begun = await beginScene(this.store, prepare, operation, {
        maxScenes,
        ...(entryKey !== undefined && { key: entryKey }),
        ...(writeDeadlineMs !== undefined && { deadlineMs: writeDeadlineMs }),
      })
      if (typeof begun === 'string') return { refusal: begun }
      const kept = this.keep(begun.scene, begun.life, begun.writes)
      kept.usedAt = this.now()
      if (kept.scene === begun.scene) this.options.onApplied?.(kept.scene, begun.entry, begun.logged)
      return { version: 1, digest: begun.scene.digest, isRepeated: false }
    })
  }

  /**
   * The base of the next write to a scene that is in memory: the version and the bodies as they will be once pending writes are
   * durable. Valid until the next call. Null when the scene cannot be written to.
   */
  ahead(id: string): { version: number; digest: Uint8Array; bodies: Below } | null {
    const kept = this.living(id)
    return kept === undefined ? null : { version: kept.headVersion, digest: kept.headDigest, bodies: kept.ahead() }
  }

  /** The refusal that a write of the operations to this version of the scene would get, or null. */
  check(view: View, operations: readonly Operation[]): Slices<WriteRefusal | null> {
    return refusalOf(bodiesIn(view), operations, this.options, new Pace())
  }

  /**
   * Writes to a scene. Rejects with a `StoreError` if the write could not be made durable: then nothing has changed, except
   * possibly with `OutcomeUnknown`.
   */
  async write(id: string, request: WriteRequest): Promise<WriteOutcome> {
    this.assertOpen()
    for (let tries = 1; ; tries++) {
      // No pause if it is in memory: writes are checked in the order of arrival.
      const kept = this.living(id) ?? (await this.keptOne(id))
      if (!(kept instanceof SceneWriter)) {
        return kept === null ? { refusal: 'unknown-scene' } : { refusal: 'scene-damaged', damage: kept.damage }
      }
      kept.usedAt = this.now()
      try {
        return await kept.write(request)
      } catch (error) {
        if (!(error instanceof SceneLeft) || tries === MOST_TRIES) throw error
      }
    }
  }

  /** Drops a scene for good. Rejects as `write` does. */
  async drop(
    id: string,
    condition: WriteCondition = {},
    reason: Reason = 'deleted',
    key?: RequestKey,
  ): Promise<WriteOutcome> {
    if (this.changing.has(id)) await this.changed(id)
    this.assertOpen()
    const before = key === undefined ? null : await this.ended.find(id, key, this.time())
    if (before !== null) return before
    const outcome = await this.dropNow(id, condition, reason, key)
    if (key === undefined) return outcome
    if (!('refusal' in outcome)) this.ended.add(id, key, outcome, this.time())
    // another process may have dropped it meanwhile, for the same request
    return 'refusal' in outcome && outcome.refusal === 'unknown-scene'
      ? ((await this.ended.find(id, key, this.time())) ?? outcome)
      : outcome
  }

  private async dropNow(
    id: string,
    condition: WriteCondition,
    reason: Reason,
    key: RequestKey | undefined,
  ): Promise<WriteOutcome> {
    const kept = this.kept.get(id) ?? (await this.keptOne(id))
    if (kept === null) return { refusal: 'unknown-scene' }
    if (!(kept instanceof SceneWriter)) return this.change(id, () => this.dropDamaged(id))
    const at = this.time()
    const operations: Operation[] = [{ op: 'drop', reason, at }]
    const drop: WriteRequest = { operations, at, ...condition, ...(key !== undefined && { key }) }
    return this.change(id, async () => {
      try {
        return await kept.write(drop)
      } catch (error) {
        if (!(error instanceof SceneLeft)) throw error
        return this.write(id, drop)
      }
    })
  }

  /** Takes no more writes, waits for those in flight, and closes the store. */
  close(): Promise<void> {
    this.closing ??= (async () => {
      clearInterval(this.expiry)
      await this.snapshots.close()
      await Promise.allSettled(this.changing.values())
      for (const kept of this.kept.values()) await kept.settled()
      await this.sharing?.close()
      await this.store.close()
    })()
    return this.closing
  }

  private async recover(): Promise<void> {
    for (const stored of await this.store.list()) {
      const recovered = await recoverScene(this.store, stored, this.options.prepare, this.report)
      if (recovered === null) continue
      const { scene, writes, tailByteCount, snapshotByteCount } = recovered
      const kept = this.keep(scene, { id: stored.id, incarnation: stored.incarnation }, writes)
      kept.usedAt = this.now()
      Object.assign(kept, { tailByteCount, snapshotByteCount })
    }
    for (const kept of this.kept.values()) this.snapshots.consider(kept, true)
  }

  private keep(scene: Scene, life: SceneLife, writes: RememberedWrites): SceneWriter {
    const there = this.kept.get(life.id)
    if (there !== undefined && there.life.incarnation === life.incarnation && !there.isOver) return there
    const kept = new SceneWriter(scene, life, writes, { ...this.options, watcher: this })
    this.kept.set(life.id, kept)
    this.damaged.delete(life.id)
    this.sharing?.add(kept)
    return kept
  }

  /** Removes a scene from memory. */
  private letGo(kept: SceneWriter): void {
    kept.end()
    if (this.kept.get(kept.id) === kept) this.kept.delete(kept.id)
    this.sharing?.remove(kept)
    this.snapshots.forget(kept)
  }

  /** Called by a kept scene. */
  applied(kept: SceneWriter, entry: Entry, logged: Logged, isOwn: boolean): void {
    this.options.onApplied?.(kept.scene, entry, logged)
    if (isOwn) this.sharing?.written(kept)
    this.snapshots.consider(kept, isOwn)
  }

  /** Called by a kept scene: its log stays as it is. */
  broken(kept: SceneWriter, reason: string): void {
    this.dropped(kept)
    this.report({ event: 'scene-damaged', scene: kept.id, reason })
  }

  /** Called by a kept scene. */
  dropped(kept: SceneWriter): void {
    this.letGo(kept)
    this.options.onGone?.(kept.id, kept.scene)
  }

  /** Called by a kept scene. */
  diverged(kept: SceneWriter, how: Divergence, reason: string): void {
    this.letGo(kept)
    if (how === 'gone') this.options.onGone?.(kept.id, kept.scene)
    else this.options.onReset?.(kept.id, kept.scene)
    if (how !== 'forked') return
    this.forks++
    this.report({ event: 'history-forked', scene: kept.id, version: kept.scene.version, reason })
  }

  /** Called by a kept scene. */
  conflicted(count: number): void {
    this.conflicts += count
  }

  /** The scene if it is in memory and has not expired. */
  private living(id: string): SceneWriter | undefined {
    const kept = this.kept.get(id)
    return kept !== undefined && !this.hasExpired(kept) ? kept : undefined
  }

  /** The scene, loaded if the store is shared. */
  private async keptOne(id: string): Promise<SceneWriter | { damage: string } | null> {
    const kept = this.living(id)
    if (kept !== undefined) return kept
    if (this.sharing === null) {
      const damage = this.damaged.get(id)
      return damage === undefined ? null : { damage }
    }
    this.assertOpen()
    const found = await this.sharing.load(id)
    return found === null || found instanceof SceneWriter ? found : { damage: found.reason }
  }

  private hasExpired({ scene, usedAt }: SceneWriter): boolean {
    return this.sharing === null && scene.ttl !== null && this.now() - usedAt > 1000 * scene.ttl
  }

  private expire(): void {
    dropUnaskedPairs(performance.now())
    for (const kept of this.kept.values()) {
      if (!this.hasExpired(kept) || this.changing.has(kept.id)) continue
      this.drop(kept.id, {}, 'expired').then(
        () => this.report({ event: 'scene-expired', scene: kept.id }),
        (error: Error) => {
          if (error instanceof StoreClosed) return
          this.report({ event: 'expiry-failed', scene: kept.id, reason: error.message })
        },
      )
    }
  }

  /** Drops a scene that cannot be read. */
  private async dropDamaged(id: string): Promise<WriteOutcome> {
    const outcome = await dropUnread(this.store, id)
    this.damaged.delete(id)
    this.options.onGone?.(id, null)
    return outcome
  }

  private sceneCount(): number {
    let count = this.kept.size + this.damaged.size
    for (const id of this.changing.keys()) if (!this.kept.has(id) && !this.damaged.has(id)) count++
    return count
  }

  private async changed(id: string): Promise<void> {
    while (this.changing.has(id)) await this.changing.get(id)?.catch(() => undefined)
  }

  /** `changing` has no other entry for `id`. */
  private change<T>(id: string, action: () => Promise<T>): Promise<T> {
    const change = action().finally(() => this.changing.delete(id))
    this.changing.set(id, change)
    return change
  }

  private assertOpen(): void {
    if (this.closing !== null) throw new StoreClosed()
  }

  private readonly report = (event: KeeperEvent) => {
    if (event.event === 'scene-damaged') this.damaged.set(event.scene, event.reason)
    this.options.onEvent?.(event)
  }
}
