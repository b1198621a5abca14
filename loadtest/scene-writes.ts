// What it costs to write to scenes over HTTP: many bodies through `operations`, memory, restarts, and one writer against many.
// The service runs in a process of its own, on a data directory that is removed afterwards; all traffic stays on the loopback
// address. It reports and asserts nothing.
//
//   npm run bench:scene-writes -- [--bodies=1000000] [--seconds=3] [--rounds=3] [--directory=.]

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { loadWell } from './measuring/load-well.ts'
import { startService } from './measuring/service-process.ts'
import { median, type SceneWrites, saveResults, today } from './results.ts'

const { values } = parseArgs({
  options: {
    bodies: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    directory: { type: 'string', default: '.' },
  },
})
const CALL = 100_000
const WRITERS = 64
/** Enough for the snapshot of what was loaded. */
const SETTLED_MS = 20_000
const bodies = Math.min(Number(values.bodies), 1_000_000)
const calls = Math.ceil(bodies / CALL)
const directory = mkdtempSync(join(resolve(values.directory), 'scene-writes-'))
const env = { SCENE_STORE: 'file', DATA_DIR: directory }

const boxOf = (n: number) => ({
  id: `body-${n}`,
  shape: { type: 'box', width: 1 + (n % 16) / 8, height: 1 },
  position: { x: (n % 1000) * 3, y: Math.floor(n / 1000) * 3 },
  tags: [n % 2 === 0 ? 'wall' : 'floor'],
})

let service: { url: string; child: ChildProcess } | undefined
const headers = { 'content-type': 'application/json' }

async function send(method: string, path: string, body?: string): Promise<Record<string, unknown>> {
  const response = await fetch(
    `${service?.url}/v1/2d/scenes${path}`,
    body === undefined ? { method } : { method, headers, body },
  )
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${text}`)
  return JSON.parse(text)
}

/** In MiB: what the process holds, and how much of it is its own rather than pages of files. */
function memory() {
  const status = readFileSync(`/proc/${service?.child.pid}/status`, 'utf8')
  const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  return { rss: Math.round(of('VmRSS')), own: Math.round(of('RssAnon')) }
}

async function end(signal: NodeJS.Signals): Promise<void> {
  if (service === undefined) return
  const ended = once(service.child, 'exit')
  service.child.kill(signal)
  await ended
}

/** Seconds until the service is ready again. */
async function restart(): Promise<number> {
  const start = performance.now()
  service = await startService(env)
  const seconds = (performance.now() - start) / 1000
  const { bodyCount } = await send('GET', '/large')
  if (bodyCount !== bodies) throw new Error(`${bodyCount} bodies are back of ${bodies}`)
  return round2(seconds)
}

const round2 = (value: number) => Number(value.toFixed(2))

async function load() {
  const texts = Array.from({ length: calls }, (_, call) => {
    const count = Math.min(CALL, bodies - call * CALL)
    const operations = Array.from({ length: count }, (__, n) => ({ op: 'put', body: boxOf(call * CALL + n) }))
    return JSON.stringify({ operations })
  })
  await send('PUT', '/large', '{}')
  const before = memory()
  const seconds: number[] = []
  for (const text of texts) {
    const start = performance.now()
    await send('POST', '/large/operations', text)
    seconds.push(round2((performance.now() - start) / 1000))
  }
  const after = memory()
  const total = round2(seconds.reduce((sum, each) => sum + each))
  console.log(`${bodies} bodies in ${total} s (calls: ${seconds.join(', ')} s), RSS ${before.rss} → ${after.rss} MiB`)
  return { total, before, after }
}

async function writersOf(connections: number): Promise<number> {
  const requests = Array.from({ length: WRITERS }, (_, n) => ({
    method: 'PUT' as const,
    path: `/v1/2d/scenes/small/bodies/w${n}`,
    body: JSON.stringify({ shape: { type: 'circle', radius: 1 }, position: { x: n, y: 0 } }),
  }))
  const duration = Number(values.seconds)
  const result = await loadWell({ url: service?.url ?? '', connections, duration, requests })
  return Math.round(result.requests.average)
}

async function compareWriters() {
  await send('PUT', '/small', '{}')
  const one: number[] = []
  const many: number[] = []
  for (let round = 0; round < Number(values.rounds); round++) {
    one.push(await writersOf(1))
    many.push(await writersOf(WRITERS))
    console.log(`1 writer: ${one.at(-1)} writes/s, ${WRITERS} writers: ${many.at(-1)} writes/s`)
  }
  const ratio = round2(median(many.map((value, i) => value / (one[i] ?? 1))))
  return { oneWriter: median(one), manyWriters: median(many), ratio }
}

async function main(): Promise<void> {
  service = await startService(env)
  const writers = await compareWriters()
  await end('SIGTERM')
  service = await startService(env)
  const { total, before, after } = await load()
  await end('SIGKILL')
  const fromLog = await restart()
  await pause(SETTLED_MS)
  const settled = memory()
  await end('SIGKILL')
  const fromSnapshot = await restart()
  const recovered = memory()
  await end('SIGTERM')
  const sceneWrites: SceneWrites = {
    date: today(),
    bodies,
    calls,
    loadSeconds: total,
    rssGrowthMiB: after.rss - before.rss,
    settledRssGrowthMiB: settled.rss - before.rss,
    restartFromLogSeconds: fromLog,
    restartFromSnapshotSeconds: fromSnapshot,
    recoveredRssGrowthMiB: recovered.rss - before.rss,
    writers: WRITERS,
    ...writers,
  }
  console.log(sceneWrites, { before, after, settled, recovered })
  const path = saveResults({ sceneWrites })
  console.log(`written to ${path.slice(path.indexOf('loadtest'))}`)
}

try {
  await main()
} finally {
  service?.child.kill('SIGKILL')
  rmSync(directory, { recursive: true, force: true })
}
