/**
 * Tells operations that are not in memory any more, out of the log.
 *
 * Method: a lift. The scene's entries are read from where the one of its subscribers is who is behind most, a block at a time, and
 * told to all who are somewhere in that block; then it is the next scene's turn. Nothing is kept from one block to the next: who does
 * not read costs nothing, and one block at most lies in memory. It rests for as long as it has worked.
 */
import { Turns } from '../keeper/in-turns.ts'
import type { ScenePast } from '../keeper/scene-past.ts'
import { EventList } from './event-list.ts'
import { FeedRounds } from './feed-rounds.ts'
import { TOLD_BYTE_COUNT } from './happening.ts'
import { type Channel, deliver, type SceneFeed, toldText } from './scene-feed.ts'
import type { Subscriber } from './subscriber.ts'

const MOST_REST_MS = 50
const WISH = { pairs: null }

export class LogCatchUp {
  readonly #past: () => ScenePast | null
  readonly #onFault: (error: Error, sceneId: string) => void
  /** Of feeds with subscribers who are behind and take more. */
  readonly #rounds = new FeedRounds((feed) => this.#turn(feed), MOST_REST_MS)

  constructor(past: () => ScenePast | null, onFault: (error: Error, sceneId: string) => void) {
    this.#past = past
    this.#onFault = onFault
  }

  /** Somebody is behind, or takes more. */
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
    const from = Math.min(...ready.map(([{ told }]) => told.version))
    const isClaimed = ready.some(([{ claim }]) => claim?.version === from)
    const list = await this.#read(feed, from, isClaimed)
    const isKept = this.#past()?.keepsDigests === true
    const turns = new Turns()
    for (const [subscriber, channel] of ready) {
      if (!subscriber.isBehind || feed.isOver) continue
      // the log does not reach back so far
      if (list.head === from && subscriber.told.version === from) feed.reset(subscriber, channel)
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
      const operations = byteCount > TOLD_BYTE_COUNT ? null : toldText((await decode()).operations, byteCount)
      list.add({ version, digest, operations, changes: [] })
      await turns.pause()
    }
    return list
  }
}
