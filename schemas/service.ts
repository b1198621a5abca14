// Documents about the service itself: index, health, version and limits.

import { type Static, Type } from '@sinclair/typebox'
import { index, nullableReal, real, word } from './quantity.ts'
import { named, nullable } from './reference.ts'

export const ServiceStatus = Type.Object(
  { status: word(['ok'], 'Always ok; anything else is a problem document.') },
  named('ServiceStatus', 'The service answers.', [{ status: 'ok' }]),
)
export type ServiceStatus = Static<typeof ServiceStatus>

export const ServiceVersion = Type.Object(
  {
    name: Type.String({ description: 'Name of the service.' }),
    version: Type.String({ description: 'Version of the service, as semantic versioning counts.' }),
    api: Type.String({
      description: 'Version of the wire contract: the prefix of the query routes.',
    }),
    node: Type.String({ description: 'Version of Node.js that runs it.' }),
  },
  named('ServiceVersion', 'What is running.', [{ name: 'tangent', version: '0.1.0', api: 'v1', node: '20.19.0' }]),
)
export type ServiceVersion = Static<typeof ServiceVersion>

export const ServiceLimits = Type.Object(
  {
    bodyLimit: index('Largest request body, in bytes (BODY_LIMIT).'),
    maxVertices: index('Most vertices of one shape (MAX_VERTICES); a polygon takes 1024 at most.'),
    maxParts: index('Most shapes in one compound, over all depths (MAX_PARTS).'),
    maxTargets: index('Most targets of one cast, and most obstacles of one trajectory (MAX_TARGETS).'),
    maxImpacts: index('Most bounces times obstacles of one trajectory (MAX_IMPACTS).'),
    maxBodies: index('Most bodies of one query for pairs, and of each side of a table (MAX_BODIES).'),
    maxPairs: index('Most pairs of bodies near each other that one query looks at (MAX_PAIRS).'),
    maxCells: index(
      'Most cells of one table (MAX_CELLS); those of bodies with many vertices, or that are concave, count more than once.',
    ),
    maxBatch: index(
      'Most queries of one batch, and rays of one cast in a scene (MAX_BATCH); a stream of lines has no end.',
    ),
    maxScenes: index('Most scenes (MAX_SCENES).'),
    maxSceneBodies: index('Most bodies of one scene (MAX_SCENE_BODIES).'),
    maxOperations: index('Most operations of one write to a scene (MAX_OPERATIONS).'),
    operationsBodyLimit: index('Largest request body of operations on a scene, in bytes (OPERATIONS_BODY_LIMIT).'),
    maxResults: index('Most results of one query of a scene (MAX_RESULTS); the answer says when there were more.'),
    maxSubscribers: index('Most streams of events that are open at a time (MAX_SUBSCRIBERS).'),
    maxMissedWrites: index('Most writes that a resumed stream of events catches up on (MAX_MISSED_WRITES).'),
    eventHeartbeatMs: index('Milliseconds between signs of life on a stream of events (EVENT_HEARTBEAT_MS).'),
    shapeBodyLimit: index('Largest request body with a shape to keep, in bytes (SHAPE_BODY_LIMIT).'),
    shapeMaxVertices: index(
      'Most vertices of a kept mesh or height field (SHAPE_MAX_VERTICES); it may have twice as many triangles.',
    ),
    maxMagnitude: real('Greatest magnitude of any coordinate, size or angle.'),
    maxArrivingBytes: index(
      'Most bytes of request bodies that the service holds while they arrive and are worked on, over all connections (MAX_ARRIVING_BYTES).',
    ),
    maxUnreadBytes: index(
      'Most bytes of answers that clients have not read yet, over all connections (MAX_UNREAD_BYTES).',
    ),
    requestTimeoutMs: index('Time to receive a request in, in milliseconds; 0 is no limit (REQUEST_TIMEOUT_MS).'),
    queryDeadlineMs: index('Time for the work of one request, in milliseconds (QUERY_DEADLINE_MS).'),
    rateLimit: index('Requests per minute and client; 0 is no limit (RATE_LIMIT).'),
  },
  named('ServiceLimits', 'Every limit that a request can run into.', [
    {
      bodyLimit: 16777216,
      maxVertices: 100000,
      maxParts: 10000,
      maxTargets: 10000,
      maxImpacts: 10000000,
      maxBodies: 100000,
      maxPairs: 1000000,
      maxCells: 1000000,
      maxBatch: 100000,
      maxScenes: 10000,
      maxSceneBodies: 1000000,
      maxOperations: 100000,
      operationsBodyLimit: 67108864,
      maxResults: 100000,
      maxSubscribers: 2000,
      maxMissedWrites: 100000,
      eventHeartbeatMs: 15000,
      shapeBodyLimit: 67108864,
      shapeMaxVertices: 2000000,
      maxMagnitude: 1e100,
      maxArrivingBytes: 134217728,
      maxUnreadBytes: 67108864,
      requestTimeoutMs: 30000,
      queryDeadlineMs: 10000,
      rateLimit: 0,
    },
  ]),
)
export type ServiceLimits = Static<typeof ServiceLimits>

