// The problems that each kind of request may be answered with, for the OpenAPI document.

import type { ProblemCode } from '../../schemas/problem.ts'

/** Problems of any request with a body. */
export const REQUEST_PROBLEMS: readonly ProblemCode[] = [
  'malformed-request',
  'malformed-json',
  'empty-body',
  'schema-violation',
  'body-too-large',
  'unsupported-media-type',
  'overloaded',
]

/** Problems of any request whose work may be long, or need kept shapes that a database has. */
export const WORK_PROBLEMS: readonly ProblemCode[] = [
  'too-complex',
  'overloaded',
  'deadline-exceeded',
  'out-of-memory',
  'store-unavailable',
]

/** Problems of any request whose answer may be a picture of a part of a scene. */
export const PICTURE_PROBLEMS: readonly ProblemCode[] = ['aabb-inverted', 'coordinate-out-of-range', 'not-acceptable']

/** Problems of a picture of space. */
export const VIEW_PROBLEMS: readonly ProblemCode[] = ['not-acceptable']

/** Problems of a request for a scene. */
const SCENE_PROBLEMS: readonly ProblemCode[] = [
  'malformed-request',
  'schema-violation',
  'scene-not-found',
  'scene-damaged',
  'starting',
  'store-unavailable',
]

/** Problems of a read of a scene. */
export const READ_PROBLEMS: readonly ProblemCode[] = [...SCENE_PROBLEMS, 'version-not-reached']

/** Problems of anything that must become durable. */
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

/** Problems of a write to a scene. */
export const WRITE_PROBLEMS: readonly ProblemCode[] = [
  ...new Set([...SCENE_PROBLEMS, ...STORAGE_PROBLEMS]),
  'version-mismatch',
  'idempotency-key-reused',
]

/** Problems of a write of a scene's settings. */
export const SETTINGS_PROBLEMS: readonly ProblemCode[] = [
  ...new Set([...REQUEST_PROBLEMS, ...WRITE_PROBLEMS]),
  'coordinate-out-of-range',
  'too-many-scenes',
]

/** Problems of bodies. */
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
  'shape-unknown',
]

/** Problems of any 2D query with bodies. */
export const QUERY_PROBLEMS: readonly ProblemCode[] = [...REQUEST_PROBLEMS, ...BODY_PROBLEMS]

/** Problems of bodies of space. */
const BODY_3D_PROBLEMS: readonly ProblemCode[] = [
  'too-many-vertices',
  'too-many-triangles',
  'too-many-parts',
  'compound-too-deep',
  'heightfield-misshapen',
  'mesh-index-out-of-range',
  'mesh-misshapen',
  'mesh-not-closed',
  'shape-unknown',
  'aabb-inverted',
  'aabb-rotated',
  'coordinate-out-of-range',
  'halfspace-normal-zero',
  'orientation-not-unit',
]

/** Problems of any 3D query with bodies. */
export const QUERY_3D_PROBLEMS: readonly ProblemCode[] = [...REQUEST_PROBLEMS, ...BODY_3D_PROBLEMS]

/** Problems of any query of a scene. */
export const SCENE_QUERY_PROBLEMS: readonly ProblemCode[] = [
  'not-acceptable',
  ...new Set([...REQUEST_PROBLEMS, ...READ_PROBLEMS, ...WORK_PROBLEMS]),
]

/** Problems of any query of a scene that is about a body. */
export const PROBE_PROBLEMS: readonly ProblemCode[] = [...SCENE_QUERY_PROBLEMS, ...BODY_PROBLEMS, 'body-not-found']
export const PROBE_3D_PROBLEMS: readonly ProblemCode[] = [
  ...SCENE_QUERY_PROBLEMS,
  ...BODY_3D_PROBLEMS,
  'body-not-found',
]

/** Problems of any write of bodies to a scene; `problems`: those of the bodies. */
function sceneBodyProblems(problems: readonly ProblemCode[]): readonly ProblemCode[] {
  return [
    ...REQUEST_PROBLEMS.filter((code) => !WRITE_PROBLEMS.includes(code)),
    ...WRITE_PROBLEMS,
    ...problems,
    ...WORK_PROBLEMS.filter((code) => !WRITE_PROBLEMS.includes(code)),
    'too-many-scene-bodies',
    'data-too-large',
  ]
}

export const SCENE_BODY_PROBLEMS = sceneBodyProblems(BODY_PROBLEMS)
export const SCENE_BODY_3D_PROBLEMS = sceneBodyProblems(BODY_3D_PROBLEMS)

/** Problems of a request to keep a shape. */
export const KEEP_PROBLEMS: readonly ProblemCode[] = [
  'read-only-token',
  'import-malformed',
  'storage-failed',
  'storage-full',
  ...WORK_PROBLEMS.filter((code) => !REQUEST_PROBLEMS.includes(code)),
]

/** Problems of an import of a file. */
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
