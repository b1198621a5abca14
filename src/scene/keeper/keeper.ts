/**
 * Keeps scenes: brings all of them back from a store, writes to them, lets them expire, and closes in order.
 *
 * Readers take the `Scene` itself: it only ever shows versions that are durable.
 */

import { Pace, type Slices } from '../../containers/pace.ts'
import { createScene, type Scene } from '../state/scene.ts'
import type { View } from '../state/view.ts'
import { type SceneStore, StoreClosed, type StoreUsage } from '../store/store.ts'
import type { Prepare } from '../table/body-table.ts'
import { dropUnaskedPairs } from '../table/kept-pairs.ts'
import type { CreateOperation, Entry, Operation } from '../table/operation.ts'
import { RememberedKeys } from './idempotency-keys.ts'
import type { Below, BodyCheck } from './pending-bodies.ts'
import { type RecoveryEvent, recoverScene } from './recovery.ts'
import { ScenePast } from './scene-past.ts'
import { type Logged, type SceneWatcher, SceneWriter, type WriteOutcome, type WriteRequest } from './scene-writer.ts'
import { type SnapshotFailure, SnapshotTaker, TAIL_BYTE_COUNT } from './snapshot-taker.ts'
import { bodiesIn, refusalOf, type WriteRefusal } from './write-checks.ts'

export interface KeeperOptions {
  /** The keeper closes it. */
  store: SceneStore
  prepare: Prepare
  /** Whether a body that a `patch` or a turning `move` would leave is one: the complaint, or null. */
  accepts?: BodyCheck
  maxScenes?: number
  /** Most bodies of one scene. */
  maxBodies?: number
  /** Ms since 1970. */
  now?: () => number
  onEvent?: (event: KeeperEvent) => void
  /** Told of every entry, in order, when the scene is as it leaves it. */
  onApplied?: (scene: Scene, entry: Entry, logged: Logged) => void
  /** Told when a scene is not served any more. */
  onGone?: (id: string) => void
  /** Weight of entries from which on a snapshot is taken. */
  tailByteCount?: number
}

export type KeeperEvent =
  | RecoveryEvent
  | SnapshotFailure
  | { event: 'scene-expired'; scene: string }
  | { event: 'expiry-failed'; scene: string; reason: string }

/** `damage`: why the scene cannot be served. */
export type Found = { scene: Scene; damage?: undefined } | { scene?: undefined; damage: string }

const EXPIRY_INTERVAL_MS = 1000

export class Keeper implements SceneWatcher {
  private readonly options: KeeperOptions
  private readonly store: SceneStore
  private readonly now: () => number
  private readonly kept = new Map<string, SceneWriter>()
  private readonly damaged = new Map<string, string>()
  /** Scenes that are being begun or dropped: who wants the same waits. */
  private readonly changing = new Map<string, Promise<unknown>>()
  private readonly snapshots: SnapshotTaker
  private readonly expiry: NodeJS.Timeout
  private closing: Promise<void> | null = null

  /** Resolves when every scene is back. Scenes that are damaged are reported and left as they are. */
  static async open(options: KeeperOptions): Promise<Keeper> {
    const keeper = new Keeper(options)
    try {
      await keeper.recover()
    } catch (error) {
      await keeper.close()
      throw error
    }
    return keeper
  }

  private constructor(options: KeeperOptions) {
    this.options = options
    this.store = options.store
    this.now = options.now ?? Date.now
    this.snapshots = new SnapshotTaker(this.store, options.tailByteCount ?? TAIL_BYTE_COUNT, this.report)
    this.expiry = setInterval(() => this.expire(), EXPIRY_INTERVAL_MS).unref()
  }

  /** The scene, as someone who is going to use it sees it: that puts off the day it expires. */
  find(id: string): Found | null {
    const kept = this.living(id)
    if (kept !== undefined) {
      kept.usedAt = this.now()
      return { scene: kept.scene }
    }
    const damage = this.damaged.get(id)
    return damage === undefined ? null : { damage }
  }

