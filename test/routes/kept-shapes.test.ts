import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { checkDocumented } from '../support/answers/documented.ts'
import { glbOf, objOf } from '../support/mesh-files.ts'

let app: FastifyInstance
beforeAll(async () => {
  const env = { SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000', SHAPE_BODY_LIMIT: '100000' }
  app = await buildApp(loadConfig(env))
  await app.ready()
})
afterAll(() => app.close())

const PYRAMID = { vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3] }
const MESH = { type: 'mesh', ...PYRAMID }

async function ask(
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  payload?: object | string,
  type = 'application/json',
) {
  const response = await app.inject({
    method,
    url,
    ...(payload !== undefined && { payload, headers: { 'content-type': type } }),
  })
  const body = response.body === '' ? null : JSON.parse(response.body)
  if (body !== null) {
    const path = url.replace(/\?.*/, '').replace(/sha256-.*/, '{shapeId}')
    checkDocumented(method, path, response.statusCode, String(response.headers['content-type']), body)
  }
  return { status: response.statusCode, body, headers: response.headers }
}

describe('/v1/3d/shapes', () => {
  it('keeps a shape once, whatever it comes as', async () => {
    const first = await ask('POST', '/v1/3d/shapes', MESH)
    const { id } = first.body
    expect([first.status, first.headers.location]).toEqual([201, `/v1/3d/shapes/${id}`])
    const others = [
      await ask('POST', '/v1/3d/shapes', MESH),
      await ask('POST', '/v1/3d/shapes', objOf(PYRAMID), 'model/obj'),
      await ask('POST', '/v1/3d/shapes', glbOf(PYRAMID), 'model/gltf-binary; x=y'),
    ]
    expect(others.map(({ status, body }) => [status, body.id])).toEqual(new Array(3).fill([200, id]))
    expect((await ask('GET', `/v1/3d/shapes/${id}`)).body).toEqual(first.body)
    expect((await app.inject({ method: 'HEAD', url: `/v1/3d/shapes/${id}` })).statusCode).toBe(200)
    expect((await ask('GET', `/v1/2d/shapes/${id}`)).body.code).toBe('shape-not-found')
  })

  it('is asked for by its id, which is its tag', async () => {
    const { id } = (await ask('POST', '/v1/3d/shapes', { type: 'sphere', radius: 7 })).body
    const url = `/v1/3d/shapes/${id}`
    const read = async (method: 'GET' | 'HEAD', known?: string) => {
      const headers = known === undefined ? {} : { 'if-none-match': known }
      const { statusCode, headers: got, body } = await app.inject({ method, url, headers })
      return [statusCode, got.etag, got['cache-control'], body.length > 0]
    }
    const caching = 'private, no-cache'
    for (const known of [undefined, '"7"', `"${'0'.repeat(71)}"`]) {
      expect(await read('GET', known)).toEqual([200, `"${id}"`, caching, true])
    }
    for (const known of ['*', `"${id}"`, `W/"${id}"`, `"7", "${id}"`]) {
      expect(await read('GET', known)).toEqual([304, `"${id}"`, caching, false])
      expect(await read('HEAD', known)).toEqual([304, `"${id}"`, caching, false])
    }
    expect((await read('GET', id))[0]).toBe(400)
    await ask('DELETE', url)
    expect((await read('GET', `"${id}"`))[0]).toBe(404)
  })

  it('is made once for all who send it together', async () => {
    const { jobs } = app.workers.figures
    const post = (url: string, payload: object | string, type = 'application/json') =>
      app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } })
    const ball = { type: 'sphere', radius: 11 }
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('/v1/3d/shapes', ball)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([...new Array(19).fill(200), 201])
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(app.workers.figures.jobs - jobs).toBe(1)
    const wrong = await Promise.all(Array.from({ length: 20 }, () => post('/v1/3d/shapes', '{')))
    expect(new Set(wrong.map(({ json }) => json().code))).toEqual(new Set(['malformed-json']))
    // the same bytes, taken otherwise
    const file = objOf(PYRAMID)
    const solid = await Promise.all(
      ['', '?solid=true', '?scale=3'].map((q) => post(`/v1/3d/shapes${q}`, file, 'model/obj')),
    )
    expect(new Set(solid.map(({ json }) => json().id)).size).toBe(3)
    expect((await post('/v1/2d/shapes', { type: 'point' })).json().id).not.toBe(
      (await post('/v1/3d/shapes', { type: 'point' })).json().id,
    )
  })

  it('is made anew where it has gone, and else not, though all workers are busy', async () => {
    const ball = { type: 'sphere', radius: 13 }
    const { id } = (await ask('POST', '/v1/3d/shapes', ball)).body
    Object.defineProperty(app.workers, 'admits', { get: () => false, configurable: true })
    try {
      expect((await ask('POST', '/v1/3d/shapes', ball)).status).toBe(200)
      expect((await ask('POST', '/v1/3d/shapes', { ...ball, radius: 14 })).body.code).toBe('overloaded')
      await ask('DELETE', `/v1/3d/shapes/${id}`)
      expect((await ask('POST', '/v1/3d/shapes', ball)).body.code).toBe('overloaded')
    } finally {
      Reflect.deleteProperty(app.workers, 'admits')
    }
    expect((await ask('POST', '/v1/3d/shapes', ball)).status).toBe(201)
  })

  it('lists and deletes', async () => {
    const ids = []
    for (const radius of [1, 2, 3]) ids.push((await ask('POST', '/v1/3d/shapes', { type: 'sphere', radius })).body.id)
    const listed: string[] = []
    for (let cursor = ''; cursor !== null; ) {
      const { body } = await ask('GET', `/v1/3d/shapes?limit=2&cursor=${cursor}`)
      listed.push(...body.shapes.map(({ id }: { id: string }) => id))
      cursor = body.next
    }
    expect(listed).toEqual(expect.arrayContaining(ids))
    expect(listed).toEqual([...listed].sort())
    expect((await ask('DELETE', `/v1/3d/shapes/${ids[0]}`)).status).toBe(204)
    const gone = await ask('DELETE', `/v1/3d/shapes/${ids[0]}`)
    expect([gone.status, gone.body.code, gone.body.shape]).toEqual([404, 'shape-not-found', ids[0]])
    const used = await ask('POST', '/v1/3d/bounds', { body: { shape: { type: 'ref', id: ids[0] } } })
    expect([used.status, used.body.code, used.body.shape]).toEqual([422, 'shape-unknown', ids[0]])
  })

  it.each([
    ['text/plain', 'x', 415, 'unsupported-media-type'],
    ['application/json', '', 400, 'empty-body'],
    ['application/json', '{', 400, 'malformed-json'],
    ['application/json', '{"type":"sphere","radius":-1}', 400, 'schema-violation'],
    ['application/json', JSON.stringify({ ...MESH, triangles: [0, 1, 4] }), 422, 'mesh-index-out-of-range'],
    ['application/json', JSON.stringify({ type: 'ref', id: `sha256-${'0'.repeat(64)}` }), 400, 'schema-violation'],
    ['model/obj', 'v 0 0 0', 422, 'import-malformed'],
    ['model/stl', 'solid', 422, 'import-malformed'],
    ['model/gltf-binary', 'glTF', 422, 'import-malformed'],
    ['model/obj', 'v 0 0 0\n'.repeat(20_000), 413, 'body-too-large'],
  ])('refuses %s %j', async (type, text, status, code) => {
    const answer = await ask('POST', '/v1/3d/shapes', text, type)
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  it('takes a frame for files alone', async () => {
    expect((await ask('POST', '/v1/3d/shapes?scale=2', MESH)).body.code).toBe('schema-violation')
    const { body } = await ask('POST', '/v1/3d/shapes?scale=2&up=z', objOf(PYRAMID), 'model/obj')
    expect(body.bounds).toEqual({ min: { x: 0, y: 0, z: -2 }, max: { x: 2, y: 2, z: 0 } })
    expect((await ask('POST', '/v1/3d/shapes?scale=0', objOf(PYRAMID), 'model/obj')).status).toBe(400)
    const node = await ask('POST', '/v1/3d/shapes?node=roof', glbOf(PYRAMID), 'model/gltf-binary')
    expect(node.body.detail).toMatch(/No node is called "roof"/)
  })
})

