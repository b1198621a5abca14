// Bodies as bytes: the same answer and the same headers however long they are, and text that is UTF-8 or refused.

import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'

let app: FastifyInstance
let port: number
beforeAll(async () => {
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000' }))
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
  await app.inject({ method: 'PUT', url: '/v1/2d/scenes/s' })
})
afterAll(() => app.close())

interface Answer {
  status: number
  headers: Record<string, unknown>
  text: string
}

function send(path: string, body: Buffer | string, method = 'POST', type: string | null = 'application/json') {
  return new Promise<Answer>((resolve, reject) => {
    const headers = type === null ? {} : { 'content-type': type }
    const sent = request({ port, path, method, headers: { ...headers, connection: 'keep-alive' } }, (response) => {
      const chunks: Buffer[] = []
      response
        .on('data', (chunk) => chunks.push(chunk))
        .on('end', () => {
          const { 'x-request-id': _id, date: _date, ...kept } = response.headers
          resolve({ status: response.statusCode as number, headers: kept, text: Buffer.concat(chunks).toString() })
        })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const point = { shape: { type: 'point' } }
const mark = Buffer.from([0xef, 0xbb, 0xbf])
const marked = (value: unknown) => Buffer.concat([mark, Buffer.from(JSON.stringify(value))])
/** JSON text with a byte that is no UTF-8 where the value has ÿ. */
const broken = (value: unknown) => Buffer.from(JSON.stringify(value), 'latin1')
const many = <T>(item: T): T[] => Array.from({ length: 3000 }, () => item)
const query = { op: 'distance', a: point, b: point }
const put = (id: string) => ({ op: 'put', body: { id, ...point, tags: ['ÿ'] } })

describe('a problem', () => {
  it.each([
    ['/v1/2d/distance', '{"a":1}'],
    ['/v1/2d/distance', '{"a":1,}'],
    ['/v1/3d/contact', '{"a":{"shape":{"type":"sphere","radius":-1}},"b":{}}'],
    ['/v1/2d/batch', '{"queries":1}'],
    ['/v1/2d/scenes/s/overlap', '{"point":1}'],
    ['/v1/2d/scenes/s/operations', '{"operations":[{}]}'],
  ])('to %s has the same headers however long the body is: %s', async (path, text) => {
    const [short, long] = await Promise.all([text, text + ' '.repeat(40_000)].map((body) => send(path, body)))
    expect(short.status).toBe(400)
    expect(short.headers['content-type']).toBe('application/problem+json')
    expect(short.headers.connection).toBe('keep-alive')
    expect(long).toMatchObject({ status: short.status, headers: short.headers })
  })
})

describe('a byte order mark', () => {
  it.each([
    ['a query', '/v1/2d/distance', marked({ a: point, b: point })],
    ['a long query', '/v1/2d/distance', Buffer.concat([marked({ a: point, b: point }), Buffer.alloc(40_000, ' ')])],
    ['a batch', '/v1/2d/batch', marked({ queries: [query] })],
    ['a long batch', '/v1/2d/batch', marked({ queries: many(query) })],
    ['a query of a scene', '/v1/2d/scenes/s/overlap', marked({ point: { x: 0, y: 0 } })],
    ['a batch of a scene', '/v1/2d/scenes/s/batch', marked({ queries: many({ op: 'pairs' }) })],
    ['operations', '/v1/2d/scenes/s/operations', marked({ operations: [{ op: 'put', body: { id: 'a', ...point } }] })],
    [
      'many operations',
      '/v1/2d/scenes/s/operations',
      marked({ operations: many(0).map((_, i) => ({ op: 'put', body: { id: `${i}`, ...point } })) }),
    ],
  ])('before %s is skipped', async (_name, path, body) => {
    const { status, text } = await send(path, body)
    expect(status).toBe(200)
    expect(text).not.toContain('"problem"')
  })

  it('before lines is skipped, and counts for no column', async () => {
    const lines = Buffer.concat([marked(query), Buffer.from('\n'), mark, Buffer.from('{"op":}\n')])
    const { text } = await send('/v1/2d/batch', lines, 'POST', 'application/x-ndjson')
    const [first, second] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(first).toMatchObject({ op: 'distance', distance: 0 })
    expect(second.detail).toBe('The line is not JSON: expected a value at column 7, got "}".')
  })
})

describe('bytes that are not UTF-8', () => {
  it.each([
    ['a query', 'POST', '/v1/2d/distance', broken({ a: point, b: 'ÿ' }), 37],
    ['a body', 'PUT', '/v1/2d/scenes/s/bodies/b', broken({ ...point, tags: ['ÿ'] }), 35],
    ['new fields', 'PATCH', '/v1/2d/scenes/s/bodies/b', broken({ data: { name: 'ÿ' } }), 17],
    ['operations', 'POST', '/v1/2d/scenes/s/operations', broken({ operations: [put('a')] }), 78],
    ['settings', 'PUT', '/v1/2d/scenes/s', broken({ name: 'ÿ' }), 9],
  ] as const)('in %s are refused with their place', async (_name, method, path, body, at) => {
    const { status, text } = await send(path, body, method)
    expect(status).toBe(400)
    expect(JSON.parse(text)).toMatchObject({
      code: 'malformed-json',
      detail: `The body is not JSON: byte ${at} is not valid UTF-8.`,
    })
  })

  it.each([
    ['/v1/2d/batch', broken({ queries: many({ ...query, op: 'ÿ' }) })],
    ['/v1/2d/scenes/s/operations', broken({ operations: many(put('a')) })],
    ['/v1/2d/scenes/s/batch', broken({ queries: many({ op: 'ÿ' }) })],
  ])('in a long list are refused: %s', async (path, body) => {
    const { status, text } = await send(path, body)
    expect(status).toBe(400)
    expect(JSON.parse(text).code).toBe('malformed-json')
  })

  it('in a line fail that line alone', async () => {
    const lines = Buffer.concat([broken({ ...query, op: 'ÿ' }), Buffer.from(`\n${JSON.stringify(query)}\n`)])
    for (const path of ['/v1/2d/batch', '/v1/2d/scenes/s/batch']) {
      const { text } = await send(path, lines, 'POST', 'application/x-ndjson')
      const [first, second] = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(first).toMatchObject({
        code: 'malformed-json',
        detail: 'The line is not JSON: byte 7 is not valid UTF-8.',
      })
      expect(second.code).not.toBe('malformed-json')
    }
  })

  it('are told from a replacement character that was sent', async () => {
    const text = { ...point, tags: ['�'], data: 'ÿ' }
    expect((await send('/v1/2d/scenes/s/bodies/c', JSON.stringify(text), 'PUT')).status).toBe(201)
    const bytes = Buffer.concat([
      Buffer.from('{"shape":{"type":"point"},"tags":["�'),
      Buffer.from([0xc3]),
      Buffer.from('"]}'),
    ])
    expect(JSON.parse((await send('/v1/2d/scenes/s/bodies/d', bytes, 'PUT')).text).detail).toContain('byte 38 ')
  })
})

describe('no body', () => {
  it.each([
    ['PUT', '/v1/2d/scenes/empty', 201],
    ['POST', '/v1/2d/scenes', 201],
    ['POST', '/v1/2d/scenes/s/pairs', 200],
  ])('is taken where every field is optional: %s %s', async (method, path, status) => {
    expect((await send(path, '', method, null)).status).toBe(status)
    expect((await send(`${path}`, '', method)).status).toBe(status === 201 && method === 'PUT' ? 200 : status)
  })

  it('is a problem where a field is required', async () => {
    for (const type of [null, 'application/json']) {
      const { status, text } = await send('/v1/2d/distance', '', 'POST', type)
      expect(status).toBe(400)
      expect(JSON.parse(text).code).toBe('empty-body')
    }
  })
})

describe('pointers of problems in lists', () => {
  const wrong = { op: 'distance', a: { shape: { type: 'circle', radius: -1 } }, b: point }
  const inverted = { shape: { type: 'aabb', min: { x: 1, y: 0 }, max: { x: 0, y: 0 } } }
  const pointers = (text: string) =>
    JSON.parse(text).results.flatMap(({ errors = [] }: { errors?: { pointer: string }[] }) =>
      errors.map(({ pointer }) => pointer),
    )

  it('begin at the root of the request', async () => {
    const queries = [query, wrong, { ...query, a: inverted }, { op: 'dist' }]
    const expected = ['#/queries/1/a/shape/radius', '#/queries/2/a/shape/min/x', '#/queries/3/op']
    expect(pointers((await send('/v1/2d/batch', JSON.stringify({ queries }))).text)).toEqual(expected)
    const probes = [{ op: 'pairs' }, { op: 'overlap', point: { x: 1 } }, { op: 'overlap', body: inverted }]
    const { text } = await send('/v1/2d/scenes/s/batch', JSON.stringify({ queries: probes }))
    expect(pointers(text)).toEqual(['#/queries/1/point/y', '#/queries/2/body/shape/min/x'])
  })

  it('count all queries of a long list that workers answer in pieces', async () => {
    const queries = Array.from({ length: 5000 }, (_, i) =>
      i % 7 === 3 ? wrong : i % 11 === 5 ? { ...query, a: inverted } : query,
    )
    const expected = queries.flatMap((each, i) =>
      each === wrong ? [`#/queries/${i}/a/shape/radius`] : each === query ? [] : [`#/queries/${i}/a/shape/min/x`],
    )
    expect(pointers((await send('/v1/2d/batch', JSON.stringify({ queries }))).text)).toEqual(expected)
    // not cut at marks: the name of the operation does not come first
    const turned = queries.map(({ op, ...rest }) => ({ ...rest, op }))
    expect(pointers((await send('/v1/2d/batch', JSON.stringify({ queries: turned }))).text)).toEqual(expected)
  })

  it('begin at the line in lines', async () => {
    const { text } = await send(
      '/v1/2d/batch',
      `${JSON.stringify(query)}\n${JSON.stringify(wrong)}\n`,
      'POST',
      'application/x-ndjson',
    )
    expect(JSON.parse(text.split('\n')[1]).errors[0].pointer).toBe('#/a/shape/radius')
  })
})

describe('ids', () => {
  it.each(['.', '..'])('cannot be %s, which clients resolve before they send it', async (id) => {
    expect((await send(`/v1/2d/scenes/${id}`, '{}', 'PUT')).status).toBe(400)
    expect((await send(`/v1/2d/scenes/s/bodies/${id}`, JSON.stringify(point), 'PUT')).status).toBe(400)
    const { status, text } = await send('/v1/2d/scenes/s/operations', JSON.stringify({ operations: [put(id)] }))
    expect(status).toBe(400)
    expect(JSON.parse(text).detail).toBe(
      `id must be 1 to 128 of A-Z a-z 0-9 . _ : -, and neither . nor .., got "${id}".`,
    )
  })

  it.each(['...', '.a', '..a', 'a.', '-', 'a'.repeat(128)])('can be %s', async (id) => {
    expect((await send(`/v1/2d/scenes/${id}`, '{}', 'PUT')).status).toBe(201)
  })

  it('have at most 128 characters', async () => {
    const { status, text } = await send(`/v1/2d/scenes/${'a'.repeat(129)}`, '{}', 'PUT')
    expect(status).toBe(400)
    expect(JSON.parse(text).detail).toBe('sceneId must have at most 128 characters, got 129.')
  })
})
