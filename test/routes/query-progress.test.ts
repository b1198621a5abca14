// Queries that say how far they are.

import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { decompose3dProgress } from '../../schemas/queries/decompose.ts'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { torus } from '../support/families/generated-meshes-3d.ts'

const LINES = 'application/x-ndjson'
const JSON_TYPE = 'application/json; charset=utf-8'
const env = { SCENE_STORE: 'memory', LOG_LEVEL: 'silent', WORKERS: '1' }

let app: FastifyInstance
beforeAll(async () => {
  // nothing is ended where the machine is busy
  app = await buildApp(loadConfig({ ...env, QUERY_DEADLINE_MS: '600000' }))
  await app.ready()
  await app.workers.start()
})
afterAll(() => app.close())

const { triangles, vertices } = torus(8, 4) as { triangles: number[][]; vertices: number[][] }
const LONG = {
  mesh: { type: 'mesh', triangles: triangles.flat(), vertices: vertices.flat() },
  method: 'approximate',
  maxPieces: 4,
  maxAddedVolume: 0,
}
/** Without volume. */
const SHORT = { mesh: { type: 'mesh', vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 2, 0, 2, 1] } }

async function asked(request: object, accept = LINES, server = app) {
  const { statusCode, headers, body } = await server.inject({
    method: 'POST',
    url: '/v1/3d/decompose',
    headers: { accept },
    payload: request,
  })
  const type = headers['content-type']
  if (type !== LINES) return { status: statusCode, type, lines: [], last: JSON.parse(body) }
  expect(body.endsWith('\n')).toBe(true)
  const lines = body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { status: statusCode, type, lines: lines.slice(0, -1), last: lines.at(-1) }
}

it('say so, and end with the answer that others get', async () => {
  const { status, lines, last } = await asked(LONG)
  expect(status).toBe(200)
  const plain = await asked(LONG, 'application/json')
  expect(plain).toMatchObject({ status: 200, type: JSON_TYPE })
  expect(last).toEqual(plain.last)

  // it takes longer than one look
  expect(lines.length).toBeGreaterThan(1)
  expect(lines[0]).toEqual({ progress: { stage: 'reading', parts: 0, pieces: 0, measured: 0 } })
  const count = expect.any(Number)
  for (const { progress, ...rest } of lines) {
    expect(rest).toEqual({})
    expect(progress).toEqual({ stage: expect.any(String), parts: count, pieces: count, measured: count })
    if (progress.stage === 'measuring') expect(progress.pieces).toBe(last.pieces.length)
    expect(progress.measured).toBeLessThanOrEqual(progress.pieces)
  }
  const stages = lines.map(({ progress }) => decompose3dProgress.stages.indexOf(progress.stage))
  expect(stages).not.toContain(-1)
  expect(stages).toEqual(stages.toSorted((a, b) => a - b))
  expect(Math.max(...lines.map(({ progress }) => progress.parts))).toBeGreaterThanOrEqual(last.pieces.length)
})

it('are one line where the answer is there at once', async () => {
  const { status, lines, last } = await asked(SHORT)
  expect({ status, lines }).toEqual({ status: 200, lines: [] })
  expect(last).toEqual((await asked(SHORT, 'application/json')).last)
})

it('end with the problem where there is one', async () => {
  const open = { ...LONG, mesh: { ...LONG.mesh, triangles: triangles.slice(1).flat() } }
  for (const request of [open, { mesh: { ...SHORT.mesh, triangles: [0, 2, 7] } }, { mesh: 1 }]) {
    const { status, last } = await asked(request)
    expect(status).toBe(200)
    const plain = await asked(request, 'application/json')
    expect(last.status).toBe(plain.status)
    expect({ ...last, requestId: '' }).toEqual({ ...plain.last, requestId: '' })
  }
})

it('end with the problem where the work is ended', async () => {
  const quick = await buildApp(loadConfig({ ...env, QUERY_DEADLINE_MS: '50' }))
  await quick.ready()
  await quick.workers.start()
  const { status, last } = await asked(LONG, LINES, quick)
  expect(status).toBe(200)
  expect(last).toMatchObject({ status: 503 })
  await quick.close()
})

it('are refused as others are before they begin', async () => {
  const empty = await app.inject({ method: 'POST', url: '/v1/3d/decompose', headers: { accept: LINES } })
  expect(empty.statusCode).toBe(400)
  expect(empty.json()).toMatchObject({ code: 'empty-body' })
})

it.each(['*/*', 'application/json, */*', 'application/json, application/x-ndjson;q=0.5', 'text/html'])(
  'do not to who asks for %s',
  async (accept) => {
    expect((await asked(SHORT, accept)).type).toBe(JSON_TYPE)
  },
)

it('are not queries that take no time', async () => {
  const payload = { a: { shape: { type: 'point' } }, b: { shape: { type: 'sphere', radius: 1 } } }
  const response = await app.inject({ method: 'POST', url: '/v1/3d/distance', headers: { accept: LINES }, payload })
  expect(response.headers['content-type']).toBe(JSON_TYPE)
})
