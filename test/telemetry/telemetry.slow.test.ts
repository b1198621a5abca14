// OpenTelemetry, of services that are started as an operator starts them: what they send to a receiver.

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { SERVICE_VERSION } from '../../src/version.ts'
import type { DatabaseServer } from '../support/databases/database-server.ts'
import { startServer as startDatabase } from '../support/databases/embedded-server.ts'
import { databaseUrl, newSceneDatabase } from '../support/databases/scene-databases.ts'
import { bundled } from '../support/services/bundled.ts'
import { type OtlpReceiver, type ReceivedSpan, startReceiver, valuesOf } from '../support/services/otlp-receiver.ts'
import { endServer, type SceneServer, startServer } from '../support/services/scene-server.ts'

let receiver: OtlpReceiver
let telemetry = ''
let service: SceneServer
beforeAll(async () => {
  receiver = await startReceiver()
  telemetry = await bundled('src/telemetry.ts')
})
afterAll(() => receiver.close())

async function start(env: Record<string, string> = {}): Promise<SceneServer> {
  const watched = { NODE_OPTIONS: `--import=${telemetry}`, SCENE_STORE: 'memory', WORKERS: '1' }
  service = await startServer({ ...watched, ...receiver.env, ...env })
  return service
}

interface Trace {
  readonly traceId: string
  /** Of the span of whoever asks. */
  readonly spanId: string
}

function newTrace(): Trace {
  return { traceId: randomBytes(16).toString('hex'), spanId: randomBytes(8).toString('hex') }
}

function headerOf({ traceId, spanId }: Trace, flags = '01'): Record<string, string> {
  return { traceparent: `00-${traceId}-${spanId}-${flags}` }
}

async function ask(path: string, body: object, headers: Record<string, string>): Promise<number> {
  const { url } = service
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
  const response = await fetch(url + path, init)
  await response.arrayBuffer()
  return response.status
}

const disc = (x: number) => ({ shape: { type: 'circle', radius: 1 }, position: { x, y: 0 } })
const BALL = { shape: { type: 'sphere', radius: 1 } }
const PAIR = { a: disc(0), b: disc(3) }
function tableOf(count: number): object {
  const list = Array.from({ length: count }, (_, k) => disc(k / 7))
  return { measure: 'distance', a: list, b: list }
}
/** Too much for the main thread. */
const TABLE = tableOf(150)

async function metricsText(): Promise<string> {
  return (await fetch(`${service.url}/metrics`)).text()
}

function received(...traces: readonly Trace[]): ReceivedSpan[] {
  const ids = new Set(traces.map(({ traceId }) => traceId))
  return receiver.received.spans.filter(({ traceId }) => ids.has(traceId))
}

/** The spans of a trace, by their names, once there are so many. */
async function spansOf(trace: Trace, count: number): Promise<Map<string, ReceivedSpan>> {
  await vi.waitFor(() => expect(received(trace).map(({ name }) => name)).toHaveLength(count), 20_000)
  return new Map(received(trace).map((span) => [span.name, span]))
}

const timesOf = ({ startTimeUnixNano, endTimeUnixNano }: ReceivedSpan) => [
  BigInt(startTimeUnixNano),
  BigInt(endTimeUnixNano),
]

