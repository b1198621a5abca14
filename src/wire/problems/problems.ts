// The problem table: what each code means, and the document that is answered for it (RFC 9457).
// The codes themselves are listed in schemas/problem-code.ts; the type below keeps the two in step.

import type { ProblemDetails, ProblemKind } from '../../../schemas/problem.ts'
import type { ProblemCode } from '../../../schemas/problem-code.ts'
import { PROBLEM_FIXES } from './problem-fixes.ts'

export const PROBLEM_TYPE = 'application/problem+json'

export interface ProblemEntry {
  readonly status: number
  readonly title: string
  /** When it is answered. */
  readonly cause: string
}

export const PROBLEMS: Readonly<Record<ProblemCode, ProblemEntry>> = {
  'malformed-request': {
    status: 400,
    title: 'The request is malformed',
    cause: 'The request line, the headers or the length of the body are not valid HTTP, or the body does not unpack.',
  },
  'malformed-json': {
    status: 400,
    title: 'The body is not JSON',
    cause: 'The body could not be parsed. The detail names the line and the column.',
  },
  'empty-body': {
    status: 400,
    title: 'The body is empty',
    cause: 'The route expects a JSON object as the body and none was sent.',
  },
  'schema-violation': {
    status: 400,
    title: 'The request does not match the schema',
    cause:
      'A field is missing, unknown, of the wrong type or out of its range. The pointer names it; nothing is coerced and nothing is stripped.',
  },
  unauthorized: {
    status: 401,
    title: 'A token is required',
    cause: 'The service was configured with tokens.',
  },
  'read-only-token': {
    status: 403,
    title: 'The token may not change anything',
    cause: 'The token is one of READ_TOKENS: it may ask queries and read scenes, but not write to them.',
  },
  'not-found': {
    status: 404,
    title: 'Nothing is here',
    cause: 'No route has this path.',
  },
  'scene-not-found': {
    status: 404,
    title: 'There is no such scene',
    cause:
      'No scene has this id: it was never made, was deleted, or expired because nobody used it for longer than its ttl.',
  },
  'body-not-found': {
    status: 404,
    title: 'There is no such body in the scene',
    cause:
      'No body of the scene has this id. In a list of operations the pointer names the first one that is about such a body; none of them was applied.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'The method is not allowed here',
    cause: 'The path exists, but not for this method.',
  },
  'not-acceptable': {
    status: 406,
    title: 'There is no such answer',
    cause:
      'The Accept header asks for a picture where none is drawn, or in another form than SVG, and takes nothing else.',
  },
  'request-timeout': {
    status: 408,
    title: 'The request took too long to arrive',
    cause: 'The whole request must arrive within the time listed at /v1/limits.',
  },
  'version-mismatch': {
    status: 412,
    title: 'The scene is at another version',
    cause:
      'If-Match asked for a version, and the scene has been written to since; actual is where it stands. Nothing was changed.',
  },
  'body-too-large': {
    status: 413,
    title: 'The body is too large',
    cause: 'The body is larger than the limit listed at /v1/limits.',
  },
  'too-many-vertices': {
    status: 413,
    title: 'There are too many vertices',
    cause: 'The shape, or the list of points, has more vertices than this service takes, see /v1/limits.',
  },
  'too-many-parts': {
    status: 413,
    title: 'A compound has too many parts',
    cause: 'The compound has more shapes, over all depths, than this service takes, see /v1/limits.',
  },
  'too-many-targets': {
    status: 413,
    title: 'There are too many targets',
    cause: 'The list has more targets than this service takes, see /v1/limits.',
  },
  'too-many-obstacles': {
    status: 413,
    title: 'There are too many obstacles',
    cause: 'The list has more obstacles than this service takes, see /v1/limits.',
  },
  'too-many-impacts': {
    status: 413,
    title: 'The trajectory has too many bounces and obstacles',
    cause:
      'Every bounce looks at every obstacle. The two numbers multiplied may not exceed the limit listed at /v1/limits.',
  },
  'too-many-bodies': {
    status: 413,
    title: 'There are too many bodies',
    cause: 'The list has more bodies than this service takes, see /v1/limits.',
  },
  'too-many-cells': {
    status: 413,
    title: 'The table has too many cells',
    cause:
      'The table has more cells than this service fills, see /v1/limits. Cells of bodies with many vertices, of concave ones, and of ones that turn count as several.',
  },
  'too-many-queries': {
    status: 413,
    title: 'There are too many queries',
    cause: 'The batch has more queries than this service takes, see /v1/limits.',
  },
  'too-many-operations': {
    status: 413,
    title: 'There are too many operations',
    cause: 'The list has more operations than one write may have, see /v1/limits.',
  },
  'too-many-scenes': {
    status: 413,
    title: 'There are too many scenes',
    cause: 'The service keeps no more scenes than are listed at /v1/limits.',
  },
  'too-many-scene-bodies': {
    status: 413,
    title: 'The scene would have too many bodies',
    cause: 'A scene has no more bodies than are listed at /v1/limits. Nothing was changed.',
  },
  'data-too-large': {
    status: 413,
    title: 'The data of a body are too large',
    cause: 'The text of the data of a body may have 4096 bytes at most.',
  },
  'import-malformed': {
    status: 422,
    title: 'The file is not what its format says',
    cause:
      'A file that is to be imported is no JSON, or a field that its format knows is missing or of another type. The detail names the place; nothing was imported.',
  },
  'import-file-missing': {
    status: 422,
    title: 'A file that the imported one names was not sent',
    cause: 'The file names another, such as a level of its own.',
  },
  'too-many-rays': {
    status: 413,
    title: 'There are too many rays',
    cause: 'One cast in a scene has as many rays as a batch may have queries, see /v1/limits.',
  },
  'picture-too-large': {
    status: 413,
    title: 'There is too much for a picture',
    cause: 'The request asks for a picture, but has more shapes or vertices than can be told apart in one.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The content type is not supported',
    cause:
      'Bodies are sent as `Content-Type: application/json` in UTF-8, as they are or with `Content-Encoding: gzip` or `br`.',
  },
  'aabb-inverted': {
    status: 422,
    title: 'The corners of the aabb are inverted',
    cause: 'A component of min is greater than that of max.',
  },
  'aabb-rotated': {
    status: 422,
    title: 'An aabb takes no rotation',
    cause:
      'A body whose shape is an aabb has a rotation that is not 0, its own or that of a compound around it, or in space an orientation that turns it.',
  },
  'answer-out-of-range': {
    status: 422,
    title: 'The answer is out of range',
    cause: 'A number of the answer, such as the inertia of a shape of size 1e80, exceeds the largest double.',
  },
  'body-not-convex': {
    status: 422,
    title: 'The body is not convex',
    cause: 'The body of a trajectory has a convex shape. Chains, regions and compounds are taken as obstacles.',
  },
  'compound-too-deep': {
    status: 422,
    title: 'Compounds are nested too deep',
    cause: 'Compounds hold compounds down to a depth of 8.',
  },
  'coordinate-out-of-range': {
    status: 422,
    title: 'A number is out of range',
    cause: 'Coordinates, sizes, angles, velocities and durations may reach 1e100 in magnitude and no more.',
  },
  'direction-zero': {
    status: 422,
    title: 'The direction is zero',
    cause: 'The direction may have any length, but a zero vector points nowhere.',
  },
  'halfplane-normal-zero': {
    status: 422,
    title: 'The normal of the half-plane is zero',
    cause: 'The normal gives the direction out of the solid side; it may have any length but 0.',
  },
  'halfspace-normal-zero': {
    status: 422,
    title: 'The normal of the half-space is zero',
    cause: 'The normal gives the direction out of the solid side; it may have any length but 0.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'The Idempotency-Key belongs to another request',
    cause: 'The scene has accepted another request with the same Idempotency-Key within the last day.',
  },
  'minkowski-shape-unsupported': {
    status: 422,
    title: 'A Minkowski sum does not take this shape',
    cause:
      'Points, circles, segments, capsules, boxes, aabbs and polygons are taken, rounded or not; in space points, spheres, segments, capsules, triangles, boxes, aabbs and hulls. The sums of ellipses, cylinders and cones have no corners; concave shapes are taken apart first, half-planes have no corners.',
  },
  'orientation-not-unit': {
    status: 422,
    title: 'The orientation is no unit quaternion',
    cause: 'The length of an orientation must be within 0.001 of 1; it is normalised once on entry.',
  },
  'polygon-not-convex': {
    status: 422,
    title: 'The polygon is not convex',
    cause:
      'The pointer names a vertex at which the outline turns the wrong way. Repeated and collinear vertices are accepted.',
  },
  'ray-direction-zero': {
    status: 422,
    title: 'The direction of the ray is zero',
    cause: 'The direction may have any length, from the least to the greatest double, but a zero vector has none.',
  },
  'region-hole-misplaced': {
    status: 422,
    title: 'A hole of the region is misplaced',
    cause:
      'A hole lies outside the outer ring, or inside another hole. Holes may touch the outer ring and each other at single points.',
  },
  'region-self-intersecting': {
    status: 422,
    title: 'The region intersects itself',
    cause:
      'Two edges cross or run along each other. The detail names both and the place; the pointers lead to the vertices at which they start. Rings may touch at single points.',
  },
  'shape-unbounded': {
    status: 422,
    title: 'The shape has no bounds',
    cause:
      'The query needs a shape of finite size. Half-planes and half-spaces have none, nor have compounds with one.',
  },
  'too-complex': {
    status: 422,
    title: 'The question is too complex',
    cause: 'The answer takes more steps than a question of this size may take, and no bound could be given honestly.',
  },
  'trajectory-spinning': {
    status: 422,
    title: 'The bodies of a trajectory do not spin',
    cause: 'An angularVelocity other than 0 is taken only of points and circles, where it changes nothing.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    cause: 'The client has used up its requests for this minute.',
  },
  'headers-too-large': {
    status: 431,
    title: 'The headers are too large',
    cause: 'Request line and headers together are limited to 16 KiB.',
  },
  'internal-error': {
    status: 500,
    title: 'The service failed',
    cause: 'A fault of the service, not of the request.',
  },
  'scene-damaged': {
    status: 500,
    title: 'The scene is damaged',
    cause:
      'What was stored of the scene cannot be read, so it is not served, rather than served in part; the detail says what is wrong. Other scenes are not affected.',
  },
  starting: {
    status: 503,
    title: 'The service is starting',
    cause: 'It does not take requests yet.',
  },
  draining: {
    status: 503,
    title: 'The service is shutting down',
    cause: 'It finishes what it has and takes nothing new.',
  },
  overloaded: {
    status: 503,
    title: 'The service is overloaded',
    cause:
      'More heavy requests wait than the service can answer soon, or its event loop lags behind. Nothing was done.',
  },
  'deadline-exceeded': {
    status: 503,
    title: 'The request took too long',
    cause: 'The work was ended at the deadline listed at /v1/limits; nothing was changed.',
  },
  'out-of-memory': {
    status: 503,
    title: 'The request needs too much memory',
    cause: 'The work was ended because it needed more memory than one request may take; nothing was changed.',
  },
  'outcome-unknown': {
    status: 503,
    title: 'It is not known whether the write was accepted',
    cause:
      'The write was on its way into the store when that could not be reached any more, and it could not be asked about in time: it may be there, or may still come to be.',
  },
  'store-unavailable': {
    status: 503,
    title: 'The store cannot be reached',
    cause:
      'The database that keeps the scenes cannot be reached just now: nothing is written, and only scenes that are in memory are read. Nothing was changed.',
  },
  'storage-failed': {
    status: 503,
    title: 'The storage has failed',
    cause:
      'The write could not be made durable, and nothing is written any more until the service is started again: the disk has failed, or the data directory or a file in it was deleted or moved. Reads are still answered.',
  },
  'version-not-reached': {
    status: 503,
    title: 'The scene has not come to this version here',
    cause:
      'If-Version-At-Least, or atLeast in the query string, asked for a version that this instance has not heard of in the time that it waits; actual is where the scene stands here.',
  },
  'storage-full': {
    status: 507,
    title: 'The storage is full',
    cause: 'There is no room left for the write. Nothing was changed, nothing is lost, and reads are still answered.',
  },
}

/** The members of a problem that not every problem has. */
export type ProblemExtras = Pick<ProblemDetails, 'errors' | 'limit' | 'actual'>

export function problemType(code: ProblemCode): string {
  return `/problems/${code}`
}

export function problemDetails(
  code: ProblemCode,
  detail: string,
  requestId: string,
  extras: ProblemExtras = {},
): ProblemDetails {
  const { status, title } = PROBLEMS[code]
  return { type: problemType(code), title, status, detail, code, ...extras, requestId }
}

/** When it is answered, and what to do about it. */
export function problemDescription(code: ProblemCode): string {
  return `${PROBLEMS[code].cause} ${PROBLEM_FIXES[code]}`
}

export function problemKind(code: ProblemCode): ProblemKind {
  const description = problemDescription(code)
  return { type: problemType(code), code, description, ...PROBLEMS[code], fix: PROBLEM_FIXES[code] }
}
