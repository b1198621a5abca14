// How long it takes until every replica writes again after the way to the database was broken: for every kind of fault, some times,
// each of another length and at another moment.
// npx tsx loadtest/scale/writes-again.ts [ROUNDS [KIND…]]; MS=300,5000 in the environment: how long faults last. Fails past `BOUND_MS`.

import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { Cluster } from '../../test/scale/cluster.ts'
import type { Replica } from '../../test/scale/replica.ts'
import type { DatabaseServer } from '../../test/support/databases/database-server.ts'

const [count = '3', ...kinds] = process.argv.slice(2)
const rounds = Number(count)
const REPLICAS = 3
/** Between two writes to a scene by a replica: nobody waits for the one before. */
const EVERY_MS = 50
/** The connect and commit timeouts (5 s), the pause between two tries (2 s), and something for a busy machine. */
const BOUND_MS = 9000
/** Rather than that, it never does. */
const PATIENCE_MS = 90_000

const cluster = await Cluster.start({ replicaCount: REPLICAS })
const { replicas } = cluster
const proxies = replicas.map(({ proxy }) => proxy)

/** Holds what a statement locks. */
async function locked(text: string, ms: number): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.database.url })
  client.on('error', () => undefined)
  await client.connect()
  await client.query(`begin; ${text}`)
  await pause(ms)
  await client.end()
}

const proxied = (mode: 'refuse' | 'blackHole' | 'cutAnswer' | 'cutSync' | 'slow') => async (ms: number) => {
  for (const proxy of proxies) await proxy.become(mode)
  await pause(ms)
  for (const proxy of proxies) await proxy.become('pass')
}

let standby: DatabaseServer | null = null

/** Resolves when the fault is over. */
const FAULTS: Record<string, (ms: number) => Promise<void>> = {
  'table scene locked': (ms) => locked('lock table tangent.scene in access exclusive mode', ms),
  'table entry locked': (ms) => locked('lock table tangent.entry in access exclusive mode', ms),
  'table replica locked': (ms) => locked('lock table tangent.replica in access exclusive mode', ms),
  'all rows locked': (ms) => locked('select from tangent.scene for update', ms),
  refused: proxied('refuse'),
  'black hole, then reset': proxied('blackHole'),
  'answers cut': proxied('cutAnswer'),
  'Sync cut': proxied('cutSync'),
  slow: proxied('slow'),
  reset: async () => {
    for (const proxy of proxies) proxy.reset()
  },
  // as when an entry of a table of addresses is lost on the way
  'connections forgotten': async () => {
    for (const proxy of proxies) proxy.forget()
  },
  'forgotten, then a black hole': async (ms) => {
    for (const proxy of proxies) proxy.forget()
    await proxied('blackHole')(ms)
  },
  'half closed to the server': async () => {
    for (const proxy of proxies) proxy.halfClose('toServer')
  },
  'half closed to the client': async () => {
    for (const proxy of proxies) proxy.halfClose('toClient')
  },
  'database killed': async (ms) => {
    await cluster.database.kill9()
    await pause(ms)
    await cluster.database.start()
  },
  'database restarted': () => cluster.database.restart('fast'),
  'database paused': async (ms) => {
    await cluster.database.pause()
    await pause(ms)
    cluster.database.resume()
  },
  'failover, connections reset': async () => {
    standby ??= await cluster.database.startStandby({})
    const [next, lost] = [standby, cluster.database]
    await lost.kill9()
    await next.promote()
    cluster.moveTo(next)
    standby = null
    await lost.dispose()
  },
  'failover, connections forgotten': async () => {
    standby ??= await cluster.database.startStandby({})
    const [next, lost] = [standby, cluster.database]
    await lost.pause()
    await next.promote()
    for (const proxy of proxies) proxy.forget()
    for (const proxy of proxies) proxy.target = next
    cluster.database = next
    standby = null
  },
}

interface Watch {
  readonly writtenAt: number[]
  readonly answers: Map<string, number>
}

