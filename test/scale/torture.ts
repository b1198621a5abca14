/** Replicas over one database, clients that write and read, and a nemesis; then everything is compared with everything. */

import { setTimeout as pause } from 'node:timers/promises'
import { openPostgresStore } from '../../src/scene/postgres/postgres-store.ts'
import type { SceneStore } from '../../src/scene/store/store.ts'
import type { DatabaseServer } from '../support/databases/database-server.ts'
import { startServer } from '../support/databases/embedded-server.ts'
import { bundled } from '../support/services/bundled.ts'
import { seeded } from '../support/services/kept-scenes.ts'
import { CarefulClient } from './careful-client.ts'
import { ANSWER_MS, checkAnswerTimes } from './check-answers.ts'
import { checkHistory } from './check-history.ts'
import { checkLog } from './check-log.ts'
import { checkReplicas } from './check-replicas.ts'
import { type LoggedLife, readFinalLog } from './final-log.ts'
import { attemptsOf, type History, isDone, newHistory } from './history.ts'
import { torment } from './nemesis.ts'
import { Replica } from './replica.ts'
import { begin, LASTING_SCENES, Worker } from './workload.ts'

export interface TortureOptions extends ClusterOptions {
  readonly seed: number
  readonly faultCount: number
  /** How long most faults last at most. */
  readonly holdMs: number
  readonly clientCount?: number
}

export interface ClusterOptions {
  readonly replicaCount?: number
  readonly env?: Readonly<Record<string, string>>
  /** The file of the program that replicas run. */
  readonly service?: string
}

export interface TortureReport {
  readonly seed: number
  readonly faults: Readonly<Record<string, number>>
  readonly entries: number
  readonly writes: { asked: number; acknowledged: number; unknown: number; refused: number; sentAgain: number }
  readonly reads: number
  readonly lives: number
  /** Answers by status and code; lost connections. */
  readonly answers: Readonly<Record<string, number>>
  /** Of those answered with success, in ms. */
  readonly writeMs: { p50: number; p99: number; max: number }
  /** What is wrong; nothing when all is well. */
  readonly findings: readonly string[]
}

/** A database with the schema of the service, and replicas that are ready. */
export class Cluster {
  readonly database: DatabaseServer
  readonly store: SceneStore
  readonly replicas: readonly Replica[]

  private constructor(database: DatabaseServer, store: SceneStore, replicas: readonly Replica[]) {
    this.database = database
    this.store = store
    this.replicas = replicas
  }

  static async start({ replicaCount = 4, env = {}, service = 'src/server.ts' }: ClusterOptions): Promise<Cluster> {
    const [database, script] = await Promise.all([startServer(), bundled(service)])
    const store = await openPostgresStore({ connection: { url: database.url }, migrate: true })
    const replicas: Replica[] = []
    for (let number = 0; number < replicaCount; number++) {
      replicas.push(await Replica.start(number, script, database, env))
    }
    await Promise.all(replicas.map((replica) => replica.ready()))
    return new Cluster(database, store, replicas)
  }

  async dispose(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.dispose()))
    await this.store.close()
    await this.database.dispose()
  }
}

export async function torture(options: TortureOptions): Promise<TortureReport> {
  const cluster = await Cluster.start(options)
  try {
    return await torturedCluster(cluster, options)
  } finally {
    await cluster.dispose()
  }
}

async function torturedCluster(
  { database, store, replicas }: Cluster,
  { seed, faultCount, holdMs, clientCount = 12 }: TortureOptions,
): Promise<TortureReport> {
  const history = newHistory()
  const clients = Array.from(
    { length: clientCount },
    (_, number) => new CarefulClient(number, replicas, history, seeded(seed + 1000 * (number + 1))),
  )
  await begin(clients[0] as CarefulClient, history)
  const stop = new AbortController()
  const workers = clients.map((client, number) =>
    new Worker(client, history, seeded(seed + 7919 * (number + 1))).work(stop.signal),
  )
  await torment({ replicas, database, history, random: seeded(seed), faultCount, holdMs })
  // all is well now: everybody is served, and goes on for a moment
  await Promise.all(replicas.map((replica) => replica.ready()))
  await pause(1000)
  stop.abort()
  await Promise.race([Promise.all(workers), pause(2 * ANSWER_MS, null, { ref: false })])
  await answered(history)
  const findings = [
    ...checkAnswerTimes(history, performance.now()),
    ...(await checkReplicas(store, replicas, LASTING_SCENES)),
    ...replicas
      .filter(({ endCount }) => endCount > 0)
      .map(({ number, output }) => `replica ${number} ended: ${output}`),
  ]
  const lives = await readFinalLog(database)
  findings.push(...checkLog(lives), ...checkHistory(history, lives))
  return reportOf(seed, history, lives, findings)
}

/** Waits for requests that are under way still, as long as they may take. */
async function answered(history: History): Promise<void> {
  const deadline = performance.now() + ANSWER_MS + 1000
  while (performance.now() < deadline && attemptsOf(history).some(({ endedAt }) => endedAt === null)) await pause(50)
}

function reportOf(seed: number, history: History, lives: readonly LoggedLife[], findings: string[]): TortureReport {
  const faults: Record<string, number> = {}
  for (const { kind } of history.faults) faults[kind] = (faults[kind] ?? 0) + 1
  const answers: Record<string, number> = {}
  for (const { endedAt, status, code } of attemptsOf(history)) {
    const kind =
      endedAt === null ? 'not answered' : status === null ? 'lost' : code === null ? `${status}` : `${status} ${code}`
    answers[kind] = (answers[kind] ?? 0) + 1
  }
  const acknowledged = history.writes.filter(({ attempts }) => attempts.some(isDone))
  const refused = history.writes.filter(({ attempts }) =>
    attempts.some(({ status }) => status === 404 || status === 412),
  )
  const times = acknowledged
    .map(({ attempts }) => (attempts.find(isDone)?.endedAt as number) - (attempts[0]?.startedAt as number))
    .sort((a, b) => a - b)
  const at = (share: number) => Math.round(times[Math.floor(share * (times.length - 1))] ?? 0)
  return {
    seed,
    faults,
    entries: lives.reduce((sum, { entries }) => sum + entries.length, 0),
    writes: {
      asked: history.writes.length,
      acknowledged: acknowledged.length,
      refused: refused.length,
      unknown: history.writes.length - acknowledged.length - refused.length,
      sentAgain: history.writes.filter(({ attempts }) => attempts.length > 1).length,
    },
    reads: history.reads.length,
    lives: history.lives.length,
    answers,
    writeMs: { p50: at(0.5), p99: at(0.99), max: at(1) },
    findings,
  }
}
