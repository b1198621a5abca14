// The load test: every route of the service against a bare echo of the same bytes through the same schemas. Each has
// a process of its own; short rounds alternate between the two, so that a busy neighbour meets both alike.
// It reports and asserts nothing. All traffic stays on the loopback address and ends by itself.
//
//   npm run bench:http -- [--seconds=2] [--rounds=11] [--connections=32]

import type { ChildProcess } from 'node:child_process'
import { parseArgs } from 'node:util'
import { questions } from './measuring/questions.ts'
import { startService } from './measuring/service-process.ts'
import { type RouteRow, saveResults, today } from './results.ts'
import { answerOf, compareLoads, describeRow, measureLoads, startEcho } from './rounds.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '11' },
    connections: { type: 'string', default: '32' },
  },
})
const seconds = Math.min(Number(values.seconds), 30)
const rounds = Math.min(Number(values.rounds), 20)
const connections = Math.min(Number(values.connections), 256)

const children: ChildProcess[] = []

async function main(): Promise<void> {
  const { url: service, child } = await startService()
  children.push(child)
  const answers = await Promise.all(questions.map(({ path, payload }) => answerOf(service + path, payload)))
  const echo = await startEcho(
    questions.map(({ path }, i) => ({ url: `/${i}`, path, answer: JSON.parse(answers[i]!) })),
  )
  children.push(echo.child)

  const rows: RouteRow[] = []
  for (const [i, { title, path, payload }] of questions.entries()) {
    const echoed = await answerOf(`${echo.url}/${i}`, payload)
    if (echoed !== answers[i]) throw new Error(`the echo of ${title} differs from the answer`)
    const body = JSON.stringify(payload)
    const pace = { connections, seconds, rounds }
    const loads = compareLoads(await measureLoads(service + path, `${echo.url}/${i}`, [body], pace))
    const row: RouteRow = {
      route: title,
      requestBytes: Buffer.byteLength(body),
      responseBytes: Buffer.byteLength(answers[i]!),
      ...loads,
    }
    rows.push(row)
    console.log(describeRow(row))
  }
  const path = saveResults({ http: { date: today(), connections, roundSeconds: seconds, rounds, rows } })
  console.log(`\nwritten to ${path.slice(path.indexOf('loadtest'))}`)
}

try {
  await main()
} finally {
  for (const child of children) child.kill()
}
