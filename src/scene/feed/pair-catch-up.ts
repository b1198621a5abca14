/**
 * Tells pairs that are not in memory any more: the scene is folded anew from its log, from the version on up to which the one has been
 * told who is behind most.
 *
 * One scene at a time, for all of its subscribers who are behind. They are waited for so that the fold is never far ahead; those who
 * do not keep up are let go, and may come back.
 */
import { setTimeout } from 'node:timers/promises'
import type { PastEntry, ScenePast } from '../keeper/scene-past.ts'
import { EventList } from './event-list.ts'
import { FeedRounds } from './feed-rounds.ts'
import { PairFold } from './pair-fold.ts'
import type { Finish } from './pair-watch.ts'
import { type Channel, deliver, type SceneFeed, toldText } from './scene-feed.ts'
import type { Subscriber } from './subscriber.ts'

/** Scenes of more bodies are not folded anew. */
export const MOST_REFOLDED_BODIES = 250_000

/** What the fold may be ahead of those who read, in characters more or less, and for how long it waits for them in all. */
const AHEAD_LENGTH = 2 ** 21
const PATIENCE_MS = 20_000
const WAIT_MS = 5
const ANY = { pairs: { tags: null, ids: null } }
const MOST_REST_MS = 1000
/** Versions that are told together. */
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
    const from = Math.min(...readers.map(([{ told }]) => told.version))
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

  /** The version up to which nothing can be told; null: all have been told. */
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
      const slowest = Math.min(...readers.map(([{ told }]) => told.version))
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

  /** Those who are still to be told something by this fold. */
  #tell(feed: SceneFeed, list: EventList): Reader[] {
    const readers: Reader[] = []
    for (const reader of feed.behind(true)) {
      const [subscriber, channel] = reader
      if (subscriber.told.version < list.base) continue
      if (!feed.accepts(list, subscriber, channel)) continue
      deliver(list, subscriber, channel)
      feed.pump(subscriber, channel)
      if (subscriber.isBehind) readers.push(reader)
    }
    return readers
  }

  /** Folds some of the entries, which are taken out of their list: as many as are told at a time. */
  async #fold(fold: PairFold, entries: PastEntry[], list: EventList, isWanted: () => boolean): Promise<void> {
    const from = fold.version
    for (const { decode, byteCount, version } of entries) {
      const entry = await decode(fold.digest)
      const changes = await this.#options.finish(fold.advance(entry), isWanted)
      if (!isWanted()) return
      list.add({ version, digest: fold.digest, operations: toldText(entry.operations, byteCount), changes })
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

/** For those who have been told no further than up to a version. */
function resetUpTo(feed: SceneFeed, version: number): void {
  for (const [subscriber, channel] of feed.behind(true)) {
    if (subscriber.told.version <= version) feed.reset(subscriber, channel)
  }
}
