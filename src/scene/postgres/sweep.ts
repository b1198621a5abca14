/**
 * Taking away what nobody needs any more, in batches, each a statement of its own. Rows that somebody else has locked are passed over:
 * another sweep is at them, and nobody who sweeps ever waits for a lock that is held while another is waited for.
 */

import type { SceneLife } from '../store/store.ts'
import { CLAIM_LASTS } from './log-and-snapshots.ts'
import { type ReadPool, SWEEP_TIMEOUT_MS } from './read-pool.ts'

/** Rows in one statement, and statements in one sweep, of each kind. */
const ENTRY_COUNT = 1000
const CHUNK_COUNT = 50
const BATCH_COUNT = 200
const SCENE_COUNT = 50
const DROPPED_COUNT = 500
/** A sweep that has taken on a scene has it for so long. */
const LEASE = "interval '1 minute'"
/** Whoever is reading a snapshot that is replaced has so long for it, in seconds; less where logs are kept for less. */
const READ_OUT_SECONDS = 60
/** A snapshot that the trimmer does not name may be one that it has not heard of, if it is as young as that. */
const UNHEARD_OF = "interval '1 minute'"

// $1 how long things are kept, in seconds
const DROPPED = 'dropped_at < now() - make_interval(secs => $1)'
// But for those whose first entry is too young to go, which most are.
const TO_TRIM = `trim_to > first and not exists (
  select from tangent.entry e where e.scene = s.scene and e.seq = s.first and e.at > now() - make_interval(secs => $1)
)`

export class Sweeper {
  private readonly pool: ReadPool
  private readonly retentionSeconds: number

  /** `retentionMs`: how long entries of trimmed logs, and dropped scenes, are kept for those who follow. */
  constructor(pool: ReadPool, retentionMs: number) {
    this.pool = pool
    this.retentionSeconds = retentionMs / 1000
  }

  /** As `SceneStore.trim`. What is too young is left to a sweep. */
  async trim({ incarnation }: SceneLife, first: number, snapshots: readonly number[]): Promise<void> {
    await this.query(
      `update tangent.snapshot set state = 2, claimed_at = now()
      where snapshot in (
        select snapshot from tangent.snapshot
        where scene = $1 and state = 1 and version <> all ($2::bigint[])
          and (version < (select max(v) from unnest($2::bigint[]) v) or claimed_at < now() - ${UNHEARD_OF})
        for update skip locked
      )`,
      [incarnation, `{${snapshots}}`],
    )
    // Never beyond what a snapshot has.
    await this.query(
      `update tangent.scene set trim_to = least($2::bigint, p.newest + 1)
      from (select max(version) as newest from tangent.snapshot where scene = $1 and state = 1) p
      where scene = $1 and dropped_at is null and trim_to < least($2::bigint, p.newest + 1)`,
      [incarnation, first],
    )
    await this.trimLog(incarnation, Infinity)
    await this.sweepSnapshots(BATCH_COUNT)
  }

  /** As `SharedStore.sweep`. */
  async sweep(): Promise<void> {
    let left = await this.sweepSnapshots(BATCH_COUNT)
    for await (const scenes of this.claimed(DROPPED, DROPPED_COUNT)) {
      left = await this.sweepDropped(scenes, left)
      if (left <= 0) break
    }
    left = BATCH_COUNT
    for await (const scenes of this.claimed(TO_TRIM, SCENE_COUNT)) {
      for (const scene of scenes) left -= await this.trimLog(scene, left)
      if (left <= 0) break
    }
    await this.query("delete from tangent.replica where confirmed_at < now() - interval '1 day'", [])
  }

  /** Scenes to sweep that nobody else is at, so many at a time, as long as there are any. */
  private async *claimed(condition: string, count: number): AsyncGenerator<number[]> {
    for (;;) {
      const rows = await this.query(
        `with found as materialized (
          select scene from tangent.scene s where ${condition} and (claimed_at is null or claimed_at < now() - ${LEASE})
          order by scene limit ${count} for no key update skip locked
        )
        update tangent.scene s set claimed_at = now() from found f where s.scene = f.scene returning s.scene`,
        [this.retentionSeconds],
      )
      if (rows.length > 0) yield rows.map(([scene]) => Number(scene))
      if (rows.length < count) return
    }
  }

