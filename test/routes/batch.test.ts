import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ProblemDetails } from '../../schemas/problem.ts'
import { batchQueries } from '../../schemas/queries/batch.ts'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { queries } from '../../src/queries/stateless/all.ts'

const LINES = 'application/x-ndjson'
const TIMEOUT = 500

let app: FastifyInstance
let address: string
beforeAll(async () => {
  const env = {
    LOG_LEVEL: 'silent',
    HOST: '127.0.0.1',
    MAX_BATCH: '50',
    BODY_LIMIT: '200000',
    QUERY_DEADLINE_MS: '60000',
  }
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', ...env, REQUEST_TIMEOUT_MS: String(TIMEOUT) }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
})
afterAll(() => app.close())

const post = (path: string, payload: object) => app.inject({ method: 'POST', url: `/v1/2d/${path}`, payload })
const postLines = async (payload: string | Buffer) => {
  const headers = { 'content-type': LINES }
  const response = await app.inject({ method: 'POST', url: '/v1/2d/batch', headers, payload })
  expect(response.statusCode).toBe(200)
  expect(response.headers['content-type']).toBe(LINES)
  expect(response.body === '' || response.body.endsWith('\n')).toBe(true)
  return response.body.split('\n').slice(0, -1)
}
const results = async (given: unknown[]): Promise<Record<string, unknown>[]> => {
  const response = await post('batch', { queries: given })
  expect(response.statusCode).toBe(200)
  return response.json().results
}

const disc = (x: number, radius = 1) => ({ shape: { type: 'circle', radius }, position: { x, y: 0 } })
const distance = (x: number) => ({ op: 'distance', a: disc(0), b: disc(x) })
const isAt = (x: number) => expect.objectContaining({ distance: x - 2 })
/** 1,225 pairs, which take a while. */
const heavy = { op: 'pairs', bodies: Array.from({ length: 50 }, (_, i) => disc(i / 100)) }

/** The examples of all schemas, as queries of a batch. */
const examples = queries.flatMap(({ op, request }) =>
  (request.examples as object[]).map((example) => ({ op, ...example })),
)

describe('a batch', () => {
  it('takes every stateless query', () => {
    expect(batchQueries.map(({ properties }) => properties.op.const)).toEqual(queries.map(({ op }) => op))
    expect(new Set(examples.map(({ op }) => op)).size).toBe(queries.length)
  })

  it('answers each as its own path does, in order', async () => {
    const expected = await Promise.all(
      examples.map(async ({ op, ...body }) => ({ op, ...(await post(op, body)).json() })),
    )
    expect(await results(examples)).toEqual(expected)
    expect(
      (await postLines(examples.map((query) => JSON.stringify(query)).join('\n'))).map((line) => JSON.parse(line)),
    ).toEqual(expected)
  })

  it('keeps the problem of one to that one', async () => {
    const wrong = [
      { op: 'distance', a: disc(0), b: disc(4, -1) },
      { op: 'distence', a: disc(0), b: disc(4) },
      { a: disc(0), b: disc(4) },
      { op: 'hull', points: [{ x: 1e101, y: 0 }] },
      null,
      [],
    ]
    const found = await results([distance(3), ...wrong, distance(5)])
    expect(found).toHaveLength(8)
    expect([found[0], found[7]]).toEqual([isAt(3), isAt(5)])
    expect(
      found.slice(1, 7).map(({ code, errors }) => [code, (errors as ProblemDetails['errors'])?.[0].pointer]),
    ).toEqual([
      ['schema-violation', '#/queries/1/b/shape/radius'],
      ['schema-violation', '#/queries/2/op'],
      ['schema-violation', '#/queries/3/op'],
      ['coordinate-out-of-range', '#/queries/4/points/0/x'],
      ['schema-violation', '#/queries/5'],
      ['schema-violation', '#/queries/6'],
    ])
    expect(found[2].detail).toContain('Did you mean "distance"?')
    expect(new Set(found.slice(1, 7).map(({ requestId }) => requestId)).size).toBe(1)
  })

  it('gives problems as the own path does, but for the place of the query', async () => {
    const { requestId: _, ...own } = (await post('distance', { a: disc(0), b: disc(4, -1) })).json()
    const [{ requestId: __, ...found }] = await results([{ op: 'distance', a: disc(0), b: disc(4, -1) }])
    const [{ pointer, detail }] = own.errors
    const errors = [{ pointer: pointer.replace('#', '#/queries/0'), detail }]
    expect(found).toEqual({ op: 'problem', ...own, errors })
    const [line] = await postLines('{')
    expect(JSON.parse(line)).toMatchObject({ op: 'problem', code: 'malformed-json' })
  })

  it('may be empty', async () => expect(await results([])).toEqual([]))

  it.each([
    [{}, '#/queries', 'queries is missing: expected an array.'],
    [{ queries: {} }, '#/queries', 'queries must be an array, got an object.'],
    [{ queries: [], limit: 1 }, '#/limit', '"limit" is not a known field'],
  ])('must be a list: %j', async (body, pointer, detail) => {
    const response = await post('batch', body)
    expect(response.statusCode).toBe(400)
    expect(response.json().errors[0].pointer).toBe(pointer)
    expect(response.json().detail).toContain(detail)
  })

  it('has a limit', async () => {
    const response = await post('batch', { queries: Array.from({ length: 51 }, () => distance(3)) })
    expect(response.json()).toMatchObject({ status: 413, code: 'too-many-queries', limit: 50, actual: 51 })
  })

  it('is sent in pieces when it is long', async () => {
    const bodies = Array.from({ length: 500 }, (_, i) => disc(i / 1000))
    const response = await post('batch', { queries: [{ op: 'pairs', bodies, phase: 'broad' }, distance(3)] })
    expect(response.body.length).toBeGreaterThan(2 ** 20)
    const [{ pairs }, last] = response.json().results
    expect(pairs).toHaveLength((500 * 499) / 2)
    expect(last).toEqual(isAt(3))
  })
})