// GET /healthz: health of the process and of the database that holds its scenes.

export const StoreHealth = Type.Object(
  {
    reachable: Type.Boolean({ description: 'Whether what was last asked of the database was answered.' }),
    writable: Type.Boolean({ description: 'Whether a write would be tried now.' }),
    following: word(
      ['notify', 'poll', 'none'],
      'How writes of other instances are heard of: as they happen, by looking again and again, or not at all.',
    ),
    staleMs: real('Milliseconds since when it is not known what others have written; 0 while it is.', { minimum: 0 }),
    commits: index('Commits since the start; each may have many writes.'),
    meanCommitMs: nullableReal('Milliseconds that a commit has taken in the mean; null without any.'),
    conflicts: index('Writes that others came before, and that were checked again.'),
    unknownOutcomes: index('Commits of which it was not known whether they had been made, until that was looked up.'),
    reconnects: index('Connections that were made anew.'),
    loads: index('Scenes that were read into memory.'),
    forks: index('Scenes whose last versions the database had lost, so that they were read anew.'),
  },
  named('StoreHealth', 'How the database fares that other instances write to as well. Counts are since the start.'),
)
export type StoreHealth = Static<typeof StoreHealth>

export const ServiceHealth = Type.Object(
  {
    status: word(
      ['ok', 'starting', 'draining', 'overloaded', 'storage-failed'],
      'ok: takes requests; starting: not yet; draining: finishes what it has and stops; overloaded: asks clients to wait; storage-failed: takes no writes until it is started again.',
    ),
    uptime: real('Seconds since the process started.', { minimum: 0 }),
    eventLoopDelay: nullableReal(
      'Mean delay of the event loop over the last second, in milliseconds; null when it was blocked for all of it.',
    ),
    heapUsed: real('Bytes of heap in use.', { minimum: 0 }),
    rss: real('Bytes of memory that the process holds.', { minimum: 0 }),
    store: nullable(StoreHealth, 'The database of the scenes; null where this instance alone keeps them.'),
  },
  named('ServiceHealth', 'How the service fares, for people and dashboards; always 200 while the process answers.', [
    { status: 'ok', uptime: 12.5, eventLoopDelay: 0.4, heapUsed: 31000000, rss: 98000000, store: null },
  ]),
)
export type ServiceHealth = Static<typeof ServiceHealth>

/** GET / */
export const ServiceIndex = Type.Object(
  {
    name: Type.String({ description: 'Name of the service.' }),
    description: Type.String({ description: 'What it does, in a sentence.' }),
    paths: Type.Array(Type.String(), { description: 'Where to find out more, on this host.' }),
  },
  named('ServiceIndex', 'What the service is, for whoever comes to it first.'),
)
export type ServiceIndex = Static<typeof ServiceIndex>
