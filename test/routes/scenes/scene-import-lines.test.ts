// Imports that say how far they are.

import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { importProgress } from '../../../schemas/scenes/import.ts'
import { buildApp } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config.ts'

const LINES = 'application/x-ndjson'

let app: FastifyInstance
beforeAll(async () => {
  // nothing is ended where the machine is busy
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '600000' }))
  await app.ready()
  await app.scenes.recovered
})
afterAll(() => app.close())

async function imported(sceneId: string, text: string, accept = LINES, query = 'format=geojson') {
  const url = `/v1/2d/scenes/${sceneId}`
  await app.inject({ method: 'PUT', url, payload: {} })
  const response = await app.inject({
    method: 'POST',
    url: `${url}/import?${query}`,
    headers: { accept, 'content-type': 'application/octet-stream' },
    payload: text,
  })
  const type = response.headers['content-type']
  if (type !== LINES) return { status: response.statusCode, type, lines: [], last: response.json() }
  expect(response.body.endsWith('\n')).toBe(true)
  const lines = response.body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { status: response.statusCode, type, lines: lines.slice(0, -1), last: lines.at(-1) }
}

const points = (count: number) =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: Array.from({ length: count }, (_, id) => ({
      type: 'Feature',
      id,
      properties: null,
      geometry: { type: 'Point', coordinates: [id, 0] },
    })),
  })

it('say so, and end with the report that others get', async () => {
  const { status, lines, last } = await imported('lines', points(8_000))
  expect(status).toBe(200)
  const plain = await imported('plain', points(8_000), 'application/json')
  expect(plain.type).toBe('application/json; charset=utf-8')
  expect(last).toEqual(plain.last)
  expect(last).toMatchObject({ version: 2, bodies: 8_000, added: 8_000 })

  const count = expect.any(Number)
  for (const { progress, ...rest } of lines) {
    expect(rest).toEqual({})
    expect(progress).toEqual({ stage: expect.any(String), bodies: count, cells: count, checked: count })
    expect(importProgress.stages).toContain(progress.stage)
  }
  expect(lines[0]).toEqual({ progress: { stage: 'reading', bodies: 0, cells: 0, checked: 0 } })
  const stages = lines.map(({ progress }) => importProgress.stages.indexOf(progress.stage))
  expect(stages).toEqual(stages.toSorted((a, b) => a - b))
  for (const name of ['bodies', 'checked']) {
    const counts = lines.map(({ progress }) => progress[name])
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect(counts.at(-1)).toBeLessThanOrEqual(8_000)
  }
  // an import of so many takes longer than one look
  expect(lines.length).toBeGreaterThan(1)
})

it('end with the problem where there is one, and write nothing', async () => {
  const { status, last } = await imported('bad', '{ "type": "FeatureCollection", "features": 1 }')
  expect(status).toBe(200)
  expect(last).toMatchObject({ code: 'import-malformed', status: 422 })
  const plain = await imported('bad', '{ "type": "FeatureCollection", "features": 1 }', 'application/json')
  expect({ ...last, requestId: '' }).toEqual({ ...plain.last, requestId: '' })
  expect((await app.inject('/v1/2d/scenes/bad')).json()).toMatchObject({ version: 1, bodyCount: 0 })
})

it('end with the problem where the work is ended', async () => {
  const quick = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '20' }))
  await quick.ready()
  await quick.scenes.recovered
  await quick.inject({ method: 'PUT', url: '/v1/2d/scenes/a', payload: {} })
  const response = await quick.inject({
    method: 'POST',
    url: '/v1/2d/scenes/a/import?format=geojson',
    headers: { accept: LINES, 'content-type': 'application/octet-stream' },
    payload: points(20_000),
  })
  const last = JSON.parse(response.body.trimEnd().split('\n').at(-1) as string)
  expect(last).toMatchObject({ status: 503 })
  await quick.close()
})

it('are refused as others are before they begin', async () => {
  const unknown = await imported('bad', points(1), LINES, 'format=dwg')
  expect(unknown).toMatchObject({ status: 400, type: 'application/problem+json' })
  expect((await imported('bad', '')).last).toMatchObject({ code: 'empty-body' })
})

it.each(['*/*', 'application/json, */*', 'application/json, application/x-ndjson;q=0.5', 'text/html'])(
  'do not to who asks for %s',
  async (accept) => {
    expect((await imported('any', points(1), accept)).type).toBe('application/json; charset=utf-8')
  },
)
