// Bodies of a scene as resources: put, read, changed, removed, listed.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SceneClient, startScenes } from '../../support/services/scene-client.ts'
import { tagged } from '../../support/services/version-tag.ts'

let client: SceneClient
let send: SceneClient['send']
beforeAll(async () => {
  client = await startScenes({ MAX_SCENE_BODIES: '2000', MAX_VERTICES: '8' })
  send = client.send
})
afterAll(() => client.close())

const circle = { shape: { type: 'circle', radius: 1 } }
const full = {
  id: 'a',
  shape: { type: 'box', width: 4, height: 2, radius: 0.5 },
  position: { x: 1.5, y: -2 },
  rotation: 0.25,
  velocity: { x: 3, y: 0 },
  angularVelocity: -1,
  tags: ['wall', 'ä wall'],
  sensor: true,
  data: { hp: 3 },
}

describe('PUT …/bodies/{bodyId}', () => {
  it('puts a body, then another in its place', async () => {
    const id = await client.createScene()
    const first = await send('PUT', `/${id}/bodies/a`, full)
    expect([first.status, first.headers.etag, first.headers.location]).toEqual([
      201,
      tagged(2),
      `/v1/2d/scenes/${id}/bodies/a`,
    ])
    expect(first.body).toEqual({ version: 2, created: true })
    expect((await send('GET', `/${id}/bodies/a`)).body).toEqual({ version: 2, body: full })
    const second = await send('PUT', `/${id}/bodies/a`, circle)
    expect([second.status, second.headers.etag, second.headers.location]).toEqual([200, tagged(3), undefined])
    expect(second.body).toEqual({ version: 3, created: false })
    expect((await send('GET', `/${id}/bodies/a`)).body).toEqual({ version: 3, body: { id: 'a', ...circle } })
  })

  it('is new once when many put it at the same time', async () => {
    const id = await client.createScene()
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('PUT', `/${id}/bodies/a`, circle)))
    expect(answers.filter(({ body }) => body.created)).toHaveLength(1)
    expect(answers.map(({ body }) => body.version).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 2),
    )
  })

  it.each([
    [{ ...circle, id: 'b' }, 400, 'schema-violation', '#/id'],
    [{}, 400, 'schema-violation', '#/shape'],
    [{ ...circle, positon: { x: 0, y: 0 } }, 400, 'schema-violation', '#/positon'],
    [{ ...circle, rotation: '1' }, 400, 'schema-violation', '#/rotation'],
    [{ ...circle, tags: 'wall' }, 400, 'schema-violation', '#/tags'],
    [{ ...circle, tags: [''] }, 400, 'schema-violation', '#/tags/0'],
    [{ ...circle, tags: ['a', 'a'] }, 400, 'schema-violation', '#/tags'],
    [{ ...circle, tags: Array.from({ length: 65 }, (_, i) => `${i}`) }, 400, 'schema-violation', '#/tags'],
    [{ ...circle, sensor: null }, 400, 'schema-violation', '#/sensor'],
    [{ shape: { type: 'circle', radius: -1 } }, 400, 'schema-violation', '#/shape/radius'],
    [{ ...circle, position: { x: 1e101, y: 0 } }, 422, 'coordinate-out-of-range', '#/position/x'],
    [{ ...circle, velocity: { x: 0, y: 1e101 } }, 422, 'coordinate-out-of-range', '#/velocity/y'],
    [{ ...circle, angularVelocity: 1e101 }, 422, 'coordinate-out-of-range', '#/angularVelocity'],
    [
      { shape: { type: 'aabb', min: { x: 0, y: 0 }, max: { x: 1, y: 1 } }, rotation: 1 },
      422,
      'aabb-rotated',
      '#/rotation',
    ],
    [
      { shape: { type: 'polygon', vertices: Array(9).fill({ x: 0, y: 0 }) } },
      413,
      'too-many-vertices',
      '#/shape/vertices',
    ],
    [{ ...circle, data: 'x'.repeat(4095) }, 413, 'data-too-large', '#/data'],
  ])('refuses %j, and changes nothing', async (body, status, code, pointer) => {
    const id = await client.createScene()
    const answer = await send('PUT', `/${id}/bodies/a`, body)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ code, errors: [{ pointer }] })
    expect((await send('GET', `/${id}`)).body).toMatchObject({ version: 1, bodyCount: 0 })
  })

  it('keeps MAX_SCENE_BODIES', async () => {
    const id = await client.createScene()
    const bodies = Array.from({ length: 1999 }, (_, i) => ({ id: `b${i}`, ...circle }))
    await client.put(id, bodies)
    const answers = await Promise.all(Array.from({ length: 5 }, (_, i) => send('PUT', `/${id}/bodies/n${i}`, circle)))
    expect(answers.map(({ status }) => status)).toEqual([201, 413, 413, 413, 413])
    expect(answers[1].body).toMatchObject({ code: 'too-many-scene-bodies', limit: 2000, actual: 2001 })
    expect((await send('PUT', `/${id}/bodies/b0`, circle)).status).toBe(200)
    const swap = [
      { op: 'remove', id: 'b0' },
      { op: 'put', body: { id: 'b2000', ...circle } },
    ]
    expect((await send('POST', `/${id}/operations`, { operations: swap })).status).toBe(200)
    const again = [{ op: 'clear' }, ...bodies.map((body) => ({ op: 'put', body }))]
    expect((await send('POST', `/${id}/operations`, { operations: again })).status).toBe(200)
    expect((await send('GET', `/${id}`)).body.bodyCount).toBe(1999)
  })
})

