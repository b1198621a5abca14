/** Feeds that have something left to be told, one at a time in turns. As long as a turn has taken it rests, so that others have half. */

import { setTimeout } from 'node:timers/promises'
import type { SceneFeed } from './scene-feed.ts'

/** One turn; false where the feed needs no more. It never rejects. */
export type Turn = (feed: SceneFeed) => Promise<boolean>

export class FeedRounds {
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
