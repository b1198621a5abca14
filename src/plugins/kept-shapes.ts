// The shapes that the service keeps: beside the scenes in DATA_DIR or in the database, or in memory alone.

import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../config.ts'
import { ShapeDatabase, type ShapeRows } from '../kept/shape-database.ts'
import { ShapeFiles } from '../kept/shape-files.ts'
import type { OnFinding, StoreLimits } from '../kept/shape-store.ts'
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

/** Keeps shapes in DATA_DIR, which the process owns once the store of scenes is open. */
export async function openShapeFiles(app: FastifyInstance, config: Config): Promise<void> {
  const files = new ShapeFiles(join(config.DATA_DIR, 'shapes'), limitsOf(config), reportTo(app))
  await files.open()
  app.shapes.open(files)
}

/** Keeps shapes in the database of scenes. */
export function openShapeDatabase(app: FastifyInstance, config: Config, rows: ShapeRows): void {
  app.shapes.open(new ShapeDatabase(rows, limitsOf(config), reportTo(app)))
}

function limitsOf({ SHAPE_DISK_MB, SHAPE_MAX_COUNT }: Config): StoreLimits {
  return { mostBytes: SHAPE_DISK_MB * MIB, mostCount: SHAPE_MAX_COUNT }
}

function reportTo({ logger }: FastifyInstance): OnFinding {
  return (finding) => logger.error(finding, 'kept shape lost')
}
