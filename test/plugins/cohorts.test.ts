// Requests that arrive together are answered together, in the order of arrival, and no cohort keeps others from their turn.

import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { inCohort } from '../../src/plugins/workers.ts'

let app: FastifyInstance
let events: string[]
beforeEach(() => {
  events = []
  app = Fastify()
  app.addHook('onRequest', async ({ url }) => void events.push(`read ${url}`))
  const answer = async ({ url }: { url: string }) => {
    events.push(`answered ${url}`)
    if (url.startsWith('/slow')) block(6)
    if (url.startsWith('/broken')) throw new Error('broken')
    return url
  }
  for (const url of ['/slow/:n', '/quick/:n', '/broken/:n']) app.get(url, { preHandler: inCohort, handler: answer })
})
afterEach(() => app.close())

function block(milliseconds: number): void {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}

const ask = (urls: string[]) => Promise.all(urls.map(async (url) => (await app.inject(url)).statusCode))

it('reads all of them before the first is answered', async () => {
  const urls = ['/quick/1', '/quick/2', '/quick/3']
  expect(await ask(urls)).toEqual([200, 200, 200])
  expect(events).toEqual([...urls.map((url) => `read ${url}`), ...urls.map((url) => `answered ${url}`)])
})

it('answers the others where one fails', async () => {
  expect(await ask(['/quick/1', '/broken/2', '/quick/3'])).toEqual([200, 500, 200])
})

it('pauses after a slice, and goes on where it was', async () => {
  let turns = 0
  let isDone = false
  const turn = () => {
    turns++
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  const urls = Array.from({ length: 10 }, (_, n) => `/slow/${n}`)
  await ask(urls)
  isDone = true
  expect(events.filter((event) => event.startsWith('answered'))).toEqual(urls.map((url) => `answered ${url}`))
  // two of six milliseconds fit into a slice of eight
  expect(turns).toBeGreaterThanOrEqual(5)
})
