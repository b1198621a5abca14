// Clients that are still sending when their request has been refused get the answer all the same.

import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'

const LIMIT = 2 ** 20
const LENGTH = 48 * LIMIT
const CHUNK = Buffer.alloc(2 ** 16, ' ')

let app: FastifyInstance
let port: number
beforeAll(async () => {
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', BODY_LIMIT: String(LIMIT) }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
})
afterAll(() => app.close())

/** What comes back, and how the connection ends, when all of the body is sent before anything is read. */
async function sendAll(path: string, head: string, frame: (chunk: Buffer) => Buffer[], end: string) {
  const socket = connect(port, '127.0.0.1').pause()
  const errors: string[] = []
  socket.on('error', ({ message }) => errors.push(message))
  const write = async (part: Buffer | string) => {
    if (!socket.write(part) && !socket.destroyed) await Promise.race([once(socket, 'drain'), once(socket, 'close')])
  }
  await write(`POST ${path} HTTP/1.1\r\nHost: l\r\nContent-Type: application/json\r\n${head}\r\n\r\n`)
  for (let sent = 0; sent < LENGTH && !socket.destroyed; sent += CHUNK.length)
    for (const part of frame(CHUNK)) await write(part)
  await write(end)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  if (!socket.destroyed) await once(socket.resume(), 'close')
  return { text, errors }
}

const chunked = (chunk: Buffer) => [Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]

describe('a body that is too large is answered, though it is sent to its end', () => {
  it.each(['/v1/2d/contact', '/v1/2d/batch', '/v1/2d/scenes', '/nothing'])('at %s with a length', async (path) => {
    const head = `Connection: close\r\nContent-Length: ${LENGTH}`
    const { text, errors } = await sendAll(path, head, (chunk) => [chunk], '')
    expect(errors).toEqual([])
    expect(text).toMatch(/^HTTP\/1.1 (413|404) [\s\S]*"code":"(body-too-large|not-found)"/)
  })

  it.each(['/v1/2d/contact', '/v1/2d/batch', '/v1/2d/scenes'])('at %s in chunks', async (path) => {
    const head = 'Connection: close\r\nTransfer-Encoding: chunked'
    const { text, errors } = await sendAll(path, head, chunked, '0\r\n\r\n')
    expect(errors).toEqual([])
    expect(text).toMatch(/^HTTP\/1.1 413 [\s\S]*"code":"body-too-large"/)
  })
})

it('leaves a connection that is kept to the next request', async () => {
  const next = 'GET /livez HTTP/1.1\r\nHost: l\r\nConnection: close\r\n\r\n'
  const { text, errors } = await sendAll('/v1/2d/batch', 'Transfer-Encoding: chunked', chunked, `0\r\n\r\n${next}`)
  expect(errors).toEqual([])
  expect(text).toMatch(/^HTTP\/1.1 413 [\s\S]*"code":"body-too-large"[\s\S]*HTTP\/1.1 200 /)
})

it('is not read for longer when the service ends', async () => {
  const other = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', BODY_LIMIT: String(LIMIT) }))
  await other.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((other.server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(
    `POST /v1/2d/contact HTTP/1.1\r\nHost: l\r\nContent-Type: application/json\r\nContent-Length: ${LENGTH}\r\n\r\n`,
  )
  await once(socket, 'data')
  const since = performance.now()
  const closed = once(socket, 'close')
  await other.close()
  await closed
  expect(performance.now() - since).toBeLessThan(4000)
})
