/**
 * Brings a scene up to date with its log: reads the entries that other processes have appended, checks that they follow the applied ones,
 * and passes them on one at a time.
 */

import type { Entry } from '../state/operation.ts'
import type { Scene } from '../state/scene.ts'
import { isSameDigest, payloadByteCount } from '../store/checksum-frame.ts'
import type { SceneLife, SceneStore } from '../store/store.ts'
import { Turns } from './in-turns.ts'
import { OTHER_HISTORY, readEntry } from './recovery.ts'

/** Reasons why a scene in memory is not the one in its store. */
export type Divergence =
  /** Its last entries are missing from the log: the store was restored to an earlier state. */
  | 'forked'
  /** Entries behind its last one were trimmed. */
  | 'outrun'
  /** The scene and its last entry are gone. */
  | 'gone'

export interface Catching {
  readonly scene: Scene
  readonly life: SceneLife
  /** Takes the next entry; a write in flight for the same version has lost. */
  takeIn(entry: Entry, byteCount: number): Promise<void>
  /** `reason`: how it was detected, for the log of the service. */
  diverged(how: Divergence, reason: string): void
  broken(version: number, reason: string): void
  /** Whether no more entries are wanted. */
  readonly isOver: boolean
}

export class CatchUp {
  private readonly catching: Catching
  private readonly store: SceneStore
  private running: Promise<void> | null = null
  private next: Promise<void> | null = null

  constructor(catching: Catching, store: SceneStore) {
    this.catching = catching
    this.store = store
  }

  /** Resolves when all entries in the log at the time of the call are taken in. Rejects with the store's error. */
  toEnd(): Promise<void> {
    if (this.running === null) {
      this.running = this.run().finally(() => {
        this.running = null
      })
      return this.running
    }
    // The caller may know of a later version than the one being read.
    this.next ??= this.running
      .catch(() => undefined)
      .then(() => {
        this.next = null
        return this.toEnd()
      })
    return this.next
  }

  /** Reads to the end of the log, and checks that the scene is still the one in the store. */
  async toEndOfSame(): Promise<void> {
    const { catching } = this
    const before = catching.scene.version
    await this.toEnd()
    const { version, digest } = catching.scene
    // Entries that follow its own are of the same log.
    if (version > before) return
    const head = await this.store.head(catching.life.id)
    if (catching.isOver) return
    if (head === null || head.incarnation !== catching.life.incarnation) {
      // Its last entry, which dropped it, may have arrived meanwhile.
      await this.toEnd()
      if (!catching.isOver) catching.diverged('gone', 'the store does not have it any more')
      return
    }
    const isOther = head.version === version && head.digest !== undefined && !isSameDigest(head.digest, digest)
    if (head.version < version) catching.diverged('forked', `the store has it at version ${head.version}`)
    else if (isOther) catching.diverged('forked', `the store has another version ${version}`)
  }

  private async run(): Promise<void> {
    const { catching, store } = this
    const { scene } = catching
    const turns = new Turns()
    for await (const read of store.read(catching.life, scene.version + 1)) {
      if (catching.isOver) return
      if (read.version <= scene.version) continue
      if (read.bytes === null) {
        catching.diverged('outrun', `entry ${read.version} is not kept any more`)
        return
      }
      const entry = await readEntry(read, scene.digest)
      if (catching.isOver) return
      if (entry === OTHER_HISTORY) {
        catching.diverged('forked', `entry ${read.version} follows another version ${scene.version}`)
        return
      }
      if (typeof entry === 'string') {
        catching.broken(read.version, entry)
        return
      }
      await catching.takeIn(entry, payloadByteCount(read.bytes))
      if (catching.isOver) return
      await turns.pause()
    }
  }
}
