/** Moves all scenes of a store to another, one after the other: so much memory is needed as the largest takes. */

import type { Adopting, SceneStore } from '../store/store.ts'
import { type MoveOptions, type MoveOutcome, moveScene } from './move-scene.ts'

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
