/**
 * Loads a scene from its store: the newest whole snapshot, then the entries behind it, one by one.
 *
 * A damaged scene is never loaded in part. A damaged snapshot is skipped for an older one and a longer replay. An entry that is missing
 * or damaged leaves the scene in the store, unserved: it is there because it was acknowledged.
 *
 * `ScenePast` reads old entries and old versions. The log of a scene reaches back to the snapshot before the newest one
 * (`snapshot-taker.ts`), or to its first entry. Reading it keeps no writer waiting; entries trimmed meanwhile are reported as missing.
 */

import { Pace, type Slices } from '../../containers/pace.ts'
import type { Prepare } from '../state/body-table.ts'
import { slotOfId } from '../state/ids.ts'
import { checkOperationsInSlices, type Entry } from '../state/operation.ts'
import { apply, applyInSlices, createScene, type Scene, takesLong } from '../state/scene.ts'
import { SceneDecoder } from '../state/scene-snapshot.ts'
import { isSameDigest, nextDigest, payloadByteCount, WRITE_ID_BYTE_COUNT } from '../store/checksum-frame.ts'
import type { SceneLife, SceneStore, StoredEntry, StoredScene } from '../store/store.ts'
import { inTurns, Turns } from './in-turns.ts'
import { RememberedWrites } from './remembered-writes.ts'
import { answerOf } from './scene-summary.ts'
import { decodeEntryInTurns, unpackSnapshot } from './stored-forms.ts'

export type RecoveryEvent =
  | { event: 'snapshot-damaged'; scene: string; version: number; reason: string }
  | { event: 'scene-damaged'; scene: string; reason: string }

export interface Recovered {
  scene: Scene
  writes: RememberedWrites
  tailByteCount: number
  snapshotByteCount: number
}

/** `null`: damaged. Every finding is told to `report`. Rejects only when the store itself fails. */
export async function recoverScene(
  store: SceneStore,
  stored: StoredScene,
  prepare: Prepare,
  report: (event: RecoveryEvent) => void,
): Promise<Recovered | null> {
  const damaged = (reason: string) => {
    report({ event: 'scene-damaged', scene: stored.id, reason })
    return null
  }
  if (stored.damage !== undefined) return damaged(stored.damage)
  let passedOver = 0
  const recovered = await foldScene(store, stored, prepare, {
    passOver: (version, reason) => {
      passedOver++
      report({ event: 'snapshot-damaged', scene: stored.id, version, reason })
    },
  })
  if (typeof recovered === 'string') return damaged(recovered)
  // The scene is whole without them, and a snapshot that is kept should be one.
  if (passedOver > 0) await store.trim(stored, stored.first, stored.snapshots.slice(passedOver))
  return recovered
}

export interface FoldOptions {
  /** The version that is wanted; the last one when absent. */
  version?: number
  /** Told of snapshots that are not whole. */
  passOver: (version: number, reason: string) => void
  /** Asked now and then. */
  isWanted?: () => boolean
}

/** The scene as its log and snapshots give it, or why they do not. `stored`: what the store knows of it. */
export async function foldScene(
  store: SceneStore,
  stored: StoredScene,
  prepare: Prepare,
  { version: last = Infinity, passOver, isWanted = () => true }: FoldOptions,
): Promise<Recovered | string> {
  const snapshots = stored.snapshots.filter((version) => version <= last)
  const recovered = (await fromSnapshot(store, stored, snapshots, prepare, passOver, isWanted)) ?? {
    scene: createScene(prepare),
    writes: new RememberedWrites(),
    tailByteCount: 0,
    snapshotByteCount: 0,
  }
  const { scene } = recovered
  const turns = new Turns()
  if (stored.first > scene.version + 1) {
    return `its log begins at ${stored.first} and no snapshot before that is whole`
  }
  for await (const read of store.read(stored, scene.version + 1, last)) {
    if (!isWanted()) return 'it is not wanted any more'
    const { version } = read
    const entry = await readEntry(read, scene.digest)
    if (typeof entry === 'string') return `its entry ${version} is damaged: ${entry}`
    const fault = await replay(recovered, entry)
    if (fault !== null) return `its entry ${version} cannot be applied: ${fault}`
    recovered.tailByteCount += payloadByteCount(read.bytes as Uint8Array)
    await turns.pause()
  }
  return scene.id === stored.id || last === 0 ? recovered : `it says it is ${scene.id}`
}

