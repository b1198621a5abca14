// The app over a store that other apps of the same test write to as well, which can be made deaf, or cut off.

import { Keeper, type KeeperEvent } from '../../../src/scene/keeper/keeper.ts'
import { prepareShape } from '../../../src/wire/scene-body.ts'
import { startScenes } from './scene-client.ts'
import { type SharedDatabase, SharedMemoryStore, type Weather } from './shared-memory-store.ts'

export type Replica = Awaited<ReturnType<typeof startReplica>>

/** `pollMs`: how often it looks by itself for what others have written. */
export async function startReplica(database: SharedDatabase, env: Record<string, string> = {}, pollMs = 1e6) {
  const client = await startScenes(env)
  const { scenes } = client.app
  const { feeds } = scenes
  const state = {
    /** What becomes of what is asked of the store. */
    weather: 'fair' as Weather,
    /** Since when it would not know what others have written. */
    staleMs: 0,
    /** It hears of what others write only when it looks by itself. */
    isDeaf: false,
    events: [] as KeeperEvent[],
  }
  const store = new SharedMemoryStore(database, {
    weather: () => state.weather,
    isDeaf: () => state.isDeaf,
    pollMs,
  })
  const { shared } = store
  const status = shared.status.bind(shared)
  shared.status = () => {
    const isThere = state.weather !== 'away'
    return { ...status(), staleMs: state.staleMs, isReachable: isThere, isWritable: isThere, commits: 2, commitMs: 5 }
  }
  await scenes.keeper?.close()
  scenes.keeper = await Keeper.open({
    store,
    prepare: prepareShape,
    isHeld: (id) => feeds.hasSubscribers(id),
    onApplied: (scene, entry, logged) => feeds.applied(scene, entry, logged),
    onGone: (id, scene) => feeds.gone(id, scene),
    onReset: (id, scene) => feeds.reset(id, scene),
    onEvent: (event) => state.events.push(event),
  })
  return { ...client, state, store }
}
