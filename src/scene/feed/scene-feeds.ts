/**
 * The feeds of all scenes: one for each scene that has subscribers, or had some a moment ago.
 *
 * Method: writes only note what has happened. Rounds write to all subscribers of changed scenes, with pauses, and rest for about as long
 * as they took. So however many subscribers there are, half of the time is left to others, and several writes are sent together.
 */

import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Logged } from '../keeper/log-tail.ts'
import { isDrop } from '../keeper/pending-write.ts'
import type { ScenePast } from '../keeper/recovery.ts'
import type { Entry } from '../state/operation.ts'
import type { Scene } from '../state/scene.ts'
import { LogCatchUp, PairCatchUp } from './catch-up.ts'
import { type ClaimedPosition, eventId } from './happening.ts'
import { type Finish, PairWatch } from './pair-watch.ts'
import { SceneFeed, type Sink, Subscriber, type Wish } from './scene-feed.ts'

export interface FeedOptions {
  readonly maxSubscribers: number
  /** Most versions that a resuming client gets from the log. */
  readonly maxMissed: number
  readonly heartbeatMs: number
  /** Since when it is not known what others write, in ms; 0 while it is. Default: 0. */
  readonly staleMs?: () => number
  /** Streams end when that is more; 0: they do not. Default: 0. */
  readonly maxStalenessMs?: number
  readonly finish: Finish
  /** Null while scenes are brought back. */
  readonly past: () => ScenePast | null
  /** The scene as it is now, null when there is none. Default: it is not known. */
  readonly find?: (sceneId: string) => Promise<Stand | null>
  readonly onFault: (error: Error, sceneId: string) => void
}

/** Where a scene stands. */
interface Stand {
  readonly version: number
  readonly digest: Uint8Array
}

interface Kept {
  readonly feed: SceneFeed
  readonly scene: Scene
  watch: PairWatch | null
  isDirty: boolean
}

/** Time between two rounds at least, for which a feed without subscribers is kept, and for which a round goes on without a pause. */
const ROUND_MS = 5
const LINGER_MS = 60_000
const SLICE_MS = 3
/** Time for which it is sought where a scene stands that is to be read anew. */
const PATIENCE_TO_FIND_MS = 5000
/** Between two looks at the age of what is known. */
const LOOK_MS = 500
/** Time for which somebody who is behind may take nothing. */
const PATIENCE_MS = 30_000

export class SceneFeeds {
  readonly #options: FeedOptions
  readonly #feeds = new Map<string, Kept>()
  readonly #beat: NodeJS.Timeout
  readonly #look: NodeJS.Timeout
  #isStale = false
  readonly #logCatchUp: LogCatchUp
  readonly #pairCatchUp: PairCatchUp
  #subscriberCount = 0
  #isScheduled = false
  #isClosed = false
  /** Subscribers that have been dropped because they were too slow, or their pairs could not be found. */
  droppedCount = 0

  constructor(options: FeedOptions) {
    this.#options = options
    const { past, finish, onFault } = options
    this.#logCatchUp = new LogCatchUp(past, onFault)
    this.#pairCatchUp = new PairCatchUp({ past, finish, onFault, onDropped: () => this.droppedCount++ })
    this.#beat = setInterval(() => void this.#beatAll(), options.heartbeatMs).unref()
    const { maxStalenessMs = 0 } = options
    const lookMs = maxStalenessMs === 0 ? LOOK_MS : Math.min(LOOK_MS, maxStalenessMs / 4)
    this.#look = setInterval(() => this.#lookAtAge(), lookMs).unref()
  }

  get subscriberCount(): number {
    return this.#subscriberCount
  }

