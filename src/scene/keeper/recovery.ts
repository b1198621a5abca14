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
import { inTurns } from './in-turns.ts'
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
  const passOver = (version: number, reason: string) => {
    passedOver++
    report({ event: 'snapshot-damaged', scene: stored.id, version, reason })
  }
  const recovered = (await fromSnapshot(store, stored, prepare, passOver)) ?? {
    scene: createScene(prepare),
    keys: new RememberedKeys(),
    tailByteCount: 0,
    snapshotByteCount: 0,
  }
  const { scene } = recovered
  if (stored.first > scene.version + 1) {
    return damaged(`its log begins at ${stored.first} and no snapshot before that is whole`)
  }
  for await (const { version, bytes, damage = 'it is missing' } of store.read(stored.id, scene.version + 1)) {
    const entry = bytes === null ? damage : await readEntry(version, bytes)
    if (typeof entry === 'string') return damaged(`its entry ${version} is damaged: ${entry}`)
    const fault = await replay(recovered, entry)
    if (fault !== null) return damaged(`its entry ${version} cannot be applied: ${fault}`)
    recovered.tailByteCount += payloadByteCount(bytes as Uint8Array)
  }
  if (scene.id !== stored.id) return damaged(`it says it is ${scene.id}`)
  // The scene is whole without them, and a snapshot that is kept should be one.
  if (passedOver > 0) await store.trim(stored.id, stored.first, stored.snapshots.slice(passedOver))
  return recovered
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

/** The scene as its newest whole snapshot has it, or null when there is none. */
async function fromSnapshot(
  store: SceneStore,
  stored: StoredScene,
  prepare: Prepare,
  passOver: (version: number, reason: string) => void,
): Promise<Recovered | null> {
  for (const version of stored.snapshots) {
    try {
      const decoder = new SceneDecoder(prepare)
      let snapshotByteCount = 0
      for await (const chunk of unpackSnapshot(version, store.readSnapshot(stored.id, version))) {
        snapshotByteCount += chunk.length
        decoder.push(chunk)
      }
      const { scene, extra } = decoder.finish()
      if (scene.version !== version) throw new Error(`it is of version ${scene.version}`)
      return { scene, keys: new RememberedKeys(extra as AnsweredKey[]), tailByteCount: 0, snapshotByteCount }
    } catch (error) {
      passOver(version, (error as Error).message)
    }
  }
  return null
}
