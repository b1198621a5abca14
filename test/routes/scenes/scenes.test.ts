// Scenes as resources: made, listed, changed, deleted, and when they cannot be had.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openFileStore } from '../../../src/scene/store/file-store.ts'
import { StoreClosed, StoreFailed, StoreFull } from '../../../src/scene/store/store.ts'
import { plainAppend } from '../../support/services/plain-append.ts'
import { type Method, type SceneClient, startScenes } from '../../support/services/scene-client.ts'
import { tagged } from '../../support/services/version-tag.ts'

let client: SceneClient
let send: SceneClient['send']
beforeAll(async () => {
  client = await startScenes()
  send = client.send
})
afterAll(() => client.close())

const point = (id: string, x = 0, y = 0) => ({ id, shape: { type: 'point' }, position: { x, y } })

describe('POST /v1/2d/scenes', () => {
  it('makes a scene', async () => {
    const { status, headers, body } = await send('POST', '', { name: 'Cellar', ttl: 60, margin: 0.25 })
    expect(status).toBe(201)
    expect(headers.location).toBe(`/v1/2d/scenes/${body.id}`)
    expect(headers.etag).toEqual(tagged(1))
    expect(body).toEqual({
      id: expect.stringMatching(/^[\w-]{16}$/),
      name: 'Cellar',
      ttl: 60,
      margin: 0.25,
      version: 1,
      bodyCount: 0,
      bounds: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      updatedAt: body.createdAt,
    })
    expect((await send('GET', `/${body.id}`)).body).toEqual(body)
  })

  it('has a default for everything, and makes another one each time', async () => {
    const [first, second] = [await send('POST', '', {}), await send('POST', '', { name: null, ttl: null })]
    for (const { body } of [first, second]) expect(body).toMatchObject({ name: null, ttl: null, margin: 0 })
    expect(first.body.id).not.toBe(second.body.id)
  })

  it.each([
    [{ dimension: 2 }, 'schema-violation', '#/dimension'],
    [{ ttl: 0 }, 'schema-violation', '#/ttl'],
    [{ ttl: 1.5 }, 'schema-violation', '#/ttl'],
    [{ margin: -1 }, 'schema-violation', '#/margin'],
    [{ margin: 1e101 }, 'coordinate-out-of-range', '#/margin'],
    [{ name: 'x'.repeat(201) }, 'schema-violation', '#/name'],
    [{ nmae: 'x' }, 'schema-violation', '#/nmae'],
    [[], 'schema-violation', '#'],
  ])('refuses %j', async (settings, code, pointer) => {
    const { status, body } = await send('POST', '', settings)
    expect(status).toBe(code === 'schema-violation' ? 400 : 422)
    expect(body).toMatchObject({ code, errors: [{ pointer }] })
  })

  it('takes no body for no settings', async () => {
    expect((await send('POST', '')).status).toBe(201)
  })
})

describe('PUT /v1/2d/scenes/{sceneId}', () => {
  it('makes a scene with an id of the client’s', async () => {
    const { status, headers, body } = await send('PUT', '/level:1_a-b.c', {})
    expect([status, headers.etag, headers.location]).toEqual([201, tagged(1), '/v1/2d/scenes/level:1_a-b.c'])
    expect(body.id).toBe('level:1_a-b.c')
  })

  it('changes nothing when it is repeated', async () => {
    await send('PUT', '/again', { name: 'One', margin: 1 })
    const { status, headers, body } = await send('PUT', '/again', { name: 'One', margin: 1 })
    expect([status, headers.etag, headers.location]).toEqual([200, tagged(1), undefined])
    expect(body).toMatchObject({ name: 'One', margin: 1, version: 1 })
  })

  it('changes the settings that are given and differ', async () => {
    await send('PUT', '/settings', { name: 'One', margin: 1 })
    const { status, headers, body } = await send('PUT', '/settings', { ttl: 9, margin: 1 })
    expect([status, headers.etag]).toEqual([200, tagged(2)])
    expect(body).toMatchObject({ name: 'One', ttl: 9, margin: 1, version: 2 })
    expect((await send('PUT', '/settings', { name: null, ttl: null })).body).toMatchObject({ name: null, ttl: null })
  })

  it('leaves the bodies alone', async () => {
    const id = await client.createScene([point('a')])
    expect((await send('PUT', `/${id}`, { margin: 2 })).body).toMatchObject({ version: 3, bodyCount: 1 })
  })

  it('is made once by many at once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => send('PUT', '/crowd', { name: 'x' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201])
    expect(new Set(answers.map(({ body }) => body.version))).toEqual(new Set([1]))
  })

  it('asks for a version: If-Match', async () => {
    const ifMatch = (tag: string) => ({ 'if-match': tag })
    const refused = await send('PUT', '/matched', {}, ifMatch('"1"'))
    expect(refused.status).toBe(412)
    expect(refused.body).toMatchObject({ code: 'version-mismatch', actual: 0 })
    expect((await send('GET', '/matched')).status).toBe(404)
    expect((await send('PUT', '/matched', {}, ifMatch('*'))).status).toBe(412)
    await send('PUT', '/matched', {})
    const stale = await send('PUT', '/matched', { name: 'x' }, ifMatch('"2"'))
    expect([stale.status, stale.headers.etag, stale.body.actual]).toEqual([412, tagged(1), 1])
    expect((await send('PUT', '/matched', { name: 'x' }, ifMatch('"1"'))).body.version).toBe(2)
    expect((await send('PUT', '/matched', { name: 'y' }, ifMatch('*'))).body.version).toBe(3)
  })
})

