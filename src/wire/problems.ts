// The table of problems: for each code its status, title, cause and fix, and the document that a request with this problem gets
// (RFC 9457). schemas/problem.ts lists the codes; the type below keeps the two in step. `npm run openapi` writes
// docs/errors.md from this table.

import type { ProblemCode, ProblemDetails, ProblemKind } from '../../schemas/problem.ts'

export const PROBLEM_TYPE = 'application/problem+json'

interface ProblemEntry {
  readonly status: number
  readonly title: string
  /** When the service answers with it. */
  readonly cause: string
  /** How the caller, or the operator, can avoid it. */
  readonly fix: string
}

export const PROBLEMS: Readonly<Record<ProblemCode, ProblemEntry>> = {
  'malformed-request': {
    status: 400,
    title: 'The request is malformed',
    cause: 'The request line, the headers or the length of the body are not valid HTTP, or the body does not unpack.',
    fix: 'Check the client or what lies between.',
  },
  'malformed-json': {
    status: 400,
    title: 'The body is not JSON',
    cause: 'The body could not be parsed. The detail names the line and the column.',
    fix: 'Mend the text there: JSON knows no trailing commas, comments or single quotes.',
  },
  'empty-body': {
    status: 400,
    title: 'The body is empty',
    cause: 'The route expects a JSON object as the body and none was sent.',
    fix: 'Send the object, as `Content-Type: application/json`.',
  },
  'schema-violation': {
    status: 400,
    title: 'The request does not match the schema',
    cause:
      'A field is missing, unknown, of the wrong type or out of its range. The pointer names it; nothing is coerced and nothing is stripped.',
    fix: 'Change the field that the pointer names as the detail says.',
  },
  unauthorized: {
    status: 401,
    title: 'A token is required',
    cause: 'The service was configured with tokens.',
    fix: 'Send one as `Authorization: Bearer <token>`.',
  },
  'read-only-token': {
    status: 403,
    title: 'The token may not change anything',
    cause: 'The token is one of READ_TOKENS: it may ask queries and read scenes, but not write to them.',
    fix: 'Use one of API_TOKENS.',
  },
  'not-found': {
    status: 404,
    title: 'Nothing is here',
    cause: 'No route has this path.',
    fix: 'The paths are listed at /openapi.json and shown at /docs.',
  },
  'scene-not-found': {
    status: 404,
    title: 'There is no such scene',
    cause:
      'No scene has this id: it was never made, was deleted, or expired because nobody used it for longer than its ttl.',
    fix: 'Make it with PUT, or look at the list of scenes for its id.',
  },
  'body-not-found': {
    status: 404,
    title: 'There is no such body in the scene',
    cause:
      'No body of the scene has this id. In a list of operations the pointer names the first one that is about such a body; none of them was applied.',
    fix: 'Put the body first, or leave the operation out.',
  },
  'shape-not-found': {
    status: 404,
    title: 'There is no such kept shape',
    cause: 'No shape of this id is kept here: it was never sent, was deleted, or made room for others.',
    fix: 'Send it with POST: its id stays the same.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'The method is not allowed here',
    cause: 'The path exists, but not for this method.',
    fix: 'The Allow header lists those it takes.',
  },
  'not-acceptable': {
    status: 406,
    title: 'There is no such answer',
    cause:
      'The Accept header asks for a picture where none is drawn, or in another form than SVG, and takes nothing else.',
    fix: 'The detail says what there is.',
  },
  'request-timeout': {
    status: 408,
    title: 'The request took too long to arrive',
    cause: 'The whole request must arrive within the time listed at /v1/limits.',
    fix: 'Send smaller requests, or look for what slows the connection.',
  },
  'version-mismatch': {
    status: 412,
    title: 'The scene is at another version',
    cause:
      'If-Match asked for a version, and the scene has been written to since; actual is where it stands. Nothing was changed.',
    fix: 'Read what is new and try again.',
  },
  'body-too-large': {
    status: 413,
    title: 'The body is too large',
    cause: 'The body is larger than the limit listed at /v1/limits.',
    fix: 'Split the request.',
  },
  'too-many-vertices': {
    status: 413,
    title: 'There are too many vertices',
    cause: 'The shape, or the list of points, has more vertices than this service takes, see /v1/limits.',
    fix: 'Leave out vertices that say little, or cut the shape in several.',
  },
  'too-many-triangles': {
    status: 413,
    title: 'The mesh has too many triangles',
    cause: 'The instance accepts a limited number of triangles of one mesh, twice that of vertices.',
    fix: 'Keep the mesh with POST /v1/3d/shapes, whose limit is higher, or send fewer triangles.',
  },
  'too-many-reflex-edges': {
    status: 422,
    title: 'The mesh has too many reflex edges',
    cause:
      'The method exact cuts the mesh along its reflex edges, and takes at most limit of them; actual is how many the mesh has.',
    fix: 'Ask for the method approximate, or send a simpler mesh.',
  },
  'too-many-parts': {
    status: 413,
    title: 'A compound has too many parts',
    cause: 'The compound has more shapes, over all depths, than this service takes, see /v1/limits.',
    fix: 'Make several bodies of it.',
  },
  'too-many-targets': {
    status: 413,
    title: 'There are too many targets',
    cause: 'The list has more targets than this service takes, see /v1/limits.',
    fix: 'Split it.',
  },
  'too-many-obstacles': {
    status: 413,
    title: 'There are too many obstacles',
    cause: 'The list has more obstacles than this service takes, see /v1/limits.',
    fix: 'Leave out what is never met.',
  },
  'too-many-impacts': {
    status: 413,
    title: 'The trajectory has too many bounces and obstacles',
    cause:
      'Every bounce looks at every obstacle. The two numbers multiplied may not exceed the limit listed at /v1/limits.',
    fix: 'Lower maxBounces, leave out obstacles, or join them to one region, chain or compound.',
  },
  'too-many-bodies': {
    status: 413,
    title: 'There are too many bodies',
    cause: 'The list has more bodies than this service takes, see /v1/limits.',
    fix: 'Split it, or put the bodies into a scene and ask that.',
  },
  'too-many-cells': {
    status: 413,
    title: 'The table or grid has too many cells',
    cause:
      'The table has more cells than this service fills, see /v1/limits; cells of bodies with many vertices, of concave ones, and of ones that turn count as several. Or the grid of sectors has more than 10,000,000 cells, or bodies pass through cells more often than maxPairs.',
    fix: 'Split the lists, or ask about a part of the grid or a coarser one.',
  },
  'too-many-queries': {
    status: 413,
    title: 'There are too many queries',
    cause: 'The batch has more queries than this service takes, see /v1/limits.',
    fix: 'Split it, or send it as application/x-ndjson, which has no end.',
  },
  'too-many-operations': {
    status: 413,
    title: 'There are too many operations',
    cause: 'The list has more operations than one write may have, see /v1/limits.',
    fix: 'Split it.',
  },
  'too-many-scenes': {
    status: 413,
    title: 'There are too many scenes',
    cause: 'The service keeps no more scenes than are listed at /v1/limits.',
    fix: 'Delete some, or give them a ttl.',
  },
  'too-many-scene-bodies': {
    status: 413,
    title: 'The scene would have too many bodies',
    cause: 'A scene has no more bodies than are listed at /v1/limits. Nothing was changed.',
    fix: 'Remove bodies, join what stands still to regions or compounds, or make a second scene.',
  },
  'data-too-large': {
    status: 413,
    title: 'The data of a body are too large',
    cause: 'The text of the data of a body may have 4096 bytes at most.',
    fix: 'Keep the rest elsewhere, under the id of the body.',
  },
  'import-malformed': {
    status: 422,
    title: 'The file is not what its format says',
    cause:
      'A file that is to be imported is no JSON, or a field that its format knows is missing or of another type. The detail names the place; nothing was imported.',
    fix: 'Save the file anew by its editor, or look whether the format is the one that was meant.',
  },
  'import-file-missing': {
    status: 422,
    title: 'A file that the imported one names was not sent',
    cause: 'The file names another, such as a level of its own.',
    fix: 'Send both as parts of multipart/form-data, the main file first; files are found by their names without folders.',
  },
  'too-many-rays': {
    status: 413,
    title: 'There are too many rays',
    cause: 'One cast in a scene has as many rays as a batch may have queries, see /v1/limits.',
    fix: 'Split it.',
  },
  'picture-too-large': {
    status: 413,
    title: 'There is too much for a picture',
    cause: 'The request asks for a picture, but has more shapes or vertices than can be told apart in one.',
    fix: 'Ask for application/json.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The content type is not supported',
    cause:
      'Bodies are sent as `Content-Type: application/json` in UTF-8, as they are or with `Content-Encoding: gzip` or `br`.',
    fix: 'Name the content type, and use one of these.',
  },
  'aabb-inverted': {
    status: 422,
    title: 'The corners of the aabb are inverted',
    cause: 'A component of min is greater than that of max.',
    fix: 'Swap the two.',
  },
  'aabb-rotated': {
    status: 422,
    title: 'An aabb takes no rotation',
    cause:
      'A body whose shape is an aabb has a rotation that is not 0, its own or that of a compound around it, or in space an orientation that turns it.',
    fix: 'Send a box instead.',
  },
  'answer-out-of-range': {
    status: 422,
    title: 'The answer is out of range',
    cause: 'A number of the answer, such as the inertia of a shape of size 1e80, exceeds the largest double.',
    fix: 'Use a larger unit.',
  },
  'body-not-convex': {
    status: 422,
    title: 'The body is not convex',
    cause: 'The body of a trajectory has a convex shape. Chains, regions and compounds are taken as obstacles.',
    fix: 'Take its convex hull, or ask how it is decomposed.',
  },
  'compound-too-deep': {
    status: 422,
    title: 'Compounds are nested too deep',
    cause: 'Compounds hold compounds down to a depth of 8.',
    fix: 'A flat list of placed shapes says the same.',
  },
  'coordinate-out-of-range': {
    status: 422,
    title: 'A number is out of range',
    cause: 'Coordinates, sizes, angles, velocities and durations may reach 1e100 in magnitude and no more.',
    fix: 'Use a larger unit, or look for a division by zero.',
  },
  'direction-zero': {
    status: 422,
    title: 'The direction is zero',
    cause: 'The direction may have any length, but a zero vector points nowhere.',
    fix: 'Send one that points somewhere, or leave the question out.',
  },
  'halfplane-normal-zero': {
    status: 422,
    title: 'The normal of the half-plane is zero',
    cause: 'The normal gives the direction out of the solid side; it may have any length but 0.',
    fix: 'Send the direction that points away from the solid side.',
  },
  'halfspace-normal-zero': {
    status: 422,
    title: 'The normal of the half-space is zero',
    cause: 'The normal gives the direction out of the solid side; it may have any length but 0.',
    fix: 'Send the direction that points away from the solid side.',
  },
  'heightfield-misshapen': {
    status: 422,
    title: 'The height field is no grid',
    cause: 'The number of heights is not a multiple of columns, or there is only one row, or no cell has four heights.',
    fix: 'Send whole rows, two or more, with a height at every corner of some cell.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'The Idempotency-Key belongs to another request',
    cause: 'The scene has accepted another request with the same Idempotency-Key within the last day.',
    fix: 'Make a new key for every write, and send it again only with the same body.',
  },
  'mesh-index-out-of-range': {
    status: 422,
    title: 'A triangle names a vertex that is not there',
    cause: 'An index in triangles is as large as the number of vertices, or larger. The pointer names it.',
    fix: 'Count vertices from 0: three coordinates are one vertex.',
  },
  'mesh-misshapen': {
    status: 422,
    title: 'The lists of the mesh do not fit together',
    cause:
      'The list vertices or triangles is not a multiple of three long, or groups has not one number for each triangle.',
    fix: 'Send three coordinates for each vertex, three indices for each triangle, and one group for each if any.',
  },
  'mesh-not-closed': {
    status: 422,
    title: 'The solid mesh is not closed',
    cause:
      'A solid mesh must be closed and wound one way: as many triangles must pass each edge in one direction as in the other. The detail names an edge where that is not so.',
    fix: 'Close the mesh or turn the triangle round, or leave solid out: then it is a surface.',
  },
  'minkowski-shape-unsupported': {
    status: 422,
    title: 'A Minkowski sum does not take this shape',
    cause:
      'Points, circles, segments, capsules, boxes, aabbs and polygons are taken, rounded or not; in space points, spheres, segments, capsules, triangles, boxes, aabbs and hulls. The sums of ellipses, cylinders and cones have no corners; concave shapes are taken apart first, half-planes have no corners.',
    fix: 'Send a polygon or a hull near to the shape, or its pieces one by one.',
  },
  'orientation-not-unit': {
    status: 422,
    title: 'The orientation is no unit quaternion',
    cause: 'The length of an orientation must be within 0.001 of 1; it is normalised once on entry.',
    fix: 'Leave it out where nothing is turned.',
  },
  'polygon-not-convex': {
    status: 422,
    title: 'The polygon is not convex',
    cause:
      'The pointer names a vertex at which the outline turns the wrong way. Repeated and collinear vertices are accepted.',
    fix: 'Send it as a region, which may be concave, or send its convex hull.',
  },
  'ray-direction-zero': {
    status: 422,
    title: 'The direction of the ray is zero',
    cause: 'The direction may have any length, from the least to the greatest double, but a zero vector has none.',
    fix: 'Send the second point minus the first.',
  },
  'region-hole-misplaced': {
    status: 422,
    title: 'A hole of the region is misplaced',
    cause:
      'A hole lies outside the outer ring, or inside another hole. Holes may touch the outer ring and each other at single points.',
    fix: 'Move the hole inside, or make what lies in a hole a region of its own.',
  },
  'region-self-intersecting': {
    status: 422,
    title: 'The region intersects itself',
    cause:
      'Two edges cross or run along each other. The detail names both and the place; the pointers lead to the vertices at which they start. Rings may touch at single points.',
    fix: 'Mend the outline there, or make several regions of it.',
  },
  'shape-unbounded': {
    status: 422,
    title: 'The shape has no bounds',
    cause:
      'The query needs a shape of finite size. Half-planes and half-spaces have none, nor have compounds with one.',
    fix: 'Send a shape with an end, such as a large box.',
  },
  'shape-unknown': {
    status: 422,
    title: 'The request refers to a shape that is not kept here',
    cause:
      'A ref names a shape that was never sent to this instance, was deleted, or made room for others. The member `shape` is its id.',
    fix: 'Send the shape to /v1/2d/shapes or /v1/3d/shapes, which gives it the same id, and ask again.',
  },
  'too-complex': {
    status: 422,
    title: 'The question is too complex',
    cause: 'The answer takes more steps than a question of this size may take, and no bound could be given honestly.',
    fix: 'Ask about fewer or simpler shapes at a time.',
  },
  'trajectory-spinning': {
    status: 422,
    title: 'The bodies of a trajectory do not spin',
    cause: 'An angularVelocity other than 0 is taken only of points and circles, where it changes nothing.',
    fix: 'Leave it out.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    cause: 'The client has used up its requests for this minute.',
    fix: 'Retry-After says when to come back.',
  },
  'headers-too-large': {
    status: 431,
    title: 'The headers are too large',
    cause: 'Request line and headers together are limited to 16 KiB.',
    fix: 'Send what is long in the body.',
  },
  'internal-error': {
    status: 500,
    title: 'The service failed',
    cause: 'A fault of the service, not of the request.',
    fix: 'Report it with the requestId.',
  },
  'scene-damaged': {
    status: 500,
    title: 'The scene is damaged',
    cause:
      'What was stored of the scene cannot be read, so it is not served, rather than served in part; the detail says what is wrong. Other scenes are not affected.',
    fix: 'Restore the data directory from a copy, or delete the scene.',
  },
  starting: {
    status: 503,
    title: 'The service is starting',
    cause: 'It does not take requests yet.',
    fix: 'Retry-After says when to come back.',
  },
  draining: {
    status: 503,
    title: 'The service is shutting down',
    cause: 'It finishes what it has and takes nothing new.',
    fix: 'Another instance should be asked.',
  },
  overloaded: {
    status: 503,
    title: 'The service is overloaded',
    cause:
      'More heavy requests wait than the service can answer soon, or its event loop lags behind. Nothing was done.',
    fix: 'Retry-After says when to ask again.',
  },
  'deadline-exceeded': {
    status: 503,
    title: 'The request took too long',
    cause: 'The work was ended at the deadline listed at /v1/limits; nothing was changed.',
    fix: 'The same request will take as long again: ask about fewer or simpler shapes, or send a batch as lines.',
  },
  'out-of-memory': {
    status: 503,
    title: 'The request needs too much memory',
    cause: 'The work was ended because it needed more memory than one request may take; nothing was changed.',
    fix: 'Ask about fewer or simpler shapes, or for fewer results.',
  },
  'outcome-unknown': {
    status: 503,
    title: 'It is not known whether the write was accepted',
    cause:
      'The write was on its way into the store when that could not be reached any more, and it could not be asked about in time: it may be there, or may still come to be.',
    fix: 'Send the same request again with the same Idempotency-Key, or read the scene first where it had none.',
  },
  'store-unavailable': {
    status: 503,
    title: 'The store cannot be reached',
    cause:
      'The database that keeps the scenes cannot be reached just now: nothing is written, and only scenes that are in memory are read. Nothing was changed.',
    fix: 'Retry-After says when to come back.',
  },
  'storage-failed': {
    status: 503,
    title: 'The storage has failed',
    cause:
      'The write could not be made durable, and nothing is written any more until the service is started again: the disk has failed, or the data directory or a file in it was deleted or moved. Reads are still answered.',
    fix: 'Look at the disk and the log of the service, export scenes whose files are gone, and start it again.',
  },
  'version-not-reached': {
    status: 503,
    title: 'The scene has not come to this version here',
    cause:
      'If-Version-At-Least, or atLeast in the query string, asked for a version that this instance has not heard of in the time that it waits; actual is where the scene stands here.',
    fix: 'Ask again, wait longer with `Prefer: wait=…`, or ask without the header; where the detail speaks of another history, read the scene anew.',
  },
  'storage-full': {
    status: 507,
    title: 'The storage is full',
    cause: 'There is no room left for the write. Nothing was changed, nothing is lost, and reads are still answered.',
    fix: 'Deleting scenes makes room.',
  },
}

/** The optional members of a problem document. */
export type ProblemExtras = Pick<ProblemDetails, 'errors' | 'limit' | 'actual' | 'shape'>

function problemType(code: ProblemCode): string {
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

/** Cause and fix. */
export function problemDescription(code: ProblemCode): string {
  const { cause, fix } = PROBLEMS[code]
  return `${cause} ${fix}`
}

export function problemKind(code: ProblemCode): ProblemKind {
  return { type: problemType(code), code, description: problemDescription(code), ...PROBLEMS[code] }
}
