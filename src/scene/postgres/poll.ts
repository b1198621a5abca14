/**
 * Asks again and again where scenes stand that somebody knows: notifications may be late, be lost, or not come at all. Of the answer
 * only what is different comes back.
 */

import type { Follower, Standing } from '../store/store.ts'
import { InterruptiblePause } from './interruptible-pause.ts'
import type { ReadPool } from './read-pool.ts'

const PART_COUNT = 5000
/** Where there are no notifications. */
const ALONE_MS = 100
/** A poll that takes no longer leaves the age of what is known at 0. */
const PATIENCE_MS = 1500
/** Of the most age that is allowed: between two polls, and for each to take. */
const SHARE = 1 / 3

// $1 scenes, $2 versions, $3 digests, one behind the other
const DIFFERENT = `select g.k, s.version, encode(s.digest, 'hex'), s.dropped_at is not null
  from unnest($1::bigint[], $2::bigint[]) with ordinality as g (scene, version, k)
    left join tangent.scene s on s.scene = g.scene
  where s.scene is null or s.version <> g.version or s.dropped_at is not null
    or s.digest <> substring($3::bytea from (g.k::int - 1) * 16 + 1 for 16)`

export class Poll {
  private readonly pool: ReadPool
  private readonly intervalMs: number
  private readonly isHearing: () => boolean
  private readonly patienceMs: number
  private follower: Follower | null = null
  private running: Promise<void> | null = null
  private readonly pause = new InterruptiblePause()
  private isAsked = false
  private isClosed = false
  private isCurrent = true
  /** When the last poll that went well began. */
  private knownAt = performance.now()

  /** `maxStalenessMs`: what is older is not to be told for new; 0: it does not matter. */
  constructor(pool: ReadPool, intervalMs: number, isHearing: () => boolean, maxStalenessMs = 0) {
    const most = maxStalenessMs === 0 ? Infinity : SHARE * maxStalenessMs
    this.pool = pool
    this.intervalMs = Math.min(intervalMs, most)
    this.patienceMs = Math.min(PATIENCE_MS, most)
    this.isHearing = isHearing
  }

  get isFollowing(): boolean {
    return this.follower !== null
  }

  /** Since when it is not known what others have written; 0 while it is. */
  get staleMs(): number {
    if (this.follower === null) return 0
    const ageMs = performance.now() - this.knownAt
    return this.isCurrent && ageMs <= this.waitMs() + this.patienceMs ? 0 : ageMs
  }

  follow(follower: Follower): void {
    if (this.follower !== null) throw new Error('Somebody follows already')
    this.follower = follower
    this.knownAt = performance.now()
    this.running = this.run(follower)
  }

  /** The next poll is now. */
  soon(): void {
    this.isAsked = true
    this.pause.interrupt()
  }

  async close(): Promise<void> {
    this.isClosed = true
    this.pause.interrupt()
    await this.running
  }

  private waitMs(): number {
    return this.isHearing() ? this.intervalMs : Math.min(this.intervalMs, ALONE_MS)
  }

  private async run(follower: Follower): Promise<void> {
    while (!this.isClosed) {
      const begun = performance.now()
      this.isAsked = false
      try {
        await this.poll(follower)
        this.knownAt = begun
        this.isCurrent = true
      } catch {
        // the next one comes soon, and says so if it goes well
        this.isCurrent = false
      }
      if (!this.isAsked && !this.isClosed) await this.pause.wait(this.waitMs())
    }
  }

  private async poll(follower: Follower): Promise<void> {
    const known = [...follower.standings()]
    // Nothing is known: then whether it would be.
    if (known.length === 0) await this.pool.query('select 1')
    for (let at = 0; at < known.length && !this.isClosed; at += PART_COUNT) {
      await this.pollPart(follower, known.slice(at, at + PART_COUNT))
    }
  }

  private async pollPart(follower: Follower, known: readonly Standing[]): Promise<void> {
    const rows = await this.pool.prepared('poll', DIFFERENT, [
      `{${known.map(({ incarnation }) => incarnation)}}`,
      `{${known.map(({ version }) => version)}}`,
      Buffer.concat(known.map(({ digest }) => digest)),
    ])
    for (const [k, version, digest, isDropped] of rows) {
      const standing = known[Number(k) - 1]
      if (version === null) follower.found(standing, null)
      else {
        follower.found(standing, {
          version: Number(version),
          digest: new Uint8Array(Buffer.from(digest as string, 'hex')),
          isDropped: isDropped as boolean,
        })
      }
    }
  }
}
