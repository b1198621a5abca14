import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleBodies } from '../../../schemas/scenes/scene.ts'
import { sceneQueries } from '../../../src/queries/scenes/all.ts'
import { type SceneClient, startScenes } from '../../support/services/scene-client.ts'
import { tagged } from '../../support/services/version-tag.ts'

let client: SceneClient
let scene: string
beforeAll(async () => {
  client = await startScenes({ MAX_RESULTS: '20', MAX_BATCH: '50', MAX_TARGETS: '6' })
  scene = await client.createScene(exampleBodies)
})
afterAll(() => client.close())

const ask = (op: string, request: unknown, sceneId = scene) => client.send('POST', `/${sceneId}/${op}`, request)
const answer = async (op: string, request: unknown, sceneId = scene) => {
  const { status, body, text } = await ask(op, request, sceneId)
  if (status !== 200) throw new Error(text)
  return body
}
const problem = async (op: string, request: unknown) => {
  const { status, body, headers } = await ask(op, request)
  expect(headers['content-type']).toContain('application/problem+json')
  return [status, body.code, body.errors?.[0].pointer]
}
const ids = async (op: string, request: unknown, sceneId = scene): Promise<string[]> =>
  (await answer(op, request, sceneId)).bodies.map(({ id }: { id: string }) => id)

const disc = (x: number, y: number, radius = 1) => ({ shape: { type: 'circle', radius }, position: { x, y } })
/** A row of discs a unit apart that touch their neighbours, in no order of their ids. */
const row = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: `disc-${(7 * i) % count}`, ...disc((7 * i) % count, 0, 0.5) }))
/** A request of each kind that is about `about`. */
const bodyRequests = (about: object) => ({
  overlap: about,
  nearest: about,
  'shape-cast': { ...about, translation: { x: 1, y: 0 } },
  trajectory: { ...about, duration: 1 },
  move: { ...about, translation: { x: 1, y: 0 } },
  separate: about,
})

describe('every query of a scene', () => {
  const examples = sceneQueries.map(({ op, request }) => [op, (request.examples as object[])[0]] as const)

  it.each(examples)('%s says which version it is about', async (op, request) => {
    const own = await client.createScene(exampleBodies)
    const first = await ask(op, request, own)
    expect(first).toMatchObject({ status: 200, headers: { etag: tagged(2) }, body: { version: 2, truncated: false } })
    await client.put(own, [{ id: 'far', ...disc(1000, 1000) }])
    const second = await ask(op, request, own)
    expect(second).toMatchObject({ headers: { etag: tagged(3) }, body: { ...first.body, version: 3 } })
  })

  it.each(examples)('%s knows no other scene', async (op, request) => {
    expect(await ask(op, request, 'nowhere')).toMatchObject({ status: 404, body: { code: 'scene-not-found' } })
    expect((await ask(op, request, 'no%20where')).body.code).toBe('schema-violation')
  })

  it.each(examples)('%s refuses what it does not know', async (op, request) => {
    expect(await problem(op, { ...request, colour: 1 })).toEqual([400, 'schema-violation', '#/colour'])
    // each rule of lint has a filter of its own
    const filter = op === 'lint' ? '#/filter' : '#/filter/tag'
    expect(await problem(op, { ...request, filter: { tag: [] } })).toEqual([400, 'schema-violation', filter])
    expect(await problem(op, { ...request, limit: 0 })).toEqual([400, 'schema-violation', '#/limit'])
  })

  it.each(Object.entries(bodyRequests({ bodyId: 'nobody' })))('%s knows no other body', async (op, request) => {
    expect(await problem(op, request)).toEqual([404, 'body-not-found', '#/bodyId'])
  })

  it.each(Object.entries(bodyRequests({})))('%s is about one body', async (op, request) => {
    const body = { ...disc(0, 5), ...(op === 'trajectory' && { velocity: { x: 1, y: 0 } }) }
    expect(await problem(op, request)).toEqual([400, 'schema-violation', '#'])
    expect(await problem(op, { ...request, body, bodyId: 'hero' })).toEqual([400, 'schema-violation', '#/bodyId'])
    expect(await problem(op, { ...request, body, pose: {} })).toEqual([400, 'schema-violation', '#/pose'])
    const inverted = { shape: { type: 'aabb', min: { x: 1, y: 0 }, max: { x: 0, y: 1 } } }
    expect(await problem(op, { ...request, body: inverted })).toEqual([422, 'aabb-inverted', '#/body/shape/min/x'])
  })

  it.each(Object.entries(bodyRequests({ bodyId: 'floor' })))('%s checks the pose', async (op, request) => {
    const posed = (pose: object) => problem(op, { ...request, pose })
    expect(await posed({ position: { x: 0, y: 1e101 } })).toEqual([422, 'coordinate-out-of-range', '#/pose/position/y'])
    expect(await posed({ rotation: 1e101 })).toEqual([422, 'coordinate-out-of-range', '#/pose/rotation'])
    expect(await posed({ rotation: 1 })).toEqual([422, 'aabb-rotated', '#/pose/rotation'])
  })

  it('says what to give', async () => {
    const { body } = await ask('overlap', {})
    expect(body.detail).toBe('Give exactly one of point, aabb, body and bodyId: none is there.')
    const both = await ask('overlap', { point: { x: 0, y: 0 }, bodyId: 'hero' })
    expect(both.body.detail).toBe('Give exactly one of point, aabb, body and bodyId, not both point and bodyId.')
  })
})

