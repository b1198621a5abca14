// Requests that arrive at a rate, whether or not those before them have been answered: four times as many as can be.

import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { percentile, round1, TABLE, tableOf } from './measuring/calibrated.ts'
import { exchange } from './measuring/exchange.ts'
import { rssMiB, type Service } from './measuring/service-process.ts'

const MEDIUM_MS = 40
const CAPACITY_SECONDS = 8
/** Enough to keep every worker at work. */
const CAPACITY_CLIENTS = 4
const IDLE_REQUESTS = 200
const OVERLOAD = 4
const LATE_MS = 30_000
/** How often arrivals that are due are sent. */
const BEAT_MS = 5

export interface ArrivalsRun {
  mediumMs: number
  mediumBytes: number
  capacityPerSecond: number
  arrivalsPerSecond: number
  seconds: number
  /** One after another. */
  idleP50Ms: number
  idleP99Ms: number
  accepted: number
  acceptedPerSecond: number
  acceptedP50Ms: number
  acceptedP99Ms: number
  /** With 503. */
  refused: number
  refusedP50Ms: number
  refusedP99Ms: number
  failures: number
  /** What they came to: a status with its code, `cut` or `late`. */
  kindsOfFailure: string[]
  /** The most in the first third, and in the last. */
  earlyRssMiB: number
  lateRssMiB: number
}

export async function measureArrivals(service: Service, seconds: number): Promise<ArrivalsRun> {
  const { url } = service
  const { body, milliseconds: mediumMs } = await tableOf(url, MEDIUM_MS)
  const sent = { method: 'POST', url: url + TABLE, body }
  const agent = new Agent({ keepAlive: true })
  const ask = () => exchange(sent, { milliseconds: LATE_MS, agent })

  const idle: number[] = []
  for (let i = 0; i < IDLE_REQUESTS; i++) idle.push((await ask()).milliseconds)
  const capacity = await capacityOf(async () => (await ask()).status === 200)

  const rate = OVERLOAD * capacity
  const accepted: number[] = []
  const refused: number[] = []
  let failures = 0
  const kindsOfFailure = new Set<string>()
  const rss: number[] = []
  const underWay = new Set<Promise<void>>()
  const arrive = () => {
    const one = ask().then(({ status, code, end, milliseconds }) => {
      if (status === 200) accepted.push(milliseconds)
      else if (status === 503) refused.push(milliseconds)
      else {
        failures++
        kindsOfFailure.add(status === 0 ? end : `${status} ${code ?? end}`)
      }
      underWay.delete(one)
    })
    underWay.add(one)
  }
  const start = performance.now()
  for (let arrivals = 0; performance.now() - start < 1000 * seconds; ) {
    const due = Math.floor(((performance.now() - start) / 1000) * rate)
    for (; arrivals < due; arrivals++) arrive()
    if (rss.length < (performance.now() - start) / 1000) rss.push(rssMiB(service) ?? 0)
    await pause(BEAT_MS)
  }
  await Promise.all(underWay)
  const elapsed = (performance.now() - start) / 1000
  agent.destroy()
  const third = Math.ceil(rss.length / 3)
  return {
    mediumMs: round1(mediumMs),
    mediumBytes: body.length,
    capacityPerSecond: round1(capacity),
    arrivalsPerSecond: round1(rate),
    seconds,
    idleP50Ms: round1(percentile(idle, 50)),
    idleP99Ms: round1(percentile(idle, 99)),
    accepted: accepted.length,
    acceptedPerSecond: round1(accepted.length / elapsed),
    acceptedP50Ms: round1(percentile(accepted, 50)),
    acceptedP99Ms: round1(percentile(accepted, 99)),
    refused: refused.length,
    refusedP50Ms: round1(percentile(refused, 50)),
    refusedP99Ms: round1(percentile(refused, 99)),
    failures,
    kindsOfFailure: [...kindsOfFailure],
    earlyRssMiB: Math.max(...rss.slice(0, third)),
    lateRssMiB: Math.max(...rss.slice(-third)),
  }
}

/** Answers a second, of clients that each wait for theirs. */
async function capacityOf(ask: () => Promise<boolean>): Promise<number> {
  const start = performance.now()
  let answers = 0
  await Promise.all(
    Array.from({ length: CAPACITY_CLIENTS }, async () => {
      while (performance.now() - start < 1000 * CAPACITY_SECONDS) {
        if (await ask()) answers++
        // One that is refused does not ask again at once.
        else await pause(10)
      }
    }),
  )
  return answers / ((performance.now() - start) / 1000)
}
