// The shapes that the service keeps: beside the scenes in DATA_DIR or in the database, or in memory alone.

import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../config.ts'
import { ShapeDatabase, type ShapeRows } from '../kept/shape-database.ts'
import { ShapeFiles } from '../kept/shape-files.ts'
import type { OnFinding } from '../kept/shape-store.ts'
import { Shelf } from '../kept/shelf.ts'

declare module 'fastify' {
  interface FastifyInstance {
    shapes: Shelf
  }
}

const MIB = 2 ** 20

/** Must be registered before `workers`. */
export const keptShapes = fp(async (app, { SHAPE_MEMORY_MB, SHAPE_MAX_COUNT }: Config) => {
  app.decorate('shapes', new Shelf({ mostMemory: SHAPE_MEMORY_MB * MIB, mostCount: SHAPE_MAX_COUNT }))
})

/** For whoever has opened the store of scenes, and thereby has the directory. `rows`: of its database, null where it has no such rows. */
export async function openShapes(
  { shapes, logger }: FastifyInstance,
  { SCENE_STORE, DATA_DIR, SHAPE_DISK_MB, SHAPE_MAX_COUNT }: Config,
  rows: ShapeRows | null,
): Promise<void> {
  const limits = { mostBytes: SHAPE_DISK_MB * MIB, mostCount: SHAPE_MAX_COUNT }
  const onFinding: OnFinding = (finding) => logger.error(finding, 'kept shape lost')
  if (rows !== null) shapes.open(new ShapeDatabase(rows, limits, onFinding))
  if (SCENE_STORE !== 'file') return
  const files = new ShapeFiles(join(DATA_DIR, 'shapes'), limits, onFinding)
  await files.open()
  shapes.open(files)
}
