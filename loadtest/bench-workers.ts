// What a second worker brings, and what the pool costs those who do not need it.
//
//   workers   batches of 10,000 contacts against the service with one worker and with two, in turns: of convex bodies, which take
//             a few microseconds each, and of stars of twelve vertices.
//   builds    single small requests against two builds of the service, in turns: this one, and the one whose server is given.
//
// Each service is a process of its own; they take turns in short rounds, so that a busy neighbour meets both alike. It reports and
// asserts nothing. All traffic stays on the loopback address and ends by itself.
//
//   npm run bench:workers -- [--rounds=11] [--queries=10000] [--other=PATH/dist/src/server.js] [--seconds=2] [--connections=32]
//     [--server=PATH/dist/src/server.js]

import { parseArgs } from 'node:util'
import { round1 } from './measuring/calibrated.ts'
import { exchange } from './measuring/exchange.ts'
import { questions } from './measuring/questions.ts'
import { box, capsule, circle, polygon, seeded } from './measuring/random-body.ts'
import { endService, type Service, startService } from './measuring/service-process.ts'
import { type BatchOfWorkers, type BuildRow, median, saveResults, today } from './results.ts'
import { round } from './rounds.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '11' },
    queries: { type: 'string', default: '10000' },
    other: { type: 'string', default: '' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '32' },
    save: { type: 'string', default: 'true' },
    server: { type: 'string', default: '' },
  },
})
const rounds = Math.min(Number(values.rounds), 50)
const queries = Math.min(Number(values.queries), 100_000)
const seconds = Math.min(Number(values.seconds), 30)
const connections = Math.min(Number(values.connections), 256)

const WARM_UP_BATCHES = 4
const STAR_VERTICES = 12
const LATE_MS = 60_000

const services: Service[] = []

async function start(...how: Parameters<typeof startService>): Promise<Service> {
  const service = await startService(...how)
  services.push(service)
  return service
}

const startWith = (WORKERS: string) => start({ WORKERS }, { script: values.server })

async function endAll(): Promise<void> {
  await Promise.all(services.splice(0).map((service) => endService(service, 'SIGKILL')))
}

/** Every other round begins with the second: whoever goes second finds a warmer machine, or a busier one. */
async function inTurns(turns: [() => Promise<void>, () => Promise<void>]): Promise<void> {
  for (let n = 0; n < rounds; n++) for (const turn of n % 2 === 0 ? turns : turns.toReversed()) await turn()
}

function batchOf(count: number, bodies: BatchOfWorkers['bodies']): Buffer {
  const between = seeded(1)
  const makers = [polygon, circle, box, capsule]
  const star = () => {
    const outer = Array.from({ length: STAR_VERTICES }, (_, i) => {
      const angle = (2 * Math.PI * i) / STAR_VERTICES
      const radius = i % 2 === 0 ? between(1.5, 2) : between(0.5, 1)
      return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) }
    })
    return { shape: { type: 'region', outer }, position: { x: between(-1, 1), y: between(-1, 1) } }
  }
  const body = () => (bodies === 'stars' ? star() : makers[Math.floor(between(0, 4))]!(between))
  return Buffer.from(
    JSON.stringify({ queries: Array.from({ length: count }, () => ({ op: 'contact', a: body(), b: body() })) }),
  )
}

async function timeBatch({ url }: Service, body: Buffer): Promise<number> {
  const sent = { method: 'POST', url: `${url}/v1/2d/batch`, body }
  const { status, code, error, milliseconds } = await exchange(sent, { milliseconds: LATE_MS })
  if (status !== 200) throw new Error(`a batch: ${status} ${code} ${error}`)
  return milliseconds
}

async function compareWorkers(): Promise<BatchOfWorkers[]> {
  const [one, two] = [await startWith('1'), await startWith('2')]
  const rows: BatchOfWorkers[] = []
  for (const bodies of ['convex', 'stars'] as const) {
    const body = batchOf(queries, bodies)
    for (const service of [one, two]) for (let i = 0; i < WARM_UP_BATCHES; i++) await timeBatch(service, body)
    const times: { one: number[]; two: number[] } = { one: [], two: [] }
    await inTurns([
      async () => {
        times.one.push(await timeBatch(one, body))
      },
      async () => {
        times.two.push(await timeBatch(two, body))
      },
    ])
    const row = {
      bodies,
      requestBytes: body.length,
      oneWorkerMs: round1(median(times.one)),
      twoWorkersMs: round1(median(times.two)),
      ratio: Number(median(times.one.map((ms, n) => ms / times.two[n]!)).toFixed(2)),
    }
    rows.push(row)
    console.log(`batches of ${queries}:`, row)
  }
  await endAll()
  return rows
}

async function compareBuilds(script: string): Promise<BuildRow[]> {
  const [own, other] = [await start({}, { script: values.server }), await start({}, { script })]
  const rows: BuildRow[] = []
  for (const { title, path, payload } of questions) {
    const bodies = [JSON.stringify(payload)]
    const loads: Record<'own' | 'other', Awaited<ReturnType<typeof round>>[]> = { own: [], other: [] }
    for (const { url } of [own, other]) await round(url + path, bodies, connections, seconds)
    await inTurns([
      async () => {
        loads.own.push(await round(own.url + path, bodies, connections, seconds))
      },
      async () => {
        loads.other.push(await round(other.url + path, bodies, connections, seconds))
      },
    ])
    const row: BuildRow = {
      route: title,
      requestsPerSecond: Math.round(median(loads.own.map(({ requestsPerSecond }) => requestsPerSecond))),
      otherRequestsPerSecond: Math.round(median(loads.other.map(({ requestsPerSecond }) => requestsPerSecond))),
      p50Ms: median(loads.own.map(({ p50Ms }) => p50Ms)),
      otherP50Ms: median(loads.other.map(({ p50Ms }) => p50Ms)),
      ratio: Number(
        median(loads.own.map((load, n) => load.requestsPerSecond / loads.other[n]!.requestsPerSecond)).toFixed(3),
      ),
    }
    rows.push(row)
    console.log(row)
  }
  await endAll()
  return rows
}

try {
  const batches = await compareWorkers()
  const builds = values.other === '' ? undefined : await compareBuilds(values.other)
  if (values.save === 'true' && values.server === '') {
    const workers = { date: today(), queries, rounds, batches, ...(builds !== undefined && { builds }) }
    const path = saveResults({ workers })
    console.log(`\nwritten to ${path.slice(path.indexOf('loadtest'))}`)
  }
} finally {
  await endAll()
}
