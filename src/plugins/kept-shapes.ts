// The shapes that the service keeps. They lie beside the scenes in DATA_DIR where these are files, and otherwise in memory alone.

import { join } from 'node:path'
import fp from 'fastify-plugin'
import type { Config } from '../config.ts'
import { Shelf } from '../kept/shelf.ts'

declare module 'fastify' {
  interface FastifyInstance {
    shapes: Shelf
  }
}

const MIB = 2 ** 20

/** Must be registered before `workers`; whoever opens the store of scenes opens it too. */
export const keptShapes = fp(async (app, config: Config) => {
  const shelf = new Shelf({
    directory: config.SCENE_STORE === 'file' ? join(config.DATA_DIR, 'shapes') : null,
    mostMemory: config.SHAPE_MEMORY_MB * MIB,
    mostDisk: config.SHAPE_DISK_MB * MIB,
    onFinding: (finding) => app.logger.error(finding, 'kept shape lost'),
  })
  app.decorate('shapes', shelf)
})
