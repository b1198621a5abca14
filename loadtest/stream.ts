// A million queries as lines through one connection: the memory that the service takes meanwhile, and how fast it
// answers /livez. The probes are sent from a thread of their own, because the sender is busy. It reports and asserts
// nothing.
//
//   npm run bench:stream -- [--queries=1000000]

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { box, capsule, circle, polygon, seeded } from './measuring/random-body.ts'
import { startService } from './measuring/service-process.ts'
import { type StreamRun, saveResults, today } from './results.ts'

const NEWLINE = 10
const PROBE_MS = 5
/** Different lines, sent again and again. */
const LINES = 10_000
const OPS = ['overlap', 'distance', 'contact', 'time-of-impact']

if (isMainThread) await main()
else probe(workerData)

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { queries: { type: 'string', default: '1000000' } } })
  const queries = Math.min(Number(values.queries), 10_000_000)
  const { url, child } = await startService()
  const prober = new Worker(new URL(import.meta.url), { workerData: url })
  try {
    const seconds = await stream(url, queries)
    prober.postMessage('stop')
    const [{ probes, slowestProbeMs }] = await once(prober, 'message')
    const run: StreamRun = { queries, seconds, peakRssMiB: peakRss(child.pid!), probes, slowestProbeMs }
    console.log(run)
    const path = saveResults({ stream: { date: today(), ...run } })
    console.log(`\nwritten to ${path.slice(path.indexOf('loadtest'))}`)
  } finally {
    await prober.terminate()
    child.kill()
  }
}

async function stream(url: string, queries: number): Promise<number> {
  const lines = randomLines()
  const start = performance.now()
  const outgoing = request(`${url}/v1/2d/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
  })
  const answered = once(outgoing, 'response').then(([message]) => countLines(message))
  for (let sent = 0; sent < queries; sent += 100) {
    const text = lines.slice(sent % LINES, (sent % LINES) + Math.min(100, queries - sent)).join('')
    if (!outgoing.write(text)) await once(outgoing, 'drain')
  }
  outgoing.end()
  const results = await answered
  if (results !== queries) throw new Error(`${queries} queries had ${results} results`)
  return Number(((performance.now() - start) / 1000).toFixed(2))
}

async function countLines(message: IncomingMessage): Promise<number> {
  let count = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    for (let i = chunk.indexOf(NEWLINE); i >= 0; i = chunk.indexOf(NEWLINE, i + 1)) count++
  }
  return count
}

function randomLines(): string[] {
  const between = seeded()
  const makers = [polygon, circle, box, capsule]
  const body = () => makers[Math.floor(between(0, makers.length))]!(between)
  return Array.from({ length: LINES }, (_, i) => {
    const op = OPS[i % OPS.length]
    const query = { op, a: body(), b: { ...body(), ...(op === 'time-of-impact' && { velocity: { x: 1, y: 2 } }) } }
    return `${JSON.stringify(op === 'time-of-impact' ? { ...query, duration: 1 } : query)}\n`
  })
}

/** The high-water mark that the kernel keeps. */
function peakRss(pid: number): number {
  const kib = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kib) / 1024)
}

function probe(url: string): void {
  const agent = new Agent({ keepAlive: true })
  const times: number[] = []
  let waiting = 0
  let isStopped = false
  const timer = setInterval(() => {
    const start = performance.now()
    waiting++
    get(`${url}/livez`, { agent }, (message) =>
      message.resume().on('end', () => {
        times.push(performance.now() - start)
        waiting--
        if (isStopped && waiting === 0) report()
      }),
    )
  }, PROBE_MS)
  const report = () => {
    agent.destroy()
    const slowestProbeMs = Number(times.reduce((worst, time) => Math.max(worst, time), 0).toFixed(1))
    parentPort?.postMessage({ probes: times.length, slowestProbeMs })
  }
  parentPort?.once('message', () => {
    clearInterval(timer)
    isStopped = true
    if (waiting === 0) report()
  })
}
