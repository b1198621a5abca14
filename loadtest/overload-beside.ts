// One client with light requests, alone and beside many with heavy ones. The heavy ones are sent from a thread of their own, so
// that they do not hold up the clock of the light one.

import { once } from 'node:events'
import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { percentile, round1, TABLE, tableOf } from './measuring/calibrated.ts'
import { exchange } from './measuring/exchange.ts'

const HEAVY_MS = 500
const WARM_UP_MS = 2000
/** A client that is refused waits as long as it is told, but no longer than that. */
const MOST_WAIT_MS = 1000
const LATE_MS = 30_000

const LIGHT = Buffer.from(
  JSON.stringify({
    a: { shape: { type: 'box', width: 10, height: 1 } },
    b: { shape: { type: 'box', width: 1, height: 1 }, position: { x: 2, y: 0.875 }, rotation: 0.1 },
  }),
)

export interface BesideRun {
  clients: number
  /** What a heavy one takes when it is alone. */
  heavyMs: number
  heavyBytes: number
  light: number
  aloneP50Ms: number
  aloneP99Ms: number
  besideP50Ms: number
  besideP99Ms: number
  /** Not answered with 200. */
  lightFailures: number
  heavyAnswered: number
  /** With 503. */
  heavyRefused: number
  heavyFailures: number
}

interface HeavyCounts {
  answered: number
  refused: number
  failed: number
}

interface HeavyLoad {
  heavyTo: string
  clients: number
  body: Uint8Array
}

/** `seconds`: of each of the two parts. */
export async function measureBeside(url: string, clients: number, seconds: number): Promise<BesideRun> {
  const { body, milliseconds: heavyMs } = await tableOf(url, HEAVY_MS)
  await lightOnes(url, WARM_UP_MS)
  const alone = await lightOnes(url, 1000 * seconds)
  const workerData: HeavyLoad = { heavyTo: url + TABLE, clients, body }
  const worker = new Worker(new URL(import.meta.url), { workerData })
  await pause(WARM_UP_MS)
  const beside = await lightOnes(url, 1000 * seconds)
  worker.postMessage('stop')
  const [heavy] = (await once(worker, 'message')) as [HeavyCounts]
  await worker.terminate()
  return {
    clients,
    heavyMs: round1(heavyMs),
    heavyBytes: body.length,
    light: alone.times.length + beside.times.length,
    aloneP50Ms: round2(percentile(alone.times, 50)),
    aloneP99Ms: round2(percentile(alone.times, 99)),
    besideP50Ms: round2(percentile(beside.times, 50)),
    besideP99Ms: round2(percentile(beside.times, 99)),
    lightFailures: alone.failures + beside.failures,
    heavyAnswered: heavy.answered,
    heavyRefused: heavy.refused,
    heavyFailures: heavy.failed,
  }
}

const round2 = (value: number) => Number(value.toFixed(2))

async function lightOnes(url: string, duration: number): Promise<{ times: number[]; failures: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  let failures = 0
  const sent = { method: 'POST', url: `${url}/v1/2d/contact`, body: LIGHT }
  for (const end = performance.now() + duration; performance.now() < end; ) {
    const { status, milliseconds } = await exchange(sent, { milliseconds: LATE_MS, agent })
    times.push(milliseconds)
    if (status !== 200) failures++
  }
  agent.destroy()
  return { times, failures }
}

async function heavyOnes({ heavyTo, clients, body }: HeavyLoad): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  const counts: HeavyCounts = { answered: 0, refused: 0, failed: 0 }
  let isStopped = false
  parentPort?.once('message', () => {
    isStopped = true
  })
  const sent = { method: 'POST', url: heavyTo, body: Buffer.from(body) }
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (!isStopped) {
        const { status } = await exchange(sent, { milliseconds: LATE_MS, agent })
        if (status === 200) counts.answered++
        else if (status === 503) counts.refused++
        else counts.failed++
        if (status !== 200) await pause(MOST_WAIT_MS)
      }
    }),
  )
  agent.destroy()
  parentPort?.postMessage(counts)
}

if (!isMainThread && workerData?.heavyTo !== undefined) await heavyOnes(workerData as HeavyLoad)