describe('data', () => {
  it.each([
    '{"b":1,"a":{"10":1,"9":2,"b":[ ]}}',
    '-0',
    '[-0, 1.0, 1e2, 12345678901234567890, 0.1000]',
    '"\\u00e9 é \\ud83d\\ude00 😀 \\ud800 \\/ \\"data\\": "',
    '{ "data" : { "data" : null } ,\n\t"d\\u0061ta": 1, "data": 2 }',
    'null',
    'false',
    '""',
    `"${'é'.repeat(2047)}"`,
  ])('come back byte for byte: %s', async (data) => {
    const id = await client.createScene()
    const text = `{"data":${data},"shape":{"type":"point"}}`
    expect((await send('PUT', `/${id}/bodies/a`, text)).status).toBe(201)
    const expected = `{"version":2,"body":{"id":"a","shape":{"type":"point"},"data":${data}}}`
    expect((await send('GET', `/${id}/bodies/a`)).text).toBe(expected)
    const operations = `{"operations":[{"op":"patch","id":"a","fields":{"data":[${data}]}},{"op":"put","body":{"id":"b","shape":{"type":"point"}, "data": ${data} }}]}`
    expect((await send('POST', `/${id}/operations`, operations)).status).toBe(data.length > 1000 ? 413 : 200)
    if (data.length > 1000) return
    const { text: list } = await send('GET', `/${id}/bodies`)
    const of = (name: string, value: string) => `{"id":"${name}","shape":{"type":"point"},"data":${value}}`
    expect(list).toBe(`{"version":3,"bodies":[${of('a', `[${data}]`)},${of('b', data)}],"next":null}`)
    const { text: patched } = await send('PATCH', `/${id}/bodies/a`, `{"data": [${data}, 1] }`)
    expect(patched).toBe(`{"version":4,"body":${of('a', `[${data}, 1]`)}}`)
  })

  it('may have 4096 bytes, whatever letters they are', async () => {
    const id = await client.createScene()
    const put = (data: string) => send('PUT', `/${id}/bodies/a`, { ...circle, data })
    expect((await put('x'.repeat(4094))).status).toBe(201)
    expect((await put(`${'€'.repeat(1364)}xx`)).status).toBe(200)
    const { status, body } = await put('€'.repeat(1365))
    expect(status).toBe(413)
    expect(body).toMatchObject({ code: 'data-too-large', limit: 4096, actual: 4097 })
  })
})