  /** Every scene that can be served, by id. Does not count as using them. */
  scenes(): Scene[] {
    const living = [...this.kept.keys()].map((id) => this.living(id)?.scene).filter((scene) => scene !== undefined)
    return living.sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  /** Scenes that cannot be served, and why. */
  damages(): ReadonlyMap<string, string> {
    return this.damaged
  }

  /** What has been of the scenes, as far as it is kept. */
  past(): ScenePast {
    return new ScenePast(this.store, this.options.prepare)
  }

  usage(): StoreUsage {
    return this.store.usage()
  }

  /** Begins a scene; the operation names it. */
  async create(operation: CreateOperation): Promise<WriteOutcome> {
    const { sceneId } = operation
    for (;;) {
      // Without a pause where nothing is changing: what is found out here holds until the change is announced.
      if (this.changing.has(sceneId)) await this.changed(sceneId)
      this.assertOpen()
      if (this.living(sceneId) !== undefined) return { refusal: 'scene-exists' }
      if (!this.kept.has(sceneId)) break
      // Expired, and not gone yet.
      await this.drop(sceneId)
    }
    const damage = this.damaged.get(sceneId)
    if (damage !== undefined) return { refusal: 'scene-damaged', damage }
    if (this.sceneCount() >= (this.options.maxScenes ?? Infinity)) return { refusal: 'too-many-scenes' }
    const kept = this.keep(createScene(this.options.prepare), sceneId, new RememberedKeys())
    return this.change(sceneId, async () => {
      const outcome = await kept.write({ operations: [operation], at: operation.at })
      this.kept.set(sceneId, kept)
      return outcome
    })
  }

  /**
   * What the next write to a scene builds on: the version and the bodies as they will be once what is in flight is durable.
   * Good until something else is called. null when the scene cannot be written to.
   */
  ahead(id: string): { version: number; bodies: Below } | null {
    const kept = this.living(id)
    return kept === undefined ? null : { version: kept.headVersion, bodies: kept.ahead() }
  }

  /** What would keep the operations from being written to the scene as the view has it, or null. */
  check(view: View, operations: readonly Operation[]): Slices<WriteRefusal | null> {
    return refusalOf(bodiesIn(view), operations, this.options, new Pace())
  }

  /** Writes to a scene. Rejects with a `StoreError` when that could not be made durable: then nothing happened. */
  async write(id: string, request: WriteRequest): Promise<WriteOutcome> {
    this.assertOpen()
    const kept = this.living(id)
    if (kept === undefined || this.changing.has(id)) {
      const damage = this.damaged.get(id)
      return damage === undefined ? { refusal: 'unknown-scene' } : { refusal: 'scene-damaged', damage }
    }
    kept.usedAt = this.now()
    return kept.write(request)
  }

  /** Whether there was such a scene; it is gone for good then. */
  async drop(id: string): Promise<boolean> {
    if (this.changing.has(id)) await this.changed(id)
    this.assertOpen()
    const kept = this.kept.get(id)
    if (kept === undefined && !this.damaged.has(id)) return false
    kept?.end()
    return this.change(id, async () => {
      try {
        await kept?.settled()
        const wasThere = await this.store.drop(id)
        this.kept.delete(id)
        this.damaged.delete(id)
        this.options.onGone?.(id)
        if (kept !== undefined) this.snapshots.forget(kept)
        return wasThere
      } catch (error) {
        kept?.end(false)
        throw error
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
      await this.store.close()
    })()
    return this.closing
  }

  private async recover(): Promise<void> {
    for (const stored of await this.store.list()) {
      const recovered = await recoverScene(this.store, stored, this.options.prepare, this.report)
      if (recovered === null) continue
      const { scene, keys, tailByteCount, snapshotByteCount } = recovered
      const kept = this.keep(scene, stored.id, keys)
      Object.assign(kept, { tailByteCount, snapshotByteCount })
      this.kept.set(stored.id, kept)
    }
    for (const kept of this.kept.values()) this.snapshots.consider(kept)
  }

  private keep(scene: Scene, id: string, keys: RememberedKeys): SceneWriter {
    const kept = new SceneWriter(scene, id, keys, this.store, this.options, this)
    kept.usedAt = this.now()
    return kept
  }

  /** For the scenes that are kept. */
  applied(kept: SceneWriter, entry: Entry, logged: Logged): void {
    this.options.onApplied?.(kept.scene, entry, logged)
    this.snapshots.consider(kept)
  }

  /** For the scenes that are kept: its log is left as it lies. */
  broken(kept: SceneWriter, reason: string): void {
    this.kept.delete(kept.id)
    this.snapshots.forget(kept)
    this.options.onGone?.(kept.id)
    this.report({ event: 'scene-damaged', scene: kept.id, reason })
  }

  /** The scene unless it has expired. */
  private living(id: string): SceneWriter | undefined {
    const kept = this.kept.get(id)
    return kept !== undefined && !this.hasExpired(kept) ? kept : undefined
  }

  private hasExpired({ scene, usedAt }: SceneWriter): boolean {
    return scene.ttl !== null && this.now() - usedAt > 1000 * scene.ttl
  }

  private expire(): void {
    dropUnaskedPairs(performance.now())
    for (const kept of this.kept.values()) {
      if (!this.hasExpired(kept) || this.changing.has(kept.id)) continue
      this.drop(kept.id).then(
        () => this.report({ event: 'scene-expired', scene: kept.id }),
        (error: Error) => {
          if (error instanceof StoreClosed) return
          this.report({ event: 'expiry-failed', scene: kept.id, reason: error.message })
        },
      )
    }
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
