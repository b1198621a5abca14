/**
 * Loads a scene from its store: the newest whole snapshot, then the entries behind it, one by one.
 *
 * A damaged scene is never loaded in part. If a snapshot is damaged, an older one is loaded and more entries are replayed. If an entry is
 * missing or damaged, the scene stays in the store and is not served, because that entry was acknowledged.
 *
 * `ScenePast` reads old entries and old versions. The log of a scene reaches back to the snapshot before the newest one
 * (`snapshot-taker.ts`), or to its first entry. Readers never block writers; entries trimmed meanwhile are reported as missing.
 */

import { Pace, type Slices } from '../../containers/budget.ts'
import type { Prepares } from '../state/geometry.ts'
import { slotOfId } from '../state/ids.ts'
import { checkOperationsInSlices, type Entry, type Operation } from '../state/operation.ts'
import {
  apply,
  applyInSlices,
  createScene,
  finishEntry,
  finishReplay,
  holdShapes,
  replayInSlices,
  type Scene,
  takesLong,
} from '../state/scene.ts'
import { SceneDecoder } from '../state/scene-snapshot.ts'
import { isSameDigest, nextDigest, payloadByteCount, WRITE_ID_BYTE_COUNT } from '../store/checksum-frame.ts'
import type { SceneLife, SceneStore, StoredEntry, StoredScene } from '../store/store.ts'
import { inTurns, Turns } from './in-turns.ts'
import { RememberedWrites } from './remembered-writes.ts'
import { answerOf, isAnsweredByScene } from './scene-summary.ts'
import { decodeEntryInTurns, type OpenedEntry, openEntry, unpackSnapshot, wholeEntry } from './stored-forms.ts'

export type RecoveryEvent =
  | { event: 'snapshot-damaged'; scene: string; version: number; reason: string }
  | { event: 'scene-damaged'; scene: string; reason: string }

export interface Recovered {
  scene: Scene
  writes: RememberedWrites
  tailByteCount: number
  snapshotByteCount: number
}

/** Loads a scene, or returns null if it is damaged. Calls `report` for each finding. Rejects only if the store itself fails. */
export async function recoverScene(
  store: SceneStore,
  stored: StoredScene,
  prepare: Prepares,
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
  // Removes the damaged snapshots: the scene is whole without them.
  if (passedOver > 0) await store.trim(stored, stored.first, stored.snapshots.slice(passedOver))
  return recovered
}

export interface FoldOptions {
  /** The version to load; default: the last one. */
  version?: number
  /** Called for each damaged snapshot. */
  passOver: (version: number, reason: string) => void
  /** Called from time to time; false stops the work. */
  isWanted?: () => boolean
}

/** Builds a scene from its log and snapshots, or returns the reason why it cannot. `stored`: the store's record of it. */
export async function foldScene(
  store: SceneStore,
  stored: StoredScene,
  prepare: Prepares,
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
  /** The tree is made after the last entry, or before one whose answer says what bounds the bodies. */
  let hasTree = false
  if (stored.first > scene.version + 1) {
    return `its log begins at ${stored.first} and no snapshot before that is whole`
  }
  for await (const read of store.read(stored, scene.version + 1, last)) {
    if (!isWanted()) return 'it is not wanted any more'
    const { version } = read
    const opened = await openStored(read, scene.digest)
    if (typeof opened === 'string') return damagedEntry(version, opened)
    if (!hasTree && scene.table.count > 0 && isAnsweredByScene(opened.head)) {
      await inTurns(finishReplay(scene))
      hasTree = true
    }
    try {
      const fault = await (hasTree ? replay(recovered, await wholeEntry(opened)) : replayUnseen(recovered, opened))
      if (fault !== null) return `its entry ${version} cannot be applied: ${fault}`
    } catch (error) {
      return damagedEntry(version, (error as Error).message)
    }
    recovered.tailByteCount += payloadByteCount(read.bytes as Uint8Array)
    await turns.pause()
  }
  if (scene.id !== stored.id && last !== 0) return `it says it is ${scene.id}`
  if (!hasTree) await inTurns(finishReplay(scene))
  return recovered
}

/** For entries without a write id. */
const NO_WRITE_ID = new Uint8Array(WRITE_ID_BYTE_COUNT)

/** Decodes an entry and adds its digest, or returns what is wrong with it. `before`: the digest of the entry before it. */
export async function readEntry(read: StoredEntry, before: Uint8Array): Promise<Entry | string> {
  const opened = await openStored(read, before)
  if (typeof opened === 'string') return opened
  try {
    return await wholeEntry(opened)
  } catch (error) {
    return (error as Error).message
  }
}

