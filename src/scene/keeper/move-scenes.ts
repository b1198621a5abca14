/**
 * Moves all scenes of a store to another one, one after the other, so that memory is bounded by the largest scene.
 *
 * Entries and snapshots are copied byte for byte, so versions, digests, ids of writes and keys of requests stay. Each scene is first
 * loaded as a service would load it: a scene that cannot be served is not moved. The written scene is read back, and must come to the
 * same digest.
 *
 * A history is a log and snapshots that belong together: every entry follows the one before it by its digest, and every snapshot has the
 * digest that the entries come to. Snapshots of earlier releases have no digest, so entries behind one start from zeros, and entries
 * that lead to it have another. The part before such a snapshot is another history than the served one, which follows from the newest
 * whole snapshot; it is left out. So is the part before a missing entry: the history then begins at the next snapshot.
 */

import { createHash } from 'node:crypto'
import type { Prepares } from '../state/geometry.ts'
import { digestInSnapshot, encodeScene } from '../state/scene-snapshot.ts'
import { firstDigest, isSameDigest } from '../store/checksum-frame.ts'
import type { Adopting, NewEntry, SceneStore, StoredEntry, StoredScene } from '../store/store.ts'
import { foldScene, type Recovered, readEntry } from './recovery.ts'
import { summaryOf } from './scene-summary.ts'
import { unpackSnapshot } from './stored-forms.ts'

interface MoveOptions {
  readonly prepare: Prepares
  /** Whether to fold what was written, too, and compare the scenes to the last bit. */
  readonly isFolded?: boolean
  /** Called with the progress of writing. */
  readonly onBytes?: (byteCount: number) => void
}

type MoveOutcome =
  | { readonly result: 'moved'; readonly history: SceneHistory; readonly notes: readonly string[] }
  /** The very same is there already. */
  | { readonly result: 'there' }
  | {
      /** `damaged`: it cannot be read; `taken`: another is there; `changed`: it was written to meanwhile; `unlike`: not as it was. */
      readonly result: 'damaged' | 'taken' | 'changed' | 'unlike'
      readonly reason: string
    }

/** Rejects with the errors of the stores. Nothing of the scene is there then, or all of it. */
async function moveScene(
  from: SceneStore,
  to: SceneStore & Adopting,
  stored: StoredScene,
  options: MoveOptions,
): Promise<MoveOutcome> {
  const { id } = stored
  if (stored.damage !== undefined) return { result: 'damaged', reason: stored.damage }
  const there = await to.head(id)
  if (there !== null) return comparison(from, to, stored, there)
  const notes: string[] = []
  const damaged = new Set<number>()
  const folded = await folding(from, stored, options.prepare, (version, reason) => {
    damaged.add(version)
    notes.push(`its snapshot ${version} is damaged (${reason}) and was left out`)
  })
  if (typeof folded === 'string') return { result: 'damaged', reason: folded }
  const history = await historyOf(from, stored, (version) => !damaged.has(version))
  if (typeof history === 'string') return { result: 'damaged', reason: history }
  const { summary, content } = folded
  if (!isSameDigest(history.digest, summary.digest)) {
    return { result: 'damaged', reason: 'its log and its snapshots do not fit each other' }
  }
  if (history.first > stored.first) {
    notes.push(`what was before ${history.first} does not lead to it by digests and was left out`)
  }
  try {
    const isKept = await to.adopt({
      id,
      version: stored.version,
      digest: history.digest,
      first: history.first,
      summary,
      entries: () => entriesOf(from, stored, history, options.onBytes ?? (() => undefined)),
      snapshots: history.snapshots,
      snapshot: (version) => from.readSnapshot(stored, version),
    })
    if (!isKept) return { result: 'taken', reason: 'somebody has just begun a scene of this id' }
  } catch (error) {
    if (error instanceof HistoryFault) return { result: 'damaged', reason: error.message }
    throw error
  }
  const difference = await differenceOf(to, stored, history, options, content)
  if (difference !== null) return { result: 'unlike', reason: difference }
  const now = await from.head(id)
  if (now?.version !== stored.version || now.incarnation !== stored.incarnation) {
    return {
      result: 'changed',
      reason: `it was written to while it was moved, which was as of version ${stored.version}`,
    }
  }
  return { result: 'moved', history, notes }
}

/** Outcome for a scene whose id is taken in the target. */
async function comparison(
  from: SceneStore,
  to: SceneStore,
  stored: StoredScene,
  there: StoredScene,
): Promise<MoveOutcome> {
  if (there.version !== stored.version) {
    return {
      result: 'taken',
      reason: `there is one of its id at version ${there.version}; this is at ${stored.version}`,
    }
  }
  const [ours, theirs] = [await digestOf(from, stored), await digestOf(to, there)]
  if (typeof ours === 'string') return { result: 'damaged', reason: ours }
  if (typeof theirs === 'string') return { result: 'taken', reason: `there is one of its id, and ${theirs}` }
  return isSameDigest(ours, theirs)
    ? { result: 'there' }
    : { result: 'taken', reason: 'there is another of its id at the same version' }
}