describe('a service', () => {
  beforeAll(async () => {
    await start({ LOG_REQUESTS: 'true' })
  })
  afterAll(() => endServer(service, 'SIGTERM'))

  it('goes on with the trace of whoever asks, through the line into the thread', async () => {
    const trace = newTrace()
    expect(await ask('/v1/2d/table', TABLE, headerOf(trace))).toBe(200)
    const spans = await spansOf(trace, 3)
    const chain = ['POST /v1/2d/table', 'query 2d/table', 'worker'].map((name) => spans.get(name)!)
    const parents = [trace.spanId, ...chain.map(({ spanId }) => spanId)]
    expect(chain.map(({ parentSpanId }) => parentSpanId)).toEqual(parents.slice(0, 3))
    const [, job, work] = chain
    const [[begun, ended], [from, to]] = [timesOf(job!), timesOf(work!)]
    expect([begun! <= from!, from! < to!, to! <= ended!]).toEqual([true, true, true])
    expect(valuesOf(job!.attributes)).toMatchObject({ 'tangent.job.outcome': 'sent' })
    expect(receiver.received.resource).toMatchObject({ 'service.name': 'tangent', 'service.version': SERVICE_VERSION })
  })

  it('keeps traces apart that wait for one thread, or come at once', async () => {
    const all = Array.from({ length: 6 }, newTrace)
    const statuses = await Promise.all(all.map((trace) => ask('/v1/2d/table', TABLE, headerOf(trace))))
    // others are refused: too many wait
    const traces = all.filter((_, k) => statuses[k] === 200)
    expect(traces.length).toBeGreaterThan(1)
    for (const trace of traces) {
      const spans = await spansOf(trace, 3)
      expect(spans.get('query 2d/table')!.parentSpanId).toBe(spans.get('POST /v1/2d/table')!.spanId)
      expect(spans.get('POST /v1/2d/table')!.parentSpanId).toBe(trace.spanId)
    }
  })

  it('follows lines of a batch to their thread', async () => {
    const lines = newTrace()
    const url = `${service.url}/v1/2d/batch`
    const line = JSON.stringify({ op: 'table', ...TABLE })
    const headers = { 'content-type': 'application/x-ndjson', ...headerOf(lines) }
    const answer = await fetch(url, { method: 'POST', headers, body: `${line}\n${line}\n` })
    expect((await answer.text()).split('\n')).toHaveLength(3)
    await vi.waitFor(() => {
      const spans = received(lines)
      expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining(['POST /v1/2d/batch', 'lines 2d', 'worker']))
      const ids = new Set([lines.spanId, ...spans.map(({ spanId }) => spanId)])
      expect(spans.filter(({ parentSpanId = '' }) => !ids.has(parentSpanId))).toEqual([])
    }, 20_000)
  })

  it('has ids of the trace in the log, and neither query strings nor probes in spans', async () => {
    const { output } = service
    const trace = newTrace()
    expect(await ask('/v1/2d/distance?token=secret', PAIR, headerOf(trace))).toBe(400)
    expect(await ask('/v1/2d/distance', PAIR, headerOf(trace))).toBe(200)
    await vi.waitFor(() => expect(output.out.split('"msg":"request"').length).toBeGreaterThan(2))
    const lines = output.out.split('\n').filter((line) => line.includes('"url":"/v1/2d/distance"'))
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ trace_id: trace.traceId })
    await vi.waitFor(() => {
      expect(received(trace).filter(({ name }) => name === 'POST /v1/2d/distance')).toHaveLength(2)
    })
    const all = JSON.stringify(receiver.received.spans)
    expect(all).not.toContain('secret')
    expect(all).not.toContain('/readyz')
  })

  it('ends the span of a request whose client has gone', async () => {
    const trace = newTrace()
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headerOf(trace) } }
    const body = JSON.stringify(tableOf(1000))
    const gone = new AbortController()
    const asked = fetch(`${service.url}/v1/2d/table`, { ...init, body, signal: gone.signal })
    await expect.poll(async () => /^tangent_workers_busy (\d)/m.exec(await metricsText())?.[1]).toBe('1')
    gone.abort()
    await expect(asked).rejects.toThrow()
    const spans = await vi.waitFor(() => {
      const found = new Map(received(trace).map((span) => [span.name, span]))
      expect([...found.keys()]).toEqual(expect.arrayContaining(['POST /v1/2d/table', 'query 2d/table']))
      return found
    }, 20_000)
    expect(spans.get('POST /v1/2d/table')!.status.code).toBe(2)
    expect(valuesOf(spans.get('query 2d/table')!.attributes)).toMatchObject({ 'tangent.job.outcome': 'stopped' })
  })

  it('records nothing of a trace that is not sampled', async () => {
    const [unsampled, sampled] = [newTrace(), newTrace()]
    expect(await ask('/v1/2d/table', TABLE, headerOf(unsampled, '00'))).toBe(200)
    expect(await ask('/v1/2d/table', TABLE, headerOf(sampled))).toBe(200)
    await spansOf(sampled, 3)
    expect(received(unsampled)).toEqual([])
  })

  it('sends the metrics of the service, and the time of requests by route', async () => {
    expect(await ask('/v1/3d/distance', { a: BALL, b: BALL }, {})).toBe(200)
    const { metrics } = receiver.received
    const points = (name: string) =>
      metrics.get(name)?.histogram?.dataPoints ?? metrics.get(name)?.sum?.dataPoints ?? []
    await vi.waitFor(() => {
      const routes = points('http.server.request.duration').map(({ attributes, count }: never) => ({
        ...valuesOf(attributes),
        count,
      }))
      expect(routes).toContainEqual({
        'http.request.method': 'POST',
        'http.response.status_code': 200,
        'http.route': '/v1/3d/distance',
        count: 1,
      })
      expect(points('tangent_worker_jobs_total')).toHaveLength(1)
      expect(metrics.get('tangent_workers_busy')?.gauge.dataPoints).toHaveLength(1)
      expect(points('process_cpu_seconds_total')).toHaveLength(1)
    }, 20_000)
    expect(metrics.has('http_request_duration_seconds')).toBe(false)
  })
})

