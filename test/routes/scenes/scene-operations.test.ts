// Many changes in one write: all or none, once, and what they would do.

import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCount, seed } from '../../support/runs.ts'
import { type SceneClient, startScenes } from '../../support/services/scene-client.ts'
import { tagged } from '../../support/services/version-tag.ts'

let client: SceneClient
let send: SceneClient['send']
beforeAll(async () => {
  client = await startScenes({ MAX_OPERATIONS: '5000', OPERATIONS_BODY_LIMIT: '2000000' })
  send = client.send
})
afterAll(() => client.close())

const circle = { shape: { type: 'circle', radius: 1 } }
const put = (id: string, x = 0, more: object = {}) => ({
  op: 'put',
  body: { id, ...circle, position: { x, y: 0 }, ...more },
})
const write = (sceneId: string, operations: readonly object[], headers: Record<string, string> = {}) =>
  send('POST', `/${sceneId}/operations`, { operations }, headers)
const bodiesOf = async (sceneId: string) => (await send('GET', `/${sceneId}/bodies?limit=1000`)).text

describe('operations', () => {
  it('are applied in their order, as one version', async () => {
    const id = await client.createScene([{ id: 'old', ...circle }])
    const { status, headers, body } = await write(id, [
      put('a', 1),
      { op: 'move', id: 'a', position: { x: 2, y: 0 }, rotation: 1, velocity: { x: 1, y: 1 }, angularVelocity: 3 },
      put('b', 3),
      { op: 'patch', id: 'b', fields: { tags: ['x'], position: null } },
      { op: 'remove', id: 'old' },
    ])
    expect([status, headers.etag, body]).toEqual([200, tagged(3), { version: 3, applied: 5 }])
    const moved = { position: { x: 2, y: 0 }, rotation: 1, velocity: { x: 1, y: 1 }, angularVelocity: 3 }
    expect(JSON.parse(await bodiesOf(id)).bodies).toEqual(
      [
        { id: 'b', ...circle, tags: ['x'] },
        { id: 'a', ...circle, ...moved },
      ].sort((a, b) => (a.id < b.id ? -1 : 1)),
    )
    expect((await write(id, [{ op: 'clear' }, put('c')])).body).toEqual({ version: 4, applied: 2 })
    expect((await send('GET', `/${id}`)).body.bodyCount).toBe(1)
  })

  it.each([
    [{ op: 'move', id: 'none', position: { x: 0, y: 0 } }, 404, 'body-not-found', '/id'],
    [{ op: 'remove', id: 'gone' }, 404, 'body-not-found', '/id'],
    [{ op: 'patch', id: 'none', fields: {} }, 404, 'body-not-found', '/id'],
    [
      { op: 'patch', id: 'a', fields: { shape: { type: 'circle', radius: 1e101 } } },
      422,
      'coordinate-out-of-range',
      '/fields/shape/radius',
    ],
    [{ op: 'patch', id: 'aabb', fields: { rotation: 1 } }, 422, 'aabb-rotated', '/fields/rotation'],
    [{ op: 'move', id: 'aabb', rotation: 1 }, 422, 'aabb-rotated', '/rotation'],
    [{ op: 'move', id: 'a', position: { x: 1e101, y: 0 } }, 422, 'coordinate-out-of-range', '/position/x'],
    [{ op: 'move', id: 'a', data: 1 }, 400, 'schema-violation', '/data'],
    [{ op: 'put', body: { ...circle } }, 400, 'schema-violation', '/body/id'],
    [{ op: 'put', body: { id: 'a b', ...circle } }, 400, 'schema-violation', '/body/id'],
    [put('c', 0, { data: 'x'.repeat(4095) }), 413, 'data-too-large', '/body/data'],
    [{ op: 'patch', id: 'a', fields: { data: 'x'.repeat(4095) } }, 413, 'data-too-large', '/fields/data'],
    [{ op: 'add', id: 'a' }, 400, 'schema-violation', '/op'],
    [{ id: 'a' }, 400, 'schema-violation', '/op'],
    [null, 400, 'schema-violation', ''],
    [
      put('c', 0, {
        shape: {
          type: 'region',
          outer: [
            [0, 0],
            [1, 1],
            [1, 0],
            [0, 1],
          ].map(([x, y]) => ({ x, y })),
        },
      }),
      422,
      'region-self-intersecting',
      '/body/shape/outer/0',
    ],
  ])('are none when one cannot be applied: %j', async (operation, status, code, pointer) => {
    const aabb = { id: 'aabb', shape: { type: 'aabb', min: { x: 0, y: 0 }, max: { x: 1, y: 1 } } }
    const id = await client.createScene([{ id: 'a', ...circle }, aabb])
    const before = await bodiesOf(id)
    const around = [put('a', 7), put('gone'), { op: 'remove', id: 'gone' }, operation, put('late')]
    const answer = await write(id, around as object[])
    expect(answer.status).toBe(status)
    expect(answer.body.code).toBe(code)
    expect(answer.body.errors[0].pointer).toBe(`#/operations/3${pointer}`)
    expect(await bodiesOf(id)).toBe(before)
    const dry = await send('POST', `/${id}/operations?dryRun=true`, { operations: around })
    expect({ ...dry.body, requestId: '' }).toEqual({ ...answer.body, requestId: '' })
  })

  it.each([
    [{ operations: [] }, 'operations must have at least 1 item, got 0.'],
    [{ operations: {} }, 'operations must be an array, got an object.'],
    [{}, 'operations is missing: expected an array.'],
    [
      { operations: [{ op: 'clear' }], dryRun: true },
      '"dryRun" is not a known field; the known fields are operations.',
    ],
    [[], 'The body must be an object, got an array.'],
  ])('are a list: %j', async (request, detail) => {
    const id = await client.createScene()
    const { status, body } = await send('POST', `/${id}/operations`, request)
    expect([status, body.code, body.detail]).toEqual([400, 'schema-violation', detail])
  })

  it('are MAX_OPERATIONS at most', async () => {
    const id = await client.createScene([{ id: 'a', ...circle }])
    const moves = Array.from({ length: 5001 }, () => ({ op: 'move', id: 'a' }))
    const { status, body } = await write(id, moves)
    expect(status).toBe(413)
    expect(body).toMatchObject({ code: 'too-many-operations', limit: 5000, actual: 5001 })
    expect((await write(id, moves.slice(1))).body).toEqual({ version: 3, applied: 5000 })
  })

  it('have a limit of bytes of their own: OPERATIONS_BODY_LIMIT', async () => {
    const id = await client.createScene()
    const { status, body } = await send('POST', `/${id}/operations`, ' '.repeat(2_000_001))
    expect(status).toBe(413)
    expect(body).toMatchObject({ code: 'body-too-large', limit: 2_000_000, actual: 2_000_001 })
    const small = await startScenes({ BODY_LIMIT: '1000' })
    await small.send('PUT', '/s', {})
    await small.put(
      's',
      Array.from({ length: 100 }, (_, i) => ({ id: `b${i}`, ...circle })),
    )
    expect((await small.send('PUT', '/s/bodies/a', ' '.repeat(1001))).status).toBe(413)
    await small.close()
  })

  it('ask for a version: If-Match', async () => {
    const id = await client.createScene()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => write(id, [put(`b${i}`)], { 'if-match': '"1"' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)])
    expect(answers.filter(({ status }) => status === 412).map(({ body }) => body.actual)).toEqual(Array(9).fill(2))
    expect((await write(id, [put('z')], { 'if-match': '1' })).status).toBe(400)
  })

  it('do not keep others waiting', async () => {
    const own = await startScenes()
    const id = await own.createScene()
    const vertices = [
      { x: 0, y: 0 },
      { x: 1, y: 0 },
      { x: 0, y: 1 },
    ]
    const operations = Array.from({ length: 30_000 }, (_, i) =>
      put(`b${i}`, 2 * i, { shape: { type: 'polygon', vertices } }),
    )
    const text = JSON.stringify({ operations })
    let turns = 0
    const turn = () => {
      turns++
      if (!isDone) setImmediate(turn)
    }
    let isDone = false
    setImmediate(turn)
    await own.send('POST', `/${id}/operations?dryRun=true`, text)
    isDone = true
    expect(turns).toBeGreaterThan(10)
    await own.close()
  })
})

