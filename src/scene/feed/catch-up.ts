/**
 * Sends subscribers the events that are not in memory any more, in the background.
 *
 * `PairCatchUp`, for overlaps: folds the scene anew from its log, from the version of the subscriber that is farthest behind. One scene
 * at a time, for all its subscribers that are behind. The fold waits for them, so that it is never far ahead; those that do not keep up
 * are dropped, and may come back.
 *
 * `LogCatchUp`, for operations alone, works like a lift: it reads the scene's entries from the subscriber that is farthest behind, a block
 * at a time, and sends them to all subscribers within that block; then the next scene has its turn. Nothing is kept between blocks: a
 * subscriber that does not read costs nothing, and at most one block is in memory. It rests for as long as it has worked.
 */

import { setTimeout } from 'node:timers/promises'
import { Turns } from '../keeper/in-turns.ts'
import type { PastEntry, ScenePast } from '../keeper/recovery.ts'
import { TOLD_BYTE_COUNT } from './happening.ts'
import { PairFold } from './pair-fold.ts'
import type { Finish } from './pair-watch.ts'
import { type Channel, deliver, EventList, eventText, type SceneFeed, type Subscriber } from './scene-feed.ts'

// Feeds with subscribers that are behind, one at a time in turns. After a turn they rest for as long as it took, so that half of the time
// is left to others.

/** One turn; false when the feed needs no more. Never rejects. */
type Turn = (feed: SceneFeed) => Promise<boolean>

class FeedRounds {
  readonly #turn: Turn
  readonly #mostRestMs: number
  readonly #waiting = new Set<SceneFeed>()
  #isRunning = false

  constructor(turn: Turn, mostRestMs: number) {
    this.#turn = turn
    this.#mostRestMs = mostRestMs
  }

  wake(feed: SceneFeed): void {
    this.#waiting.add(feed)
    if (this.#isRunning) return
    this.#isRunning = true
    void this.#run()
  }

  async #run(): Promise<void> {
    for (const feed of this.#waiting) {
      this.#waiting.delete(feed)
      const begun = performance.now()
      if (!(await this.#turn(feed))) continue
      await setTimeout(Math.min(this.#mostRestMs, performance.now() - begun))
      // behind all others
      this.#waiting.add(feed)
    }
    this.#isRunning = false
  }
}

/** Scenes of more bodies are not folded anew. */
const MOST_REFOLDED_BODIES = 250_000

/** The lead that the fold may have over its readers, in characters more or less, and the time that it waits for them in all. */
const AHEAD_LENGTH = 2 ** 21
const PATIENCE_MS = 20_000
const WAIT_MS = 5
const ANY = { pairs: { tags: null, ids: null } }
const MOST_REST_MS = 1000
/** Versions that are sent together. */
const TOLD_COUNT = 64

export interface PairCatchUpOptions {
  readonly past: () => ScenePast | null
  readonly finish: Finish
  readonly onFault: (error: Error, sceneId: string) => void
  /** Somebody was too slow. */
  readonly onDropped: () => void
}

type Reader = [Subscriber, Channel]

export class PairCatchUp {
  readonly #options: PairCatchUpOptions
  readonly #rounds = new FeedRounds((feed) => this.#turn(feed), MOST_REST_MS)

  constructor(options: PairCatchUpOptions) {
    this.#options = options
  }

  /** Somebody is behind. */
  wake(feed: SceneFeed): void {
    this.#rounds.wake(feed)
  }

  async #turn(feed: SceneFeed): Promise<boolean> {
    const readers = feed.behind(true)
    if (readers.length === 0 || feed.isOver) return false
    const from = Math.min(...readers.map(([{ position }]) => position.version))
    try {
      const lost = await this.#serve(feed, from)
      if (lost !== null) resetUpTo(feed, lost)
    } catch (error) {
      if (feed.isOver) return false
      this.#options.onFault(error as Error, feed.sceneId)
      resetUpTo(feed, Infinity)
    }
    return true
  }

  /** The version up to which no events can be sent; null: all were sent. */
  async #serve(feed: SceneFeed, from: number): Promise<number | null> {
    const { finish } = this.#options
    const past = this.#options.past()
    const isWanted = () => !feed.isOver && feed.behind(true).length > 0
    const scene = (await past?.sceneAt(feed.sceneId, from, isWanted)) ?? null
    if (past === null || scene === null) return isWanted() ? from : null
    if (scene.table.count > MOST_REFOLDED_BODIES) return Infinity
    const fold = new PairFold(scene)
    await finish(fold.begin(), isWanted)
    const list = new EventList(from, fold.digest)
    let block: PastEntry[] = []
    let patience = PATIENCE_MS
    while (isWanted()) {
      const readers = this.#tell(feed, list)
      const slowest = Math.min(...readers.map(([{ position }]) => position.version))
      if (fold.version >= feed.baseOf(ANY)) feed.addEarlierPairs(list)
      if (readers.length === 0) return null
      const base = feed.baseOf(ANY)
      if (fold.version < base && list.lengthBehind(slowest) < AHEAD_LENGTH) {
        if (block.length === 0) block = await past.entries(feed.sceneId, fold.version + 1, base)
        if (block.length === 0) return Infinity
        await this.#fold(fold, block, list, isWanted)
      } else {
        const begun = performance.now()
        await setTimeout(WAIT_MS)
        patience -= performance.now() - begun
        if (patience < 0) this.#letGo(readers)
      }
    }
    return null
  }

  /** Subscribers that this fold still has events for. */
  #tell(feed: SceneFeed, list: EventList): Reader[] {
    const readers: Reader[] = []
    for (const reader of feed.behind(true)) {
      const [subscriber, channel] = reader
      if (subscriber.position.version < list.base) continue
      if (!feed.accepts(list, subscriber, channel)) continue
      deliver(list, subscriber, channel)
      feed.pump(subscriber, channel)
      if (subscriber.isBehind) readers.push(reader)
    }
    return readers
  }

  /** Folds some of the entries, which are taken out of their list: as many as are sent at a time. */
  async #fold(fold: PairFold, entries: PastEntry[], list: EventList, isWanted: () => boolean): Promise<void> {
    const from = fold.version
    for (const { decode, byteCount, version } of entries) {
      const entry = await decode(fold.digest)
      const changes = await this.#options.finish(fold.advance(entry), isWanted)
      if (!isWanted()) return
      list.add({ version, digest: fold.digest, operations: eventText(entry.operations, byteCount), changes })
      if (version - from === TOLD_COUNT || list.lengthBehind(from) > AHEAD_LENGTH) break
    }
    entries.splice(0, fold.version - from)
  }

