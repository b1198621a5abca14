// Every route of the service.

import type { FastifyPluginAsync } from 'fastify'
import type { Config } from './config.ts'
import { aboutRoutes } from './routes/about.ts'
import { agentRoutes } from './routes/agents.ts'
import { batchRoute } from './routes/batch.ts'
import { documentRoutes } from './routes/documents.ts'
import { healthRoutes } from './routes/health.ts'
import { keptShapeRoutes } from './routes/kept-shapes.ts'
import { metricsRoute } from './routes/metrics.ts'
import { problemKindRoutes } from './routes/problem-kinds.ts'
import { queryRoutes } from './routes/queries.ts'
import { sceneBodiesRoutes, sceneBodyRoutes } from './routes/scene-bodies.ts'
import { sceneEventsRoute } from './routes/scene-events.ts'
import { scene3dExportRoute, sceneExportRoute, sceneRenderRoute } from './routes/scene-export.ts'
import { sceneImportRoutes } from './routes/scene-import.ts'
import { sceneLintRoutes } from './routes/scene-lint.ts'
import { sceneOperationsRoute } from './routes/scene-operations.ts'
import { sceneBatchRoute, sceneQueryRoutes } from './routes/scene-queries.ts'
import { sceneTreeRoute } from './routes/scene-tree.ts'
import { scenesRoutes } from './routes/scenes.ts'
import { playgroundRoutes, startRoute } from './routes/start.ts'

/** In the order in which the OpenAPI document lists them. */
export const ALL_ROUTES: readonly FastifyPluginAsync<Config>[] = [
  queryRoutes,
  batchRoute,
  keptShapeRoutes,
  scenesRoutes,
  sceneBodiesRoutes,
  sceneBodyRoutes,
  sceneOperationsRoute,
  sceneImportRoutes,
  sceneExportRoute,
  scene3dExportRoute,
  sceneRenderRoute,
  sceneTreeRoute,
  sceneEventsRoute,
  sceneQueryRoutes,
  sceneLintRoutes,
  sceneBatchRoute,
  startRoute,
  playgroundRoutes,
  healthRoutes,
  aboutRoutes,
  metricsRoute,
  problemKindRoutes,
  agentRoutes,
  documentRoutes,
]

/** Those that commands ask: without events, pages, documents and figures. */
export const ASKED_ROUTES: readonly FastifyPluginAsync<Config>[] = ALL_ROUTES.slice(
  0,
  ALL_ROUTES.indexOf(startRoute),
).filter((routes) => routes !== sceneEventsRoute)
