/** Who does everything to replicas, their connections, the database and the clocks that may happen to them, by a seed. */

import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { DatabaseServer } from '../support/databases/database-server.ts'
import { childrenOf } from '../support/databases/server-directory.ts'
import type { Fault, History } from './history.ts'
import type { Replica } from './replica.ts'

interface Scene {
  readonly replica: Replica
  readonly database: DatabaseServer
  readonly random: () => number
  /** How long the fault lasts. */
  readonly holdMs: number
}

const HOUR_MS = 3_600_000

async function during(holdMs: number, begin: () => unknown, end: () => unknown): Promise<void> {
  await begin()
  try {
    await pause(holdMs)
  } finally {
    await end()
  }
}

const REPLICA_FAULTS = {
  kill: ({ replica, holdMs }: Scene) =>
    during(
      holdMs,
      () => replica.kill(),
      () => replica.run(),
    ),
  pause: ({ replica, holdMs }: Scene) =>
    during(
      holdMs,
      () => replica.pause(),
      () => replica.resume(),
    ),
  refuse: ({ replica: { proxy }, holdMs }: Scene) =>
    during(
      holdMs,
      () => proxy.become('refuse'),
      () => proxy.become('pass'),
    ),
  'black hole': ({ replica: { proxy }, holdMs }: Scene) =>
    during(
      holdMs,
      () => proxy.become('blackHole'),
      () => proxy.become('pass'),
    ),
  'cut answers': ({ replica: { proxy }, holdMs }: Scene) =>
    during(
      holdMs,
      () => proxy.become('cutAnswer'),
      () => proxy.become('pass'),
    ),
  'cut statements': ({ replica: { proxy }, holdMs }: Scene) =>
    during(
      holdMs,
      () => proxy.become('cutSync'),
      () => proxy.become('pass'),
    ),
  slow: ({ replica: { proxy }, holdMs, random }: Scene) =>
    during(
      holdMs,
      () => proxy.become('slow', { latencyMs: 5 + 200 * random(), bytesPerSecond: 20_000 }),
      () => proxy.become('pass'),
    ),
  reset: async ({ replica: { proxy }, random }: Scene) => {
    for (let count = 1 + Math.floor(3 * random()); count > 0; count--) {
      proxy.reset()
      await pause(50 * random())
    }
  },
  // nobody hears of it: what is sent on them goes nowhere
  forgotten: async ({ replica: { proxy } }: Scene) => proxy.forget(),
  'half closed': async ({ replica: { proxy }, random }: Scene) =>
    proxy.halfClose(random() < 0.5 ? 'toServer' : 'toClient'),
  clock: async ({ replica, random }: Scene) => replica.moveClock(Math.round((2 * random() - 1) * HOUR_MS)),
}

const DATABASE_FAULTS = {
  'scenes locked': (scene: Scene) => locked(scene, 'lock table tangent.scene in access exclusive mode'),
  'entries locked': (scene: Scene) => locked(scene, 'lock table tangent.entry in access exclusive mode'),
  'some rows locked': (scene: Scene) =>
    locked(scene, 'select from tangent.scene where dropped_at is null and scene % 2 = 0 for update'),
  'database killed': ({ database, holdMs }: Scene) =>
    during(
      holdMs / 2,
      () => database.kill9(),
      () => database.start(),
    ),
  'database stopped at once': ({ database, holdMs }: Scene) =>
    during(
      holdMs / 2,
      () => database.stop('immediate'),
      () => database.start(),
    ),
  'database stopped': ({ database, holdMs }: Scene) =>
    during(
      holdMs / 2,
      () => database.stop('fast'),
      () => database.start(),
    ),
  'database paused': ({ database, holdMs }: Scene) =>
    during(
      holdMs,
      () => database.pause(),
      () => database.resume(),
    ),
  'database process paused': async ({ database, holdMs, random }: Scene) => {
    const processes = database.pid === undefined ? [] : await childrenOf(database.pid)
    const pid = processes[Math.floor(random() * processes.length)]
    if (pid === undefined) return
    await during(
      holdMs,
      () => signal(pid, 'SIGSTOP'),
      () => signal(pid, 'SIGCONT'),
    )
  },
}

/** Somebody else's transaction, which locks what a statement says. */
async function locked({ database, holdMs }: Scene, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(`begin; ${statement}`)
    await pause(holdMs)
  } catch {
    // the database has other troubles
  } finally {
    await client.end().catch(() => undefined)
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // it has ended by itself
  }
}

export interface NemesisOptions {
  readonly replicas: readonly Replica[]
  readonly database: DatabaseServer
  readonly history: History
  readonly random: () => number
  /** How many faults there are to be, of both kinds together. */
  readonly faultCount: number
  /** The longest, but for a few. */
  readonly holdMs: number
}

/** Of all faults, so many are those of the database. */
const DATABASE_SHARE = 0.2

/** Up to three at a time: to two replicas and to the database. Resolves when all is well again. */
export async function torment(options: NemesisOptions): Promise<void> {
  const { replicas, faultCount, random, holdMs } = options
  const ofDatabase = Math.floor(faultCount * DATABASE_SHARE)
  const free = new Set(replicas)
  const toReplica = inTurn(REPLICA_FAULTS, faultCount - ofDatabase)
  const lane = async () => {
    for (const [kind, act] of toReplica) {
      const choice = [...free]
      const replica = choice[Math.floor(random() * choice.length)] as Replica
      free.delete(replica)
      await commit(kind, act, replica, options)
      free.add(replica)
      await pause(random() * holdMs * 0.2)
    }
  }
  const toDatabase = async () => {
    for (const [kind, act] of inTurn(DATABASE_FAULTS, ofDatabase)) {
      await pause(random() * holdMs * 2)
      await commit(kind, act, null, options)
    }
  }
  await Promise.all([lane(), lane(), toDatabase()])
}

type Act = (scene: Scene) => Promise<void>

/** Every kind in turn, so that each comes in every run. */
function* inTurn(faults: Readonly<Record<string, Act>>, count: number): Generator<[string, Act]> {
  const kinds = Object.entries(faults)
  for (let done = 0; done < count; done++) yield kinds[done % kinds.length] as [string, Act]
}

async function commit(
  kind: string,
  act: Act,
  replica: Replica | null,
  { replicas, database, history, random, holdMs }: NemesisOptions,
): Promise<void> {
  // one in ten lasts as long as it takes to give up waiting
  const lasts = random() < 0.1 ? 4 * holdMs : (0.1 + 0.9 * random()) * holdMs
  const startedAt = performance.now()
  const fault: Fault = { kind, replica: replica?.number ?? null, startedAt, endedAt: null }
  history.faults.push(fault)
  await act({ replica: replica ?? (replicas[0] as Replica), database, random, holdMs: lasts })
  fault.endedAt = performance.now()
}
