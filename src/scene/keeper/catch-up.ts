/**
 * Brings a scene to where its log stands, by what others have written to it: entries behind those that are applied are read,
 * checked to follow them, and handed on, one at a time.
 */

import type { Entry } from '../state/operation.ts'
import type { Scene } from '../state/scene.ts'
import { isSameDigest, payloadByteCount } from '../store/checksum-frame.ts'
import type { SceneLife, SceneStore } from '../store/store.ts'
import { Turns } from './in-turns.ts'
import { OTHER_HISTORY, readEntry } from './recovery.ts'

/** Why a scene that is in memory is not the one that its store has. */
export type Divergence =
  /** Its last entries are not in the log any more: the store was put back to an earlier state. */
  | 'forked'
  /** Entries behind its last one are not kept any more. */
  | 'outrun'
  /** It is not there any more, nor is its last entry. */
  | 'gone'

export interface Catching {
  readonly scene: Scene
  readonly life: SceneLife
  /** Takes the entry behind the last; what was meant to stand in its place has lost. */
  takeIn(entry: Entry, byteCount: number): Promise<void>
  /** `reason`: how that was seen, for people. */
  diverged(how: Divergence, reason: string): void
  broken(version: number, reason: string): void
  /** Nothing more is to be taken in. */
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

  /** Resolves when all has been taken in that was in the log when this was called. Rejects with the errors of the store. */
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
    // Entries that follow those it has are of the same log.
    if (version > before) return
    const head = await this.store.head(catching.life.id)
    if (catching.isOver) return
    if (head === null || head.incarnation !== catching.life.incarnation) {
      // Its last entry, by which it was dropped, may have come meanwhile.
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
