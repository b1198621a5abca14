// A client that goes away takes its work with it: the worker stops, and is free for others.

import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { workProblem } from '../../src/plugins/workers.ts'
import { FarWork, type WorkerPool } from '../../src/threads/pool.ts'

/** An L of unit height, one corner of which is so far away that exact arithmetic decides everything: seconds of work. */
const SPIKE = {
  type: 'mesh',
  solid: true,
  vertices: [-1e100, 0, 0, 4, 0, 0, 4, 1, 0, 1, 1, 0, 1, 3, 0, 0, 3, 0, 0, 0, 2, 4, 0, 2, 4, 1, 2, 1, 1, 2, 1, 3, 2, 0, 3, 2], // biome-ignore format: a list
  triangles: [0, 2, 1, 0, 3, 2, 0, 5, 3, 3, 5, 4, 6, 7, 8, 6, 8, 9, 6, 9, 11, 9, 10, 11, 0, 1, 7, 0, 7, 6, 1, 2, 8, 1, 8, 7, 2, 3, 9, 2, 9, 8, 3, 4, 10, 3, 10, 9, 4, 5, 11, 4, 11, 10, 5, 0, 6, 5, 6, 11], // biome-ignore format: a list
}
const onSphere = Array.from({ length: 4096 }, (_, k) => {
  const [z, turn] = [k / 2048 - 1, 2.4 * k]
  const r = Math.sqrt(1 - z * z)
  return { x: r * Math.cos(turn), y: r * Math.sin(turn), z }
})
const hulls = Array.from({ length: 20 }, () => ({ shape: { type: 'hull', points: onSphere } }))

let app: FastifyInstance
/** What came of the jobs of workers. */
const outcomes: ReturnType<WorkerPool['run']>[] = []
beforeAll(async () => {
  const env = {
    SCENE_STORE: 'memory',
    LOG_LEVEL: 'silent',
    HOST: '127.0.0.1',
    WORKERS: '1',
    QUERY_DEADLINE_MS: '600000',
  }
  app = await buildApp(loadConfig(env))
  const run = app.workers.run.bind(app.workers)
  app.workers.run = (...asked) => {
    const outcome = run(...asked)
    outcomes.push(outcome)
    return outcome
  }
  await app.listen({ host: '127.0.0.1', port: 0 })
  await app.workers.start()
})
afterAll(() => app.close())

it.each([
  ['/v1/3d/decompose', 'application/json', { mesh: SPIKE, method: 'approximate', maxPieces: 64 }],
  ['/v1/3d/decompose', 'application/x-ndjson', { mesh: SPIKE, method: 'approximate', maxPieces: 64 }],
  ['/v1/3d/shapes', 'application/json', { type: 'compound', children: hulls }],
])('%s as %s', async (path, accept, body) => {
  outcomes.length = 0
  const { port } = app.server.address() as AddressInfo
  const asked = request({
    host: '127.0.0.1',
    port,
    path,
    method: 'POST',
    headers: { accept, 'content-type': 'application/json' },
  })
  asked.on('error', () => undefined).end(JSON.stringify(body))
  await expect.poll(() => app.workers.figures.busy, { timeout: 60_000 }).toBe(1)
  asked.destroy()
  expect(await outcomes[0]).toEqual({ is: 'stopped' })
  expect(app.workers.figures).toMatchObject({ busy: 0, waiting: 0 })
})

it('is no fault of the service in its figures', async () => {
  const work = new FarWork(app.workers)
  work.end()
  const error = await work.do({ kind: 'none' }, performance.now() + 1000).catch((reason: unknown) => reason)
  const problem = workProblem(error, '', app)
  expect(problem?.code).toBe('malformed-request')
})