  #letGo(readers: readonly Reader[]): void {
    for (const [subscriber] of readers) {
      this.#options.onDropped()
      subscriber.end('dropped', { reason: 'slow' })
    }
  }
}

/** Resets the subscribers whose position is not beyond a version. */
function resetUpTo(feed: SceneFeed, version: number): void {
  for (const [subscriber, channel] of feed.behind(true)) {
    if (subscriber.position.version <= version) feed.reset(subscriber, channel)
  }
}

const MOST_LOG_REST_MS = 50
const WISH = { pairs: null }

export class LogCatchUp {
  readonly #past: () => ScenePast | null
  readonly #onFault: (error: Error, sceneId: string) => void
  /** Of feeds with subscribers who are behind and take more. */
  readonly #rounds = new FeedRounds((feed) => this.#turn(feed), MOST_LOG_REST_MS)

  constructor(past: () => ScenePast | null, onFault: (error: Error, sceneId: string) => void) {
    this.#past = past
    this.#onFault = onFault
  }

  /** Call when a subscriber falls behind, or takes more. */
  wake(feed: SceneFeed): void {
    this.#rounds.wake(feed)
  }

  async #turn(feed: SceneFeed): Promise<boolean> {
    const ready = feed.behind(false).filter(([{ isWaiting }]) => !isWaiting)
    if (ready.length === 0 || feed.isOver) return false
    try {
      await this.#serve(feed, ready)
    } catch (error) {
      if (feed.isOver) return false
      this.#onFault(error as Error, feed.sceneId)
      for (const [subscriber, channel] of ready) if (subscriber.isBehind) feed.reset(subscriber, channel)
    }
    return true
  }

  async #serve(feed: SceneFeed, ready: readonly [Subscriber, Channel][]): Promise<void> {
    const from = Math.min(...ready.map(([{ position }]) => position.version))
    const isClaimed = ready.some(([{ claim }]) => claim?.version === from)
    const list = await this.#read(feed, from, isClaimed)
    const isKept = this.#past()?.keepsDigests === true
    const turns = new Turns()
    for (const [subscriber, channel] of ready) {
      if (!subscriber.isBehind || feed.isOver) continue
      // the log does not reach back so far
      if (list.head === from && subscriber.position.version === from) feed.reset(subscriber, channel)
      else if (feed.accepts(list, subscriber, channel, isKept)) deliver(list, subscriber, channel)
      feed.pump(subscriber, channel)
      await turns.pause()
    }
  }

  /** The entries behind a version, as many as are handled at a time. `isClaimed`: the digest of that version is wanted. */
  async #read(feed: SceneFeed, from: number, isClaimed: boolean): Promise<EventList> {
    const past = this.#past()
    const [last] = isClaimed ? ((await past?.entries(feed.sceneId, from, from)) ?? []) : []
    const list = new EventList(from, last?.digest ?? null)
    const turns = new Turns()
    const entries = (await past?.entries(feed.sceneId, from + 1, feed.baseOf(WISH))) ?? []
    for (const { version, digest, byteCount, decode } of entries) {
      const operations = byteCount > TOLD_BYTE_COUNT ? null : eventText((await decode()).operations, byteCount)
      list.add({ version, digest, operations, changes: [] })
      await turns.pause()
    }
    return list
  }
}
