// GET /healthz: how the service fares, and the database of its scenes.

import { type Static, Type } from '@sinclair/typebox'
import { index, nullableReal, real, word } from './quantity.ts'
import { named, nullable } from './reference.ts'

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
