// Random requests, valid and broken: every answer is 200 and as documented, or a problem with a code, never a 5xx.
// The slowest request is reported; TANGENT_MAX_REQUEST_MS makes it a failure.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROBLEM_CODES } from '../../schemas/problem-code.ts'
import { toJson } from '../support/answers/json.ts'
import { runs } from '../support/runs.ts'
import { type Answer, type Client, startClient } from '../support/services/client.ts'
import { broken } from './broken-texts.ts'
import { QUERIES } from './wild-requests.ts'

let client: Client

beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.close())

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

async function send(query: string, text: string, slowest: Slowest): Promise<Answer> {
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

describe.each(Object.entries(QUERIES))('%s', (query, requests) => {
  beforeAll(async () => {
    // The first requests pay for compiling; they are not what is timed.
    const warm = fc.sample(requests, { numRuns: 200, seed: 1 })
    for (const request of warm) await client.post(query, request)
  })

  it.each([
    ['valid', requests.map(toJson)],
    ['broken', broken(requests)],
  ] as const)('%s requests', async (what, texts) => {
    const slowest: Slowest = { milliseconds: 0, request: '' }
    const counts = new Map<number, number>()
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const answer = await send(query, text, slowest)
        counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1)
        expectProperAnswer(answer)
      }),
      runs(200),
    )
    report(query, what, counts, slowest)
  })
})
