/**
 * A scene out of its store: from the newest snapshot that is whole, then the entries behind it, one by one.
 *
 * What is damaged is never half loaded. A snapshot that is damaged is passed over for an older one and a longer replay. An entry
 * that is missing or damaged leaves the scene as it lies, unserved: the store has it because it was acknowledged.
 */

import { Pace } from '../../containers/pace.ts'
import { apply, applyInSlices, createScene, type Scene, takesLong } from '../state/scene.ts'
import { SceneDecoder } from '../state/scene-snapshot.ts'
import { payloadByteCount } from '../store/checksum-frame.ts'
import type { SceneStore, StoredScene } from '../store/store.ts'
import type { Prepare } from '../table/body-table.ts'
import { checkOperationsInSlices } from '../table/effects.ts'
import { slotOfId } from '../table/ids.ts'
import type { Entry } from '../table/operation.ts'
import { type AnsweredKey, RememberedKeys } from './idempotency-keys.ts'
import { inTurns, Turns } from './in-turns.ts'
import { decodeEntryInTurns } from './log-entry.ts'
import { unpackSnapshot } from './snapshot-container.ts'

export type RecoveryEvent =
  | { event: 'snapshot-damaged'; scene: string; version: number; reason: string }
  | { event: 'scene-damaged'; scene: string; reason: string }

export interface Recovered {
  scene: Scene
  keys: RememberedKeys
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
  if (passedOver > 0) await store.trim(stored.id, stored.first, stored.snapshots.slice(passedOver))
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
  const recovered = (await fromSnapshot(store, stored.id, snapshots, prepare, passOver, isWanted)) ?? {
    scene: createScene(prepare),
    keys: new RememberedKeys(),
    tailByteCount: 0,
    snapshotByteCount: 0,
  }
  const { scene } = recovered
  const turns = new Turns()
  if (stored.first > scene.version + 1) {
    return `its log begins at ${stored.first} and no snapshot before that is whole`
  }
  for await (const { version, bytes, damage = 'it is missing' } of store.read(stored.id, scene.version + 1, last)) {
    if (!isWanted()) return 'it is not wanted any more'
    const entry = bytes === null ? damage : await readEntry(version, bytes)
    if (typeof entry === 'string') return `its entry ${version} is damaged: ${entry}`
    const fault = await replay(recovered, entry)
    if (fault !== null) return `its entry ${version} cannot be applied: ${fault}`
    recovered.tailByteCount += payloadByteCount(bytes as Uint8Array)
    await turns.pause()
  }
  return scene.id === stored.id || last === 0 ? recovered : `it says it is ${scene.id}`
}

/** The entry, or what is wrong with its bytes. */
async function readEntry(version: number, bytes: Uint8Array): Promise<Entry | string> {
  try {
    return await decodeEntryInTurns(version, bytes)
  } catch (error) {
    return (error as Error).message
  }
}

/** Applies an entry; why that cannot be, or null. */
async function replay({ scene, keys }: Recovered, entry: Entry): Promise<string | null> {
  const { version, at, operations, key } = entry
  const has = (id: string) => slotOfId(scene.table.ids, id) >= 0
  const fault = await inTurns(checkOperationsInSlices(has, operations, new Pace()))
  if (fault !== null) return `the body ${fault.id} is not there`
  try {
    if (takesLong(scene, entry)) await inTurns(applyInSlices(scene, entry))
    else apply(scene, entry)
  } catch (error) {
    return (error as Error).message
  }
  if (key !== undefined) keys.remember({ ...key, version, at })
  return null
}

/** The scene as the newest whole of the snapshots has it, or null when there is none. */
async function fromSnapshot(
  store: SceneStore,
  id: string,
  snapshots: readonly number[],
  prepare: Prepare,
  passOver: (version: number, reason: string) => void,
  isWanted: () => boolean,
): Promise<Recovered | null> {
  for (const version of snapshots) {
    try {
      const decoder = new SceneDecoder(prepare)
      let snapshotByteCount = 0
      for await (const chunk of unpackSnapshot(version, store.readSnapshot(id, version))) {
        if (!isWanted()) return null
        snapshotByteCount += chunk.length
        await inTurns(decoder.pushInSlices(chunk))
      }
      const { scene, extra } = await inTurns(decoder.finishInSlices())
      if (scene.version !== version) throw new Error(`it is of version ${scene.version}`)
      return { scene, keys: new RememberedKeys(extra as AnsweredKey[]), tailByteCount: 0, snapshotByteCount }
    } catch (error) {
      passOver(version, (error as Error).message)
    }
  }
  return null
}
