/**
 * Moves one scene from a store to another: its entries and snapshots as they are, byte for byte, so that versions, digests, ids of
 * writes and keys of requests are what they were.
 *
 * The scene is folded first, as a service would: what cannot be served is not moved, and lists learn what it is like. What was written
 * is read back, and has to come to the same digest.
 */

import { createHash } from 'node:crypto'
import { foldScene, type Recovered } from '../keeper/recovery.ts'
import { summaryOf } from '../keeper/scene-summary.ts'
import { encodeScene } from '../state/scene-snapshot.ts'
import { isSameDigest } from '../store/digest.ts'
import type { Adopting, SceneStore, StoredScene } from '../store/store.ts'
import type { Prepare } from '../table/body-table.ts'
import { entriesOf, HistoryFault, historyOf, type SceneHistory } from './scene-history.ts'

export interface MoveOptions {
  readonly prepare: Prepare
  /** Whether to fold what was written, too, and compare the scenes to the last bit. */
  readonly isFolded?: boolean
  /** Told of what has been written. */
  readonly onBytes?: (byteCount: number) => void
}

export type MoveOutcome =
  | { readonly result: 'moved'; readonly history: SceneHistory; readonly notes: readonly string[] }
  /** The very same is there already. */
  | { readonly result: 'there' }
  | {
      /** `damaged`: it cannot be read; `taken`: another is there; `changed`: it was written to meanwhile; `unlike`: not as it was. */
      readonly result: 'damaged' | 'taken' | 'changed' | 'unlike'
      readonly reason: string
    }

/** Rejects with the errors of the stores. Nothing of the scene is there then, or all of it. */
export async function moveScene(
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

/** What becomes of a scene of whose id there is one. */
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

/** What the scene is like at the end of its log: for lists, and a hash of all of it; or why it cannot be read. */
async function folding(
  store: SceneStore,
  stored: StoredScene,
  prepare: Prepare,
  passOver: (version: number, reason: string) => void,
) {
  const folded = await foldScene(store, stored, prepare, { version: stored.version, passOver })
  if (typeof folded === 'string') return folded
  const { version } = folded.scene
  if (version !== stored.version) return `its log ends at ${version}, not at ${stored.version}`
  return { summary: summaryOf(folded.scene), content: contentOf(folded) }
}

/** The same for the same scene with the same writes behind it. */
function contentOf({ scene, writes }: Recovered): string {
  const hash = createHash('sha256')
  for (const chunk of encodeScene(scene, writes.packed())) hash.update(chunk)
  return hash.digest('hex')
}

/** What was written is read back: in what it is not what it was to be, or null. */
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
