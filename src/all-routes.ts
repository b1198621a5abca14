// Every route of the service.

import type { FastifyPluginAsync } from 'fastify'
import type { Config } from './config.ts'
import { aboutRoutes } from './routes/about.ts'
import { batchRoute } from './routes/batch.ts'
import { documentRoutes } from './routes/documents.ts'
import { healthRoutes } from './routes/health.ts'
import { metricsRoute } from './routes/metrics.ts'
import { playgroundRoutes } from './routes/playground.ts'
import { problemKindRoutes } from './routes/problem-kinds.ts'
import { queryRoutes } from './routes/queries.ts'
import { sceneRoutes } from './routes/scene.ts'
import { sceneBatchRoute } from './routes/scene-batch.ts'
import { sceneBodiesRoutes } from './routes/scene-bodies.ts'
import { sceneBodyRoutes } from './routes/scene-body.ts'
import { sceneEventsRoute } from './routes/scene-events.ts'
import { sceneExportRoute } from './routes/scene-export.ts'
import { sceneImportRoute } from './routes/scene-import.ts'
import { sceneOperationsRoute } from './routes/scene-operations.ts'
import { sceneQueryRoutes } from './routes/scene-queries.ts'
import { sceneRenderRoute } from './routes/scene-render.ts'
import { scenesRoutes } from './routes/scenes.ts'
import { startRoute } from './routes/start.ts'

/** In the order in which the OpenAPI document lists them. */
export const ALL_ROUTES: readonly FastifyPluginAsync<Config>[] = [
  queryRoutes,
  batchRoute,
  scenesRoutes,
  sceneRoutes,
  sceneBodiesRoutes,
  sceneBodyRoutes,
  sceneOperationsRoute,
  sceneImportRoute,
  sceneExportRoute,
  sceneRenderRoute,
  sceneEventsRoute,
  sceneQueryRoutes,
  sceneBatchRoute,
  startRoute,
  playgroundRoutes,
  healthRoutes,
  aboutRoutes,
  metricsRoute,
  problemKindRoutes,
  documentRoutes,
]