/** Of entries that have none. */
const NO_WRITE_ID = new Uint8Array(WRITE_ID_BYTE_COUNT)

/** The entry, with its digest, as it follows the one with the digest `before`; or what is wrong with it. */
export async function readEntry(read: StoredEntry, before: Uint8Array): Promise<Entry | string> {
  const { version, bytes, digest: kept, damage = 'it is missing' } = read
  if (bytes === null) return damage
  try {
    const entry = await decodeEntryInTurns(version, bytes)
    const digest = digestOf(entry, bytes, before)
    if (kept !== undefined && !isSameDigest(kept, digest)) return OTHER_HISTORY
    return { ...entry, digest }
  } catch (error) {
    return (error as Error).message
  }
}

/** Of an entry in these bytes, behind the one with the digest `before`. */
function digestOf({ writeId = NO_WRITE_ID }: Entry, bytes: Uint8Array, before: Uint8Array): Uint8Array {
  return nextDigest(before, writeId, bytes)
}

/** Reason when an entry follows another one than the entry before it. */
export const OTHER_HISTORY = 'it is of another history'

/** Applies an entry, which is the next; why that cannot be, or null. Nothing is changed then, unless the scene is broken. */
export async function replay(
  { scene, writes }: Pick<Recovered, 'scene' | 'writes'>,
  entry: Entry,
): Promise<string | null> {
  const has = (id: string) => slotOfId(scene.table.ids, id) >= 0
  const fault = await inTurns(checkOperationsInSlices(has, entry.operations, new Pace()))
  if (fault !== null) return `the body ${fault.id} is not there`
  try {
    if (takesLong(scene, entry)) await inTurns(applyAndRemember(scene, writes, entry))
    else {
      apply(scene, entry)
      writes.rememberEntry(entry, scene.id, answerOf(scene, entry))
    }
  } catch (error) {
    return (error as Error).message
  }
  return null
}

/** In one go at the end: a snapshot that is begun in between has the version, and is to have the write. */
function* applyAndRemember(scene: Scene, writes: RememberedWrites, entry: Entry): Slices<void> {
  yield* applyInSlices(scene, entry)
  writes.rememberEntry(entry, scene.id, answerOf(scene, entry))
}

/** The scene as the newest whole of the snapshots has it, or null when there is none. */
async function fromSnapshot(
  store: SceneStore,
  stored: StoredScene,
  snapshots: readonly number[],
  prepare: Prepare,
  passOver: (version: number, reason: string) => void,
  isWanted: () => boolean,
): Promise<Recovered | null> {
  for (const version of snapshots) {
    try {
      const decoder = new SceneDecoder(prepare)
      let snapshotByteCount = 0
      for await (const chunk of unpackSnapshot(version, store.readSnapshot(stored, version))) {
        if (!isWanted()) return null
        snapshotByteCount += chunk.length
        await inTurns(decoder.pushInSlices(chunk))
      }
      const { scene, extra } = await inTurns(decoder.finishInSlices())
      if (scene.version !== version) throw new Error(`it is of version ${scene.version}`)
      const writes = RememberedWrites.from(extra, scene.id)
      return { scene, writes, tailByteCount: 0, snapshotByteCount }
    } catch (error) {
      passOver(version, (error as Error).message)
    }
  }
  return null
}

/** An entry that has not been decoded. */
export interface PastEntry {
  readonly version: number
  /** As it is in the log, before it is deflated. */
  readonly byteCount: number
  /** Where the store keeps digests; null. */
  readonly digest: Uint8Array | null
  /** Rejects where the bytes are not whole. In slices. `before`: the digest of the entry before it, for its own. */
  decode(before?: Uint8Array): Promise<Entry>
}

/** Bounds of one batch of entries. */
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