describe('Idempotency-Key', () => {
  const key = (value: string) => ({ 'idempotency-key': value })

  it('answers the same request as before, and writes once', async () => {
    const id = await client.createScene()
    const first = await write(id, [put('a')], key('k 1'))
    await write(id, [put('b')])
    const again = await write(id, [put('a')], { ...key('k 1'), 'if-match': '"1"' })
    expect([again.status, again.headers.etag, again.text]).toEqual([200, first.headers.etag, first.text])
    expect((await send('GET', `/${id}`)).body.version).toBe(3)
    expect((await write(id, [put('a')], key('k 2'))).body.version).toBe(4)
  })

  it('answers the same requests at the same time', async () => {
    const id = await client.createScene()
    const answers = await Promise.all(Array.from({ length: 10 }, () => write(id, [put('a')], key('k'))))
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['{"version":2,"applied":1}']))
  })

  it('belongs to one request', async () => {
    const id = await client.createScene()
    await write(id, [put('a')], key('k'))
    const { status, body } = await write(id, [put('a', 1)], key('k'))
    expect([status, body.code]).toEqual([422, 'idempotency-key-reused'])
    expect((await write(await client.createScene(), [put('a', 1)], key('k'))).status).toBe(200)
  })

  it('is not used up by a request that was refused', async () => {
    const id = await client.createScene()
    expect((await write(id, [{ op: 'remove', id: 'a' }], key('k'))).status).toBe(404)
    await write(id, [put('a')])
    expect((await write(id, [{ op: 'remove', id: 'a' }], key('k'))).body).toEqual({ version: 3, applied: 1 })
    expect((await write(id, [{ op: 'remove', id: 'a' }], key('k'))).body).toEqual({ version: 3, applied: 1 })
  })

  it.each(['', 'é', 'x'.repeat(256)])('is text of 1 to 255 characters, not %j', async (value) => {
    const id = await client.createScene()
    const { status, body } = await write(id, [put('a')], key(value))
    expect(status).toBe(400)
    expect(body.detail).toMatch(/^Idempotency-Key must be 1 to 255 printable ASCII characters/)
  })

  it('makes a retry safe after the connection was lost', async () => {
    const own = await startScenes()
    await own.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = own.app.server.address() as AddressInfo
    const id = await own.createScene()
    const text = JSON.stringify({ operations: [put('a'), { op: 'move', id: 'a', position: { x: 9, y: 9 } }] })
    for (let round = 0; round < 20; round++) {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      const head = `POST /v1/2d/scenes/${id}/operations HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nidempotency-key: k${round}\r\ncontent-length: ${text.length}\r\n\r\n`
      socket.write(head + text)
      // at another moment of the write each time
      await pause(round / 4)
      socket.destroy()
      const answer = await own.send('POST', `/${id}/operations`, text, key(`k${round}`))
      expect([round, answer.status, answer.body]).toEqual([round, 200, { version: round + 2, applied: 2 }])
    }
    await own.close()
  })
})