/** Writes to a scene of the replica's own and to one of all, until it is told to stop. */
function keepWriting(replica: Replica, signal: { isOver: boolean }): Watch[] {
  return [`own-${replica.number}`, 'all'].map((scene) => {
    const watch: Watch = { writtenAt: [], answers: new Map() }
    const write = async (k: number) => {
      const body = JSON.stringify({
        operations: [{ op: 'put', body: { id: `b${k % 9}`, shape: { type: 'circle', radius: 1 } } }],
      })
      const answer = await replica.send('POST', `/v1/2d/scenes/${scene}/operations`, {}, body).catch(() => null)
      const said = answer === null ? 'lost' : `${answer.status} ${/"code":"([^"]*)"/.exec(answer.text)?.[1] ?? ''}`
      watch.answers.set(said, (watch.answers.get(said) ?? 0) + 1)
      if (answer?.status === 200) watch.writtenAt.push(performance.now())
    }
    const run = async () => {
      for (let k = 0; !signal.isOver; k++) {
        void write(k)
        await pause(EVERY_MS)
      }
    }
    void run()
    return watch
  })
}

/** Ms from the end of the fault until each has written, to each scene. */
async function measured(kind: string, ms: number): Promise<number[]> {
  for (const replica of replicas) await replica.ready()
  if (kind.startsWith('failover')) standby ??= await cluster.database.startStandby({})
  for (const scene of ['all', ...replicas.map(({ number }) => `own-${number}`)]) {
    for (const replica of replicas) await replica.send('PUT', `/v1/2d/scenes/${scene}`, {}, '{}').catch(() => undefined)
  }
  const signal = { isOver: false }
  const watches = replicas.flatMap((replica) => keepWriting(replica, signal))
  while (watches.some(({ writtenAt }) => writtenAt.length < 3)) await pause(20)
  await pause(300 * Math.random())
  const marks = replicas.map(({ output }) => output.length)
  const fault = FAULTS[kind] as (ms: number) => Promise<void>
  await fault(ms)
  const end = performance.now()
  // what was under way when it ended may come from before it began
  const after = ({ writtenAt }: Watch) => writtenAt.filter((at) => at > end + 100).length >= 3
  while (!watches.every(after) && performance.now() - end < PATIENCE_MS) await pause(20)
  signal.isOver = true
  const waits = watches.map(({ writtenAt }) => Math.round((writtenAt.find((at) => at > end + 100) ?? Infinity) - end))
  const answers = new Map<string, number>()
  for (const watch of watches) for (const [said, n] of watch.answers) answers.set(said, (answers.get(said) ?? 0) + n)
  const most = Math.max(...waits)
  console.log(
    `${kind}, ${Math.round(ms)} ms: ${waits.join(' ')} ms; ${[...answers].map(([a, n]) => `${n} × ${a}`).join(', ')}`,
  )
  if (most > 6000)
    for (const [k, { output }] of replicas.entries()) {
      const said = output
        .slice(marks[k])
        .split('\n')
        .filter((line) => line.includes('"event"'))
      console.log(`  replica ${k}`)
      for (const line of said.slice(0, 30)) {
        const at = Number(/"time":(\d+)/.exec(line)?.[1]) - (performance.timeOrigin + end)
        console.log(`    ${Math.round(at)} ms ${line.replaceAll(/"(level|pid|hostname|time|msg)":[^,]*,/g, '')}`)
      }
    }
  await pause(500)
  return waits
}

const LENGTHS_MS = (process.env.MS ?? '300,2500,5000,9000').split(',').map(Number)
const worst = new Map<string, number>()
try {
  for (let round = 0; round < rounds; round++) {
    for (const kind of Object.keys(FAULTS)) {
      if (kinds.length > 0 && !kinds.some((part) => kind.includes(part))) continue
      const waits = await measured(
        kind,
        (LENGTHS_MS[round % LENGTHS_MS.length] as number) * (0.9 + 0.2 * Math.random()),
      )
      worst.set(kind, Math.max(worst.get(kind) ?? 0, ...waits))
    }
  }
  for (const [kind, ms] of worst) console.log(`${kind}: ${ms} ms at most`)
} finally {
  await cluster.dispose()
}
process.exit(Math.max(...worst.values()) <= BOUND_MS ? 0 : 1)
