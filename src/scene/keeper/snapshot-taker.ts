/**
 * Takes snapshots so that recovery stays short: a scene gets one when the entries behind the last one weigh a quarter of it, and at
 * least some megabytes; once it is not written to any more, a third of that is enough. One at a time, in slices between which writes go on.
 */

import { encodeScene } from '../state/scene-snapshot.ts'
import { type SceneStore, StoreClosed } from '../store/store.ts'
import type { SceneWriter } from './scene-writer.ts'
import { packSnapshot } from './stored-forms.ts'

export interface SnapshotFailure {
  event: 'snapshot-failed'
  scene: string
  reason: string
}

/** Entries that weigh less are replayed in about a second. */
export const TAIL_BYTE_COUNT = 24 * 2 ** 20

const SNAPSHOT_SHARE = 4
const OTHERS_FACTOR = 2
const QUIET_FACTOR = 1 / 3
/** After the last write. */
const QUIET_MS = 2000

export class SnapshotTaker {
  private readonly store: SceneStore
  private readonly tailByteCount: number
  private readonly report: (failure: SnapshotFailure) => void
  private readonly waiting = new Set<SceneWriter>()
  private running: Promise<void> | null = null
  /** Scenes that get one when they are quiet, and when they were written to, by `performance.now()`. */
  private readonly writtenAt = new Map<SceneWriter, number>()
  private timer: NodeJS.Timeout | null = null
  private isClosed = false

  constructor(store: SceneStore, tailByteCount: number, report: (failure: SnapshotFailure) => void) {
    this.store = store
    this.tailByteCount = tailByteCount
    this.report = report
  }

  /**
   * Call it whenever the scene's tail has grown. The process that wrote last takes the snapshot; others (`isOwn` false) only if none was
   * taken for long.
   */
  consider(kept: SceneWriter, isOwn: boolean): void {
    if (this.isClosed) return
    if (this.isDue(kept, isOwn ? 1 : OTHERS_FACTOR)) this.enqueue(kept)
    else if (isOwn && this.isDue(kept, QUIET_FACTOR)) {
      this.writtenAt.set(kept, performance.now())
      this.timer ??= setTimeout(() => this.look(), QUIET_MS).unref()
    }
  }

  private isDue({ tailByteCount, snapshotByteCount }: SceneWriter, factor: number): boolean {
    return tailByteCount >= factor * Math.max(this.tailByteCount, snapshotByteCount / SNAPSHOT_SHARE)
  }

  private enqueue(kept: SceneWriter): void {
    this.writtenAt.delete(kept)
    this.waiting.add(kept)
    this.running ??= this.run()
  }

  /** Looks which scenes are quiet now. */
  private look(): void {
    const quietSince = performance.now() - QUIET_MS
    for (const [kept, at] of this.writtenAt) if (at <= quietSince) this.enqueue(kept)
    this.timer = this.writtenAt.size === 0 ? null : setTimeout(() => this.look(), QUIET_MS).unref()
  }

  /** Forgets a scene that is gone. */
  forget(kept: SceneWriter): void {
    this.waiting.delete(kept)
    this.writtenAt.delete(kept)
  }

  /** Cancels the snapshot that is being taken. */
  async close(): Promise<void> {
    this.isClosed = true
    this.waiting.clear()
    this.writtenAt.clear()
    if (this.timer !== null) clearTimeout(this.timer)
    await this.running
  }

  private async run(): Promise<void> {
    for (const kept of this.waiting) {
      this.waiting.delete(kept)
      try {
        await this.take(kept)
      } catch (error) {
        if (!(error instanceof StoreClosed)) {
          this.report({ event: 'snapshot-failed', scene: kept.id, reason: (error as Error).message })
        }
      }
    }
    this.running = null
  }

  /** Whether another process has taken a newer snapshot, which is then noted. */
  private async isTaken(kept: SceneWriter): Promise<boolean> {
    const newest = (await this.store.head(kept.id))?.snapshots[0] ?? 0
    const { scene, snapshotVersion } = kept
    if (newest <= snapshotVersion) return false
    // Weight of the entries behind it, if all entries weigh the same.
    kept.tailByteCount *= Math.max(0, scene.version - newest) / Math.max(1, scene.version - snapshotVersion)
    kept.snapshotVersion = newest
    return true
  }

  private async take(kept: SceneWriter): Promise<void> {
    const { scene, life } = kept
    if (this.store.shared !== null && (await this.isTaken(kept))) return
    const { version } = scene
    const chunks = encodeScene(scene, kept.writes.packed())
    let byteCount = 0
    // If it fails, the next try comes when as much has been written again.
    kept.tailByteCount = 0
    const counted = function* (taker: SnapshotTaker): Generator<Uint8Array> {
      for (const chunk of chunks) {
        if (taker.isClosed) throw new StoreClosed()
        byteCount += chunk.length
        yield chunk
      }
    }
    try {
      // From here on the chunks show this version, whatever is written meanwhile.
      const first = chunks.next()
      const all = function* (rest: Iterable<Uint8Array>): Generator<Uint8Array> {
        if (first.done !== true) yield first.value
        yield* rest
      }
      if (!(await this.store.writeSnapshot(life, version, packSnapshot(version, all(counted(this)))))) return
    } finally {
      chunks.return()
    }
    kept.snapshotByteCount = byteCount
    kept.snapshotVersion = version
    const snapshots = (await this.store.head(life.id))?.snapshots ?? []
    const kepts = snapshots.slice(0, 2)
    if (kepts.length === 2) await this.store.trim(life, kepts[1] + 1, kepts)
  }
}