describe('dryRun', () => {
  const dryRun = (id: string, operations: readonly object[], headers = {}) =>
    send('POST', `/${id}/operations?dryRun=true`, { operations }, headers)

  it('says what would be, and changes nothing', async () => {
    const id = await client.createScene([
      { id: 'a', ...circle },
      { id: 'b', ...circle, position: { x: 1, y: 0 } },
      { id: 'c', ...circle, position: { x: 5, y: 0 } },
    ])
    const before = await bodiesOf(id)
    const { status, headers, body } = await dryRun(id, [
      put('new', 6),
      { op: 'move', id: 'b', position: { x: 3, y: 0 } },
      put('far', 99),
    ])
    expect([status, headers.etag]).toEqual([200, tagged(2)])
    expect(body).toEqual({
      version: 2,
      applied: 0,
      changes: [
        { id: 'b', newOverlaps: ['c'] },
        { id: 'far', newOverlaps: [] },
        { id: 'new', newOverlaps: ['c'] },
      ],
      truncated: false,
    })
    expect(await bodiesOf(id)).toBe(before)
  })

  it('asks for a version: If-Match', async () => {
    const id = await client.createScene()
    expect((await dryRun(id, [put('a')], { 'if-match': '"0"' })).body).toMatchObject({
      code: 'version-mismatch',
      actual: 1,
    })
    expect((await dryRun(id, [put('a')], { 'if-match': '"1"' })).status).toBe(200)
  })

  it('is true or false', async () => {
    const id = await client.createScene()
    const answer = (query: string) => send('POST', `/${id}/operations?${query}`, { operations: [put('a')] })
    expect((await answer('dryRun=yes')).body.detail).toBe('dryRun must be true or false, got "yes".')
    expect((await answer('dry=true')).status).toBe(400)
    expect((await answer('dryRun=false')).body).toEqual({ version: 2, applied: 1 })
  })

  const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
  const place = fc.record({ x: fc.integer({ min: 0, max: 6 }), y: fc.integer({ min: 0, max: 3 }) })
  const shape = fc.constantFrom<object>(
    { type: 'circle', radius: 1 },
    { type: 'box', width: 1, height: 2 },
    { type: 'halfplane', normal: { x: 0, y: 1 }, offset: -1 },
    {
      type: 'chain',
      vertices: [
        { x: 0, y: 0 },
        { x: 1, y: 1 },
        { x: 2, y: 0 },
      ],
    },
  )
  const body = fc.record({ id: name, shape, position: place })
  const operation = fc.oneof(
    { weight: 4, arbitrary: body.map((each) => ({ op: 'put', body: each })) },
    { weight: 4, arbitrary: fc.record({ op: fc.constant('move'), id: name, position: place }) },
    { weight: 2, arbitrary: fc.record({ op: fc.constant('patch'), id: name, fields: fc.record({ shape }) }) },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('remove'), id: name }) },
    { weight: 1, arbitrary: fc.constant({ op: 'clear' }) },
  )

  /** Who meets whom, asked body by body without the scene. */
  async function overlapsOf(sceneId: string): Promise<Map<string, Set<string>>> {
    const { bodies } = JSON.parse(await bodiesOf(sceneId)) as { bodies: { id: string }[] }
    const met = new Map(bodies.map(({ id }) => [id, new Set<string>()]))
    const bare = bodies.map(({ id: _, ...rest }) => rest)
    const answer = await client.app.inject({ method: 'POST', url: '/v1/2d/pairs', payload: { bodies: bare } })
    for (const [i, j] of answer.json().pairs as [number, number][]) {
      met.get(bodies[i].id)?.add(bodies[j].id)
      met.get(bodies[j].id)?.add(bodies[i].id)
    }
    return met
  }

  it('is the difference that applying makes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(body, { maxLength: 6 }),
        fc.array(operation, { minLength: 1, maxLength: 6 }),
        async (bodies, operations) => {
          const id = await client.createScene(bodies)
          const before = await overlapsOf(id)
          const answer = await dryRun(id, operations)
          const applied = await write(id, operations)
          expect(answer.status).toBe(applied.status)
          if (applied.status === 200) {
            const after = await overlapsOf(id)
            const changed = new Set<string>()
            for (const each of operations) {
              if (each.op === 'clear') changed.clear()
              else changed.add('body' in each ? each.body.id : (each as { id: string }).id)
            }
            const expected = [...changed]
              .filter((changedId) => after.has(changedId))
              .sort()
              .map((changedId) => ({
                id: changedId,
                newOverlaps: [...(after.get(changedId) ?? [])]
                  .filter((other) => !before.get(changedId)?.has(other))
                  .sort(),
              }))
            expect(answer.body.changes).toEqual(expected)
          }
          await send('DELETE', `/${id}`)
        },
      ),
      { numRuns: runCount(150), seed: seed() },
    )
  })
})