describe('overlap', () => {
  it('takes a point, a box and a body', async () => {
    expect(await ids('overlap', { point: { x: 8, y: 2 } })).toEqual(['crate'])
    expect(await ids('overlap', { point: { x: 8, y: 2.0000000000000004 } })).toEqual([])
    expect(await ids('overlap', { aabb: { min: { x: -20, y: 0 }, max: { x: 20, y: 9 } } })).toEqual([
      'ball',
      'crate',
      'door',
      'floor',
      'hero',
    ])
    expect(
      await ids('overlap', { body: { shape: { type: 'halfplane', normal: { x: 1, y: 0 }, offset: -9.5 } } }),
    ).toEqual(['door', 'floor'])
    expect(await problem('overlap', { aabb: { min: { x: 1, y: 0 }, max: { x: 0, y: 0 } } })).toEqual([
      422,
      'aabb-inverted',
      '#/aabb/min/x',
    ])
    expect(await problem('overlap', { point: { x: 1e101, y: 0 } })).toEqual([
      422,
      'coordinate-out-of-range',
      '#/point/x',
    ])
  })

  it('leaves a body of the scene itself out', async () => {
    expect(await ids('overlap', { bodyId: 'hero' })).toEqual(['floor'])
    expect(await ids('overlap', { bodyId: 'hero', pose: { position: { x: 8, y: 2 } } })).toEqual(['crate'])
    expect(
      await ids('overlap', { bodyId: 'hero', pose: { position: { x: 5, y: 1 }, rotation: -Math.PI / 2 } }),
    ).toEqual(['crate'])
  })

  it('tells touching from overlapping, with contacts if asked', async () => {
    const { bodies } = await answer('overlap', {
      bodyId: 'crate',
      pose: { position: { x: 8, y: 0.5 } },
      contacts: true,
    })
    expect(bodies).toHaveLength(1)
    expect(bodies[0]).toMatchObject({ id: 'floor', relation: 'overlapping', contact: { separation: -0.5 } })
    const response = await client.app.inject({
      method: 'POST',
      url: '/v1/2d/contact',
      payload: {
        a: { shape: exampleBodies[1].shape, position: { x: 8, y: 0.5 } },
        b: { shape: exampleBodies[0].shape },
      },
    })
    expect(bodies[0].contact).toEqual(response.json())
  })

  it.each([
    [{ tags: { any: ['wall', 'prop'] } }, ['ball', 'crate', 'floor']],
    [{ tags: { all: ['wall', 'prop'] } }, []],
    [{ tags: { none: ['wall', 'prop'] } }, ['door', 'hero']],
    [{ ids: { include: ['hero', 'crate', 'nobody'] } }, ['crate', 'hero']],
    [{ ids: { exclude: ['hero', 'crate'] } }, ['ball', 'door', 'floor']],
    [{ sensors: 'only' }, ['door']],
    [{ sensors: 'exclude', tags: { none: ['wall'] } }, ['ball', 'crate', 'hero']],
    [{ sensors: 'include' }, ['ball', 'crate', 'door', 'floor', 'hero']],
  ])('filters: %j', async (filter, expected) => {
    expect(await ids('overlap', { aabb: { min: { x: -20, y: -9 }, max: { x: 20, y: 9 } }, filter })).toEqual(expected)
  })

  it('gives as many as limit says, the first ones by id', async () => {
    const own = await client.createScene(row(30))
    const probe = { aabb: { min: { x: -9, y: -9 }, max: { x: 99, y: 9 } } }
    const all = row(30)
      .map(({ id }) => id)
      .sort()
    expect(await answer('overlap', { ...probe, limit: 3 }, own)).toMatchObject({ truncated: true })
    expect(await ids('overlap', { ...probe, limit: 3 }, own)).toEqual(all.slice(0, 3))
    // as many as the service gives
    expect(await ids('overlap', probe, own)).toEqual(all.slice(0, 20))
    expect(await ids('overlap', { ...probe, limit: 1000 }, own)).toEqual(all.slice(0, 20))
  })
})

