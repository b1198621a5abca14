// Documents about the service itself: is it alive, which version, which limits.

import { type Static, Type } from '@sinclair/typebox'
import { index, real, word } from './quantity.ts'
import { named } from './reference.ts'

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
