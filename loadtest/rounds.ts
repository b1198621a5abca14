// Rounds of load: short ones that alternate between the service and the echo, so that a busy neighbour meets both alike.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { endsWithThis } from '../examples/scene-service.ts'
import type { CannedAnswer } from './echo-server.ts'
import { loadWell } from './measuring/load-well.ts'
import { COMPILED } from './measuring/service-process.ts'
import { type Load, median, type RouteRow } from './results.ts'

export interface Pace {
  connections: number
  /** Of one round. */
  seconds: number
  rounds: number
}

const WARM_UP_SECONDS = 2

/** Ends with this process, if nobody ends it before. */
export async function startEcho(cannedAnswers: CannedAnswer[]): Promise<{ url: string; child: ChildProcess }> {
  const child = fork(resolve(COMPILED, 'loadtest/echo-server.js'), { execArgv: [] })
  endsWithThis(child)
  child.send(cannedAnswers)
  const [port] = await once(child, 'message')
  return { url: `http://127.0.0.1:${port}`, child }
}

export async function answerOf(url: string, payload: object): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(payload),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url}: ${text}`)
  return text
}

/** Each request is sent as often as the others. */
export async function round(
  url: string,
  bodies: readonly string[],
  connections: number,
  duration: number,
): Promise<Load> {
  const requests = bodies.map((body) => ({ body }))
  const result = await loadWell({ url, method: 'POST', requests, connections, duration })
  return { requestsPerSecond: result.requests.average, p50Ms: result.latency.p50, p99Ms: result.latency.p99 }
}

const middle = (loads: Load[]): Load => ({
  requestsPerSecond: Math.round(median(loads.map((load) => load.requestsPerSecond))),
  p50Ms: median(loads.map((load) => load.p50Ms)),
  p99Ms: median(loads.map((load) => load.p99Ms)),
})

/** Of the rounds, in their order. */
export type Loads = Record<'service' | 'echo', Load[]>

/** The service at one address, the echo at the other. */
export async function measureLoads(
  service: string,
  echo: string,
  bodies: readonly string[],
  { connections, seconds, rounds }: Pace,
): Promise<Loads> {
  const loads: Loads = { service: [], echo: [] }
  await round(service, bodies, connections, WARM_UP_SECONDS)
  await round(echo, bodies, connections, WARM_UP_SECONDS)
  for (let n = 0; n < rounds; n++) {
    // Whoever goes second finds a warmer machine, or a busier one: they take turns at that as well.
    const turns = [
      async () => loads.service.push(await round(service, bodies, connections, seconds)),
      async () => loads.echo.push(await round(echo, bodies, connections, seconds)),
    ]
    for (const turn of n % 2 === 0 ? turns : turns.reverse()) await turn()
  }
  return loads
}

export function compareLoads({ service, echo }: Loads): Pick<RouteRow, 'service' | 'echo' | 'ratio'> {
  const ratios = service.map((load, n) => load.requestsPerSecond / echo[n]!.requestsPerSecond)
  return { service: middle(service), echo: middle(echo), ratio: Number(median(ratios).toFixed(3)) }
}

export function describeRow({ route, service, echo, ratio }: RouteRow): string {
  const show = ({ requestsPerSecond, p50Ms, p99Ms }: Load) => `${requestsPerSecond}/s p50 ${p50Ms} ms p99 ${p99Ms} ms`
  return `${route.padEnd(22)} service ${show(service)} | echo ${show(echo)} | ratio ${ratio}`
}
