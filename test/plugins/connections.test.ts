// Clients that ask and do not read: what is handed out waits in line, and what they have not taken is bounded over all of them.

import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { requestsUnderWay } from '../../src/plugins/connections.ts'

const BODIES = 1000
const DATA = 'x'.repeat(4000)
const PAGE = 'GET /v1/2d/scenes/p/bodies?limit=1000 HTTP/1.1\r\nHost: l\r\n\r\n'
const EXPORT = 'GET /v1/2d/scenes/p/export?format=json HTTP/1.1\r\nHost: l\r\n\r\n'
const EVENTS = 'GET /v1/2d/scenes/p/events HTTP/1.1\r\nHost: l\r\n\r\n'

let app: FastifyInstance
let port: number
beforeAll(async () => {
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent' }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
  await app.inject({ method: 'PUT', url: '/v1/2d/scenes/p', payload: {} })
  const operations = Array.from({ length: BODIES }, (_, i) => ({
    op: 'put',
    body: { id: `b${i}`, shape: { type: 'circle', radius: 1 }, data: { DATA } },
  }))
  const put = await app.inject({ method: 'POST', url: '/v1/2d/scenes/p/operations', payload: { operations } })
  expect(put.statusCode).toBe(200)
})
afterAll(() => app.close())

async function asking(text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.pause()
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

/** Whether it answers within a time that a silent service would not keep. */
async function livez(): Promise<number> {
  return (await fetch(`http://127.0.0.1:${port}/livez`)).status
}

async function until(isSo: () => boolean): Promise<void> {
  for (let n = 0; n < 400 && !isSo(); n++) await pause(25)
  expect(isSo()).toBe(true)
}

describe('a thousand requests that are sent at once', () => {
  it.each([
    ['pages', PAGE],
    ['exports', EXPORT],
  ])('for %s are not begun before answers are taken', async (_name, request) => {
    const socket = await asking(request.repeat(1000))
    await until(() => app.answerRoom.bytes > 0 && requestsUnderWay() > 900)
    await pause(300)
    expect(app.answerRoom.bytes).toBeLessThan(2 ** 24)
    expect(await livez()).toBe(200)
    socket.destroy()
    await until(() => requestsUnderWay() === 0 && app.answerRoom.bytes === 0)
  })

  it('are all answered, in order, when they are read', async () => {
    const count = 12
    const paths = Array.from({ length: count }, (_, i) => `/v1/2d/scenes/p/bodies?limit=${i % 3 === 0 ? 1000 : 1}`)
    const socket = await asking(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: l\r\n\r\n`).join(''))
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.resume()
    await until(() => chunks.length > 0 && requestsUnderWay() === 0)
    await pause(100)
    const lengths: number[] = []
    const bytes = Buffer.concat(chunks)
    for (let at = 0; at < bytes.length; ) {
      const end = bytes.indexOf('\r\n\r\n', at)
      const head = bytes.toString('latin1', at, end)
      expect(head).toContain('HTTP/1.1 200 OK')
      const length = Number(/content-length: (\d+)/.exec(head)?.[1])
      lengths.push(length)
      at = end + 4 + length
    }
    const [large, small] = lengths
    expect(large).toBeGreaterThan(4_000_000)
    expect(small).toBeLessThan(5000)
    expect(lengths).toEqual(paths.map((_, i) => (i % 3 === 0 ? large : small)))
    socket.destroy()
  }, 30_000)

  it('behind a stream without an end are dropped', async () => {
    const socket = await asking(EVENTS + PAGE.repeat(500))
    await until(() => requestsUnderWay() > 0)
    await until(() => requestsUnderWay() <= 32)
    socket.destroy()
    await until(() => requestsUnderWay() === 0 && app.answerRoom.bytes === 0)
  })
})

it('holds no more for a hundred clients that read nothing than for a few', async () => {
  const sockets = await Promise.all(Array.from({ length: 100 }, () => asking(PAGE.repeat(3))))
  for (let n = 0; n < 20; n++) {
    expect(app.answerRoom.bytes).toBeLessThanOrEqual(1.1 * app.answerRoom.most)
    await pause(50)
  }
  expect(await livez()).toBe(200)
  for (const socket of sockets) socket.destroy()
  await until(() => requestsUnderWay() === 0 && app.answerRoom.bytes === 0)
})

it('closes the longest lines where too many requests wait', async () => {
  const few = await asking(PAGE.repeat(40))
  const many = await Promise.all(Array.from({ length: 18 }, () => asking(PAGE.repeat(1100))))
  await until(() => requestsUnderWay() > 0)
  await pause(500)
  expect(requestsUnderWay()).toBeLessThan(2 ** 14 + 19 * 33)
  expect(await livez()).toBe(200)
  for (const socket of [few, ...many]) socket.destroy()
  await until(() => requestsUnderWay() === 0)
})
