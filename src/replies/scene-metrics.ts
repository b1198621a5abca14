// What is kept, in numbers: scenes, bodies, and the room they take in the store.

import type { FastifyInstance } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import type { Keeper } from '../scene/keeper/keeper.ts'
import { bodyCountOf } from '../scene/state/scene.ts'

/** Adds the gauges; without a value until the scenes are back. */
export function measureScenes(app: FastifyInstance, registry: Registry): void {
  const gauge = (name: string, help: string, measure: (keeper: Keeper) => number) => {
    const collect = function (this: Gauge) {
      const { keeper } = app.scenes
      if (keeper === null || app.lifecycle.phase === 'draining') this.remove()
      else this.set(measure(keeper))
    }
    registry.registerMetric(new Gauge({ name, help, registers: [], collect }))
  }
  gauge('tangent_scenes', 'Scenes that are kept.', (keeper) => keeper.scenes().length)
  gauge('tangent_scenes_damaged', 'Scenes that cannot be read.', (keeper) => keeper.damages().size)
  gauge('tangent_scene_bodies', 'Bodies of all scenes.', (keeper) => {
    return keeper.scenes().reduce((count, scene) => count + bodyCountOf(scene), 0)
  })
  gauge('tangent_event_subscribers', 'Streams of events that are open.', () => app.scenes.feeds.subscriberCount)
  gauge(
    'tangent_event_subscribers_dropped',
    'Streams of events that were ended since the start because they were too far behind, or pairs could not be told.',
    () => app.scenes.feeds.droppedCount,
  )
  gauge('tangent_scene_store_bytes', 'Bytes that logs and snapshots take.', (keeper) => keeper.usage().bytes)
}
