// To which host a request was sent: one that can be read in two ways is refused.

import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'

let app: FastifyInstance
let port: number
beforeAll(async () => {
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent' }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
})
afterAll(() => app.close())

async function answerTo(head: string[], body = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  await once(socket, 'close')
  return answer
}

const QUERY = '{"a":{"shape":{"type":"point"}},"b":{"shape":{"type":"point"}}}'
const POST = ['POST /v1/2d/overlap HTTP/1.1', 'Content-Type: application/json', `Content-Length: ${QUERY.length}`]

it.each([
  ['GET', ['GET /livez HTTP/1.1', 'Host: a', 'Host: b']],
  ['GET with the same twice', ['GET /livez HTTP/1.1', 'Host: a', 'Host: a']],
  ['GET in other letters', ['GET /v1/limits HTTP/1.1', 'HOST: a', 'X-Request-Id: 1', 'hOsT: b']],
  ['three of them', ['GET /livez HTTP/1.1', 'Host: a', 'Host: b', 'Host: c']],
  ['an empty one besides', ['GET /livez HTTP/1.1', 'Host:', 'Host: b']],
  ['HTTP/1.0', ['GET /livez HTTP/1.0', 'Host: a', 'Host: b']],
  ['a path that is not there', ['GET /nothing HTTP/1.1', 'Host: a', 'Host: b']],
  ['OPTIONS', ['OPTIONS /v1/2d/overlap HTTP/1.1', 'Host: a', 'Host: b']],
  ['POST', [...POST, 'Host: a', 'Host: b']],
])('refuses more than one Host header: %s', async (_, head) => {
  const answer = await answerTo(head, head[0].startsWith('POST') ? QUERY : '')
  expect(answer).toMatch(/^HTTP\/1.1 400 /)
  expect(answer).toContain('application/problem+json')
  expect(answer).toContain('"code":"malformed-request"')
  expect(answer).toContain('more than one Host header')
  expect(answer.toLowerCase()).toContain('connection: close')
  expect(answer.match(/HTTP\/1.1/g)).toHaveLength(1)
})

it.each(['a b', 'a, b', 'a/b', 'user@a', 'a?b', 'a#b', 'a:b', 'a:1:2', '[::1', 'a\\b'])(
  'refuses what is no host: %s',
  async (host) => {
    const answer = await answerTo(['GET /livez HTTP/1.1', `Host: ${host}`])
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    expect(answer).toContain('"code":"malformed-request"')
  },
)

it.each(['', 'a', 'a.example:3000', '127.0.0.1', '127.0.0.1:80', '[::1]', '[::1]:3000', 'my_host-1.', 'a:', 'x%20y'])(
  'takes one Host header: "%s"',
  async (host) => {
    const answer = await answerTo(['GET /livez HTTP/1.1', `Host: ${host}`, 'X-Forwarded-Host: b'])
    expect(answer).toMatch(/^HTTP\/1.1 200 /)
  },
)

it('refuses no Host header in HTTP/1.1, and takes none in HTTP/1.0', async () => {
  expect(await answerTo(['GET /livez HTTP/1.1'])).toMatch(/^HTTP\/1.1 400 /)
  expect(await answerTo(['GET /livez HTTP/1.0'])).toMatch(/^HTTP\/1.1 200 /)
})
