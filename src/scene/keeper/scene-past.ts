/**
 * What has been of scenes, as far as their store has it: entries that were applied long ago, and the scene of an old version. Several
 * processes over one store read the same.
 *
 * The log of a scene reaches back to the snapshot before the newest one (`snapshot-taker.ts`), or to its first entry. Nothing here
 * keeps writers waiting; what is trimmed while it is read is told as not there.
 */
import type { Scene } from '../state/scene.ts'
import { payloadByteCount } from '../store/checksum-frame.ts'
import type { SceneLife, SceneStore } from '../store/store.ts'
import type { Prepare } from '../table/body-table.ts'
import type { Entry } from '../table/operation.ts'
import { decodeEntryInTurns } from './log-entry.ts'
import { digestOf, foldScene } from './recovery.ts'

/** An entry that has not been looked into. */
export interface PastEntry {
  readonly version: number
  /** As it is in the log, before it is deflated. */
  readonly byteCount: number
  /** Where the store keeps digests; null. */
  readonly digest: Uint8Array | null
  /** Rejects where the bytes are not whole. In slices. `before`: the digest of the entry before it, for its own. */
  decode(before?: Uint8Array): Promise<Entry>
}

/** What is handled at a time. */
const MOST_ENTRIES = 512
const MOST_LENGTH = 2 ** 21

export class ScenePast {
  readonly #store: SceneStore
  readonly #prepare: Prepare
  readonly #lifeOf: (id: string) => SceneLife | null

  /** `lifeOf`: which life of a scene is served. */
  constructor(store: SceneStore, prepare: Prepare, lifeOf: (id: string) => SceneLife | null) {
    this.#store = store
    this.#prepare = prepare
    this.#lifeOf = lifeOf
  }

  /** Whether the store has the digest of every entry that it has. */
  get keepsDigests(): boolean {
    return this.#store.shared !== null
  }

  /**
   * Entries from one version to another at most, in order: as many as are handled at a time, and none behind the first that is not
   * there.
   */
  async entries(id: string, from: number, to: number): Promise<PastEntry[]> {
    const entries: PastEntry[] = []
    const life = this.#lifeOf(id)
    if (life === null) return entries
    let length = 0
    for await (const { version, bytes, digest = null } of this.#store.read(life, from, to)) {
      if (bytes === null) break
      const byteCount = payloadByteCount(bytes)
      const decode = async (before?: Uint8Array) => {
        const entry = await decodeEntryInTurns(version, bytes)
        if (digest !== null) return { ...entry, digest }
        return before === undefined ? entry : { ...entry, digest: digestOf(entry, bytes, before) }
      }
      entries.push({ version, byteCount, digest, decode })
      length += byteCount
      if (entries.length === MOST_ENTRIES || length >= MOST_LENGTH) break
    }
    return entries
  }

  /** A scene of its own as the scene was at a version; null where that is not kept, or not wanted any more. */
  async sceneAt(id: string, version: number, isWanted: () => boolean): Promise<Scene | null> {
    const stored = await this.#store.head(id)
    if (
      stored === null ||
      stored.incarnation !== this.#lifeOf(id)?.incarnation ||
      stored.damage !== undefined ||
      version > stored.version
    )
      return null
    // snapshots that are not whole have been told of when the scene was brought back
    const folded = await foldScene(this.#store, stored, this.#prepare, { version, passOver: () => undefined, isWanted })
    return typeof folded === 'string' || folded.scene.version !== version ? null : folded.scene
  }
}