describe('a stream of lines', () => {
  it('has a line for every line that is not blank', async () => {
    const text = `${JSON.stringify(distance(3))}\r\n\n  \n{"op":"distance",\n${JSON.stringify(distance(4))}`
    const [first, second, third] = (await postLines(text)).map((line) => JSON.parse(line))
    expect([first, third]).toEqual([isAt(3), isAt(4)])
    expect(second).toMatchObject({ status: 400, code: 'malformed-json' })
    expect(second.detail).toContain('column 18')
    expect(await postLines('')).toEqual([])
    expect(await postLines('\n\n')).toEqual([])
  })

  it('may have much that is blank', async () => {
    const blank = `${' '.repeat(20_000)}\n`
    expect(await postLines(blank.repeat(40))).toEqual([])
    const lines = await postLines(`${blank.repeat(40)}${JSON.stringify(distance(3))}\n${blank}`)
    expect(lines.map((line) => JSON.parse(line))).toEqual([isAt(3)])
  })

  it('has no end, and outlasts the time for requests', async () => {
    const stream = openStream()
    for (let i = 0; i < 4; i++) {
      stream.write(distance(3 + i))
      // each is answered before the next is sent
      expect(JSON.parse(await stream.line())).toEqual(isAt(3 + i))
      await new Promise((resolve) => setTimeout(resolve, TIMEOUT / 2))
    }
    stream.end()
    const message = await stream.response
    await once(message.resume(), 'end')
  })

  it('is cut off when nothing comes', async () => {
    const stream = openStream()
    stream.write(distance(3))
    expect(JSON.parse(await stream.line())).toEqual(isAt(3))
    const message = await stream.response
    await expect(once(message, 'end')).rejects.toThrow('aborted')
  })

  it('may be cut anywhere', async () => {
    const line = Buffer.from(`${JSON.stringify({ ...distance(3), naïve: '→' })}\n`)
    const whole = await postLines(line)
    expect(whole[0]).toContain('na\\u00efve'.replace('\\u00ef', 'ï'))
    const stream = openStream()
    for (const byte of line) {
      stream.raw(Buffer.of(byte))
      await new Promise((resolve) => setImmediate(resolve))
    }
    const { requestId: _, ...found } = JSON.parse(await stream.line())
    expect(JSON.parse(whole[0])).toMatchObject(found)
    stream.end()
  })

  it('does not hold a line that is too long', async () => {
    const long = JSON.stringify({ ...distance(3), filler: 'x'.repeat(200_000) })
    const found = (
      await postLines(`${JSON.stringify(distance(3))}\n${long}\n${JSON.stringify(distance(4))}\n${long}`)
    ).map((line) => JSON.parse(line))
    expect([found[0], found[2]]).toEqual([isAt(3), isAt(4)])
    expect([found[1], found[3]].map(({ code, limit }) => [code, limit])).toEqual([
      ['body-too-large', 200_000],
      ['body-too-large', 200_000],
    ])
  })

  it('is read no faster than its results are taken', async () => {
    const stream = openStream()
    stream.write(heavy)
    const message = await stream.response
    message.pause()
    let sent = 0
    let taken = 0
    // what fits into the buffers on the way is taken; then nothing more is, although the client goes on
    for (;;) {
      const before = taken
      for (let i = 0; i < 200; i++) stream.write(heavy, (error) => (taken += error ? 0 : 1))
      sent += 200
      await new Promise((resolve) => setTimeout(resolve, 150))
      if (taken === before) break
      expect(sent).toBeLessThan(100_000)
    }
    expect(taken).toBeLessThan(sent)
    message.destroy()
  })

  it('ends when the client goes away, and others are answered', async () => {
    const stream = openStream()
    for (let i = 0; i < 100; i++) stream.write(heavy)
    await stream.line()
    stream.destroy()
    const answer = await fetch(`${address}/livez`)
    expect(answer.status).toBe(200)
  })
})

/** A request that is written line by line while its answer is read. */
function openStream() {
  const headers = { 'content-type': LINES }
  const outgoing = httpRequest(`${address}/v1/2d/batch`, { method: 'POST', headers })
  outgoing.on('error', () => {})
  const response = once(outgoing, 'response').then(([message]) => message as IncomingMessage)
  let text = ''
  const line = async () => {
    const message = await response
    while (!text.includes('\n')) {
      const chunk = message.read() as Buffer | null
      if (chunk === null) await once(message, 'readable')
      else text += chunk.toString()
    }
    const [first] = text.split('\n', 1)
    text = text.slice(first.length + 1)
    return first
  }
  return {
    response,
    line,
    raw: (bytes: Buffer) => outgoing.write(bytes),
    write: (query: object, taken?: (error?: Error | null) => void) =>
      outgoing.write(`${JSON.stringify(query)}\n`, taken),
    end: () => outgoing.end(),
    destroy: () => outgoing.destroy(),
  }
}
