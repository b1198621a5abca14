// The load test: every route of the service against a bare echo of the same bytes through the same schemas. Each has
// a process of its own; short rounds alternate between the two, so that a busy neighbour meets both alike.
// It reports and asserts nothing. All traffic stays on the loopback address and ends by itself.
//
//   npm run bench:http -- [--seconds=2] [--rounds=11] [--connections=32]

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import type { CannedAnswer } from './echo-server.ts'
import { questions } from './questions.ts'
import { type Load, median, type RouteRow, saveResults, today } from './results.ts'
import { COMPILED, startService } from './service-process.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '11' },
    connections: { type: 'string', default: '32' },
  },
})
const roundSeconds = Math.min(Number(values.seconds), 30)
const rounds = Math.min(Number(values.rounds), 20)
const connections = Math.min(Number(values.connections), 256)

const children: ChildProcess[] = []

async function startEcho(cannedAnswers: CannedAnswer[]): Promise<string> {
  const child = fork(resolve(COMPILED, 'loadtest/echo-server.js'), { execArgv: [] })
  children.push(child)
  child.send(cannedAnswers)
  const [port] = await once(child, 'message')
  return `http://127.0.0.1:${port}`
}

async function round(url: string, body: string, duration: number): Promise<Load> {
  const result = await autocannon({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    connections,
    duration,
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} bad answers, ${result.errors} errors`)
  return { requestsPerSecond: result.requests.average, p50Ms: result.latency.p50, p99Ms: result.latency.p99 }
}

const middle = (loads: Load[]): Load => ({
  requestsPerSecond: Math.round(median(loads.map((load) => load.requestsPerSecond))),
  p50Ms: median(loads.map((load) => load.p50Ms)),
  p99Ms: median(loads.map((load) => load.p99Ms)),
})

async function answerOf(url: string, payload: object): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(payload),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url}: ${text}`)
  return text
}

async function main(): Promise<void> {
  const { url: service, child } = await startService()
  children.push(child)
  const answers = await Promise.all(questions.map(({ path, payload }) => answerOf(service + path, payload)))
  const cannedAnswers = questions.map(({ path }, i) => ({ url: `/${i}`, path, answer: JSON.parse(answers[i]!) }))
  const echo = await startEcho(cannedAnswers)

  const rows: RouteRow[] = []
  for (const [i, { title, path, payload }] of questions.entries()) {
    const echoed = await answerOf(`${echo}/${i}`, payload)
    if (echoed !== answers[i]) throw new Error(`the echo of ${title} differs from the answer`)

    const body = JSON.stringify(payload)
    const loads: Record<'service' | 'echo', Load[]> = { service: [], echo: [] }
    await round(service + path, body, 2)
    await round(`${echo}/${i}`, body, 2)
    for (let n = 0; n < rounds; n++) {
      // Whoever goes second finds a warmer machine, or a busier one: they take turns at that as well.
      const turns = [
        async () => loads.service.push(await round(service + path, body, roundSeconds)),
        async () => loads.echo.push(await round(`${echo}/${i}`, body, roundSeconds)),
      ]
      for (const turn of n % 2 === 0 ? turns : turns.reverse()) await turn()
    }
    const ratios = loads.service.map((load, n) => load.requestsPerSecond / loads.echo[n]!.requestsPerSecond)
    const row: RouteRow = {
      route: title,
      requestBytes: Buffer.byteLength(body),
      responseBytes: Buffer.byteLength(answers[i]!),
      service: middle(loads.service),
      echo: middle(loads.echo),
      ratio: Number(median(ratios).toFixed(3)),
    }
    rows.push(row)
    const show = ({ requestsPerSecond, p50Ms, p99Ms }: Load) => `${requestsPerSecond}/s p50 ${p50Ms} ms p99 ${p99Ms} ms`
    console.log(`${title.padEnd(22)} service ${show(row.service)} | echo ${show(row.echo)} | ratio ${row.ratio}`)
  }
  const path = saveResults({ http: { date: today(), connections, roundSeconds, rounds, rows } })
  console.log(`\nwritten to ${path.slice(path.indexOf('loadtest'))}`)
}

try {
  await main()
} finally {
  for (const child of children) child.kill()
}