  /** Whether pairs of versions that have been written are still to be found. */
  get isBehind(): boolean {
    for (const { feed, watch } of this.#feeds.values()) if (watch !== null && feed.pairsHead < feed.head) return true
    return false
  }

  get isFull(): boolean {
    return this.#isClosed || this.#subscriberCount >= this.#options.maxSubscribers
  }

  /** `position`: where it resumes, null when it is new. To be undone by what is returned, at the latest when the sink is gone. */
  subscribe(scene: Scene, sink: Sink, wish: Wish, position: ClaimedPosition | null): { leave(): void; goOn(): void } {
    let kept = this.#feeds.get(scene.id)
    if (kept === undefined || kept.scene !== scene) {
      if (kept !== undefined) this.gone(scene.id, kept.scene)
      kept = { feed: new SceneFeed(scene.id, scene.version, scene.digest), scene, watch: null, isDirty: false }
      this.#feeds.set(scene.id, kept)
    }
    const { feed } = kept
    if (wish.pairs !== null && kept.watch === null) this.#beginPairs(kept)
    const subscriber = new Subscriber(sink, { version: 0, parts: 0 })
    this.#subscriberCount++
    feed.subscribe(subscriber, wish, position, this.#options.maxMissed)
    const catchUp = wish.pairs === null ? this.#logCatchUp : this.#pairCatchUp
    if (subscriber.isBehind) catchUp.wake(feed)
    let isThere = true
    const mine = kept
    return {
      leave: () => {
        if (!isThere) return
        isThere = false
        subscriber.isOver = true
        this.#subscriberCount--
        feed.unsubscribe(subscriber)
      },
      goOn: () => {
        subscriber.goOn()
        if (subscriber.isBehind) catchUp.wake(feed)
        else this.#wake(mine)
      },
    }
  }

  /** An entry has been applied to the scene. */
  applied(scene: Scene, entry: Entry, logged: Logged): void {
    const kept = this.#feeds.get(scene.id)
    // its last entry says that it is gone, which is reported otherwise
    if (kept === undefined || kept.scene !== scene || isDrop(entry)) return
    try {
      kept.feed.add(entry, logged)
      kept.watch?.add(entry, logged.byteCount)
      this.#wake(kept)
    } catch (error) {
      // the write is done, and must not fail because of its followers
      this.#options.onFault(error as Error, scene.id)
      this.#dropAll(kept, 'failed')
    }
  }

  /** The scene is not there any more; null: whichever had this id. */
  gone(sceneId: string, scene: Scene | null): void {
    const kept = this.#feeds.get(sceneId)
    if (kept === undefined || (scene !== null && kept.scene !== scene)) return
    for (const [subscriber, channel] of kept.feed.subscribers()) {
      if (kept.feed.pump(subscriber, channel)) subscriber.end('gone')
    }
    this.#forget(kept)
  }

  /**
   * The events that were sent do not match the scene any more: it must be read anew, at its current version. Streams end with
   * that, and go on from there when they come back.
   */
  reset(sceneId: string, scene: Scene): void {
    const kept = this.#feeds.get(sceneId)
    if (kept === undefined || kept.scene !== scene) return
    const subscribers = [...kept.feed.subscribers()].map(([subscriber]) => subscriber)
    this.#forget(kept)
    if (subscribers.length > 0) void this.#resetAll(sceneId, subscribers)
  }

  async #resetAll(sceneId: string, subscribers: readonly Subscriber[]): Promise<void> {
    const late = setTimeout(PATIENCE_TO_FIND_MS, undefined, { ref: false })
    const found = await Promise.race([this.#options.find?.(sceneId), late]).catch(() => undefined)
    for (const subscriber of subscribers) {
      if (found === undefined) subscriber.end('dropped', { reason: 'reset' })
      else if (found === null) subscriber.end('gone')
      else {
        const { version, digest } = found
        subscriber.end('reset', { version }, eventId(version, 1, 1, digest))
      }
    }
  }

  /** Whether somebody listens to the scene. */
  hasSubscribers(sceneId: string): boolean {
    return (this.#feeds.get(sceneId)?.feed.subscriberCount ?? 0) > 0
  }

  /** Ends all streams. */
  close(): void {
    this.#isClosed = true
    clearInterval(this.#beat)
    clearInterval(this.#look)
    for (const kept of [...this.#feeds.values()]) {
      for (const [subscriber, channel] of kept.feed.subscribers()) {
        if (kept.feed.pump(subscriber, channel)) subscriber.end('closing')
      }
      this.#forget(kept)
    }
  }

  #beginPairs(kept: Kept): void {
    const { feed, scene } = kept
    feed.beginPairs()
    kept.watch = new PairWatch(scene, this.#options, {
      changed: (entry, byteCount, changes) => {
        feed.addPairs(entry, byteCount, changes)
        this.#wake(kept)
      },
      failed: (error) => {
        this.#options.onFault(error, scene.id)
        for (const [subscriber, { pairs }] of [...feed.subscribers()]) {
          if (pairs === null) continue
          this.droppedCount++
          subscriber.end('dropped', { reason: 'pairs' })
        }
        this.#endPairs(kept)
      },
    })
  }

  #endPairs(kept: Kept): void {
    kept.watch?.end()
    kept.watch = null
    kept.feed.endPairs()
  }

  #dropAll(kept: Kept, reason: string): void {
    for (const [subscriber] of [...kept.feed.subscribers()]) {
      this.droppedCount++
      subscriber.end('dropped', { reason })
    }
    this.#forget(kept)
  }

  #forget(kept: Kept): void {
    kept.feed.isOver = true
    this.#endPairs(kept)
    if (this.#feeds.get(kept.feed.sceneId) === kept) this.#feeds.delete(kept.feed.sceneId)
  }

  #wake(kept: Kept): void {
    kept.isDirty = true
    if (this.#isScheduled) return
    this.#isScheduled = true
    void this.#rounds()
  }

  async #rounds(): Promise<void> {
    let rest = 0
    while (!this.#isClosed) {
      await setTimeout(rest === 0 ? 1 : Math.max(ROUND_MS, rest))
      const dirty = [...this.#feeds.values()].filter(({ isDirty }) => isDirty)
      if (dirty.length === 0) break
      const begun = performance.now()
      for (const kept of dirty) {
        kept.isDirty = false
        await this.#tellAll(kept)
      }
      rest = performance.now() - begun
    }
    this.#isScheduled = false
  }

  async #tellAll({ feed }: Kept): Promise<void> {
    let end = performance.now() + SLICE_MS
    for (const [subscriber, channel] of [...feed.subscribers()]) {
      if (!subscriber.isOver && !feed.pump(subscriber, channel)) this.droppedCount++
      if (performance.now() < end) continue
      await setImmediate()
      end = performance.now() + SLICE_MS
    }
  }

  /** Says when it is not known what others write, and when it is again; ends streams when that takes too long. */
  #lookAtAge(): void {
    const { staleMs = () => 0, maxStalenessMs = 0 } = this.#options
    const ageMs = staleMs()
    const isStale = ageMs > 0
    const isOver = maxStalenessMs > 0 && ageMs > maxStalenessMs
    if (isStale === this.#isStale && !isOver) return
    this.#isStale = isStale
    const details = isStale ? { seconds: Math.ceil(ageMs / 1000) } : {}
    for (const kept of [...this.#feeds.values()]) {
      for (const [subscriber] of [...kept.feed.subscribers()]) {
        if (!isOver) subscriber.say(isStale ? 'stale' : 'current', details)
        else {
          this.droppedCount++
          subscriber.end('dropped', { reason: 'stale' })
        }
      }
      if (isOver) this.#forget(kept)
    }
  }

  /** Keeps connections open, and lets go of what nobody has come back to. */
  async #beatAll(): Promise<void> {
    const now = performance.now()
    for (const kept of [...this.#feeds.values()]) {
      const { feed, watch } = kept
      const isIdle = now - feed.usedAt > LINGER_MS
      if (feed.subscriberCount === 0 && isIdle) this.#forget(kept)
      else if (watch !== null && !feed.hasPairReaders && isIdle) this.#endPairs(kept)
      for (const [subscriber] of [...feed.subscribers()]) {
        subscriber.beat()
        if (!subscriber.isBehind || subscriber.waitedFor(now) < PATIENCE_MS) continue
        this.droppedCount++
        subscriber.end('dropped', { reason: 'slow' })
      }
      await setImmediate()
    }
  }
}