/** As `readEntry`, with the operations yet to be decoded. */
async function openStored(read: StoredEntry, before: Uint8Array): Promise<OpenedEntry | string> {
  const { version, bytes, digest: kept, damage = 'it is missing' } = read
  if (bytes === null) return damage
  try {
    const { head, pieces } = await openEntry(version, bytes)
    const digest = digestOf(head, bytes, before)
    if (kept !== undefined && !isSameDigest(kept, digest)) return OTHER_HISTORY
    return { head: { ...head, digest }, pieces }
  } catch (error) {
    return (error as Error).message
  }
}

const damagedEntry = (version: number, reason: string) => `its entry ${version} is damaged: ${reason}`

/** The digest of an entry in these bytes. `before`: the digest of the entry before it. */
function digestOf({ writeId = NO_WRITE_ID }: Entry, bytes: Uint8Array, before: Uint8Array): Uint8Array {
  return nextDigest(before, writeId, bytes)
}

/** Reason for an entry whose digest does not follow that of the entry before it. */
export const OTHER_HISTORY = 'it is of another history'

type Replayed = Pick<Recovered, 'scene' | 'writes'>

/** Applies the next entry. Returns null, or the reason why it cannot; the scene is then unchanged, unless it is broken. */
export async function replay({ scene, writes }: Replayed, entry: Entry): Promise<string | null> {
  const fault = await faultOf(scene, entry.operations)
  if (fault !== null) return fault
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

async function faultOf({ table: { ids } }: Scene, operations: readonly Operation[]): Promise<string | null> {
  const has = (id: string) => slotOfId(ids, id) >= 0
  const fault = await inTurns(checkOperationsInSlices(has, operations, new Pace()))
  return fault && `the body ${fault.id} is not there`
}

/**
 * Applies the next entry, piece by piece, to a scene that is yet to get its tree. Returns null, or the reason why it cannot; rejects when
 * a piece is damaged.
 */
async function replayUnseen({ scene, writes }: Replayed, { head, pieces }: OpenedEntry): Promise<string | null> {
  holdShapes(scene, head)
  for (const operations of pieces) {
    const fault = await faultOf(scene, operations)
    if (fault !== null) return fault
    try {
      await inTurns(replayInSlices(scene, operations))
    } catch (error) {
      return (error as Error).message
    }
  }
  finishEntry(scene, head)
  writes.rememberEntry(head, scene.id, answerOf(scene, head))
  return null
}

/** Remembers the write in the slice that sets the version: a snapshot of this version must contain the write. */
function* applyAndRemember(scene: Scene, writes: RememberedWrites, entry: Entry): Slices<void> {
  yield* applyInSlices(scene, entry)
  writes.rememberEntry(entry, scene.id, answerOf(scene, entry))
}

/** Loads the newest snapshot that is whole, or returns null. */
async function fromSnapshot(
  store: SceneStore,
  stored: StoredScene,
  snapshots: readonly number[],
  prepare: Prepares,
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
      const { scene, extra } = await inTurns(decoder.finishBodies())
      if (scene.version !== version) throw new Error(`it is of version ${scene.version}`)
      const writes = RememberedWrites.from(extra, scene.id)
      return { scene, writes, tailByteCount: 0, snapshotByteCount }
    } catch (error) {
      passOver(version, (error as Error).message)
    }
  }
  return null
}

/** An entry that is not decoded yet. */
export interface PastEntry {
  readonly version: number
  /** Its length in the log, before deflation. */
  readonly byteCount: number
  /** Null if the store keeps no digests. */
  readonly digest: Uint8Array | null
  /** Decodes it in slices, and rejects if the bytes are damaged. `before`: the digest of the entry before it, to compute its own. */
  decode(before?: Uint8Array): Promise<Entry>
}

/** Bounds of one batch of entries. */
const MOST_ENTRIES = 512
const MOST_LENGTH = 2 ** 21

export class ScenePast {
  readonly #store: SceneStore
  readonly #prepare: Prepares
  readonly #lifeOf: (id: string) => SceneLife | null

  /** `lifeOf` returns the life of a scene that is served. */
  constructor(store: SceneStore, prepare: Prepares, lifeOf: (id: string) => SceneLife | null) {
    this.#store = store
    this.#prepare = prepare
    this.#lifeOf = lifeOf
  }

  /** Whether the store keeps a digest for every entry. */
  get keepsDigests(): boolean {
    return this.#store.shared !== null
  }

  /**
   * Reads one batch of entries, from one version to another at most, in order. Ends before the first missing entry.
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

  /** Builds a separate scene at an old version; null if that version is not kept, or no longer wanted. */
  async sceneAt(id: string, version: number, isWanted: () => boolean): Promise<Scene | null> {
    const stored = await this.#store.head(id)
    if (
      stored === null ||
      stored.incarnation !== this.#lifeOf(id)?.incarnation ||
      stored.damage !== undefined ||
      version > stored.version
    )
      return null
    // damaged snapshots were reported when the scene was recovered
    const folded = await foldScene(this.#store, stored, this.#prepare, { version, passOver: () => undefined, isWanted })
    return typeof folded === 'string' || folded.scene.version !== version ? null : folded.scene
  }
}
