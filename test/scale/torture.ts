/** Replicas over one database, clients that write and read, and a nemesis; then everything is compared with everything. */

import { setTimeout as pause } from 'node:timers/promises'
import { seeded } from '../support/services/kept-scenes.ts'
import { CarefulClient } from './careful-client.ts'
import { ANSWER_MS, checkAnswerTimes } from './check-answers.ts'
import { checkHistory } from './check-history.ts'
import { checkLog } from './check-log.ts'
import { checkReplicas } from './check-replicas.ts'
import { Cluster, type ClusterOptions } from './cluster.ts'
import { type LoggedLife, readFinalLog } from './final-log.ts'
import { attemptsOf, type History, isDone, newHistory } from './history.ts'
import { torment } from './nemesis.ts'
import type { Replica } from './replica.ts'
import { begin, LASTING_SCENES, Worker } from './workload.ts'

export interface LoadOptions extends ClusterOptions {
  readonly seed: number
  readonly clientCount?: number
}

export interface TortureOptions extends LoadOptions {
  readonly faultCount: number
  /** How long most faults last at most. */
  readonly holdMs: number
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
  /** What replicas have logged, by kind. */
  readonly events: Readonly<Record<string, number>>
  /** Of those answered with success, in ms. */
  readonly writeMs: { p50: number; p99: number; max: number }
  /** What is wrong; nothing when all is well. */
  readonly findings: readonly string[]
}

/** Faults of every kind, to replicas, connections, the database and clocks. */
export async function torture(options: TortureOptions): Promise<TortureReport> {
  const { seed, faultCount, holdMs } = options
  return underLoad(options, ({ replicas, database }, history) =>
    torment({ replicas, database, history, random: seeded(seed), faultCount, holdMs }),
  )
}

/** Has clients write and read while harm is done to a cluster, and a moment longer; then everything is compared with everything. */
export async function underLoad(
  options: LoadOptions,
  harm: (cluster: Cluster, history: History) => Promise<void>,
): Promise<TortureReport> {
  const { seed, clientCount = 12 } = options
  const cluster = await Cluster.start(options)
  const { store, replicas } = cluster
  try {
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
    await harm(cluster, history)
    // all is well now: everybody is served, and goes on for a moment
    await Promise.all(replicas.map((replica) => replica.ready()))
    await pause(1000)
    stop.abort()
    await Promise.race([Promise.all(workers), pause(2 * ANSWER_MS, null, { ref: false })])
    await answered(history)
    const lives = await readFinalLog(cluster.database)
    const events = eventsOf(replicas)
    const findings = [
      ...checkAnswerTimes(history, performance.now()),
      ...(await checkReplicas(store, replicas, LASTING_SCENES)),
      ...replicas
        .filter(({ endCount }) => endCount > 0)
        .map(({ number, output }) => `replica ${number} ended: ${output}`),
      ...checkLog(lives),
      ...checkHistory(history, lives),
    ]
    // nothing that was acknowledged has been lost: nobody may think so
    for (const { output, number } of replicas) {
      const forks = output.split('\n').filter((line) => line.includes('history-forked'))
      for (const line of forks) findings.push(`replica ${number} has taken the log for another one: ${line}`)
    }
    return { ...reportOf(seed, history, lives, findings), events }
  } finally {
    await cluster.dispose()
  }
}

function eventsOf(replicas: readonly Replica[]): Record<string, number> {
  const events: Record<string, number> = {}
  for (const { output } of replicas) {
    for (const [, event = ''] of output.matchAll(/"event":"([^"]+)"/g)) events[event] = (events[event] ?? 0) + 1
  }
  return events
}

/** Waits for requests that are under way still, as long as they may take. */
async function answered(history: History): Promise<void> {
  const deadline = performance.now() + ANSWER_MS + 1000
  while (performance.now() < deadline && attemptsOf(history).some(({ endedAt }) => endedAt === null)) await pause(50)
}

function reportOf(seed: number, history: History, lives: readonly LoggedLife[], findings: string[]) {
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
