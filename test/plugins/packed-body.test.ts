// Bodies that are sent packed are answered as they would be unpacked, whoever reads them; what is no such body is refused.

import { once } from 'node:events'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, constants, createBrotliCompress, createGzip, deflateSync, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'

const LIMIT = 4_000_000
const disc = (x: number) => ({ shape: { type: 'circle', radius: 1 }, position: { x, y: 0 } })
const pair = { a: disc(0), b: disc(5) }
const distance = (x: number) => ({ op: 'distance', a: disc(0), b: disc(x) })
const distances = (count: number) => Array.from({ length: count }, (_, i) => distance(3 + i / 8))
const chain = (count: number) => ({
  type: 'chain',
  vertices: Array.from({ length: count }, (_, i) => ({ x: i / 16, y: i & 1 })),
})

let app: FastifyInstance
let port: number
beforeAll(async () => {
  app = await buildApp(
    loadConfig({
      SCENE_STORE: 'memory',
      LOG_LEVEL: 'silent',
      BODY_LIMIT: String(LIMIT),
      OPERATIONS_BODY_LIMIT: String(LIMIT),
      SHAPE_BODY_LIMIT: String(LIMIT),
      QUERY_DEADLINE_MS: '60000',
    }),
  )
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
  await app.inject({ method: 'PUT', url: '/v1/2d/scenes/s', payload: {} })
})
afterAll(() => app.close())

const JSON_TYPE = 'application/json'
const LINES = 'application/x-ndjson'

async function post(path: string, payload: Buffer | string, coding: string | null, type = JSON_TYPE, method = 'POST') {
  const headers = { 'content-type': type, ...(coding !== null && { 'content-encoding': coding }) }
  const response = await app.inject({ method: method as 'POST', url: `/v1/2d/${path}`, headers, payload })
  return { status: response.statusCode, headers: response.headers, text: response.body, body: response }
}

// the best that it can do takes long
const brotli = (text: string) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } })
const packers: [string, (text: string) => Buffer][] = [
  ['gzip', (text) => gzipSync(text)],
  ['x-gzip', (text) => gzipSync(text)],
  ['GZip', (text) => gzipSync(text)],
  ['identity, gzip', (text) => gzipSync(text)],
  ['gzip', (text) => Buffer.concat([gzipSync(text.slice(0, 9)), gzipSync(text.slice(9))])],
  ['br', brotli],
]

