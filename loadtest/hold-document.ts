// Does anything that can be sent hold the service up, or fill it? Every operation of its own OpenAPI document is sent its largest,
// deepest and most wrong bodies, hostile values of every parameter, and, where it is read, many requests in one chunk whose answers
// nobody takes. A fault is a process of more than 600 MB, /livez silent for more than 100 ms, a 5xx other than 503, or no
// answer in 12 s. The time for which the main thread of the service waited for a core is no silence of it, and taken off.

import { setTimeout as pause } from 'node:timers/promises'
import type { OpenApiDocument } from '../src/wire/openapi-document.ts'
import { type Operation, RequestMaker } from '../test/fuzz/openapi-requests.ts'
import { gzipBomb, hostileBodies } from './hostile-bodies.ts'
import { pipelined, unfinished, unread } from './hostile-connections.ts'
import { exchange, type Outcome, type Sent } from './measuring/exchange.ts'
import { type Watch, watchLiveness } from './measuring/liveness.ts'
import { seeded } from './measuring/random-body.ts'
import { endService, rssMiB, type Service, startService, temporaryDirectory } from './measuring/service-process.ts'

const ANSWER_MS = 12_000
const SILENCE_MS = 100
const MOST_RSS_MIB = 600e6 / 2 ** 20
const RSS_BEAT_MS = 25
const SETTLE_MS = 30
/** Unread answers are dropped after half a minute. */
const DROPPED_MS = 33_000
const UNREAD_MS = 2500
const HUGE = 'x'.repeat(6000)
const PARAMETERS = ['Infinity', '-1e999', '1e400', 'NaN', '', '\u0000', '9'.repeat(400), HUGE, '0,'.repeat(3000)]
const SCENE = '/v1/2d/scenes/s0'
const BIG_SCENE = '/v1/2d/scenes/s1'
const BIG_BODIES = 1000

export interface DocumentRun {
  only: string
  /** Of performance.now(): nothing is begun after it. */
  lastStart: number
  server: string
}

interface Row {
  name: string
  requests: number
  slowestMs: number
  silenceMs: number
  coreWaitMs: number
  rssMiB: number
  faults: Set<string>
}

