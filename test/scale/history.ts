/** What clients did and were told, in one process: times are those of `performance.now()`. */

import type { Operation } from '../../src/scene/state/operation.ts'

/** One request that was sent to one replica. */
export interface Attempt {
  readonly replica: number
  readonly startedAt: number
  /** Null: it is not known yet what came of it. */
  endedAt: number | null
  /** Null: the connection was lost. */
  status: number | null
  /** Of a problem. */
  code: string | null
  version: number | null
  /** The first digits of its digest. */
  digest: string | null
  // biome-ignore lint/suspicious/noExplicitAny: answers of every kind
  body: any
}

/** One write: every attempt is the same request. Without a key there is one attempt. */
export interface WriteRecord {
  readonly client: number
  readonly scene: string
  /** Lies in the data of a body that it puts or patches; null where there is no such body. */
  readonly mark: string | null
  readonly key: string | null
  /** The version that it was to build on. */
  readonly ifVersion: number | null
  readonly operations: readonly Operation[]
  readonly attempts: Attempt[]
}

/** One read: of a body, or of all. */
export interface ReadRecord {
  readonly client: number
  readonly scene: string
  readonly atLeast: number
  /** Null: the settings and the number of bodies. */
  readonly bodyId: string | null
  readonly attempts: Attempt[]
}

/** A scene that one client makes, writes to and deletes. */
export interface LifeRecord {
  readonly client: number
  readonly scene: string
  readonly creations: Attempt[]
  readonly deletions: Attempt[]
}

export interface Fault {
  readonly kind: string
  /** Null: of the database. */
  readonly replica: number | null
  readonly startedAt: number
  endedAt: number | null
}

export interface History {
  readonly writes: WriteRecord[]
  readonly reads: ReadRecord[]
  readonly lives: LifeRecord[]
  readonly faults: Fault[]
}

export const newHistory = (): History => ({ writes: [], reads: [], lives: [], faults: [] })

export const isDone = ({ status }: Attempt) => status !== null && status >= 200 && status < 300

/** Says that nothing was written, and nothing will be. */
export const isRefused = ({ status, code }: Attempt) =>
  status !== null && status >= 400 && code !== 'outcome-unknown' && status !== 500

/** Everything that was asked. */
export function attemptsOf({ writes, reads, lives }: History): Attempt[] {
  return [
    ...[...writes, ...reads].flatMap(({ attempts }) => attempts),
    ...lives.flatMap(({ creations, deletions }) => [...creations, ...deletions]),
  ]
}
