// Stores that one process owns, as their tests write to them: by the id of a scene, whichever life of it there is, without digests.

import { firstDigest } from '../../../src/scene/store/checksum-frame.ts'
import type { Append, Appended, SceneLife, SceneStore } from '../../../src/scene/store/store.ts'

/** The scene that is there; where there is none, one that never was. */
export async function lifeOf(store: SceneStore, id: string): Promise<SceneLife> {
  return (await store.head(id)) ?? { id, incarnation: 0 }
}

export async function plainAppend(
  store: SceneStore,
  id: string,
  expectedVersion: number,
  entries: readonly Uint8Array[],
): Promise<Appended> {
  const incarnation = expectedVersion === 0 ? null : (await lifeOf(store, id)).incarnation
  return store.append(appendOf(id, incarnation, expectedVersion, entries))
}

export async function plainDrop(store: SceneStore, id: string): Promise<Appended> {
  const life = await lifeOf(store, id)
  return store.drop(life, appendOf(id, life.incarnation, 0, []))
}

function appendOf(
  id: string,
  incarnation: number | null,
  expectedVersion: number,
  entries: readonly Uint8Array[],
): Append {
  const digest = firstDigest()
  return {
    id,
    incarnation,
    expectedVersion,
    expectedDigest: digest,
    entries: entries.map((bytes) => ({ bytes, digest })),
  }
}