  /** Deletes entries that are to go and are old enough: in how many batches. */
  private async trimLog(scene: number, mostBatches: number): Promise<number> {
    const [bounds] = await this.query(
      `select s.first, coalesce(
        (select seq from tangent.entry e where e.scene = s.scene and e.seq >= s.first and e.seq < s.trim_to
          and e.at > now() - make_interval(secs => $2) order by seq limit 1),
        s.trim_to
      ) from tangent.scene s where s.scene = $1 and s.trim_to > s.first`,
      [scene, this.retentionSeconds],
    )
    if (bounds === undefined) return 0
    const [first, end] = bounds.map(Number)
    let batches = 0
    let reached = first
    for (; reached < end && batches < mostBatches; batches++) {
      const next = Math.min(reached + ENTRY_COUNT, end)
      await this.deleteEntries(scene, next)
      reached = next
    }
    if (reached > first) {
      await this.query('update tangent.scene set first = $2 where scene = $1 and first < $2', [scene, reached])
    }
    return batches
  }

  /** Of entries before `end`, so many as go into a batch. */
  private async deleteEntries(scene: number, end: number): Promise<void> {
    await this.query(
      `with old as materialized (
        select seq from tangent.entry where scene = $1 and seq < $2
        order by seq limit ${ENTRY_COUNT} for update skip locked
      )
      delete from tangent.entry e using old where e.scene = $1 and e.seq = old.seq`,
      [scene, end],
    )
  }

  /** Returns what is left of the batches. */
  private async sweepDropped(scenes: readonly number[], mostBatches: number): Promise<number> {
    const values = [`{${scenes}}`]
    await this.query(
      `update tangent.snapshot set state = 2, claimed_at = '-infinity'
      where snapshot in (select snapshot from tangent.snapshot where scene = any ($1::bigint[]) for update skip locked)`,
      values,
    )
    let left = await this.sweepSnapshots(mostBatches)
    for (let count = ENTRY_COUNT; left > 0 && count === ENTRY_COUNT; left--) {
      const [row] = await this.query(
        `with old as materialized (
          select scene, seq from tangent.entry where scene = any ($1::bigint[]) limit ${ENTRY_COUNT} for update skip locked
        ), gone as (
          delete from tangent.entry e using old where e.scene = old.scene and e.seq = old.seq returning 1
        )
        select count(*) from gone`,
        values,
      )
      count = Number(row[0])
    }
    await this.query(
      `delete from tangent.scene s where s.scene = any ($1::bigint[]) and s.dropped_at is not null
        and not exists (select from tangent.entry e where e.scene = s.scene)
        and not exists (select from tangent.snapshot p where p.scene = s.scene)`,
      values,
    )
    return left
  }

  /** Chunks of snapshots that are gone, or were never finished. Returns what is left of the batches. */
  private async sweepSnapshots(mostBatches: number): Promise<number> {
    if (mostBatches <= 0) return 0
    let left = mostBatches
    await this.query(
      `update tangent.snapshot set state = 2, claimed_at = now()
      where snapshot in (
        select snapshot from tangent.snapshot where state = 0 and claimed_at < now() - ${CLAIM_LASTS} for update skip locked
      )`,
      [],
    )
    const rows = await this.query(
      `select snapshot from tangent.snapshot where state = 2 and claimed_at <= now() - make_interval(secs => $1)
      order by claimed_at limit ${SCENE_COUNT}`,
      [Math.min(READ_OUT_SECONDS, this.retentionSeconds)],
    )
    for (const [snapshot] of rows) {
      let isEmpty = false
      while (!isEmpty && left > 0) {
        left--
        isEmpty = (await this.deleteChunks(Number(snapshot))) < CHUNK_COUNT
      }
      if (!isEmpty) break
      await this.query(
        `delete from tangent.snapshot s where s.snapshot = $1 and s.state = 2
          and not exists (select from tangent.chunk c where c.snapshot = s.snapshot)`,
        [Number(snapshot)],
      )
    }
    return left
  }

  private async deleteChunks(snapshot: number): Promise<number> {
    const [[count]] = await this.query(
      `with old as materialized (
        select n from tangent.chunk where snapshot = $1 order by n limit ${CHUNK_COUNT} for update skip locked
      ), gone as (
        delete from tangent.chunk c using old where c.snapshot = $1 and c.n = old.n returning 1
      )
      select count(*) from gone`,
      [snapshot],
    )
    return Number(count)
  }

  private query(text: string, values: readonly unknown[]) {
    return this.pool.query(text, values, SWEEP_TIMEOUT_MS)
  }
}
