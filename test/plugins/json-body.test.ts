// How long bodies of JSON may be, whoever reads them, and however they are sent.

import { request as httpRequest, type RequestOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'

const LIMIT = 100_000
const disc = (x: number) => ({ shape: { type: 'circle', radius: 1 }, position: { x, y: 0 } })

let app: FastifyInstance
let port: number
beforeAll(async () => {
  const limit = String(LIMIT)
  app = await buildApp(
    loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', BODY_LIMIT: limit, OPERATIONS_BODY_LIMIT: limit }),
  )
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
  await app.inject({ method: 'PUT', url: '/v1/2d/scenes/s', payload: {} })
})
afterAll(() => app.close())

interface Answer {
  status: number
  body: { code?: string; limit?: number }
}

/** Sends text as one body with its length, or in pieces without. */
function post(path: string, text: string, isDeclared: boolean): Promise<Answer> {
  const bytes = Buffer.from(text)
  const headers = { 'content-type': 'application/json', ...(isDeclared && { 'content-length': bytes.length }) }
  const options: RequestOptions = { port, method: 'POST', path: `/v1/2d/${path}`, headers }
  return new Promise((resolve, reject) => {
    const request = httpRequest(options, async (response) => {
      let answer = ''
      for await (const chunk of response) answer += chunk
      resolve({ status: response.statusCode as number, body: JSON.parse(answer) })
    })
    request.on('error', reject)
    if (!isDeclared) request.write(bytes.subarray(0, 1000))
    request.end(isDeclared ? bytes : bytes.subarray(1000))
  })
}

describe('a body of JSON', () => {
  const bodies: [string, unknown][] = [
    ['contact', { a: disc(0), b: disc(5) }],
    ['batch', { queries: [{ op: 'distance', a: disc(0), b: disc(3) }] }],
    ['scenes/s/batch', { queries: [{ op: 'overlap', body: disc(3) }] }],
    ['scenes/s/operations', { operations: [{ op: 'put', body: { id: 'a', ...disc(0) } }] }],
  ]
  for (const isDeclared of [true, false]) {
    it.each(bodies)(
      `may be as long as the limit, and no byte longer: %s, ${isDeclared ? 'with' : 'without'} its length`,
      async (path, body) => {
        const text = JSON.stringify(body)
        const longest = await post(path, text + ' '.repeat(LIMIT - text.length), isDeclared)
        expect([longest.status, longest.body.code]).toEqual([200, undefined])
        const { status, body: problem } = await post(path, text + ' '.repeat(LIMIT + 1 - text.length), isDeclared)
        expect([status, problem.code, problem.limit]).toEqual([413, 'body-too-large', LIMIT])
      },
    )
  }
})

describe('a long list with an item that is no JSON', () => {
  let large: FastifyInstance
  beforeAll(async () => {
    large = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent' }))
    await large.inject({ method: 'PUT', url: '/v1/2d/scenes/s', payload: {} })
  })
  afterAll(() => large.close())

  const item = JSON.stringify({ op: 'distance', a: disc(0), b: disc(3) })
  // beyond 128 KiB lists are read in pieces; beyond 512 KiB it is not said where the fault lies
  it.each([
    ['batch', 'queries', 1000, item],
    ['batch', 'queries', 6000, item],
    ['scenes/s/operations', 'operations', 1000, JSON.stringify({ op: 'put', body: { id: 'a', ...disc(0) } })],
    ['scenes/s/operations', 'operations', 6000, JSON.stringify({ op: 'put', body: { id: 'a', ...disc(0) } })],
  ])('is refused: %s, %s, %i', async (path, name, count, each) => {
    const items = Array.from({ length: count }, () => each)
    items[count - 2] = '{"op":tru}'
    const payload = `{"${name}":[${items.join(',')}]}`
    const headers = { 'content-type': 'application/json' }
    const answer = await large.inject({ method: 'POST', url: `/v1/2d/${path}`, headers, payload })
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'malformed-json'])
  })
})
