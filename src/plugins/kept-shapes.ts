// The shapes that the service keeps: beside the scenes in DATA_DIR or in the database, or in memory alone.

import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { KeptSummary } from '../../schemas/queries/kept-shapes.ts'
import type { Config } from '../config.ts'
import { SentShapes } from '../kept/sent-shapes.ts'
import { ShapeDatabase, type ShapeRows } from '../kept/shape-database.ts'
import { ShapeFiles } from '../kept/shape-files.ts'
import type { OnFinding, StoreLimits } from '../kept/shape-store.ts'
import { Shelf } from '../kept/shelf.ts'
import type { DecodeProblem } from '../wire/decode-problem.ts'

declare module 'fastify' {
  interface FastifyInstance {
    shapes: Shelf
    /** What was sent to be kept lately. */
    sentShapes: SentShapes<Kept>
  }
}

type Kept = DecodeProblem | { readonly summary: KeptSummary; readonly isNew: boolean }

const MIB = 2 ** 20

/** Must be registered before `workers`. */
export const keptShapes = fp(async (app, { SHAPE_MEMORY_MB, SHAPE_MAX_COUNT }: Config) => {
  app.decorate('sentShapes', new SentShapes<Kept>())
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