describe('a packed body', () => {
  const asked: [string, string, string, string?, string?][] = [
    ['a query', 'contact', JSON.stringify(pair)],
    ['a query for a worker', 'distance', JSON.stringify({ a: { shape: chain(3000) }, b: disc(9) })],
    ['a short batch', 'batch', JSON.stringify({ queries: distances(5) })],
    ['a batch', 'batch', JSON.stringify({ queries: distances(2000) })],
    ['a long batch', 'batch', JSON.stringify({ queries: distances(15_000) })],
    [
      'a batch of lines',
      'batch',
      distances(3000)
        .map((query) => JSON.stringify(query))
        .join('\n'),
      LINES,
    ],
    ['settings of a scene', 'scenes/s', '{"name":"packed"}', JSON_TYPE, 'PUT'],
    ['a body of a scene', 'scenes/s/bodies/b', JSON.stringify({ shape: chain(5000) }), JSON_TYPE, 'PUT'],
    ['a query of a scene', 'scenes/s/nearest', '{"point":{"x":1,"y":2}}'],
    [
      'a batch about a scene',
      'scenes/s/batch',
      JSON.stringify({ queries: [{ op: 'overlap', point: { x: 0, y: 0 } }] }),
    ],
    ['lines about a scene', 'scenes/s/batch', '{"op":"overlap","point":{"x":0,"y":0}}\n{}\n', LINES],
    [
      'operations that change nothing',
      'scenes/s/operations?dryRun=true',
      JSON.stringify({
        operations: Array.from({ length: 5000 }, (_, i) => ({ op: 'put', body: { id: `${i}`, ...disc(3 * i) } })),
      }),
    ],
  ]
  const unstable = (text: string) => text.replaceAll(/"(requestId|updatedAt|version|created)":[^,}]*/g, '')

  it.each(asked)('is answered as it is unpacked: %s', async (_name, path, text, type, method) => {
    const plain = await post(path, text, null, type, method)
    const again = await post(path, text, null, type, method)
    expect(plain.status).toBeLessThan(202)
    expect(text.length).toBeLessThan(LIMIT)
    for (const [coding, pack] of packers) {
      const packed = await post(path, pack(text), coding, type, method)
      expect(packed.status, packed.text.slice(0, 200)).toBe(again.status)
      expect(unstable(packed.text) === unstable(again.text), coding).toBe(true)
    }
  })

  it.each([
    ['deflate', deflateSync('{}')],
    ['zstd', Buffer.from('{}')],
    ['gzip, br', brotliCompressSync(gzipSync('{}'))],
    ['__proto__', Buffer.from('{}')],
  ])('is refused where its coding is another: %s', async (coding, payload) => {
    for (const path of ['contact', 'batch', 'scenes/s/batch', 'scenes/s/operations', 'scenes']) {
      const { status, headers, body } = await post(path, payload, coding)
      expect([status, body.json().code]).toEqual([415, 'unsupported-media-type'])
      expect(body.json().detail).toBe(`The body may be packed by one of gzip, br, got ${JSON.stringify(coding)}.`)
      expect(headers['accept-encoding']).toBe('gzip, br')
    }
  })

  const whole = JSON.stringify({ queries: distances(2000) })
  it.each([
    ['no such text', 'gzip', Buffer.from(whole)],
    ['no such text', 'br', Buffer.from(whole)],
    ['breaks off', 'gzip', gzipSync(whole).subarray(0, -9)],
    ['breaks off', 'br', brotliCompressSync(whole).subarray(0, -9)],
    ['has a flipped bit', 'gzip', gzipSync(whole).map((byte, i) => (i === 300 ? byte ^ 64 : byte))],
  ])('is refused where it does not unpack: %s, %s', async (_how, coding, bytes) => {
    for (const path of ['contact', 'batch', 'scenes/s/batch', 'scenes/s/operations']) {
      const { status, body } = await post(path, Buffer.from(bytes), coding)
      expect([status, body.json().code]).toEqual([400, 'malformed-request'])
      expect(body.json().detail).toMatch(new RegExp(`^The body is not ${coding}: .+\\.$`))
    }
  })

  it('is refused at the limit of what it unpacks to', async () => {
    const exact = (length: number) => `${JSON.stringify(pair)}${' '.repeat(length - JSON.stringify(pair).length)}`
    for (const [coding, pack] of packers) {
      expect((await post('contact', pack(exact(LIMIT)), coding)).status).toBe(200)
      const { status, body } = await post('contact', pack(exact(LIMIT + 1)), coding)
      expect(status).toBe(413)
      expect(body.json()).toMatchObject({ code: 'body-too-large', limit: LIMIT })
      expect(body.json().detail).toBe(`The body must be at most ${LIMIT} bytes when it is unpacked.`)
    }
  })

  it.each(['batch', 'scenes/s/batch', 'scenes/s/operations'])('is refused there as a list, too: %s', async (path) => {
    const { status, body } = await post(path, brotliCompressSync(' '.repeat(LIMIT + 1)), 'br')
    expect([status, body.json().code, body.json().limit]).toEqual([413, 'body-too-large', LIMIT])
  })

  it('has the problem of its path where that does not exist', async () => {
    expect((await post('contract', Buffer.from('x'), 'gzip')).status).toBe(404)
    expect((await post('contact', Buffer.from('x'), 'gzip', JSON_TYPE, 'PUT')).status).toBe(405)
  })
})

describe('the character set', () => {
  it.each(['utf-8', 'UTF-8', '"utf-8"', 'utf8'])('may be %s', async (charset) => {
    expect((await post('contact', JSON.stringify(pair), null, `${JSON_TYPE}; charset=${charset}`)).status).toBe(200)
  })

  it.each(['latin1', 'ISO-8859-1', '"utf-16"', 'utf-16le'])('may not be %s', async (charset) => {
    for (const path of ['contact', 'batch', 'scenes/s/batch', 'scenes/s/operations', 'scenes']) {
      const { status, body } = await post(path, JSON.stringify(pair), null, `${JSON_TYPE};Charset=${charset}`)
      expect([status, body.json().code]).toEqual([415, 'unsupported-media-type'])
      expect(body.json().detail).toBe(`The body must be sent as UTF-8, got charset "${charset.replaceAll('"', '')}".`)
    }
  })
})