describe('ids', () => {
  it.each(['a', '0', 'A-Z.a_z:9', '-', '...', 'x'.repeat(128)])('may be %s', async (id) => {
    expect((await send('PUT', `/${id}`, {})).body.id).toBe(id)
    expect((await send('DELETE', `/${id}`)).status).toBe(204)
  })

  it.each(['a%20b', 'a%2Fb', 'ä', 'a%00', '%C3%A9', 'a~', 'a*b', '%F0%9F%98%80'])('may not be %s', async (id) => {
    for (const method of ['PUT', 'GET', 'DELETE'] as const) {
      const { status, body } = await send(
        method,
        `/${encodeURI(decodeURIComponent(id)).replaceAll('a/b', 'a%2Fb')}`,
        method === 'PUT' ? {} : undefined,
      )
      expect(status).toBe(400)
      expect(body.code).toBe('schema-violation')
      expect(body.detail).toMatch(/^sceneId must be 1 to 128 of A-Z a-z 0-9 \. _ : -, and neither \. nor \.\., got "/)
    }
  })
})

describe('GET /v1/2d/scenes/{sceneId}', () => {
  it('tells the box around the bodies that have bounds', async () => {
    const floor = { id: 'floor', shape: { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 0 } }
    const id = await client.createScene([floor], { margin: 5 })
    expect((await send('GET', `/${id}`)).body).toMatchObject({ bodyCount: 1, bounds: null })
    await client.put(id, [
      point('a', -3, 4),
      { id: 'b', shape: { type: 'circle', radius: 1 }, position: { x: 9, y: 0 } },
    ])
    const bounds = { min: { x: -3, y: -1 }, max: { x: 10, y: 4 } }
    expect((await send('GET', `/${id}`)).body).toMatchObject({ bodyCount: 3, bounds })
    await client.put(id, [point('a', -2, 3)])
    expect((await send('GET', `/${id}`)).body.bounds.min).toEqual({ x: -2, y: -1 })
  })

  it.each(['"1"', 'W/"1"', '*', '"7", "1"', ' "0",W/"1" '])('is 304 when nothing is new: %s', async (tag) => {
    await send('PUT', '/known', {})
    const { status, headers, text } = await send('GET', '/known', undefined, { 'if-none-match': tag })
    expect([status, headers.etag, text]).toEqual([304, tagged(1), ''])
  })

  it('is the scene when something is', async () => {
    await send('PUT', '/unknown', {})
    const { status, headers } = await send('GET', '/unknown', undefined, { 'if-none-match': '"2", "11"' })
    expect([status, headers.etag]).toEqual([200, tagged(1)])
  })

  it.each(['1', '"1', 'W/1', '"1" "2"', ''])('refuses a malformed If-None-Match: %j', async (tag) => {
    await send('PUT', '/malformed', {})
    const { status, body } = await send('GET', '/malformed', undefined, { 'if-none-match': tag })
    expect(status).toBe(400)
    expect(body.detail).toMatch(/^If-None-Match must be tags in double quotes/)
  })

  it('is 404 where there is none', async () => {
    const { status, body } = await send('GET', '/nope')
    expect(status).toBe(404)
    expect(body).toMatchObject({ code: 'scene-not-found', detail: 'There is no scene nope.' })
  })

  it('has a HEAD', async () => {
    await send('PUT', '/head', {})
    const { status, headers, text } = await send('HEAD', '/head')
    expect([status, headers.etag, text]).toEqual([200, tagged(1), ''])
  })
})

describe('DELETE /v1/2d/scenes/{sceneId}', () => {
  it('is for good, and leaves the id free', async () => {
    const id = await client.createScene([point('a')])
    const { status, text } = await send('DELETE', `/${id}`)
    expect([status, text]).toEqual([204, ''])
    expect((await send('GET', `/${id}`)).status).toBe(404)
    expect((await send('DELETE', `/${id}`)).body.code).toBe('scene-not-found')
    expect((await send('PUT', `/${id}`, {})).body).toMatchObject({ version: 1, bodyCount: 0 })
  })

  it('asks for a version: If-Match', async () => {
    const id = await client.createScene([point('a')])
    const { status, body } = await send('DELETE', `/${id}`, undefined, { 'if-match': '"1"' })
    expect([status, body.actual]).toEqual([412, 2])
    expect((await send('DELETE', `/${id}`, undefined, { 'if-match': '"2"' })).status).toBe(204)
  })
})

describe('the paths of scenes', () => {
  it.each([
    ['GET', '/v1/scenes'],
    ['POST', '/v1/scenes'],
  ] as const)('name the dimension: nothing is at %s %s', async (method, url) => {
    const response = await client.app.inject({
      method,
      url,
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(response.statusCode).toBe(404)
    expect(response.json()).toMatchObject({ code: 'not-found', detail: expect.stringContaining('/v1/2d/scenes?') })
  })
})

describe('GET /v1/2d/scenes', () => {
  it('lists scenes by id, a page at a time', async () => {
    const own = await startScenes()
    expect((await own.send('GET', '')).body).toEqual({ scenes: [], next: null })
    const ids = ['a', 'B', 'c', '10', '9']
    for (const id of ids) await own.send('PUT', `/${id}`, {})
    const all = await own.send('GET', '')
    expect(all.body.scenes.map(({ id }: { id: string }) => id)).toEqual([...ids].sort())
    expect(all.body.next).toBe(null)
    expect(all.body.scenes[0]).toEqual((await own.send('GET', '/10')).body)
    const paged: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await own.send('GET', `?limit=2${cursor}`)
      paged.push(...body.scenes.map(({ id }: { id: string }) => id))
      expect(body.scenes.length).toBeLessThanOrEqual(2)
      if (body.next === null) break
      cursor = `&cursor=${body.next}`
    }
    expect(paged).toEqual([...ids].sort())
    await own.close()
  })

  it.each(['limit=0', 'limit=1001', 'limit=x', 'page=2'])('refuses ?%s', async (query) => {
    const { status, body } = await send('GET', `?${query}`)
    expect([status, body.code]).toEqual([400, 'schema-violation'])
  })
})

describe('limits', () => {
  it('keeps MAX_SCENES', async () => {
    const own = await startScenes({ MAX_SCENES: '2' })
    await own.send('PUT', '/a', {})
    await own.send('PUT', '/b', {})
    for (const answer of [await own.send('PUT', '/c', {}), await own.send('POST', '', {})]) {
      expect(answer.status).toBe(413)
      expect(answer.body).toMatchObject({ code: 'too-many-scenes', limit: 2 })
    }
    expect((await own.send('PUT', '/a', { name: 'x' })).status).toBe(200)
    await own.send('DELETE', '/a')
    expect((await own.send('PUT', '/c', {})).status).toBe(201)
    await own.close()
  })

  it('lets scenes expire: ttl, SCENE_TTL', async () => {
    const now = vi.spyOn(Date, 'now')
    const own = await startScenes({ SCENE_TTL: '60' })
    expect((await own.send('PUT', '/a', {})).body.ttl).toBe(60)
    expect((await own.send('PUT', '/b', { ttl: 1000 })).body.ttl).toBe(1000)
    expect((await own.send('PUT', '/c', { ttl: null })).body.ttl).toBe(null)
    const start = Date.now()
    now.mockReturnValue(start + 59_000)
    expect((await own.send('GET', '/a')).status).toBe(200)
    now.mockReturnValue(start + 118_000)
    expect((await own.send('GET', '/a')).status).toBe(200)
    now.mockReturnValue(start + 179_000)
    expect((await own.send('GET', '/a')).status).toBe(404)
    expect((await own.send('GET', '')).body.scenes.map(({ id }: { id: string }) => id)).toEqual(['b', 'c'])
    now.mockReturnValue(start + 10_000_000)
    expect((await own.send('GET', '/b')).status).toBe(404)
    expect((await own.send('GET', '/c')).status).toBe(200)
    now.mockRestore()
    await own.close()
  })
})

describe('a service that cannot', () => {
  const requests: [Method, string, object?][] = [
    ['GET', ''],
    ['POST', '', {}],
    ['PUT', '/s', { name: 'new' }],
    ['GET', '/s'],
    ['DELETE', '/s'],
    ['GET', '/s/bodies'],
    ['PUT', '/s/bodies/a', { shape: { type: 'point' } }],
    ['GET', '/s/bodies/a'],
    ['PATCH', '/s/bodies/a', { sensor: true }],
    ['DELETE', '/s/bodies/a'],
    ['POST', '/s/operations', { operations: [{ op: 'clear' }] }],
    ['POST', '/s/operations?dryRun=true', { operations: [{ op: 'clear' }] }],
  ]

  it.each(requests)('has its scenes back yet says so: %s %s', async (method, path, body) => {
    const { keeper } = client.app.scenes
    client.app.scenes.keeper = null
    const answer = await send(method, path, body)
    client.app.scenes.keeper = keeper
    expect(answer.status).toBe(503)
    expect(answer.headers['retry-after']).toBe('5')
    expect(answer.body.code).toBe('starting')
  })

  const failures = [
    [new StoreFull('No room'), 507, 'storage-full'],
    [new StoreFailed('Input/output error'), 503, 'storage-failed'],
    [new StoreClosed(), 503, 'draining'],
  ] as const

  it.each(failures)('store says so, and goes on reading: %s', async (failure, status, code) => {
    const own = await startScenes()
    await own.send('PUT', '/s', {})
    await own.put('s', [point('a')])
    const { store } = own.app.scenes.keeper as unknown as {
      store: { append: () => Promise<never>; drop: () => Promise<never> }
    }
    const spies = [
      vi.spyOn(store, 'append').mockRejectedValue(failure),
      vi.spyOn(store, 'drop').mockRejectedValue(failure),
    ]
    for (const [method, path, body] of requests) {
      const answer = await own.send(method, path, body)
      if (method === 'GET' || path.includes('dryRun')) expect(answer.status).toBe(200)
      else expect([method, path, answer.status, answer.body.code]).toEqual([method, path, status, code])
    }
    expect((await own.send('GET', '/s')).body).toMatchObject({ version: 2, bodyCount: 1, name: null })
    for (const spy of spies) spy.mockRestore()
    expect((await own.send('PUT', '/s', { name: 'back' })).body.version).toBe(3)
    await own.close()
  })

  it('read a scene says which and why, and can delete it', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'tangent-damaged-'))
    const store = await openFileStore({ directory })
    const garbage = new Uint8Array(100).fill(7)
    await plainAppend(store, 's', 0, [garbage, garbage, garbage])
    await store.close()
    const own = await startScenes({ SCENE_STORE: 'file', DATA_DIR: directory })
    for (const [method, path, body] of requests) {
      if (path === '' || (method === 'DELETE' && path === '/s')) continue
      const answer = await own.send(method, path, body)
      expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 500, 'scene-damaged'])
      expect(answer.body.detail).toMatch(/^Scene s cannot be read: /)
    }
    expect((await own.send('PUT', '/other', {})).status).toBe(201)
    expect((await own.send('DELETE', '/s')).status).toBe(204)
    expect((await own.send('PUT', '/s', {})).status).toBe(201)
    await own.close()
    rmSync(directory, { recursive: true, force: true })
  })
})
