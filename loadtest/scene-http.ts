// A scene of 100,000 bodies over HTTP: single queries against a bare echo, as bench:http has it, and 1,000 rays in one
// request. The requests differ from each other, so that each looks at other bodies. It reports and asserts nothing. All
// traffic stays on the loopback address and ends by itself.
//
//   npm run bench:scene-http -- [--seconds=2] [--rounds=11] [--connections=32] [--bodies=100000]

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { parseArgs } from 'node:util'
import type { Shape2d } from '../schemas/shape.ts'
import { seeded } from './micro/random-body.ts'
import { median, type RouteRow, type SceneBatchRow, saveResults, today } from './results.ts'
import { answerOf, compareLoads, describeRow, startEcho } from './rounds.ts'
import { startService } from './service-process.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '11' },
    connections: { type: 'string', default: '32' },
    bodies: { type: 'string', default: '100000' },
  },
})
const seconds = Math.min(Number(values.seconds), 30)
const rounds = Math.min(Number(values.rounds), 20)
const connections = Math.min(Number(values.connections), 256)
const bodyCount = Math.min(Number(values.bodies), 1_000_000)

const QUESTION_COUNT = 500
const RAY_COUNT = 1000
const BATCH_ROUNDS = 200
const WARM_UP = 20
/** Room for each body, a square with this side: about an eighth of it is filled. */
const ROOM = 10
const SIDE = ROOM * Math.sqrt(bodyCount)
const WRITE_COUNT = 50_000
const SCENE = '/v1/scenes/bench'
const PATH = '/v1/scenes/{sceneId}'

const between = seeded()
const whole = (low: number, high: number) => Math.floor(between(low, high + 1))
const place = () => ({ x: between(0, SIDE), y: between(0, SIDE) })
const direction = () => {
  const angle = between(-Math.PI, Math.PI)
  return { x: Math.cos(angle), y: Math.sin(angle) }
}

/** Crates, balls and hexagons of few kinds, as levels have them; every fourth one is turned. */
const kinds: Shape2d[] = [
  ...[2, 3, 4, 5].map((width): Shape2d => ({ type: 'box', width, height: whole(2, 5) })),
  ...[1, 1.5, 2].map((radius): Shape2d => ({ type: 'circle', radius })),
  {
    type: 'polygon',
    vertices: [0, 1, 2, 3, 4, 5].map((i) => ({
      x: 2 * Math.cos((i * Math.PI) / 3),
      y: 2 * Math.sin((i * Math.PI) / 3),
    })),
  },
]
const body = (n: number) => ({
  id: `body-${n}`,
  shape: kinds[n % kinds.length],
  position: place(),
  ...(whole(1, 4) === 1 && { rotation: between(-Math.PI, Math.PI) }),
})

async function fill(service: string): Promise<void> {
  await fetch(service + SCENE, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{}' })
  for (let n = 0; n < bodyCount; n += WRITE_COUNT) {
    const count = Math.min(WRITE_COUNT, bodyCount - n)
    const operations = Array.from({ length: count }, (_, i) => ({ op: 'put', body: body(n + i) }))
    await answerOf(`${service}${SCENE}/operations`, { operations })
  }
}

const ray = () => ({ origin: place(), direction: direction() })
const questions: { route: string; op: string; payload: () => object }[] = [
  { route: 'scene ray-cast', op: 'ray-cast', payload: () => ({ ray: ray() }) },
  {
    route: 'scene overlap',
    op: 'overlap',
    payload: () => ({ body: { shape: { type: 'circle', radius: 5 }, position: place() } }),
  },
]

/** The answer of middle length, for the echo to give to all. */
function middleOf(answers: string[]): string {
  return answers.toSorted((a, b) => a.length - b.length)[answers.length >> 1]!
}

async function measureRoutes(service: string, children: ChildProcess[]): Promise<RouteRow[]> {
  const asked = await Promise.all(
    questions.map(async ({ route, op, payload }) => {
      const payloads = Array.from({ length: QUESTION_COUNT }, payload)
      const answers: string[] = []
      for (const each of payloads) answers.push(await answerOf(`${service}${SCENE}/${op}`, each))
      return { route, op, bodies: payloads.map((each) => JSON.stringify(each)), answer: middleOf(answers) }
    }),
  )
  const echo = await startEcho(
    asked.map(({ op, answer }) => ({ url: `/${op}`, path: `${PATH}/${op}`, answer: JSON.parse(answer) })),
  )
  children.push(echo.child)
  const rows: RouteRow[] = []
  for (const { route, op, bodies, answer } of asked) {
    const pace = { connections, seconds, rounds }
    const loads = await compareLoads(`${service}${SCENE}/${op}`, `${echo.url}/${op}`, bodies, pace)
    const row = { route, requestBytes: bodies[0]!.length, responseBytes: answer.length, ...loads }
    rows.push(row)
    console.log(describeRow(row))
  }
  return rows
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Bytes of the answer, and the time from the first byte sent to the last one received. */
async function timed(url: string, payload: Buffer): Promise<{ bytes: number; milliseconds: number }> {
  const headers = { 'content-type': 'application/json', 'content-length': payload.length }
  const start = performance.now()
  const sent = request(url, { method: 'POST', agent, headers })
  sent.end(payload)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  let bytes = 0
  for await (const chunk of response) bytes += chunk.length
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode}`)
  return { bytes, milliseconds: performance.now() - start }
}

async function measureBatches(service: string): Promise<SceneBatchRow[]> {
  const rays = Array.from({ length: RAY_COUNT }, ray)
  const forms = [
    { form: 'batch', op: 'batch', payload: { queries: rays.map((each) => ({ op: 'ray-cast', ray: each })) } },
    { form: 'rays', op: 'ray-cast', payload: { rays } },
  ]
  const rows: SceneBatchRow[] = []
  for (const { form, op, payload } of forms) {
    const bytes = Buffer.from(JSON.stringify(payload))
    const times: number[] = []
    let responseBytes = 0
    for (let round = -WARM_UP; round < BATCH_ROUNDS; round++) {
      const found = await timed(`${service}${SCENE}/${op}`, bytes)
      responseBytes = found.bytes
      if (round >= 0) times.push((1000 * found.milliseconds) / RAY_COUNT)
    }
    const round2 = (value: number) => Number(value.toFixed(2))
    const row = { form, requestBytes: bytes.length, responseBytes, microsecondsPerRay: round2(median(times)) }
    rows.push({ ...row, leastMicrosecondsPerRay: round2(Math.min(...times)) })
    console.log(`1,000 rays as ${form}: ${row.microsecondsPerRay} µs a ray, ${round2(Math.min(...times))} at best`)
  }
  return rows
}

const children: ChildProcess[] = []
try {
  const { url: service, child } = await startService()
  children.push(child)
  await fill(service)
  const batches = await measureBatches(service)
  const rows = await measureRoutes(service, children)
  const scenes = { date: today(), bodies: bodyCount, connections, roundSeconds: seconds, rounds, rows, batches }
  const path = saveResults({ scenes })
  console.log(`\nwritten to ${path.slice(path.indexOf('loadtest'))}`)
} finally {
  agent.destroy()
  for (const child of children) child.kill()
}