describe('PATCH …/bodies/{bodyId}', () => {
  it('replaces what is given, takes away what is null, and answers with the body', async () => {
    const id = await client.createScene([full])
    const { status, headers, body } = await send('PATCH', `/${id}/bodies/a`, {
      position: { x: 7, y: 7 },
      rotation: null,
      tags: null,
    })
    expect([status, headers.etag]).toEqual([200, tagged(3)])
    const { rotation, tags, ...rest } = full
    expect(body).toEqual({ version: 3, body: { ...rest, position: { x: 7, y: 7 } } })
    expect((await send('GET', `/${id}/bodies/a`)).body).toEqual(body)
    const bare = {
      shape: { type: 'point' },
      position: null,
      velocity: null,
      angularVelocity: null,
      sensor: null,
      data: null,
    }
    const last = await send('PATCH', `/${id}/bodies/a`, bare)
    expect(last.body).toEqual({ version: 4, body: { id: 'a', shape: { type: 'point' } } })
    expect((await send('GET', `/${id}`)).body.bounds).toEqual({ min: { x: 0, y: 0 }, max: { x: 0, y: 0 } })
  })

  it('answers each of many with what it left', async () => {
    const id = await client.createScene([{ id: 'a', ...circle }])
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        send('PATCH', `/${id}/bodies/a`, i % 2 === 0 ? { rotation: i } : { position: { x: i, y: 0 } }),
      ),
    )
    answers.forEach(({ body }, i) => {
      const rotation = i - (i % 2)
      const position = i === 0 ? {} : { position: { x: i - 1 + (i % 2), y: 0 } }
      expect(body).toEqual({ version: i + 3, body: { id: 'a', ...circle, rotation, ...position } })
    })
  })

  it.each([
    [{ shape: null }, 400, 'schema-violation', '#/shape'],
    [{ id: 'b' }, 400, 'schema-violation', '#/id'],
    [{ shape: { type: 'circle', radius: 1e101 } }, 422, 'coordinate-out-of-range', '#/shape/radius'],
    [{ shape: { type: 'aabb', min: { x: 0, y: 0 }, max: { x: 1, y: 1 } } }, 422, 'aabb-rotated', '#/rotation'],
    [{ position: { x: 1e101, y: 0 } }, 422, 'coordinate-out-of-range', '#/position/x'],
    [{ rotation: 1e101 }, 422, 'coordinate-out-of-range', '#/rotation'],
    [{ data: 'x'.repeat(4095) }, 413, 'data-too-large', '#/data'],
  ])('refuses %j, and changes nothing', async (fields, status, code, pointer) => {
    const id = await client.createScene([full])
    const answer = await send('PATCH', `/${id}/bodies/a`, fields)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ code, errors: [{ pointer }] })
    expect((await send('GET', `/${id}/bodies/a`)).body).toEqual({ version: 2, body: full })
  })
})

describe('one body', () => {
  it('is gone after DELETE', async () => {
    const id = await client.createScene([full, { id: 'b', ...circle }])
    const { status, headers, body } = await send('DELETE', `/${id}/bodies/a`)
    expect([status, headers.etag, body]).toEqual([200, tagged(3), { version: 3 }])
    expect((await send('GET', `/${id}`)).body.bodyCount).toBe(1)
    for (const [method, fields] of [['GET'], ['DELETE'], ['PATCH', {}]] as const) {
      const answer = await send(method, `/${id}/bodies/a`, fields)
      expect(answer.status).toBe(404)
      expect(answer.body).toMatchObject({ code: 'body-not-found', detail: `Scene ${id} has no body a.` })
      expect(answer.body.errors).toBe(undefined)
    }
  })

  it.each([
    ['PUT', circle],
    ['PATCH', { sensor: true }],
    ['DELETE', undefined],
  ] as const)('asks for a version: %s', async (method, sent) => {
    const id = await client.createScene([full])
    const write = (tag: string) => send(method, `/${id}/bodies/a`, sent, { 'if-match': tag })
    const stale = await write('"1"')
    expect([stale.status, stale.headers.etag]).toEqual([412, tagged(2)])
    expect(stale.body).toMatchObject({ code: 'version-mismatch', actual: 2 })
    for (const tag of ['2', '"02"', '"two"', '"2", 3', '"2.1F3A9C07"', '"2.1"', '*, "2"']) {
      const { status, body } = await write(tag)
      expect(status).toBe(400)
      expect(body.detail).toMatch(/^If-Match must be the version of a scene in double quotes/)
    }
    expect((await write('"2"')).body.version).toBe(3)
  })

  it('is 304 when nothing is new', async () => {
    const id = await client.createScene([full])
    const { status, headers, text } = await send('GET', `/${id}/bodies/a`, undefined, { 'if-none-match': '"2"' })
    expect([status, headers.etag, text]).toEqual([304, tagged(2), ''])
    expect((await send('GET', `/${id}/bodies/none`, undefined, { 'if-none-match': '"2"' })).status).toBe(404)
  })

  it('has an id of few letters', async () => {
    const id = await client.createScene()
    const { status, body } = await send('PUT', `/${id}/bodies/a%20b`, circle)
    expect(status).toBe(400)
    expect(body.detail).toBe('bodyId must be 1 to 128 of A-Z a-z 0-9 . _ : -, and neither . nor .., got "a b".')
    expect((await send('PUT', `/${id}/bodies/${'x'.repeat(128)}`, circle)).status).toBe(201)
    expect((await send('PUT', `/${id}/bodies/${'x'.repeat(129)}`, circle)).status).toBe(400)
  })

  it('is of a scene', async () => {
    for (const [method, body] of [['PUT', circle], ['GET'], ['PATCH', {}], ['DELETE']] as const) {
      expect((await send(method, '/nope/bodies/a', body)).body.code).toBe('scene-not-found')
    }
  })
})