it('sends what it holds when it ends, and ends in time when nobody takes it', async () => {
  const late = { OTEL_BSP_SCHEDULE_DELAY: '60000', OTEL_METRICS_EXPORTER: 'none' }
  await start(late)
  const trace = newTrace()
  await ask('/v1/2d/distance', PAIR, headerOf(trace))
  expect(await endServer(service, 'SIGTERM')).toBe(0)
  await spansOf(trace, 1)
  // a port that nobody listens on
  await start({ ...late, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  await ask('/v1/2d/distance', PAIR, headerOf(trace))
  expect(await endServer(service, 'SIGTERM')).toBe(0)
})

it('sends nothing where it is not loaded, or told so', async () => {
  await start({ NODE_OPTIONS: '' })
  const before = receiver.received.requestCount
  expect(await ask('/v1/2d/table', TABLE, headerOf(newTrace()))).toBe(200)
  await endServer(service, 'SIGTERM')
  await start({ OTEL_SDK_DISABLED: 'true' })
  expect(await ask('/v1/2d/table', TABLE, headerOf(newTrace()))).toBe(200)
  await endServer(service, 'SIGTERM')
  expect(receiver.received.requestCount).toBe(before)
})

describe('on a database', () => {
  let database: DatabaseServer
  beforeAll(async () => {
    database = await startDatabase({ settings: { log_statement: 'all' } })
  })
  afterAll(() => database.dispose())

  async function startOnDatabase(env: Record<string, string> = {}): Promise<void> {
    const url = databaseUrl(database.url, await newSceneDatabase(database))
    await start({ SCENE_STORE: 'postgres', DATABASE_URL: url, ...env })
  }

  /** Each on its own scene, all at once; their traces. */
  async function writeAtOnce(count: number): Promise<Trace[]> {
    const traces = Array.from({ length: count }, newTrace)
    await Promise.all(traces.map((_, k) => service.send('PUT', `/s${k}`, {})))
    const writes = traces.map((trace, k) => service.send('PUT', `/s${k}/bodies/b`, disc(k), headerOf(trace)))
    for (const { status } of await Promise.all(writes)) expect(status).toBe(201)
    return traces
  }

  const isRequest = ({ name }: ReceivedSpan) => name.startsWith('PUT ')
  const isStatement = (span: ReceivedSpan) => span.attributes.some(({ key }) => key === 'db.query.text')

  it('has a span of each statement, for the request that it is for, and links to those that share it', async () => {
    await startOnDatabase()
    const traces = await writeAtOnce(8)
    const spans = await vi.waitFor(() => {
      const found = received(...traces)
      const appends = found.filter((span) => span.name === 'append' && !isStatement(span))
      const requests = found.filter(isRequest)
      expect([appends.length, requests.length]).toEqual([8, 8])
      return found
    }, 20_000)
    const requests = new Map(spans.filter(isRequest).map((span) => [span.spanId, span]))
    const statements = spans.filter(isStatement)
    const served = statements.flatMap(({ traceId, links = [] }) => [traceId, ...links.map((link) => link.traceId)])
    expect(served.sort()).toEqual(traces.map(({ traceId }) => traceId).sort())
    for (const { parentSpanId = '', traceId, attributes } of statements) {
      expect(requests.get(parentSpanId)?.traceId).toBe(traceId)
      expect(valuesOf(attributes)).toMatchObject({
        'db.system.name': 'postgresql',
        'server.address': '127.0.0.1',
        'tangent.database.pid': expect.anything(),
      })
    }
    // what it does for nobody is no trace
    expect(receiver.received.spans.filter((span) => isStatement(span) && span.parentSpanId === undefined)).toEqual([])
    await endServer(service, 'SIGTERM')
  })

  it('tells the database of the trace in a comment, with prepared statements only if that is wanted', async () => {
    await startOnDatabase()
    const list = newTrace()
    expect((await service.send('GET', '', undefined, headerOf(list))).status).toBe(200)
    const [before] = await writeAtOnce(1)
    const spans = await spansOf(list, 2)
    const log = await database.log()
    const statement = [...spans.values()].find(isStatement)!
    expect(log).toContain(`/*traceparent='00-${list.traceId}-${statement.spanId}-01'*/`)
    expect(log).not.toContain(before!.traceId)

    await endServer(service, 'SIGTERM')
    await startOnDatabase({ TANGENT_SQL_COMMENTS: 'all' })
    const [trace] = await writeAtOnce(1)
    expect(await database.log()).toContain(`/*traceparent='00-${trace!.traceId}-`)
    await endServer(service, 'SIGTERM')
  })
})
