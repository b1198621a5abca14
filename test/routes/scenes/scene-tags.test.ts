// The ETag of an answer that waited for room is that of the version it is of, not of the one that was there when it was asked for.

import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config.ts'

let app: FastifyInstance
let id = 0
let isFull = false
beforeAll(async () => {
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000' }))
  await app.ready()
  Object.defineProperty(app.answerRoom, 'isFull', { get: () => isFull })
  // somebody writes while the question waits
  app.answerRoom.enter = async () => {
    isFull = false
    await put(`late${id}`)
    return true
  }
})
afterAll(() => app.close())

const put = (body: string) =>
  app.inject({ method: 'PUT', url: `/v1/2d/scenes/s${id}/bodies/${body}`, payload: { shape: { type: 'point' } } })

it.each([
  ['GET', 'bodies', 'application/json'],
  ['GET', 'render.svg', 'image/svg+xml'],
  ['POST', 'pairs', 'image/svg+xml'],
] as const)('%s %s', async (method, path, accept) => {
  id++
  await app.inject({ method: 'PUT', url: `/v1/2d/scenes/s${id}` })
  await put('first')
  isFull = true
  const { headers, body } = await app.inject({ method, url: `/v1/2d/scenes/s${id}/${path}`, headers: { accept } })
  expect(headers.etag).toMatch(/^"3[.]/)
  expect(body).toMatch(accept === 'application/json' ? /^\{"version":3,/ : /version 3/)
})