describe('references', () => {
  const box = { type: 'box', size: { x: 2, y: 2, z: 2 } }
  const at = (x: number, shape: object) => ({ shape, position: { x, y: 0, z: 0 } })

  it('stand wherever a shape stands, on the main thread and on workers', async () => {
    const { id } = (await ask('POST', '/v1/3d/shapes', box)).body
    const ref = { type: 'ref', id }
    const query = (a: object) => ({ a: at(0, a), b: at(3, { type: 'sphere', radius: 0.5 }) })
    expect((await ask('POST', '/v1/3d/distance', query(ref))).body).toEqual(
      (await ask('POST', '/v1/3d/distance', query(box))).body,
    )
    const cut = (a: object) => ({ body: at(1, a), plane: { normal: { x: 1, y: 2, z: 3 }, offset: 0 } })
    expect((await ask('POST', '/v1/3d/slice', cut(ref))).body).toEqual(
      (await ask('POST', '/v1/3d/slice', cut(box))).body,
    )
    const many = (shape: object) => ({
      queries: Array.from({ length: 2000 }, (_, k) => ({ op: 'distance', ...query(shape), b: at(k, box) })),
    })
    const [given, named] = [await ask('POST', '/v1/3d/batch', many(box)), await ask('POST', '/v1/3d/batch', many(ref))]
    expect(named.body).toEqual(given.body)
    const targets = (shape: object) => ({
      ray: { origin: { x: -9, y: 0, z: 0 }, direction: { x: 1, y: 0, z: 0 } },
      targets: Array.from({ length: 1000 }, (_, k) => at(k, shape)),
    })
    expect((await ask('POST', '/v1/3d/ray-cast', targets(ref))).body).toEqual(
      (await ask('POST', '/v1/3d/ray-cast', targets(box))).body,
    )
    const lines = await app.inject({
      method: 'POST',
      url: '/v1/3d/batch',
      headers: { 'content-type': 'application/x-ndjson' },
      payload: `${JSON.stringify({ op: 'distance', ...query(ref) })}\n`.repeat(3),
    })
    expect(new Set(lines.body.trim().split('\n')).size).toBe(1)
    expect(lines.body).toContain('"distance":1.5')
  })

  it('are of the plane too', async () => {
    const region = {
      type: 'region',
      outer: [
        { x: 0, y: 0 },
        { x: 2, y: 0 },
        { x: 1, y: 1 },
        { x: 0, y: 2 },
      ],
    }
    const { id } = (await ask('POST', '/v1/2d/shapes', region)).body
    const mass = await ask('POST', '/v1/2d/mass', { shape: { type: 'ref', id } })
    expect(mass.body).toEqual((await ask('POST', '/v1/2d/mass', { shape: region })).body)
    const inside = { type: 'compound', children: [{ shape: { type: 'ref', id }, rotation: 1 }] }
    const flat = { type: 'compound', children: [{ shape: region, rotation: 1 }] }
    expect((await ask('POST', '/v1/2d/bounds', { body: { shape: inside } })).body).toEqual(
      (await ask('POST', '/v1/2d/bounds', { body: { shape: flat } })).body,
    )
    expect((await ask('POST', '/v1/2d/shapes', MESH, 'model/obj')).status).toBe(415)
  })

  it('stand in scenes for what they name, which the scene keeps itself', async () => {
    const corners = (count: number) =>
      Array.from({ length: count }, (_, k) => {
        const angle = (2 * Math.PI * k) / count
        return { x: Math.cos(angle) * (k % 2 === 0 ? 2 : 3), y: Math.sin(angle) * (k % 2 === 0 ? 2 : 3) }
      })
    const star = { type: 'region', outer: corners(10) }
    // long enough for a worker to read
    const long = { type: 'region', outer: corners(1500) }
    const send = async (method: 'PUT' | 'POST' | 'PATCH' | 'GET', path: string, payload?: object) => {
      const url = `/v1/2d/scenes/kept${path}`
      const response = await app.inject({ method, url, ...(payload && { payload }) })
      return { status: response.statusCode, body: JSON.parse(response.body) }
    }
    await send('PUT', '', {})
    const ids: string[] = []
    for (const shape of [star, long]) {
      const { id } = (await ask('POST', '/v1/2d/shapes', shape)).body
      ids.push(id)
      const body = { shape: { type: 'ref', id } }
      expect((await send('PUT', '/bodies/a', body)).status).toBeLessThan(300)
      expect((await send('GET', '/bodies/a')).body.body.shape).toEqual(body.shape)
      const put = { op: 'put', body: { id: 'b', shape: { type: 'compound', children: [body] } } }
      const patch = { op: 'patch', id: 'b', fields: body }
      expect((await send('POST', '/operations', { operations: [put, patch] })).body.applied).toBe(2)
      expect((await send('GET', '/bodies/b')).body.body.shape).toEqual(body.shape)
      expect((await send('PATCH', '/bodies/b', { shape: put.body.shape })).status).toBe(200)
      expect((await send('GET', '/bodies/b')).body.body.shape).toEqual(put.body.shape)
      const question = { body: { ...body, position: { x: 1, y: 0 } } }
      const named = await send('POST', '/overlap', question)
      expect([named.status, named.body]).toEqual([
        200,
        (await send('POST', '/overlap', { body: { ...question.body, shape } })).body,
      ])
      const batch = await send('POST', '/batch', { queries: [{ op: 'overlap', ...question }] })
      expect(batch.body.results[0]).toEqual({ op: 'overlap', ...named.body })
    }
    for (const id of ids) await ask('DELETE', `/v1/2d/shapes/${id}`)
    // what a body of the scene names may still be named there
    expect((await send('PUT', '/bodies/c', { shape: { type: 'ref', id: ids[1] } })).status).toBe(201)
    expect((await send('PATCH', '/bodies/c', { rotation: 1 })).body.body.shape).toEqual({ type: 'ref', id: ids[1] })
    expect((await send('GET', '/bodies/c?content=true')).body.body).toEqual({ id: 'c', shape: long, rotation: 1 })
    const listed = (await send('GET', '/bodies?content=true')).body.bodies
    expect(listed.map(({ shape }: { shape: object }) => shape)).toContainEqual({
      type: 'compound',
      children: [{ shape: long }],
    })
    const exported = (await send('GET', '/export?format=json')).body
    expect(exported.shapes).toEqual([{ id: ids[1], shape: long }])
    const gone = await send('PUT', '/bodies/d', { shape: { type: 'ref', id: ids[0] } })
    expect([gone.status, gone.body.code, gone.body.shape, gone.body.errors[0].pointer]).toEqual([
      422,
      'shape-unknown',
      ids[0],
      '#/shape/id',
    ])
    const strange = { operations: [{ op: 'put', body: { id: 'd', shape: { type: 'compound', children: [null, 3] } } }] }
    expect((await send('POST', '/operations', strange)).status).toBe(400)
  })

  describe('in bodies of every kind and length', () => {
    const scene = '/v1/2d/scenes/many'
    const star = { type: 'region', outer: [{ x: 0, y: 0 }, { x: 2, y: 0 }, { x: 0, y: 2 }] } // biome-ignore format: short
    let id = ''
    beforeAll(async () => {
      id = (await ask('POST', '/v1/2d/shapes', star)).body.id
      await app.inject({ method: 'PUT', url: scene, payload: {} })
    })
    const compoundOf = (shape: object, count: number) => ({
      type: 'compound',
      children: Array.from({ length: count }, (_, k) => ({ shape, position: { x: 3 * k, y: 0 } })),
    })
    type Route = [
      name: string,
      method: 'PUT' | 'PATCH' | 'POST',
      path: string,
      ask: (body: object) => object,
      lines?: boolean,
    ]
    /** More than is read at once, except where bodies of such a length are refused. */
    const most = ([name]: Route) => (name === 'kept ones' ? 150 : 900)
    const put = (body: object) => ({ op: 'put', body: { id: 'b', ...body } })
    const at = { x: 0.5, y: 0.5 }
    const ROUTES: Route[] = [
      ['put', 'PUT', `${scene}/bodies/a`, (body) => body],
      ['patch', 'PATCH', `${scene}/bodies/a`, (body) => body],
      ['operations', 'POST', `${scene}/operations`, (body) => ({ operations: [put(body)] })],
      [
        'patches among operations',
        'POST',
        `${scene}/operations`,
        (body) => ({ operations: [{ op: 'patch', id: 'b', fields: body }] }),
      ],
      ['dry runs', 'POST', `${scene}/operations?dryRun=true`, (body) => ({ operations: [put(body)] })],
      ['scene queries', 'POST', `${scene}/overlap`, (body) => ({ body })],
      [
        'scene casts',
        'POST',
        `${scene}/shape-cast`,
        (body) => ({ body: { ...body, position: { x: 0, y: 9 } }, translation: { x: 0, y: -9 } }),
      ],
      ['scene batches', 'POST', `${scene}/batch`, (body) => ({ queries: [{ op: 'overlap', body }] })],
      ['scene lines', 'POST', `${scene}/batch`, (body) => ({ op: 'overlap', body }), true],
      ['overlap', 'POST', '/v1/2d/overlap', (body) => ({ a: body, b: { shape: { type: 'point' }, position: at } })],
      ['validate', 'POST', '/v1/2d/validate', (body) => body],
      ['batches', 'POST', '/v1/2d/batch', (body) => ({ queries: [{ op: 'bounds', body }] })],
      ['lines', 'POST', '/v1/2d/batch', (body) => ({ op: 'bounds', body }), true],
      ['kept ones', 'POST', '/v1/2d/shapes', (body) => (body as { shape: object }).shape],
    ]

    async function sent([, method, url, asked, isLines]: Route, shape: object, write = JSON.stringify) {
      const type = isLines === true ? 'application/x-ndjson' : 'application/json'
      const payload = write(asked({ shape }))
      const response = await app.inject({ method, url, payload, headers: { 'content-type': type } })
      return { status: response.statusCode, body: JSON.parse(response.body) }
    }

    /** `"sha256-…"` with its first letter, or each, as an escape. */
    const escaped = (count: number) => (value: object) =>
      JSON.stringify(value).replaceAll(`"${id}"`, () => {
        const code = (letter: string) => `\\u00${letter.charCodeAt(0).toString(16)}`
        return `"${[...id].map((letter, k) => (k < count ? code(letter) : letter)).join('')}"`
      })

    it.each(ROUTES)('%s: few, or more than are read at once, or with escapes', async (...route: Route) => {
      for (const count of [1, 3, most(route)]) {
        const plain = await sent(route, compoundOf(star, count))
        expect([count, plain.status < 300, JSON.stringify(plain.body).includes('problem')]).toEqual([
          count,
          true,
          false,
        ])
        const ref = { type: 'ref', id }
        const same = (other: typeof plain) => {
          if (route[0] === 'kept ones') return expect(other.status).toBeLessThan(300)
          const { version: _, ...body } = other.body
          const { version, ...expected } = plain.body
          if (route[0] === 'patch') expected.body = { ...expected.body, shape: compoundOf(ref, count) }
          expect(body).toEqual({ ...expected, ...('created' in body && { created: body.created }) })
        }
        for (const write of [JSON.stringify, escaped(1), escaped(71)]) {
          same(await sent(route, compoundOf(ref, count), write as typeof JSON.stringify))
        }
      }
    })

    it.each(ROUTES)('%s: one that is not there, or too deep', async (...route: Route) => {
      const missing = { type: 'ref', id: `sha256-${'0'.repeat(64)}` }
      let shape: object = star
      for (let k = 0; k < 8; k++) shape = compoundOf(shape, 1)
      const deep = { type: 'ref', id: (await ask('POST', '/v1/2d/shapes', shape)).body.id }
      for (const count of [1, most(route)]) {
        for (const [ref, code] of [
          [missing, 'shape-unknown'],
          [deep, 'compound-too-deep'],
        ] as const) {
          // biome-ignore format: short
          const { body } = await sent(route, compoundOf(ref, count))
          const problem = body.results?.[0] ?? body
          expect([count, problem.code]).toEqual([count, code])
          expect(problem.errors[0].pointer).toMatch(/children\/0\/shape/)
        }
      }
    })
  })

  it('are drawn', async () => {
    const { id } = (await ask('POST', '/v1/3d/shapes', MESH)).body
    const { body } = await app.inject({
      method: 'POST',
      url: '/v1/3d/validate',
      headers: { accept: 'image/svg+xml' },
      payload: { shape: { type: 'ref', id } },
    })
    expect(body).toContain('<svg')
  })
})
