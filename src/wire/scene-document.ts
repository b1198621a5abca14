// The document of a scene, its settings, and the names of its versions.

import type { SceneDocument, SceneRequest } from '../../schemas/scenes/scene.ts'
import { summaryOf } from '../scene/keeper/scene-summary.ts'
import type { SceneDimension } from '../scene/state/geometry.ts'
import type { CreateOperation, SceneSettings } from '../scene/state/operation.ts'
import type { Scene } from '../scene/state/scene.ts'
import { shownDigest } from '../scene/store/checksum-frame.ts'
import type { SceneSummary } from '../scene/store/store.ts'
import { type DecodeProblem, inRange, outOfRange } from './decode-problem.ts'

export function encodeSceneDocument(scene: Scene): SceneDocument {
  return encodeSceneSummary(summaryOf(scene))
}

export function encodeSceneSummary(summary: SceneSummary): SceneDocument {
  const { id, name, ttl, margin, version, bodyCount, bounds, createdAt, updatedAt } = summary
  const times = { createdAt: new Date(createdAt).toISOString(), updatedAt: new Date(updatedAt).toISOString() }
  return { id, name, ttl, margin, version, bodyCount, bounds, ...times }
}

/** The problem of settings that fit the schema, or null. */
export function checkSettings({ margin = 0 }: SceneRequest): DecodeProblem | null {
  return inRange(margin) ? null : outOfRange(margin, '/margin', 'Margins')
}

/** `defaultTtl`: seconds; 0 for never. */
export function creationOf(
  dimension: SceneDimension,
  sceneId: string,
  settings: SceneRequest,
  defaultTtl: number,
  at: number,
): CreateOperation {
  const { name = null, ttl = defaultTtl || null, margin = 0 } = settings
  return { op: 'create', sceneId, dimension, name, ttl, margin, at }
}

/** The settings that differ from those of the scene; null if none does. */
export function newSettings(scene: Scene, { name, ttl, margin }: SceneRequest): SceneSettings | null {
  const settings: SceneSettings = {}
  if (name !== undefined && name !== scene.name) settings.name = name
  if (ttl !== undefined && ttl !== scene.ttl) settings.ttl = ttl
  if (margin !== undefined && margin !== scene.margin) settings.margin = margin
  return Object.keys(settings).length === 0 ? null : settings
}

// Clients name a version `12.1f3a9c07`: the version and the first digits of its digest, which tell it from another version 12, of a scene
// that was created again or restored to an earlier state. `12` alone is accepted too.

export interface NamedVersion {
  readonly version: number
  /** The digits. */
  readonly digest?: string
}

/** The version that a scene is at. `digest` is null if it is not known. */
export interface CurrentVersion {
  readonly version: number
  readonly digest: Uint8Array | null
}

/** The ETag of a version. */
export function tagOf(stand: CurrentVersion): string {
  return `"${nameOf(stand)}"`
}

/** The name of a version: the ETag without its quotes. */
export function nameOf({ version, digest }: CurrentVersion): string {
  return digest === null ? `${version}` : `${version}.${shownDigest(digest)}`
}

const TAG = /(?:W\/)?"([^"]*)"/g
const NAME = /^(0|[1-9][0-9]{0,15})(?:\.([0-9a-f]{8}))?$/

/** Parses a name, with or without quotes; null if it is not one. */
export function parseName(text: string): NamedVersion | null {
  const match = NAME.exec(text.trim().replace(/^(?:W\/)?"(.*)"$/, '$1'))
  if (match === null) return null
  const version = Number(match[1])
  return match[2] === undefined ? { version } : { version, digest: match[2] }
}

/** The names in a list of ETags; other tags are skipped. */
export function parseTags(text: string): NamedVersion[] {
  const tags: NamedVersion[] = []
  for (const [, name] of text.matchAll(TAG)) {
    const named = parseName(name)
    if (named !== null) tags.push(named)
  }
  return tags
}

export function isNamed(stand: CurrentVersion, { version, digest }: NamedVersion): boolean {
  if (version !== stand.version) return false
  return digest === undefined || stand.digest === null || digest === shownDigest(stand.digest)
}