/** True where all was well. */
export async function holdDocument({ only, lastStart, server }: DocumentRun): Promise<boolean> {
  const data = temporaryDirectory()
  const settings = { SCENE_STORE: 'file', DATA_DIR: data.directory, LOG_LEVEL: 'silent' }
  let service: Service
  let watch: Watch
  let peak = 0
  const rows: Row[] = []
  async function start(): Promise<void> {
    service = await startService(settings, { script: server })
    watch = watchLiveness(service.url, service.child.pid)
    await makeScene()
    await send({ method: 'PUT', path: BIG_SCENE, text: '{}' })
    const operations = Array.from({ length: BIG_BODIES }, (_, i) => ({
      op: 'put',
      body: { id: `b${i}`, shape: { type: 'circle', radius: 1 }, position: { x: 3 * i, y: 0 }, data: 'x'.repeat(4000) },
    }))
    await send({ method: 'POST', path: `${BIG_SCENE}/operations`, text: JSON.stringify({ operations }) })
  }
  /** The scene that most is asked of; what has been sent before may have deleted it. */
  async function makeScene(): Promise<void> {
    await send({ method: 'PUT', path: SCENE, text: '{}' })
    await send({ method: 'PUT', path: `${SCENE}/bodies/a`, text: '{"shape":{"type":"circle","radius":1}}' })
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    await watch.end()
    await endService(service, signal)
  }
  function send({ method, path, text }: { method: string; path: string; text?: string }): Promise<Outcome> {
    const body = text === undefined ? undefined : Buffer.from(text)
    return exchange({ method, url: service.url + path, body }, { milliseconds: ANSWER_MS })
  }

  /** What `run` sends is looked at together. It returns what it finds itself. */
  async function measure(name: string, run: (row: Row) => Promise<void>): Promise<void> {
    if (!name.includes(only) || performance.now() > lastStart) return
    const row: Row = { name, requests: 0, slowestMs: 0, silenceMs: 0, coreWaitMs: 0, rssMiB: 0, faults: new Set() }
    peak = 0
    watch.silence()
    await run(row)
    await settled(row, name)
    rows.push(row)
    console.log(
      [
        name.slice(0, 60).padEnd(60),
        `${row.requests} requests`.padStart(13),
        `slowest ${row.slowestMs.toFixed(0)} ms`.padStart(16),
        `silent ${row.silenceMs.toFixed(0)} ms (core ${row.coreWaitMs.toFixed(0)})`.padStart(26),
        `${row.rssMiB} MiB`.padStart(9),
        ...[...row.faults].map((fault) => `\n  ✗ ${fault}`),
      ].join(' '),
    )
    const { status } = await send({ method: 'GET', path: '/livez' })
    if (status === 200) return
    row.faults.add('did not come back: killed and started again')
    await end('SIGKILL')
    await start()
  }
  async function settled(row: Row, what: string): Promise<void> {
    await pause(SETTLE_MS)
    const { milliseconds, coreWait } = watch.silence()
    if (milliseconds > row.silenceMs) row.silenceMs = milliseconds
    row.coreWaitMs = Math.max(row.coreWaitMs, coreWait)
    peak = Math.max(peak, rssMiB(service) ?? 0)
    row.rssMiB = Math.max(row.rssMiB, peak)
    if (milliseconds > SILENCE_MS) row.faults.add(`${what}: /livez silent for ${milliseconds.toFixed(0)} ms`)
    if (peak > MOST_RSS_MIB) row.faults.add(`${what}: RSS ${peak} MiB`)
    peak = 0
  }
  async function ask(row: Row, what: string, sent: Omit<Sent, 'url'> & { path: string }): Promise<Outcome> {
    const outcome = await exchange({ ...sent, url: service.url + sent.path }, { milliseconds: ANSWER_MS })
    const { end: how, status, milliseconds, text, error } = outcome
    row.requests++
    row.slowestMs = Math.max(row.slowestMs, milliseconds)
    if (how === 'late') row.faults.add(`${what}: no answer in ${ANSWER_MS / 1000} s`)
    else if (status === 0) row.faults.add(`${what}: closed without an answer (${error})`)
    else if (status >= 500 && status !== 503) row.faults.add(`${what}: ${status} ${text.slice(0, 200)}`)
    return outcome
  }

  /** The most bytes that the operation takes, as it says itself. */
  async function bodyLimit(operation: Operation, most: number): Promise<number> {
    const { method } = operation
    const outcome = await exchange(
      { method, url: service.url + pathOf(operation), body: Buffer.alloc(most + 1, ' ') },
      { milliseconds: ANSWER_MS },
    )
    return outcome.status === 413 ? (JSON.parse(outcome.text) as { limit: number }).limit : most
  }
  async function askBodies(maker: RequestMaker, operation: Operation, limit: number): Promise<void> {
    const [type] = Object.keys(operation.bodies)
    await makeScene()
    await measure(`${operation.method} ${operation.path}: bodies`, async (row) => {
      for (const { kind, body, headers } of hostileBodies(maker, operation, limit)) {
        if (performance.now() > lastStart) return
        watch.silence()
        await ask(row, kind, { method: operation.method, path: pathOf(operation), type, headers, body })
        await settled(row, kind)
      }
    })
  }
  async function askParameters(operation: Operation): Promise<void> {
    const isStream = 'text/event-stream' in (operation.documented.responses['200']?.content ?? {})
    const asked = operation.parameters.filter(({ in: place }) => place !== 'path')
    if (asked.length === 0 || isStream) return
    const body = Object.keys(operation.bodies).length === 0 ? undefined : Buffer.from('{}')
    await makeScene()
    await measure(`${operation.method} ${operation.path}: parameters`, async (row) => {
      for (const { name, in: place } of asked) {
        for (const value of PARAMETERS) {
          const query = place === 'query' ? `?${name}=${encodeURIComponent(value)}` : ''
          // Control characters cannot be sent in a header.
          const headers = place === 'header' ? { [name]: value.replaceAll('\u0000', '?') } : {}
          const path = pathOf(operation) + query
          await ask(row, `${name}=${value.slice(0, 20)}`, { method: operation.method, path, headers, body })
        }
      }
    })
  }

  await start()
  const sampler = setInterval(() => {
    peak = Math.max(peak, rssMiB(service) ?? 0)
  }, RSS_BEAT_MS)
  try {
    const document = (await (await fetch(`${service!.url}/openapi.json`)).json()) as OpenApiDocument
    const limits = (await (await fetch(`${service!.url}/v1/limits`)).json()) as Record<string, number>
    const most = Math.max(
      ...Object.entries(limits).flatMap(([name, value]) => (/bodyLimit/i.test(name) ? [value] : [])),
    )
    const maker = new RequestMaker(document, seeded(1))
    const { operations } = maker

    const reads = operations.filter(({ method }) => method === 'GET')
    for (const operation of reads) {
      const query = operation.parameters.flatMap(({ name, in: place, required = false, schema }) => {
        if (place !== 'query') return []
        // The longest page, and what has to be said.
        return name === 'limit' ? ['limit=1000'] : required ? [`${name}=${String(maker.value(schema))}`] : []
      })
      const path = `${pathOf(operation, 's1', 'b1')}?${query.join('&')}`
      await measure(`GET ${operation.path}: pipelined, unread`, (row) => {
        row.requests = 1100
        return pipelined(service.url, path, UNREAD_MS)
      })
    }
    const [path] = operations.filter(({ bodies }) => 'application/json' in bodies).map((each) => pathOf(each))
    await measure('150 bodies of 16 MB less 1 KB, unfinished', (row) => {
      row.requests = 150
      return unfinished(service.url, path!, 150, 16 * 2 ** 20 - 1024, 6000)
    })
    await measure('20 gzip bombs at once', async (row) => {
      const sent = {
        method: 'POST',
        type: 'application/json',
        body: gzipBomb(),
        headers: { 'content-encoding': 'gzip' },
      }
      const paths = [path!, `${BIG_SCENE}/operations`, `${BIG_SCENE}/import`]
      await Promise.all(Array.from({ length: 20 }, (_, i) => ask(row, 'bomb', { ...sent, path: paths[i % 3]! })))
    })
    await measure('16 exports that nobody reads', async (row) => {
      const clients = unread(service.url, `${BIG_SCENE}/export?format=json`, 16)
      await pause(DROPPED_MS)
      const { status } = await ask(row, 'an export meanwhile', {
        method: 'GET',
        path: `${BIG_SCENE}/export?format=json`,
      })
      if (status !== 200) row.faults.add(`another export was answered ${status} after ${DROPPED_MS / 1000} s`)
      clients.end()
    })
    for (const operation of operations) await askParameters(operation)
    const withBodies = operations.filter(({ bodies }) => Object.keys(bodies).length > 0)
    for (const operation of withBodies) {
      if (!`${operation.method} ${operation.path}: bodies`.includes(only)) continue
      await askBodies(maker, operation, await bodyLimit(operation, most))
    }

    const faulty = rows.filter(({ faults }) => faults.size > 0)
    const sum = rows.reduce((total, { requests }) => total + requests, 0)
    const isWhole = performance.now() < lastStart
    console.log(
      `\n${sum} requests to ${operations.length} operations, ${faulty.length} of ${rows.length} rows with a fault; RSS at most ${Math.max(...rows.map((row) => row.rssMiB))} MiB, /livez silent for at most ${Math.max(...rows.map((row) => row.silenceMs))} ms${isWhole ? '' : '; ended by its time'}`,
    )
    for (const { name, faults } of faulty) console.log(`✗ ${name}: ${[...faults].join('; ')}`)
    return faulty.length === 0 && isWhole
  } finally {
    clearInterval(sampler)
    await end('SIGTERM')
    data.remove()
  }
}

function pathOf({ path }: Operation, scene = 's0', body = 'a'): string {
  return path.replace('{sceneId}', scene).replace('{bodyId}', body).replace('{code}', 'too-complex')
}
