// Random requests, valid and broken: every answer is 200 and as documented, or a problem with a code, never a 5xx.
// The slowest request is reported; TANGENT_MAX_REQUEST_MS makes it a failure.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROBLEM_CODES } from '../../schemas/problem.ts'
import type { Dimension } from '../../src/queries/ask/query.ts'
import { toJson } from '../support/answers/json.ts'
import { runs } from '../support/runs.ts'
import { type Answer, type Client, startClient } from '../support/services/client.ts'
import { broken } from './broken-texts.ts'
import { costOf, QUERIES, QUERIES_3D } from './wild-requests.ts'

const clients = {} as Record<Dimension, Client>

beforeAll(async () => {
  for (const dimension of ['2d', '3d'] as const) clients[dimension] = await startClient({}, dimension)
})
afterAll(() => Promise.all(Object.values(clients).map((client) => client.close())))

interface Slowest {
  milliseconds: number
  request: string
}

function expectProperAnswer({ status, type, body }: Answer): void {
  expect(status).toBeLessThan(500)
  if (status === 200) {
    expect(type).toContain('application/json')
    return
  }
  expect(type).toContain('application/problem+json')
  const { code, detail, status: own } = body as { code: string; detail: string; status: number }
  expect(PROBLEM_CODES).toContain(code)
  expect(own).toBe(status)
  expect(detail.length).toBeGreaterThan(0)
  expect(detail).not.toContain('\n')
}

async function send(client: Client, query: string, text: string, slowest: Slowest): Promise<Answer> {
  const start = performance.now()
  const answer = await client.postText(query, text)
  const milliseconds = performance.now() - start
  if (milliseconds > slowest.milliseconds) Object.assign(slowest, { milliseconds, request: text.slice(0, 2000) })
  return answer
}

function report(query: string, what: string, counts: Map<number, number>, slowest: Slowest): void {
  const statuses = [...counts].sort(([p], [q]) => p - q).map(([status, count]) => `${count} × ${status}`)
  const time = slowest.milliseconds.toFixed(1)
  process.stdout.write(`fuzz ${query}, ${what}: ${statuses.join(', ')}; slowest ${time} ms\n`)
  const limit = Number(process.env.TANGENT_MAX_REQUEST_MS ?? Number.POSITIVE_INFINITY)
  if (slowest.milliseconds > limit) throw new Error(`a request took ${time} ms: ${slowest.request}`)
}

const wild = [
  ...Object.entries(QUERIES).map(([op, requests]) => ({ dimension: '2d' as const, op, requests })),
  ...Object.entries(QUERIES_3D).map(([op, requests]) => ({ dimension: '3d' as const, op, requests })),
]

describe.each(wild)('$dimension/$op', ({ dimension, op, requests }) => {
  beforeAll(async () => {
    if (process.env.TANGENT_MAX_REQUEST_MS === undefined) return
    // The first requests pay for compiling; they are not what is timed.
    const warm = fc.sample(requests, { numRuns: 200, seed: 1 })
    for (const request of warm) await clients[dimension].post(op, request)
  })

  it.each([
    ['valid', requests.map(toJson)],
    ['broken', broken(requests)],
  ] as const)('%s requests', async (what, texts) => {
    const slowest: Slowest = { milliseconds: 0, request: '' }
    const counts = new Map<number, number>()
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const answer = await send(clients[dimension], op, text, slowest)
        counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1)
        expectProperAnswer(answer)
      }),
      runs(200 / costOf(dimension, op)),
    )
    report(`${dimension}/${op}`, what, counts, slowest)
  })
})