describe('nearest', () => {
  it('orders by distance, then by id', async () => {
    const own = await client.createScene([
      { id: 'b', ...disc(4, 0) },
      { id: 'a', ...disc(-4, 0) },
      { id: 'c', ...disc(0, 3) },
    ])
    const about = { point: { x: 0, y: 0 } }
    expect(await ids('nearest', { ...about, count: 3 }, own)).toEqual(['c', 'a', 'b'])
    expect(await ids('nearest', about, own)).toEqual(['c'])
    expect(await ids('nearest', { ...about, count: 9, maxDistance: 2 }, own)).toEqual(['c'])
    expect(await ids('nearest', { ...about, count: 9, maxDistance: 3 }, own)).toEqual(['c', 'a', 'b'])
    expect(await answer('nearest', { ...about, count: 3, limit: 2 }, own)).toMatchObject({
      truncated: true,
      bodies: [{ id: 'c' }, { id: 'a' }],
    })
    expect(await answer('nearest', { ...about, count: 2, limit: 2 }, own)).toMatchObject({ truncated: false })
  })

  it('gives what distance gives', async () => {
    const body = { shape: { type: 'box', width: 1, height: 2 }, position: { x: 3, y: 5 }, rotation: 0.5 }
    const [{ id, ...near }] = (await answer('nearest', { body, filter: { ids: { include: ['crate'] } } })).bodies
    expect(id).toBe('crate')
    const { shape, position } = exampleBodies[1]
    const payload = { a: body, b: { shape, position } }
    expect(near).toEqual((await client.app.inject({ method: 'POST', url: '/v1/2d/distance', payload })).json())
  })

  it('leaves a body of the scene itself out', async () => {
    expect(await ids('nearest', { bodyId: 'crate', count: 9 })).toEqual(['floor', 'hero', 'ball', 'door'])
    const moved = { bodyId: 'crate', pose: { position: { x: -7, y: 20 } } }
    expect(await ids('nearest', moved)).toEqual(['ball'])
  })
})

describe('pairs', () => {
  it('gives them by their ids, the lower one first', async () => {
    const own = await client.createScene(row(5))
    const pairs = [0, 1, 2, 3].map((i) => ({ a: `disc-${i}`, b: `disc-${i + 1}` }))
    expect(await answer('pairs', {}, own)).toEqual({ version: 2, pairs, truncated: false })
    expect(await answer('pairs', { limit: 2 }, own)).toEqual({ version: 2, pairs: pairs.slice(0, 2), truncated: true })
  })

  it('filters both bodies of a pair', async () => {
    const { pairs } = await answer('pairs', { filter: { sensors: 'exclude' }, contacts: true })
    expect(pairs).toMatchObject([
      { a: 'crate', b: 'floor', contact: { touching: true, separation: 0, normal: { x: 0, y: -1 } } },
      { a: 'floor', b: 'hero', contact: { touching: true, separation: 0, normal: { x: 0, y: 1 } } },
    ])
  })
})
