/**
 * What of a scene's log and snapshots is one history: every entry follows the one before it by its digest, and every snapshot has the
 * digest that the entries come to.
 *
 * Snapshots of earlier releases say no digest: who starts from one starts from zeros, and who comes to it by entries has another. So
 * what lies before such a snapshot is another history than what is served, which follows from the newest snapshot that is whole. It is
 * left out, as is what lies before an entry that is missing: the history begins at the next snapshot then.
 */

import { readEntry } from '../keeper/recovery.ts'
import { unpackSnapshot } from '../keeper/snapshot-container.ts'
import { digestInSnapshot } from '../state/scene-snapshot.ts'
import { firstDigest, isSameDigest } from '../store/digest.ts'
import type { NewEntry, SceneStore, StoredEntry, StoredScene } from '../store/store.ts'

export interface SceneHistory {
  /** Number of its first entry; the version + 1 where there is none. */
  readonly first: number
  /** What the first entry follows; null where that is not known, but the entry's own digest is. */
  readonly before: Uint8Array | null
  /** Of the last entry. */
  readonly digest: Uint8Array
  /** Versions, newest first. */
  readonly snapshots: readonly number[]
  readonly entryCount: number
  /** Of the entries, as they are stored. */
  readonly byteCount: number
}

/** What was read is not what it was, or was meant to be. */
export class HistoryFault extends Error {
  override readonly name = 'HistoryFault'
}

/** `isUsable`: whether a snapshot may be part of it. A string: why there is no history that leads to where the scene stands. */
export async function historyOf(
  store: SceneStore,
  stored: StoredScene,
  isUsable: (version: number) => boolean = () => true,
): Promise<SceneHistory | string> {
  const digests = await snapshotDigests(store, stored, isUsable)
  let first = stored.first
  let before: Uint8Array | null = stored.first === 1 ? firstDigest() : null
  let digest = before
  let byteCount = 0
  let fault = `its log begins at ${first} and no snapshot is whole`
  const meetSnapshot = (version: number) => {
    const said = digests.get(version)
    if (said === undefined || (digest !== null && isSameDigest(digest, said))) return
    first = version + 1
    before = said
    digest = said
    byteCount = 0
  }
  meetSnapshot(stored.first - 1)
  for await (const read of store.read(stored, stored.first, stored.version)) {
    if (digest === null && read.digest !== undefined && before === null && read.version === first) {
      digest = await ownDigest(read)
    } else if (digest !== null) {
      const entry = await readEntry(read, digest)
      if (typeof entry === 'string') fault = `its entry ${read.version} is damaged: ${entry}`
      digest = typeof entry === 'string' ? null : (entry.digest as Uint8Array)
      if (digest === null) first = Infinity
    }
    byteCount += read.bytes?.length ?? 0
    meetSnapshot(read.version)
  }
  if (digest === null) return fault
  const snapshots = [...digests.keys()].filter((version) => version >= first - 1).sort((a, b) => b - a)
  return { first, before, digest, snapshots, entryCount: stored.version - first + 1, byteCount }
}

/** The digest that an entry was stored with; null where it is not whole. */
async function ownDigest(read: StoredEntry): Promise<Uint8Array | null> {
  const { digest = null, ...bare } = read
  return typeof (await readEntry(bare, firstDigest())) === 'string' ? null : digest
}

/** By version, of the snapshots that are whole. */
async function snapshotDigests(
  store: SceneStore,
  stored: StoredScene,
  isUsable: (version: number) => boolean,
): Promise<Map<number, Uint8Array>> {
  const digests = new Map<number, Uint8Array>()
  for (const version of stored.snapshots) {
    if (version < stored.first - 1 || !isUsable(version)) continue
    try {
      let digest: Uint8Array | null = null
      for await (const chunk of unpackSnapshot(version, store.readSnapshot(stored, version))) {
        digest ??= digestInSnapshot(chunk)
      }
      if (digest !== null) digests.set(version, digest)
    } catch {
      // what is not whole is no part of it
    }
  }
  return digests
}

/** The entries of the history, with their digests. Throws a `HistoryFault` where they are not what they were. */
export async function* entriesOf(
  store: SceneStore,
  stored: StoredScene,
  history: SceneHistory,
  onEntry: (byteCount: number) => void,
): AsyncGenerator<NewEntry> {
  let digest = history.before
  let version = history.first - 1
  for await (const read of store.read(stored, history.first, stored.version)) {
    if (digest === null) digest = await ownDigest(read)
    else {
      const entry = await readEntry(read, digest)
      if (typeof entry === 'string') throw new HistoryFault(`its entry ${read.version} is damaged: ${entry}`)
      digest = entry.digest as Uint8Array
    }
    if (read.bytes === null || digest === null) throw new HistoryFault(`its entry ${read.version} is missing`)
    version = read.version
    onEntry(read.bytes.length)
    yield { bytes: read.bytes, digest }
  }
  const isWhole = version === stored.version && (digest === null || isSameDigest(digest, history.digest))
  if (!isWhole) throw new HistoryFault('its log is not what it was a moment ago')
}