describe('what is sent slowly', () => {
  const open = (path: string, coding: string, type = JSON_TYPE): ClientRequest => {
    const headers = { 'content-type': type, 'content-encoding': coding }
    const request = httpRequest({ port, method: 'POST', path: `/v1/2d/${path}`, headers })
    request.on('error', () => undefined)
    return request
  }
  const answerOf = async (request: ClientRequest): Promise<[number, string]> => {
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    let text = ''
    for await (const chunk of response) text += chunk
    return [response.statusCode as number, text]
  }

  it('is answered line by line, as lines are unpacked', async () => {
    for (const [coding, packer] of [
      ['gzip', createGzip({ flush: constants.Z_SYNC_FLUSH })],
      ['br', createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH })],
    ] as const) {
      const request = open('batch', coding, LINES)
      packer.pipe(request)
      packer.write(`${JSON.stringify(distance(3))}\n`)
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      for (const x of [3, 4, 5]) {
        expect(JSON.parse(String((await once(response, 'data'))[0])).distance).toBe(x - 2)
        if (x < 5) packer.write(`${JSON.stringify(distance(x + 1))}\n`)
      }
      packer.end()
      await once(response, 'end')
    }
  })

  it.each(['batch', 'scenes/s/batch'])('is told where lines do not unpack any further: %s', async (path) => {
    const request = open(path, 'gzip', LINES)
    const packer = createGzip({ flush: constants.Z_SYNC_FLUSH })
    packer.on('data', (chunk) => request.write(chunk))
    packer.write('{"op":"distence"}\n{"op":"distence"}\n')
    const answer = answerOf(request)
    await once(request, 'response')
    request.end('no such block')
    const [status, text] = await answer
    const problems = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(status).toBe(200)
    expect(problems.map(({ code }) => code)).toEqual(['schema-violation', 'schema-violation', 'malformed-request'])
    expect(problems[2].detail).toContain('The body is not gzip')
  })

  it('is refused before all of a bomb is there', async () => {
    for (const path of ['contact', 'batch', 'scenes/s/batch', 'scenes/s/operations']) {
      const request = open(path, 'gzip')
      const packer = createGzip({ flush: constants.Z_SYNC_FLUSH })
      packer.pipe(request)
      // nobody ends it
      packer.write(' '.repeat(2 * LIMIT))
      const [status, text] = await answerOf(request)
      expect([status, JSON.parse(text).code]).toEqual([413, 'body-too-large'])
      packer.unpipe(request)
      request.destroy()
    }
  })

  it('does not let few bytes hold much', async () => {
    const begin = (): ClientRequest => {
      const request = open('contact', 'gzip')
      const packer = createGzip({ flush: constants.Z_SYNC_FLUSH })
      packer.pipe(request)
      packer.write(' '.repeat(LIMIT - 1000))
      return request
    }
    // as many as there may be are held, and the next is refused
    const requests = Array.from({ length: 9 }, begin)
    const [status, text] = await Promise.race(requests.map(answerOf))
    expect(status).toBe(503)
    expect(JSON.parse(text)).toMatchObject({ code: 'overloaded' })
    // what is not packed is no matter of that
    expect((await post('contact', JSON.stringify(pair), null)).status).toBe(200)
    for (const request of requests) request.destroy()
    const asks = async () =>
      (await post('contact', gzipSync(JSON.stringify(pair) + ' '.repeat(LIMIT / 2)), 'gzip')).status
    await expect.poll(asks).toBe(200)
  })

  it('does not count lines that are done', async () => {
    const request = open('batch', 'gzip', LINES)
    const blank = `${' '.repeat(2 ** 16)}\n`
    request.end(gzipSync(`${blank.repeat((10 * LIMIT) / blank.length)}${JSON.stringify(distance(3))}\n`))
    const [status, text] = await answerOf(request)
    expect([status, JSON.parse(text).distance]).toEqual([200, 1])
  })
})

describe('bodies that are never finished', () => {
  /** A request of which all but the last bytes are sent. */
  function unfinished(path: string, type: string, chunk: Buffer): Promise<{ status: number; retryAfter: string }> {
    return new Promise((resolve) => {
      const headers = { 'content-type': type, 'transfer-encoding': 'chunked' }
      const request = httpRequest({ port, path: `/v1/2d/${path}`, method: 'POST', headers, agent: false })
      pending.push(request)
      request.on('error', () => resolve({ status: 0, retryAfter: '' }))
      request.on('response', (response) => {
        resolve({ status: response.statusCode ?? 0, retryAfter: String(response.headers['retry-after']) })
        response.resume()
      })
      request.write(chunk)
    })
  }
  const pending: ClientRequest[] = []
  const chunk = Buffer.alloc(LIMIT - 1000, ' ')

  it.each([
    ['distance', JSON_TYPE],
    ['scenes/s/operations', JSON_TYPE],
    ['batch', JSON_TYPE],
    ['batch', LINES],
    ['scenes/s/batch', LINES],
    ['scenes/s/import?format=svg', 'image/svg+xml'],
  ])('are refused where they are too many: %s as %s', async (path, type) => {
    // eight of them fit
    const answers = Array.from({ length: 12 }, () => unfinished(path, type, chunk))
    const refused = await Promise.race(answers)
    // the head of a stream of lines has gone by then
    if (type !== LINES) expect(refused).toEqual({ status: 503, retryAfter: '5' })
    for (const request of pending.splice(0)) request.destroy()
    await Promise.all(answers)
    const small = await post('distance', JSON.stringify(pair), null)
    expect(small.status).toBe(200)
  })
})
