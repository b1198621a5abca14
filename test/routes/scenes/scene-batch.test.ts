import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sceneBatchQueries } from '../../../schemas/scenes/batch.ts'
import { exampleBodies } from '../../../schemas/scenes/scene.ts'
import { sceneQueries } from '../../../src/queries/scenes/all.ts'
import type { Scene } from '../../../src/scene/state/scene.ts'
import { type SceneClient, startScenes } from '../../support/services/scene-client.ts'
import { tagged } from '../../support/services/version-tag.ts'

const LINES = 'application/x-ndjson'

let client: SceneClient
let scene: string
beforeAll(async () => {
  client = await startScenes({ MAX_BATCH: '50', HOST: '127.0.0.1' })
  await client.app.listen({ host: '127.0.0.1', port: 0 })
  scene = await client.createScene(exampleBodies)
})
afterAll(() => client.close())

const post = (op: string, payload: object, id = scene) => client.send('POST', `/${id}/${op}`, payload)
const batch = (queries: unknown[], id = scene) => post('batch', { queries }, id)
const kept = (id: string) => client.app.scenes.keeper?.loaded(id) as Scene
const lines = async (payload: string, id = scene): Promise<Record<string, unknown>[]> => {
  const headers = { 'content-type': LINES }
  const response = await client.app.inject({ method: 'POST', url: `/v1/2d/scenes/${id}/batch`, headers, payload })
  expect(response.headers['content-type']).toBe(LINES)
  return response.body
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

/** The examples of all schemas, as queries of a batch. */
const examples = sceneQueries.flatMap(({ op, request }) =>
  (request.examples as object[]).map((example) => ({ op, ...example })),
)
/** Discs in a heap: all meet all. */
const heap = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: `disc-${i}`,
    shape: { type: 'circle', radius: 1 },
    position: { x: i / count, y: 0 },
  }))

describe('a batch of queries of a scene', () => {
  it('takes every query', () => {
    expect(sceneBatchQueries.map(({ properties }) => properties.op.const)).toEqual(sceneQueries.map(({ op }) => op))
    expect(new Set(examples.map(({ op }) => op)).size).toBe(sceneQueries.length)
  })

  it('answers each as its own path does, in order', async () => {
    const expected = await Promise.all(
      examples.map(async ({ op, ...body }) => ({ op, ...(await post(op, body)).body })),
    )
    const { status, headers, body } = await batch(examples)
    expect(status).toBe(200)
    expect(headers.etag).toEqual(tagged(2))
    expect(body).toEqual({ version: 2, results: expected })
    expect(await lines(examples.map((query) => JSON.stringify(query)).join('\n'))).toEqual(expected)
  })

  it('keeps the problem of one to that one', async () => {
    const point = { x: 8, y: 1 }
    const { results } = (
      await batch([
        { op: 'overlap', point },
        { op: 'overlap' },
        { op: 'overlapp', point },
        { op: 'distance', point },
        { op: 'overlap', bodyId: 'nobody' },
        { op: 'ray-cast', ray: { origin: point, direction: { x: 0, y: 0 } } },
        null,
        { op: 'nearest', point },
      ])
    ).body
    const problems = results.slice(1, 7)
    expect([results[0].bodies[0].id, results[7].bodies[0].id]).toEqual(['crate', 'crate'])
    expect(
      problems.map((each: { code: string; errors: { pointer: string }[] }) => [each.code, each.errors[0].pointer]),
    ).toEqual([
      ['schema-violation', '#/queries/1'],
      ['schema-violation', '#/queries/2/op'],
      ['schema-violation', '#/queries/3/op'],
      ['body-not-found', '#/queries/4/bodyId'],
      ['ray-direction-zero', '#/queries/5/ray/direction'],
      ['schema-violation', '#/queries/6'],
    ])
    expect(problems[1].detail).toContain('Did you mean "overlap"?')
  })

  it('has limits, and needs a scene', async () => {
    const many = await batch(Array.from({ length: 51 }, () => ({ op: 'pairs' })))
    expect(many.body).toMatchObject({ status: 413, code: 'too-many-queries', limit: 50, actual: 51 })
    expect((await batch([], 'nowhere')).body).toMatchObject({ status: 404, code: 'scene-not-found' })
    expect((await batch([], 'no%20where')).body).toMatchObject({ status: 400, code: 'schema-violation' })
    expect((await post('batch', {})).body).toMatchObject({ status: 400, errors: [{ pointer: '#/queries' }] })
    expect((await batch([])).body).toEqual({ version: 2, results: [] })
  })

  it('is answered from one version, whatever is written meanwhile', async () => {
    const id = await client.createScene(heap(300))
    const whole = (await post('pairs', {}, id)).body
    expect(whole.pairs).toHaveLength((300 * 299) / 2)
    const asked = batch(
      Array.from({ length: 6 }, () => ({ op: 'pairs' })),
      id,
    )
    await expect.poll(() => kept(id).views.size, { interval: 1 }).toBe(1)
    // writes have their turn between slices of the batch
    let writes = 0
    while (kept(id).views.size > 0 && writes < 300) {
      await client.send('DELETE', `/${id}/bodies/disc-${writes++}`)
      await setImmediate()
    }
    const { body, headers } = await asked
    expect(writes).toBeGreaterThan(3)
    expect(headers.etag).toEqual(tagged(2))
    expect(body.version).toBe(2)
    const expected = JSON.stringify({ op: 'pairs', ...whole })
    for (const result of body.results) expect(JSON.stringify(result) === expected).toBe(true)
    expect(kept(id).version).toBeGreaterThan(2)
    expect(kept(id).views.size).toBe(0)
  })

  it('answers each line from the scene as it is then', async () => {
    const id = await client.createScene(exampleBodies)
    const { port } = client.app.server.address() as AddressInfo
    const headers = { 'content-type': LINES }
    const request = httpRequest({ port, method: 'POST', path: `/v1/2d/scenes/${id}/batch`, headers })
    const point = { x: 50, y: 0 }
    const line = `${JSON.stringify({ op: 'overlap', point })}\n`
    request.write(line)
    const [response] = await once(request, 'response')
    const next = async () => JSON.parse(String((await once(response, 'data'))[0]))
    expect(await next()).toMatchObject({ version: 2, bodies: [] })
    await client.put(id, [{ id: 'new', shape: { type: 'circle', radius: 1 }, position: point }])
    request.write(line)
    expect(await next()).toMatchObject({ version: 3, bodies: [{ id: 'new' }] })
    await client.send('DELETE', `/${id}`)
    request.write(line)
    expect(await next()).toMatchObject({ op: 'problem', code: 'scene-not-found', status: 404 })
    request.end()
    await once(response, 'end')
  })

  it.each([
    ['a query', 'pairs', {}],
    ['a list', 'batch', { queries: Array.from({ length: 40 }, () => ({ op: 'pairs', contacts: true })) }],
  ])('lets go of the version when the client goes away: %s', async (_name, op, payload) => {
    const id = await client.createScene(heap(400))
    const { port } = client.app.server.address() as AddressInfo
    const headers = { 'content-type': 'application/json' }
    const request = httpRequest({ port, method: 'POST', path: `/v1/2d/scenes/${id}/${op}`, headers })
    request.on('error', () => undefined)
    request.end(JSON.stringify({ ...payload, ...(op === 'pairs' && { contacts: true }) }))
    await expect.poll(() => kept(id).views.size, { interval: 1, timeout: 5000 }).toBe(1)
    request.destroy()
    await expect.poll(() => kept(id).views.size, { timeout: 5000 }).toBe(0)
  })
})
