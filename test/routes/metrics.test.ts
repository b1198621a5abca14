import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { startScenes } from '../support/services/scene-client.ts'

let app: FastifyInstance
let text: string
beforeAll(async () => {
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000' }))
  const point = { shape: { type: 'point' } }
  for (const payload of [{ a: point, b: point }, { a: point, b: point }, {}]) {
    await app.inject({ method: 'POST', url: '/v1/2d/distance', payload })
  }
  await app.inject({ method: 'HEAD', url: '/version' })
  await app.inject('/problems/not-found')
  await app.inject('/nope')
  const response = await app.inject('/metrics')
  expect(response.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  text = response.body
})
afterAll(() => app.close())

const metric = 'http_request_duration_seconds'

it.each([
  ['POST', '/v1/2d/distance', 200, 2],
  ['POST', '/v1/2d/distance', 400, 1],
  ['HEAD', '/version', 200, 1],
  ['GET', '/problems/:code', 200, 1],
  ['*', '(none)', 404, 1],
])('GET /metrics counts %s %s %d', (method, route, status, count) => {
  const labels = `method="${method}",route="${route}",status="${status}"`
  expect(text).toContain(`${metric}_count{${labels}} ${count}\n`)
  expect(text).toContain(`${metric}_bucket{le="+Inf",${labels}} ${count}\n`)
  expect(text).toMatch(new RegExp(`${metric}_sum\\{${labels.replace(/[()*]/g, '\\$&')}\\} \\d`))
})

it('GET /metrics gives buckets that only grow', () => {
  const row = new RegExp(
    `${metric}_bucket\\{le="([^"]+)",method="POST",route="/v1/2d/distance",status="200"\\} (\\d+)`,
    'g',
  )
  const rows = [...text.matchAll(row)]
  const counts = rows.map(([, , count]) => Number(count))
  expect(rows.map(([, bound]) => bound).join(' ')).toBe(
    '0.0005 0.001 0.0025 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 +Inf',
  )
  expect(counts).toEqual(counts.toSorted((a, b) => a - b))
})

it('GET /metrics tells of the process too', () => {
  expect(text).toContain('process_cpu_seconds_total ')
})

it('GET /metrics tells of scenes', async () => {
  const own = await startScenes()
  const bodies = ['a', 'b', 'c'].map((id) => ({ id, shape: { type: 'point' } }))
  await own.createScene(bodies)
  await own.createScene()
  const { body } = await own.app.inject('/metrics')
  expect(body).toContain('\ntangent_scenes 2\n')
  expect(body).toContain('\ntangent_scenes_damaged 0\n')
  expect(body).toContain('\ntangent_scene_bodies 3\n')
  expect(body).toMatch(/\ntangent_scene_store_bytes [1-9]\d+\n/)
  own.app.scenes.keeper = null
  expect((await own.app.inject('/metrics')).body).not.toMatch(/^tangent_scene/m)
  await own.close()
})

it('GET /metrics makes one text for all who ask at once', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => app.inject('/metrics')))
  // none counts another of them
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
  const later = await app.inject('/metrics')
  expect(later.body).toContain(`${metric}_count{method="GET",route="/metrics",status="200"} 21\n`)
})
