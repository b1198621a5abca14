// What lists say of a scene.

import { bodyCountOf, type Scene } from '../state/scene.ts'
import { boundsOfScene } from '../state/scene-bounds.ts'
import type { SceneSummary } from '../store/store.ts'

/** As readers see the scene now. */
export function summaryOf(scene: Scene): SceneSummary {
  const { id, version, digest, name, dimension, ttl, margin, createdAt, updatedAt } = scene
  const settings = { id, version, digest, name, dimension, ttl, margin, createdAt, updatedAt }
  const box = boundsOfScene(scene)
  const bounds = box && { min: { x: box.minX, y: box.minY }, max: { x: box.maxX, y: box.maxY } }
  return { ...settings, bodyCount: bodyCountOf(scene), bounds }
}
