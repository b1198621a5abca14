// Core scene → wire document, and wire settings → the operation that makes a scene.

import type { SceneDocument, SceneRequest } from '../../../schemas/scenes/scene.ts'
import { summaryOf } from '../../scene/keeper/scene-summary.ts'
import type { Scene } from '../../scene/state/scene.ts'
import type { SceneSummary } from '../../scene/store/store.ts'
import type { CreateOperation, SceneSettings } from '../../scene/table/operation.ts'
import { type DecodeProblem, inRange, outOfRange } from '../problems/decode-problem.ts'

export function encodeSceneDocument(scene: Scene): SceneDocument {
  return encodeSceneSummary(summaryOf(scene))
}

export function encodeSceneSummary(summary: SceneSummary): SceneDocument {
  const { id, name, ttl, margin, version, bodyCount, bounds, createdAt, updatedAt } = summary
  const times = { createdAt: new Date(createdAt).toISOString(), updatedAt: new Date(updatedAt).toISOString() }
  return { id, name, ttl, margin, version, bodyCount, bounds, ...times }
}

/** What is wrong with settings that fit the schema, or null. */
export function checkSettings({ margin = 0 }: SceneRequest): DecodeProblem | null {
  return inRange(margin) ? null : outOfRange(margin, '/margin', 'Margins')
}

/** `defaultTtl`: seconds; 0 for never. */
export function creationOf(sceneId: string, settings: SceneRequest, defaultTtl: number, at: number): CreateOperation {
  const { name = null, ttl = defaultTtl || null, margin = 0 } = settings
  return { op: 'create', sceneId, dimension: 2, name, ttl, margin, at }
}

/** The settings that are not what the scene has already; null when all are. */
export function newSettings(scene: Scene, { name, ttl, margin }: SceneRequest): SceneSettings | null {
  const settings: SceneSettings = {}
  if (name !== undefined && name !== scene.name) settings.name = name
  if (ttl !== undefined && ttl !== scene.ttl) settings.ttl = ttl
  if (margin !== undefined && margin !== scene.margin) settings.margin = margin
  return Object.keys(settings).length === 0 ? null : settings
}
