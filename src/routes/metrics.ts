// GET /metrics: requests, workers, scenes and their store in numbers, for Prometheus.

import { channel } from 'node:diagnostics_channel'
import { setImmediate } from 'node:timers/promises'
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client'
import { requestHistogram } from '../plugins/observation.ts'
import type { Keeper } from '../scene/keeper/keeper.ts'
import { bodyCountOf } from '../scene/state/scene.ts'
import type { PoolFigures, WorkerPool } from '../threads/pool.ts'
import { SERVICE_VERSION } from '../version.ts'

/** The registry of each app is published here, once it has all metrics. */
const REGISTRIES = channel('tangent:metrics')

function measureWorkers({ figures }: WorkerPool, registry: Registry): void {
  const gauge = (name: string, help: string, field: keyof PoolFigures) => {
    const collect = function (this: Gauge) {
      this.set(figures[field])
    }
    registry.registerMetric(new Gauge({ name, help, registers: [], collect }))
  }
  const counter = (name: string, help: string, field: keyof PoolFigures) => {
    const collect = function (this: Counter) {
      this.reset()
      this.inc(figures[field])
    }
    registry.registerMetric(new Counter({ name, help, registers: [], collect }))
  }
  gauge('tangent_workers_busy', 'Worker threads at work.', 'busy')
  gauge('tangent_workers_waiting', 'Jobs that wait for a worker thread.', 'waiting')
  counter('tangent_worker_jobs_total', 'Jobs that worker threads have begun.', 'jobs')
  counter('tangent_workers_ended_total', 'Worker threads that were ended and replaced.', 'ended')
  counter('tangent_requests_refused_total', 'Requests refused because all workers were busy.', 'refused')
}

/** Adds what is told of a store that other instances write to as well; without values where none do. */
function measureStore(app: FastifyInstance, registry: Registry): void {
  type Status = NonNullable<ReturnType<Keeper['status']>>
  const measure = (
    kind: typeof Gauge | typeof Counter,
    name: string,
    help: string,
    measured: (status: Status) => number,
  ) => {
    const collect = function (this: Gauge | Counter) {
      const status = app.scenes.keeper?.status() ?? null
      this.remove()
      if (status !== null) this.inc(measured(status))
    }
    registry.registerMetric(new kind({ name, help, registers: [], collect }))
  }
  const gauge = (name: string, help: string, measured: (status: Status) => number) =>
    measure(Gauge, `tangent_store_${name}`, help, measured)
  const counter = (name: string, help: string, measured: (status: Status) => number) =>
    measure(Counter, `tangent_store_${name}_total`, help, measured)
  gauge('reachable', '1 when what was last asked of the database was answered.', (status) => +status.isReachable)
  gauge('writable', '1 when a write would be tried now.', (status) => +status.isWritable)
  gauge('notified', '1 when writes of others are told as they happen, 0 when they are looked for.', (status) =>
    Number(status.following === 'notify'),
  )
  gauge('stale_seconds', 'Time since when it is not known what others have written.', ({ staleMs }) => staleMs / 1000)
  counter('commits', 'Commits; each may have many writes.', ({ commits }) => commits)
  counter('commit_seconds', 'Time that commits have taken.', ({ commitMs }) => commitMs / 1000)
  counter('conflicts', 'Writes that others came before, and that were checked again.', ({ conflicts }) => conflicts)
  counter('unknown_outcomes', 'Commits of which it was not known whether they were made.', (status) => {
    return status.unknownOutcomes
  })
  counter('reconnects', 'Connections to the database that were made anew.', ({ reconnects }) => reconnects)
  counter('loads', 'Scenes that were read into memory.', ({ loads }) => loads)
  counter('forks', 'Scenes whose last versions the database had lost.', ({ forks }) => forks)
}

/** Adds the gauges; without a value until the scenes are back. */
function measureScenes(app: FastifyInstance, registry: Registry): void {
  const gauge = (name: string, help: string, measure: (keeper: Keeper) => number) => {
    const collect = function (this: Gauge) {
      const { keeper } = app.scenes
      if (keeper === null || app.lifecycle.phase === 'draining') this.remove()
      else this.set(measure(keeper))
    }
    registry.registerMetric(new Gauge({ name, help, registers: [], collect }))
  }
  gauge(
    'tangent_scenes',
    'Scenes that are in memory: all of them, unless a database has them.',
    (keeper) => keeper.scenes().length,
  )
  gauge('tangent_scenes_damaged', 'Scenes that cannot be read.', (keeper) => keeper.damages().size)
  gauge('tangent_scene_bodies', 'Bodies of all scenes in memory.', (keeper) => {
    return keeper.scenes().reduce((count, scene) => count + bodyCountOf(scene), 0)
  })
  gauge('tangent_event_subscribers', 'Streams of events that are open.', () => app.scenes.feeds.subscriberCount)
  const dropped = function (this: Counter) {
    this.reset()
    this.inc(app.scenes.feeds.droppedCount)
  }
  registry.registerMetric(
    new Counter({
      name: 'tangent_event_subscribers_dropped_total',
      help: 'Streams of events that were ended because they were too far behind, or pairs could not be told.',
      registers: [],
      collect: dropped,
    }),
  )
  measureStore(app, registry)
  gauge('tangent_scene_store_bytes', 'Bytes that logs and snapshots take.', (keeper) => keeper.usage().bytes)
}

/** Gauges of the library with the ending of counters. */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`)

/** Always 1: what runs is in the labels. */
function buildInfo(): Metric {
  const info = new Gauge({
    name: 'tangent_build_info',
    help: 'The version of the service and of Node, as labels; 1.',
    labelNames: ['version', 'node'],
    registers: [],
  })
  info.set({ version: SERVICE_VERSION, node: process.versions.node }, 1)
  return info
}

export const metricsRoute: FastifyPluginAsyncTypebox = async (app) => {
  const registry = new Registry()
  registry.registerMetric(requestHistogram(app.requestMetrics) as unknown as Metric)
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  registry.registerMetric(buildInfo())
  measureScenes(app, registry)
  measureWorkers(app.workers, registry)
  REGISTRIES.publish(registry)

  // many that are sent at once are told the same: the text takes milliseconds to make
  let next: Promise<string> | null = null
  function text(): Promise<string> {
    next ??= setImmediate().then(() => {
      next = null
      return registry.metrics()
    })
    return next
  }

  app.get('/metrics', {
    schema: {
      operationId: 'metrics',
      tags: ['service'],
      summary: 'How much is asked, and how fast is it answered?',
      description: 'Counts and latencies by route and status, and those of the process, in the Prometheus text format.',
      produces: ['text/plain'],
      response: { 200: Type.String({ description: 'Prometheus text format 0.0.4.' }) },
    },
    handler: async (_request, reply) => reply.type(registry.contentType).send(await text()),
  })
}
