// Which problems requests of each kind may answer with, for the OpenAPI document.

import type { ProblemCode } from '../../../schemas/problem.ts'

/** What any request may answer with that has a body. */
export const REQUEST_PROBLEMS: readonly ProblemCode[] = [
  'malformed-request',
  'malformed-json',
  'empty-body',
  'schema-violation',
  'body-too-large',
  'unsupported-media-type',
  'overloaded',
]

/** What any request may answer with whose work may be long. */
export const WORK_PROBLEMS: readonly ProblemCode[] = ['too-complex', 'overloaded', 'deadline-exceeded', 'out-of-memory']

/** What any request may answer with whose answer may be a picture of a part of a scene. */
export const PICTURE_PROBLEMS: readonly ProblemCode[] = ['aabb-inverted', 'coordinate-out-of-range', 'not-acceptable']

/** What a request for a scene may answer with. */
export const SCENE_PROBLEMS: readonly ProblemCode[] = [
  'malformed-request',
  'schema-violation',
  'scene-not-found',
  'scene-damaged',
  'starting',
  'store-unavailable',
]

/** What a read of a scene may answer with. */
export const READ_PROBLEMS: readonly ProblemCode[] = [...SCENE_PROBLEMS, 'version-not-reached']

/** What anything may answer with that is to be made durable. */
export const STORAGE_PROBLEMS: readonly ProblemCode[] = [
  'read-only-token',
  'starting',
  'draining',
  'overloaded',
  'store-unavailable',
  'outcome-unknown',
  'storage-failed',
  'storage-full',
]

/** What a write to a scene may answer with. */
export const WRITE_PROBLEMS: readonly ProblemCode[] = [
  ...new Set([...SCENE_PROBLEMS, ...STORAGE_PROBLEMS]),
  'version-mismatch',
  'idempotency-key-reused',
]

/** What a write of a scene's settings may answer with. */
export const SETTINGS_PROBLEMS: readonly ProblemCode[] = [
  ...new Set([...REQUEST_PROBLEMS, ...WRITE_PROBLEMS]),
  'coordinate-out-of-range',
  'too-many-scenes',
]

/** What may be wrong with bodies. */
const BODY_PROBLEMS: readonly ProblemCode[] = [
  'too-many-vertices',
  'too-many-parts',
  'aabb-inverted',
  'aabb-rotated',
  'compound-too-deep',
  'coordinate-out-of-range',
  'halfplane-normal-zero',
  'polygon-not-convex',
  'region-hole-misplaced',
  'region-self-intersecting',
]

/** What any query may answer with that takes bodies. */
export const QUERY_PROBLEMS: readonly ProblemCode[] = [...REQUEST_PROBLEMS, ...BODY_PROBLEMS]

/** What any query may answer with that takes bodies in space. */
export const QUERY_3D_PROBLEMS: readonly ProblemCode[] = [
  ...REQUEST_PROBLEMS,
  'too-many-vertices',
  'aabb-inverted',
  'aabb-rotated',
  'coordinate-out-of-range',
  'halfspace-normal-zero',
  'orientation-not-unit',
]

/** What any query of a scene may answer with. */
export const SCENE_QUERY_PROBLEMS: readonly ProblemCode[] = [
  'not-acceptable',
  ...new Set([...REQUEST_PROBLEMS, ...READ_PROBLEMS, ...WORK_PROBLEMS]),
]

/** What any query of a scene may answer with that is about a body. */
export const PROBE_PROBLEMS: readonly ProblemCode[] = [...SCENE_QUERY_PROBLEMS, ...BODY_PROBLEMS, 'body-not-found']

/** What any write of bodies to a scene may answer with. */
export const SCENE_BODY_PROBLEMS: readonly ProblemCode[] = [
  ...REQUEST_PROBLEMS.filter((code) => !WRITE_PROBLEMS.includes(code)),
  ...WRITE_PROBLEMS,
  ...BODY_PROBLEMS,
  ...WORK_PROBLEMS,
  'too-many-scene-bodies',
  'data-too-large',
]

/** What an import of a file may answer with. */
export const IMPORT_PROBLEMS: readonly ProblemCode[] = [
  ...WRITE_PROBLEMS,
  ...WORK_PROBLEMS,
  'empty-body',
  'body-too-large',
  'unsupported-media-type',
  'coordinate-out-of-range',
  'import-malformed',
  'import-file-missing',
  'too-many-operations',
  'too-many-scene-bodies',
]