async function digestOf(store: SceneStore, stored: StoredScene): Promise<Uint8Array | string> {
  if (stored.damage !== undefined) return stored.damage
  if (stored.digest !== undefined) return stored.digest
  const history = await historyOf(store, stored)
  return typeof history === 'string' ? history : history.digest
}

/** The scene at the end of its log: its summary and a hash of all of it; or why it cannot be read. */
async function folding(
  store: SceneStore,
  stored: StoredScene,
  prepare: Prepares,
  passOver: (version: number, reason: string) => void,
) {
  const folded = await foldScene(store, stored, prepare, { version: stored.version, passOver })
  if (typeof folded === 'string') return folded
  const { version } = folded.scene
  if (version !== stored.version) return `its log ends at ${version}, not at ${stored.version}`
  return { summary: summaryOf(folded.scene), content: contentOf(folded) }
}

/** A hash of the scene and its remembered writes. Equal for equal scenes. */
function contentOf({ scene, writes }: Recovered): string {
  const hash = createHash('sha256')
  for (const chunk of encodeScene(scene, writes.packed())) hash.update(chunk)
  return hash.digest('hex')
}

/** Reads the written scene back: the first difference, or null. */
async function differenceOf(
  to: SceneStore,
  stored: StoredScene,
  expected: SceneHistory,
  { prepare, isFolded = false }: MoveOptions,
  content: string,
): Promise<string | null> {
  const head = await to.head(stored.id)
  if (head === null) return 'it is not there'
  if (head.version !== stored.version) return `it is at version ${head.version}, not at ${stored.version}`
  const history = await historyOf(to, head)
  if (typeof history === 'string') return history
  if (!isSameDigest(history.digest, expected.digest)) return 'its digest is another'
  if (head.digest !== undefined && !isSameDigest(head.digest, history.digest))
    return 'it is said to have another digest'
  // Entries that no snapshot leads to have their digests in stores that keep them only.
  const isWhole = expected.before === null ? head.first === expected.first : history.first === expected.first
  if (!isWhole || `${history.snapshots}` !== `${expected.snapshots}`) return 'something of its log is missing'
  if (!isFolded) return null
  const folded = await folding(to, head, prepare, () => undefined)
  if (typeof folded === 'string') return folded
  return folded.content === content ? null : 'its bodies, or the writes that it remembers, are others'
}

interface SceneHistory {
  /** Number of its first entry; the version + 1 where there is none. */
  readonly first: number
  /** The digest that the first entry follows; null where only the entry's own digest is known. */
  readonly before: Uint8Array | null
  /** Of the last entry. */
  readonly digest: Uint8Array
  /** Versions, newest first. */
  readonly snapshots: readonly number[]
  readonly entryCount: number
  /** Of the entries, as they are stored. */
  readonly byteCount: number
}

/** Thrown when a scene that was read differs from the one that was written. */
class HistoryFault extends Error {
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
async function* entriesOf(
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

export interface MovedScene {
  readonly id: string
  readonly version: number
  readonly outcome: MoveOutcome
  /** How many there are, and how many have been looked at with this one. */
  readonly count: number
  readonly done: number
}

/** The target has scenes of the same ids at other versions: nothing was moved. */
export class IdsTaken extends Error {
  override readonly name = 'IdsTaken'
  readonly ids: readonly string[]

  constructor(ids: readonly string[]) {
    super('There are other scenes of the same ids')
    this.ids = ids
  }
}

/**
 * Every scene, and what became of it, in the order of their ids. Those that are there already, the very same, are passed over: so it
 * can be done again when it was interrupted. Rejects with `IdsTaken` before anything was written, and with the errors of the stores.
 */
export async function* moveScenes(
  from: SceneStore,
  to: SceneStore & Adopting,
  options: MoveOptions,
): AsyncGenerator<MovedScene> {
  const scenes = await from.list()
  const versions = new Map((await to.list()).map(({ id, version }) => [id, version]))
  const taken = scenes.filter(({ id, version }) => (versions.get(id) ?? version) !== version)
  if (taken.length > 0) throw new IdsTaken(taken.map(({ id }) => id))
  for (const [k, stored] of scenes.entries()) {
    const outcome = await moveScene(from, to, stored, options)
    yield { id: stored.id, version: stored.version, outcome, count: scenes.length, done: k + 1 }
  }
}
