// A scene of 100,000 bodies over HTTP: single queries against a bare echo, as bench:http has it, and 1,000 rays in one
// request. The requests differ from each other, so that each looks at other bodies. Both sides are started anew several times:
// one and the same program is up to a sixth slower in one process than in another. It reports and asserts nothing. All traffic
// stays on the loopback address and ends by itself.
//
//   npm run bench:scene-http -- [--seconds=2] [--rounds=3] [--starts=5] [--connections=32] [--bodies=100000]

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { parseArgs } from 'node:util'
import type { Shape2d } from '../schemas/shapes2d.ts'
import { seeded } from './measuring/random-body.ts'
import { startService } from './measuring/service-process.ts'
import { median, type RouteRow, type SceneBatchRow, saveResults, today } from './results.ts'
import { answerOf, compareLoads, describeRow, type Loads, measureLoads, startEcho } from './rounds.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '3' },
    starts: { type: 'string', default: '5' },
    connections: { type: 'string', default: '32' },
    bodies: { type: 'string', default: '100000' },
  },
})
const seconds = Math.min(Number(values.seconds), 30)
const rounds = Math.min(Number(values.rounds), 20)
const starts = Math.min(Number(values.starts), 10)
const connections = Math.min(Number(values.connections), 256)
const bodyCount = Math.min(Number(values.bodies), 1_000_000)

const QUESTION_COUNT = 500
const RAY_COUNT = 1000
const BATCH_ROUNDS = 100
const WARM_UP = 20
/** Room for each body, a square with this side: about an eighth of it is filled. */
const ROOM = 10
const SIDE = ROOM * Math.sqrt(bodyCount)
const WRITE_COUNT = 50_000
const SCENE = '/v1/2d/scenes/bench'
const PATH = '/v1/2d/scenes/{sceneId}'

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

const asked = questions.map(({ payload, ...question }) => {
  return { ...question, payloads: Array.from({ length: QUESTION_COUNT }, payload), loads: noLoads() }
})

function noLoads(): Loads {
  return { service: [], echo: [] }
}

interface Answered {
  requestBytes: number
  responseBytes: number
}

/** Adds to the loads of each question. */
async function measureRoutes(service: string, children: ChildProcess[]): Promise<Answered[]> {
  const answered = await Promise.all(
    asked.map(async ({ op, payloads, loads }) => {
      const answers: string[] = []
      for (const each of payloads) answers.push(await answerOf(`${service}${SCENE}/${op}`, each))
      return { op, loads, bodies: payloads.map((each) => JSON.stringify(each)), answer: middleOf(answers) }
    }),
  )
  const echo = await startEcho(
    answered.map(({ op, answer }) => ({ url: `/${op}`, path: `${PATH}/${op}`, answer: JSON.parse(answer) })),
  )
  children.push(echo.child)
  for (const { op, bodies, loads } of answered) {
    const pace = { connections, seconds, rounds }
    const measured = await measureLoads(`${service}${SCENE}/${op}`, `${echo.url}/${op}`, bodies, pace)
    loads.service.push(...measured.service)
    loads.echo.push(...measured.echo)
  }
  return answered.map(({ bodies, answer }) => ({ requestBytes: bodies[0]!.length, responseBytes: answer.length }))
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

const rays = Array.from({ length: RAY_COUNT }, ray)
const forms = [
  { form: 'batch', op: 'batch', payload: { queries: rays.map((each) => ({ op: 'ray-cast', ray: each })) } },
  { form: 'rays', op: 'ray-cast', payload: { rays } },
].map(({ payload, ...form }) => {
  return { ...form, bytes: Buffer.from(JSON.stringify(payload)), responseBytes: 0, times: [] as number[] }
})

/** Adds to the times of each form. */
async function measureBatches(service: string): Promise<void> {
  for (const form of forms) {
    for (let round = -WARM_UP; round < BATCH_ROUNDS; round++) {
      const found = await timed(`${service}${SCENE}/${form.op}`, form.bytes)
      form.responseBytes = found.bytes
      if (round >= 0) form.times.push((1000 * found.milliseconds) / RAY_COUNT)
    }
  }
}

function batchRows(): SceneBatchRow[] {
  const round2 = (value: number) => Number(value.toFixed(2))
  return forms.map(({ form, bytes, responseBytes, times }) => {
    const row = { form, requestBytes: bytes.length, responseBytes, microsecondsPerRay: round2(median(times)) }
    console.log(`1,000 rays as ${form}: ${row.microsecondsPerRay} µs a ray, ${round2(Math.min(...times))} at best`)
    return { ...row, leastMicrosecondsPerRay: round2(Math.min(...times)) }
  })
}

const children: ChildProcess[] = []
try {
  let answered: Answered[] = []
  for (let start = 0; start < starts; start++) {
    const { url: service, child } = await startService()
    children.push(child)
    await fill(service)
    await measureBatches(service)
    answered = await measureRoutes(service, children)
    for (const each of children.splice(0)) each.kill()
  }
  const rows = asked.map(({ route, loads }, n): RouteRow => ({ route, ...answered[n]!, ...compareLoads(loads) }))
  for (const row of rows) console.log(describeRow(row))
  const batches = batchRows()
  const pace = { connections, roundSeconds: seconds, rounds: starts * rounds }
  const scenes = { date: today(), bodies: bodyCount, ...pace, rows, batches }
  const path = saveResults({ scenes })
  console.log(`\nwritten to ${path.slice(path.indexOf('loadtest'))}`)
} finally {
  agent.destroy()
  for (const child of children) child.kill()
}
