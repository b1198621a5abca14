import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Batch3dResponse } from '../../schemas/queries/batch.ts'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { MAIN_BYTES } from '../../src/queries/ask/slices.ts'

const app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000' }))
beforeAll(() => app.ready())
afterAll(() => app.close())

const ball = (x: number) => ({ shape: { type: 'sphere', radius: 1 }, position: { x, y: 0, z: 0 } })
const asked = (x: number) => ({ op: 'contact', a: ball(0), b: ball(x) })

async function post(path: string, payload: string, type = 'application/json'): Promise<string> {
  const headers = { 'content-type': type, 'x-request-id': 'r' }
  return (await app.inject({ method: 'POST', url: `/v1/${path}`, headers, payload })).body
}

describe('POST /v1/3d/batch', () => {
  it('answers queries of every kind, and those that are wrong with a problem', async () => {
    const queries = [
      { op: 'distance', a: ball(0), b: ball(5) },
      { op: 'table', a: [ball(0)], b: [ball(1), ball(4)], measure: 'overlap' },
      { op: 'distance', a: ball(0) },
      { op: 'overlap', a: ball(0), b: { ...ball(5), orientation: { x: 0, y: 0, z: 0, w: 2 } } },
      { op: 'bounds', body: ball(2) },
    ]
    const { results } = JSON.parse(await post('3d/batch', JSON.stringify({ queries }))) as Batch3dResponse
    expect(results).toMatchObject([
      { op: 'distance', distance: 3 },
      { op: 'table', measure: 'overlap', values: [[true, false]] },
      { op: 'problem', code: 'schema-violation', errors: [{ pointer: '#/queries/2/b' }] },
      { op: 'problem', code: 'orientation-not-unit', errors: [{ pointer: '#/queries/3/b/orientation' }] },
      { op: 'bounds', min: { x: 1, y: -1, z: -1 } },
    ])
  })

  it('knows the queries of its own dimension only', async () => {
    const queries = JSON.stringify({
      queries: [{ op: 'distance', a: { shape: { type: 'circle', radius: 1 } }, b: ball(5) }],
    })
    expect(JSON.parse(await post('3d/batch', queries)).results[0]).toMatchObject({
      errors: [{ pointer: '#/queries/0/a/shape/type' }],
    })
    expect(JSON.parse(await post('2d/batch', queries)).results[0]).toMatchObject({
      errors: [{ pointer: '#/queries/0/b/shape/type' }],
    })
  })

  it('says as a list, long or short, and as lines what each path says', async () => {
    const many = Array.from({ length: 1500 }, (_, k) => asked(k / 500))
    const text = JSON.stringify({ queries: many })
    expect(text.length).toBeGreaterThan(4 * MAIN_BYTES)
    const { results } = JSON.parse(await post('3d/batch', text))
    const short = JSON.parse(await post('3d/batch', JSON.stringify({ queries: many.slice(0, 9) })))
    expect(short.results).toEqual(results.slice(0, 9))
    const lines = await post('3d/batch', many.map((query) => JSON.stringify(query)).join('\n'), 'application/x-ndjson')
    expect(
      lines
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(results)
    for (const k of [0, 700, 1499]) {
      const { op, ...request } = many[k]
      expect({ op, ...JSON.parse(await post('3d/contact', JSON.stringify(request))) }).toEqual(results[k])
    }
  })

  it('has heavy queries answered by workers', async () => {
    const { jobs } = app.workers.figures
    const points = Array.from({ length: 20_000 }, (_, k) => ({ x: Math.cos(k), y: Math.sin(k), z: k % 97 }))
    const alone = await post('3d/hull', JSON.stringify({ points }))
    const together = await post('3d/batch', JSON.stringify({ queries: [{ op: 'hull', points }] }))
    expect(JSON.parse(together).results[0]).toEqual({ op: 'hull', ...JSON.parse(alone) })
    expect(app.workers.figures.jobs).toBeGreaterThan(jobs)
  })
})
