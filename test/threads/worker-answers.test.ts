// A worker says what the main thread says, to the last byte.

import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig, queryLimits } from '../../src/config.ts'
import type { Dimension } from '../../src/queries/ask/query.ts'
import { MAIN_BYTES } from '../../src/queries/ask/slices.ts'
import { PICTURE_TYPE } from '../../src/queries/stateless/picture.ts'
import { type BytesJob, CONTROL_LENGTH } from '../../src/threads/job.ts'
import { JobRunner } from '../../src/threads/job-runner.ts'
import { broken } from '../fuzz/broken-texts.ts'
import { costOf, QUERIES, QUERIES_3D } from '../fuzz/wild-requests.ts'
import { toJson } from '../support/answers/json.ts'
import { runs } from '../support/runs.ts'

const env = { SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000', WORKERS: '2' }
const config = loadConfig(env)
const app = await buildApp(config)
const runner = new JobRunner({ ...queryLimits(config), maxBatch: config.MAX_BATCH, maxMemory: Infinity })

afterAll(() => app.close())

function byWorker(job: BytesJob): string {
  const done = runner.run({ job, control: new Int32Array(CONTROL_LENGTH) })
  if (done.is !== 'sent' && done.is !== 'items' && done.is !== 'lines') throw new Error(JSON.stringify(done))
  return Buffer.from(done.body).toString()
}

async function byMain(url: string, payload: string, headers: Record<string, string> = {}): Promise<string> {
  const type = { 'content-type': 'application/json', 'x-request-id': 'r' }
  return (await app.inject({ method: 'POST', url, headers: { ...type, ...headers }, payload })).body
}

const single = (dimension: Dimension, op: string, text: string): BytesJob => ({
  kind: 'query',
  dimension,
  op,
  bytes: Buffer.from(text),
  requestId: 'r',
  picture: null,
})

const wild = [
  ...Object.entries(QUERIES).map(([op, requests]) => ({ dimension: '2d' as const, op, requests })),
  ...Object.entries(QUERIES_3D).map(([op, requests]) => ({ dimension: '3d' as const, op, requests })),
]

describe.each(wild)('$dimension/$op by a worker', ({ dimension, op, requests }) => {
  it('is what the main thread answers, whether it is right or wrong', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(requests.map(toJson), broken(requests)), async (text) => {
        expect(byWorker(single(dimension, op, text))).toBe(await byMain(`/v1/${dimension}/${op}`, text))
      }),
      runs(60 / costOf(dimension, op)),
    )
  })
})

describe('a batch', () => {
  const disc = (x: number) => ({ shape: { type: 'circle', radius: 1 }, position: { x, y: 0 } })
  const asked = (x: number) => ({ op: 'distance', a: disc(0), b: disc(x) })
  const many = Array.from({ length: 3000 }, (_, k) => (k % 7 === 3 ? { op: 'distance', a: k } : asked(k)))

  it('is answered in pieces as it is as a whole', async () => {
    const text = JSON.stringify({ queries: many })
    expect(text.length).toBeGreaterThan(4 * MAIN_BYTES)
    const whole = byWorker({ kind: 'list', dimension: '2d', picture: null, bytes: Buffer.from(text), requestId: 'r' })
    expect(await byMain('/v1/2d/batch', text)).toBe(whole)
    expect(await byMain('/v1/2d/batch', JSON.stringify({ queries: many }, null, 1))).toBe(whole)
    // without marks to be cut at, and looked through as it comes
    const turned = JSON.stringify({ queries: many.map(({ op, ...rest }) => ({ ...rest, op })) })
    expect(await byMain('/v1/2d/batch', turned)).toBe(whole)
    expect(await byMain('/v1/2d/batch', text + ' '.repeat(2 ** 20))).toBe(whole)
    // what is no such list at first sight
    const strange = ` {"queri\\u0065s":${text.slice(11)}`
    expect(await byMain('/v1/2d/batch', strange)).toBe(whole)
  })

  it.each([
    ['ends too early', (text: string) => text.slice(0, -1)],
    [
      'has no comma somewhere',
      (text: string) => text.replace(/},\{"op":"distance","a":2999/, '}{"op":"distance","a":2999'),
    ],
    ['has another field', (text: string) => `${text.slice(0, -1)},"more":1}`],
    ['has too many brackets', (text: string) => `${text}}`],
    ['is another list', (text: string) => text.slice(11, -1)],
  ])('that %s is refused as a whole', async (_name, spoil) => {
    const text = spoil(JSON.stringify({ queries: many }))
    const whole = byWorker({ kind: 'list', dimension: '2d', picture: null, bytes: Buffer.from(text), requestId: 'r' })
    expect(JSON.parse(whole).status).toBe(400)
    expect(await byMain('/v1/2d/batch', text)).toBe(whole)
  })

  it('of lines is answered alike, however many come at a time', async () => {
    const text = many.map((query) => JSON.stringify(query)).join('\n')
    const lines = await byMain('/v1/2d/batch', text, { 'content-type': 'application/x-ndjson' })
    const whole = JSON.parse(
      byWorker({
        kind: 'list',
        picture: null,
        dimension: '2d',
        bytes: Buffer.from(`{"queries":[${text.replaceAll('\n', ',')}]}`),
        requestId: 'r',
      }),
    )
    expect(
      lines
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(JSON.parse(JSON.stringify(whole.results).replaceAll(/"#\/queries\/\d+/g, '"#')))
  })

  it.each(['{}', '{"op":1}', JSON.stringify(asked(3))])('with too many of %s is refused', async (item) => {
    const text = `{"queries":[${`${item},`.repeat(config.MAX_BATCH)}${item}]}`
    expect(JSON.parse(await byMain('/v1/2d/batch', text))).toMatchObject({
      code: 'too-many-queries',
      limit: config.MAX_BATCH,
      actual: config.MAX_BATCH + 1,
    })
  })
})

describe('what does not fit into the share of the main thread', () => {
  const disc = (x: number) => ({ shape: { type: 'circle', radius: 1 }, position: { x, y: 0 } })
  const bodies = Array.from({ length: 400 }, (_, k) => disc(k / 400))

  it('is answered by a worker, and so are pictures', async () => {
    const { jobs } = app.workers.figures
    const text = JSON.stringify({ bodies })
    expect(text.length).toBeLessThan(MAIN_BYTES)
    expect(JSON.parse(await byMain('/v1/2d/pairs', text)).pairs).toHaveLength((400 * 399) / 2)
    const picture = await byMain('/v1/2d/overlap', JSON.stringify({ a: disc(0), b: disc(1) }), { accept: PICTURE_TYPE })
    expect(picture).toMatch(/^<svg/)
    expect(app.workers.figures.jobs).toBe(jobs + 2)
  })

  it('is ended at the deadline, and the client is told what to make smaller', async () => {
    const hurried = await buildApp(loadConfig({ ...env, QUERY_DEADLINE_MS: '20' }))
    const list = Array.from({ length: 900 }, (_, k) => disc(k / 7))
    const response = await hurried.inject({
      method: 'POST',
      url: '/v1/2d/table',
      payload: { measure: 'distance', a: list, b: list },
    })
    expect(response.statusCode).toBe(503)
    expect(response.headers['retry-after']).toBeDefined()
    expect(response.json()).toMatchObject({
      code: 'deadline-exceeded',
      limit: 20,
      detail:
        'The work was ended after 20 ms. Ask for fewer cells at a time, or for shapes with fewer vertices or parts.',
    })
    await hurried.close()
  })
})
