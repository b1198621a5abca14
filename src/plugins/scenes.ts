// The scenes that the service keeps: opens their store, brings them back, and closes both in the end.
// The store is opened before the service listens, so that a data directory that cannot be had ends the start; bringing
// the scenes back may take a while, and meanwhile the service says that it is starting.

import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { type Config, databaseConnection, sceneLimits } from '../config.ts'
import { DeadlineExceeded, type Far, finishSlices } from '../queries/ask/slices.ts'
import { SceneFeeds } from '../scene/feed/scene-feeds.ts'
import { Keeper, type KeeperEvent } from '../scene/keeper/keeper.ts'
import type { StoreEvent } from '../scene/postgres/database-error.ts'
import type { PostgresStore } from '../scene/postgres/postgres-store.ts'
import { contentsOf } from '../scene/state/kept-content.ts'
import { PackedShape } from '../scene/state/shape-text.ts'
import { openFileStore } from '../scene/store/file-store.ts'
import { MemoryStore } from '../scene/store/memory-store.ts'
import type { SceneStore } from '../scene/store/store.ts'
import { FarWork, WorkFailed } from '../threads/pool.ts'
import { SERVICE_NAME, SERVICE_VERSION } from '../version.ts'
import { checkPose, checkSceneBody, prepareShape } from '../wire/scene-body.ts'
import { openShapeDatabase, openShapeFiles } from './kept-shapes.ts'
import { enterPhase } from './lifecycle.ts'

declare module 'fastify' {
  interface FastifyInstance {
    scenes: {
      /** null until every scene is back. */
      keeper: Keeper | null
      /** Who is told what becomes of them. */
      readonly feeds: SceneFeeds
      /** Resolves when every scene is back; rejects when they cannot be brought back. */
      recovered: Promise<void>
      readonly limits: ReturnType<typeof sceneLimits>
      /** See MAX_STALENESS_MS. */
      readonly maxStalenessMs: number
    }
  }
}

/** Must be registered after `lifecycle` and `workers`. */
export const scenes = fp(async (app, config: Config) => {
  const feeds = new SceneFeeds({
    maxSubscribers: config.MAX_SUBSCRIBERS,
    maxMissed: config.MAX_MISSED_WRITES,
    heartbeatMs: config.EVENT_HEARTBEAT_MS,
    staleMs: () => state.keeper?.status()?.staleMs ?? 0,
    maxStalenessMs: config.MAX_STALENESS_MS,
    finish: (work, isWanted) => finishSlices(work, isWanted, undefined, patientFar(app)),
    past: () => state.keeper?.past() ?? null,
    find: async (id) => (await state.keeper?.find(id))?.scene ?? null,
    onFault: (err, scene) => app.logger.error({ err, scene }, 'events of a scene have ended'),
  })
  const state: typeof app.scenes = {
    keeper: null,
    feeds,
    recovered: Promise.resolve(),
    limits: sceneLimits(config),
    maxStalenessMs: config.MAX_STALENESS_MS,
  }
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
      accepts: (dimension, body, _index, isKnown) => {
        const { shape } = body
        const wasChecked = isKnown || shape instanceof PackedShape || contentsOf(shape).length > 0
        const check = wasChecked ? checkPose : checkSceneBody
        return check(dimension, body, limits)
      },
      maxScenes: config.MAX_SCENES,
      maxBodies: config.MAX_SCENE_BODIES,
      writeDeadlineMs: config.WRITE_DEADLINE_MS,
      onEvent,
      onApplied: (scene, entry, logged) => feeds.applied(scene, entry, logged),
      maxSceneBytes: config.SCENE_MEMORY_MB * 2 ** 20,
      isHeld: (id) => feeds.hasSubscribers(id),
      onGone: (id, scene) => feeds.gone(id, scene),
      onReset: (id, scene) => feeds.reset(id, scene),
    })
    if (app.lifecycle.phase === 'starting') enterPhase(app, 'serving')
  }

  app.addHook('onReady', async () => {
    const store = await openStore(app, config)
    state.recovered = recover(store)
    // whoever waits for it is told
    state.recovered.catch(() => undefined)
    if (config.SCENE_STORE === 'memory') await state.recovered
  })
  // streams have no end of their own, and closing waits for answers
  app.addHook('preClose', async () => feeds.close())
  app.addHook('onClose', async () => {
    await state.recovered.catch(() => undefined)
    await state.keeper?.close()
  })
})

/** Opens the store of kept shapes beside it. */
async function openStore(app: FastifyInstance, config: Config): Promise<SceneStore> {
  if (config.SCENE_STORE === 'memory') return new MemoryStore()
  if (config.SCENE_STORE === 'file') {
    const store = await openFiles(app, config)
    await openShapeFiles(app, config)
    return store
  }
  const store = await openDatabase(app, config)
  if (await store.shapes.areThere()) openShapeDatabase(app, config, store.shapes)
  else app.logger.warn('the database has no tables for kept shapes yet: this process keeps them in memory alone')
  return store
}

function openFiles(app: FastifyInstance, config: Config): Promise<SceneStore> {
  return openFileStore({
    directory: config.DATA_DIR,
    createdBy: `${SERVICE_NAME} ${SERVICE_VERSION}`,
    onFinding: (finding) => app.logger.error(finding, 'data damaged'),
    onFailure: ({ code, message: reason }) =>
      app.logger.error({ ...(code !== undefined && { code }), reason }, 'storage failed'),
  })
}

async function openDatabase(app: FastifyInstance, config: Config): Promise<PostgresStore> {
  const { openPostgresStore } = await import('../scene/postgres/postgres-store.ts')
  const { DATABASE_LISTEN_URL } = config
  return openPostgresStore({
    connection: databaseConnection(config),
    ...(DATABASE_LISTEN_URL !== '' && { listenUrl: DATABASE_LISTEN_URL }),
    hasPooler: config.DATABASE_POOLER,
    lanes: config.DATABASE_LANES,
    commitTimeoutMs: config.DATABASE_COMMIT_TIMEOUT_MS,
    openTimeoutMs: Math.max(OPEN_MS, 2 * config.DATABASE_CONNECT_TIMEOUT_MS),
    migrate: config.DATABASE_MIGRATE,
    pollMs: config.SCENE_POLL_MS,
    maxStalenessMs: config.MAX_STALENESS_MS,
    logRetentionMs: 1000 * config.LOG_RETENTION,
    onEvent: (event) => app.logger[STORE_LEVELS[event.event]](event, event.event.replaceAll('-', ' ')),
  })
}

const STORE_LEVELS = {
  'database-lost': 'warn',
  'database-back': 'info',
  'database-unfit': 'error',
  'outcome-unknown': 'warn',
  'following-by-notification': 'info',
  'following-by-poll': 'warn',
} as const satisfies Record<StoreEvent['event'], string>

/** Has tasks done by workers for somebody who can wait until one is free. */
function patientFar(app: FastifyInstance): Far {
  const work = new FarWork(app.workers)
  return async (task, deadline) => {
    for (let attempts = 1; ; attempts++) {
      try {
        return await work.do(task, deadline)
      } catch (error) {
        const isBusy = (error instanceof WorkFailed && error.failure === null) || error instanceof DeadlineExceeded
        if (!isBusy || attempts === MOST_ATTEMPTS) throw error
        await setTimeout(BETWEEN_ATTEMPTS_MS)
      }
    }
  }
}

/** For which the database is sought at the start. */
const OPEN_MS = 5000
const MOST_ATTEMPTS = 100
const BETWEEN_ATTEMPTS_MS = 100