describe('GET …/bodies', () => {
  const ids = (answer: { body: { bodies: { id: string }[] } }) => answer.body.bodies.map(({ id }) => id)
  const at = (id: string, x: number, tags: string[] = []) => ({ id, ...circle, position: { x, y: 0 }, tags })

  it('lists every body once, a page at a time, whatever comes and goes', async () => {
    const id = await client.createScene(Array.from({ length: 250 }, (_, i) => at(`b${i}`, i)))
    const { headers, body } = await send('GET', `/${id}/bodies`)
    expect(headers.etag).toEqual(tagged(2))
    expect(body).toMatchObject({ version: 2, next: expect.any(String) })
    expect(body.bodies[0]).toEqual(at('b0', 0))
    expect(body.bodies).toHaveLength(100)
    const seen: string[] = []
    for (let cursor = '', turn = 0; ; turn++) {
      const page = await send('GET', `/${id}/bodies?limit=40${cursor}`)
      seen.push(...ids(page))
      if (page.body.next === null) break
      cursor = `&cursor=${page.body.next}`
      await send('DELETE', `/${id}/bodies/b${turn}`)
      await client.put(id, [at(`new${turn}`, turn), at('b249', 5)])
    }
    const stayed = Array.from({ length: 240 }, (_, i) => `b${i + 10}`)
    expect(stayed.filter((name) => seen.filter((other) => other === name).length !== 1)).toEqual([])
    expect(new Set(seen).size).toBe(seen.length)
  })

  it('ends with the last page when that is full', async () => {
    const id = await client.createScene([at('a', 0), at('b', 1)])
    expect((await send('GET', `/${id}/bodies?limit=2`)).body.next).toBe(null)
    expect((await send('GET', `/${id}/bodies?limit=1`)).body.next).toEqual(expect.any(String))
    expect((await send('GET', `/${await client.createScene()}/bodies`)).body).toEqual({
      version: 1,
      bodies: [],
      next: null,
    })
  })

  it('ends a page early when it gets long', async () => {
    const id = await client.createScene()
    const big = (name: string) => ({ id: name, ...circle, data: 'x'.repeat(4000) })
    await client.put(
      id,
      Array.from({ length: 1000 }, (_, i) => big(`a${i}`)),
    )
    await client.put(
      id,
      Array.from({ length: 900 }, (_, i) => big(`b${i}`)),
    )
    const first = await send('GET', `/${id}/bodies?limit=1000`)
    expect(first.text.length).toBeLessThan(4_300_000)
    expect(first.body.next).toBe('999')
    await client.put(
      id,
      Array.from({ length: 1900 }, (_, i) => ({
        ...big(`${i < 1000 ? 'a' : 'b'}${i % 1000}`),
        tags: Array.from({ length: 60 }, (_, k) => `${'t'.repeat(100)}${k}`),
      })),
    )
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const page = await send('GET', `/${id}/bodies?limit=1000${cursor}`)
      expect(page.text.length).toBeLessThan(4_300_000)
      seen.push(...ids(page))
      if (page.body.next === null) break
      cursor = `&cursor=${page.body.next}`
    }
    expect(seen).toHaveLength(1900)
    expect(new Set(seen).size).toBe(1900)
  })

  it('knows tags', async () => {
    const id = await client.createScene([
      at('a', 0, ['x']),
      at('b', 0, ['x', 'y & z']),
      at('c', 0),
      { id: 'd', ...circle },
    ])
    expect(ids(await send('GET', `/${id}/bodies?tag=x`))).toEqual(['a', 'b'])
    expect(ids(await send('GET', `/${id}/bodies?tag=${encodeURIComponent('y & z')}`))).toEqual(['b'])
    expect(ids(await send('GET', `/${id}/bodies?tag=none`))).toEqual([])
  })

  it('knows boxes, open to any side', async () => {
    const floor = { id: 'floor', shape: { type: 'halfplane', normal: { x: 0, y: 1 }, offset: -9 } }
    const id = await client.createScene([at('a', 0, ['x']), at('b', 10, ['x']), floor, at('c', 20)], { margin: 3 })
    await client.put(id, [at('c', 20.5)])
    const found = async (query: string) => ids(await send('GET', `/${id}/bodies?${query}`))
    expect(await found('minX=1&maxX=9&minY=-1&maxY=1')).toEqual(['a', 'b', 'floor'])
    expect(await found('minX=1.0000001&maxX=8.9999')).toEqual(['floor'])
    expect(await found('minX=11')).toEqual(['b', 'floor', 'c'])
    expect(await found('minX=11.1&maxX=19.4')).toEqual(['floor'])
    expect(await found('maxY=-1.5')).toEqual(['floor'])
    expect(await found('maxX=5&tag=x')).toEqual(['a'])
    const first = await send('GET', `/${id}/bodies?minX=1&limit=2`)
    expect([ids(first), first.body.next]).toEqual([['a', 'b'], '1'])
    expect(await found('minX=1&limit=2&cursor=1')).toEqual(['floor', 'c'])
  })

  it.each([
    ['limit=0', 'limit must be at least 1, got 0.'],
    ['limit=1001', 'limit must be at most 1000, got 1001.'],
    ['cursor=x', 'cursor must be the next of a page, got "x".'],
    ['minX=a', 'minX must be a number, got "a".'],
    ['minX=1e999', 'minX must be a finite number, got one too large for a double.'],
    ['limit=Infinity', 'limit must be a whole number, got "Infinity".'],
    ['tag=', 'tag must NOT have fewer than 1 characters, got "".'],
    ['tags=a', '"tags" is not a known field. Did you mean "tag"?'],
  ])('refuses ?%s', async (query, detail) => {
    const id = await client.createScene()
    const { status, body } = await send('GET', `/${id}/bodies?${query}`)
    expect([status, body.code, body.detail]).toEqual([400, 'schema-violation', detail])
  })

  it.each(['minX=1e101', 'maxY=-1e101'])('refuses what is too far out: %s', async (query) => {
    const id = await client.createScene()
    const { status, body } = await send('GET', `/${id}/bodies?${query}`)
    expect([status, body.code, body.limit]).toEqual([422, 'coordinate-out-of-range', 1e100])
    expect(body.detail).toMatch(/^m\w\w[XY] may reach 1e\+100 in magnitude, got -?1e\+101/)
  })

  it('refuses a box inside out', async () => {
    const id = await client.createScene()
    const { status, body } = await send('GET', `/${id}/bodies?minY=2&maxY=1`)
    expect([status, body.code]).toEqual([422, 'aabb-inverted'])
    expect(body.detail).toBe('minY must not be greater than maxY, got 2 and 1.')
  })

  it('is 304 when nothing is new', async () => {
    const id = await client.createScene()
    const { status, headers } = await send('GET', `/${id}/bodies?tag=x`, undefined, { 'if-none-match': '"1"' })
    expect([status, headers.etag]).toEqual([304, tagged(1)])
  })
})
