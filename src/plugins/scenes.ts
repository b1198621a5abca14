// The scenes that the service keeps: opens their store, brings them back, and closes both in the end.
// The store is opened before the service listens, so that a data directory that cannot be had ends the start; bringing
// the scenes back may take a while, and meanwhile the service says that it is starting.

import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { type Config, sceneLimits } from '../config.ts'
import { Keeper, type KeeperEvent } from '../scene/keeper/keeper.ts'
import { openFileStore } from '../scene/store/file-store.ts'
import { MemoryStore } from '../scene/store/memory-store.ts'
import type { SceneStore } from '../scene/store/store.ts'
import { PackedShape } from '../scene/table/packed-shape.ts'
import { SERVICE_NAME, SERVICE_VERSION } from '../version.ts'
import { checkPose } from '../wire/scenes/check-scene-body.ts'
import { checkSceneBody, prepareShape } from '../wire/scenes/scene-body.ts'
import { enterPhase } from './lifecycle.ts'

declare module 'fastify' {
  interface FastifyInstance {
    scenes: {
      /** null until every scene is back. */
      keeper: Keeper | null
      /** Resolves when every scene is back; rejects when they cannot be brought back. */
      recovered: Promise<void>
      readonly limits: ReturnType<typeof sceneLimits>
    }
  }
}

/** Must be registered after `lifecycle`. */
export const scenes = fp(async (app, config: Config) => {
  const state: typeof app.scenes = { keeper: null, recovered: Promise.resolve(), limits: sceneLimits(config) }
  app.decorate('scenes', state)

  const limits = { maxVertices: config.MAX_VERTICES, maxParts: config.MAX_PARTS }
  const onEvent = (event: KeeperEvent) => {
    if (event.event === 'scene-expired') app.logger.info(event, 'scene expired')
    else app.logger.error(event, event.event.replaceAll('-', ' '))
  }
  const recover = async (store: SceneStore) => {
    state.keeper = await Keeper.open({
      store,
      prepare: prepareShape,
      accepts: (body, _index, isKnown) =>
        isKnown || body.shape instanceof PackedShape ? checkPose(body, limits) : checkSceneBody(body, limits),
      maxScenes: config.MAX_SCENES,
      maxBodies: config.MAX_SCENE_BODIES,
      onEvent,
    })
    if (app.lifecycle.phase === 'starting') enterPhase(app, 'serving')
  }

  app.addHook('onReady', async () => {
    state.recovered = recover(await openStore(app, config))
    // whoever waits for it is told
    state.recovered.catch(() => undefined)
    if (config.SCENE_STORE === 'memory') await state.recovered
  })
  app.addHook('onClose', async () => {
    await state.recovered.catch(() => undefined)
    await state.keeper?.close()
  })
})

async function openStore(app: FastifyInstance, { SCENE_STORE, DATA_DIR }: Config): Promise<SceneStore> {
  if (SCENE_STORE === 'memory') return new MemoryStore()
  return openFileStore({
    directory: DATA_DIR,
    createdBy: `${SERVICE_NAME} ${SERVICE_VERSION}`,
    onFinding: (finding) => app.logger.error(finding, 'data damaged'),
  })
}
