// The service's own JSON: a scene that is exported, imported into another and exported again is the same, byte for byte.

import fc, { type Arbitrary } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Body2d } from '../../schemas/shapes2d.ts'
import { toJson } from '../support/answers/json.ts'
import { mixedBody } from '../support/families/arbitraries.ts'
import { mixedComposite } from '../support/families/composite-arbitraries.ts'
import { isLongRun, unshrunk } from '../support/runs.ts'
import { type SceneClient, startScenes } from '../support/services/scene-client.ts'
import { tagged } from '../support/services/version-tag.ts'
import { exported, exportedText, imported, type PutBody } from './exported.ts'

let client: SceneClient
beforeAll(async () => {
  client = await startScenes({ MAX_OPERATIONS: '50', QUERY_DEADLINE_MS: '60000' })
})
afterAll(() => client.close())

/** From the smallest to the largest, of either sign. */
const number = fc.oneof(
  fc.constantFrom(0, -0, 5e-324, -2.5e-310, 1e100, -1e100, 1 / 3, 0.1, 123456789.12345679),
  fc.double({ min: -1e100, max: 1e100, noNaN: true }),
)
const place = fc.record({ x: number, y: number })
const wild: Arbitrary<Body2d> = fc.oneof(
  fc.record({ shape: fc.constant({ type: 'point' as const }), position: place, rotation: number }),
  fc.record({
    shape: fc.record({ type: fc.constant('segment' as const), a: place, b: place }),
    position: place,
  }),
  fc.record({
    shape: fc.record({
      type: fc.constant('chain' as const),
      vertices: fc.array(place, { minLength: 2, maxLength: 40 }),
    }),
  }),
  fc.record({
    shape: fc.record({ type: fc.constant('halfplane' as const), normal: fc.constant({ x: 3, y: -4 }), offset: number }),
    rotation: number,
  }),
)
const tag = fc.oneof(
  fc.constantFrom(
    'a',
    ']]>',
    '<script>alert(1)</script>',
    '"',
    "'",
    '\ud800',
    '\u0000',
    '\u2028',
    '😀',
    'import:x',
    ' ',
  ),
  fc.string({ minLength: 1, maxLength: 12, unit: 'binary' }),
)
const data = fc.oneof(
  fc.constantFrom(
    '{ "b":1.0, "a":-0, "10":[ ], "1":"\\ud800]]>&<\\u0000" }',
    'null',
    '"x"',
    `"${'ä'.repeat(2047)}"`,
    '1E400',
  ),
  fc.json().filter((text) => Buffer.byteLength(text) <= 4096),
)
const marks = fc.record(
  {
    velocity: place,
    angularVelocity: number,
    tags: fc.uniqueArray(tag, { maxLength: 5 }),
    sensor: fc.boolean(),
  },
  { requiredKeys: [] },
)
const shaped = fc.oneof(mixedBody(), mixedComposite(), wild)
const scene = fc.array(fc.tuple(shaped, marks, fc.option(data)), { minLength: 1, maxLength: 12 })

/** In an order of ids that is not theirs, so that it shows whether they are sorted. */
const idOf = (k: number) => `${'zZ.a-_:09'[(k * 5) % 9]}${k}`

const operationsText = (bodies: [Body2d, object, string | null][]) => {
  const items = bodies.map(([body, more, data], k) => {
    const text = toJson({ id: idOf(k), ...body, ...more })
    return `{"op":"put","body":${data === null ? text : `${text.slice(0, -1)},"data":${data}}`}}`
  })
  return `{"operations":[${items.join(',')}]}`
}

const withoutVersion = (text: string) => text.replace(/^\{"version":\d+/, '')

describe('the service’s own JSON', () => {
  it('comes back byte for byte, with every body as the list has it, by id', async () => {
    const types = new Set<string>()
    await fc.assert(
      fc.asyncProperty(scene, fc.boolean(), async (bodies, isPlain) => {
        const settings = isPlain ? {} : { name: 'a "b" <c>\u0000', margin: 0.25 }
        const id = await client.createScene([], settings)
        const put = await client.send('POST', `/${id}/operations`, operationsText(bodies))
        expect(put.status, put.text).toBe(200)
        const { text, body } = await client.send('GET', `/${id}/export?format=json`)
        expect(Object.keys(body)).toEqual(isPlain ? ['version', 'bodies'] : ['version', 'name', 'margin', 'bodies'])
        const list = (await client.send('GET', `/${id}/bodies?limit=1000`)).text
        const lines = text
          .split('\n')
          .slice(1, -2)
          .map((line) => line.replace(/,$/, ''))
        expect(lines).toHaveLength(bodies.length)
        for (const line of lines) expect(list).toContain(line)
        const ids = body.bodies.map((each: { id: string }) => each.id)
        expect(ids).toEqual([...ids].sort())
        const again = await imported(client, text, 'format=json', settings)
        expect(again.report).toMatchObject({ version: 2, bodies: bodies.length, added: bodies.length, skipped: [] })
        expect(withoutVersion(await exportedText(client, again.id, 'format=json'))).toBe(withoutVersion(text))
        for (const [{ shape }] of bodies) types.add(shape.type)
      }),
      unshrunk(40),
    )
    if (isLongRun)
      expect([...types].sort()).toEqual(
        [
          'aabb',
          'box',
          'capsule',
          'chain',
          'circle',
          'compound',
          'ellipse',
          'halfplane',
          'point',
          'polygon',
          'region',
          'segment',
        ].sort(),
      )
  })

  it('is undone by an import in the same frame', async () => {
    const frame = 'yUp=true&scale=0.25&offsetX=8&offsetY=-16'
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(mixedBody(), mixedComposite()), { minLength: 1, maxLength: 8 }),
        async (bodies) => {
          const id = await client.createScene(
            bodies.map((body, k) => ({
              id: `b${k}`,
              ...body,
              position: { x: (k % 5) - 2, y: k / 4 },
              angularVelocity: 1,
            })),
          )
          const text = await exportedText(client, id, `format=json&${frame}`)
          const again = await imported(client, text, `format=json&${frame}`)
          // a mirrored normal that was −0 is none
          const plain = (file: string) => withoutVersion(file).replaceAll(/-0(?=[,}])/g, '0')
          expect(plain(await exportedText(client, again.id, 'format=json'))).toBe(
            plain(await exportedText(client, id, 'format=json')),
          )
        },
      ),
      unshrunk(15),
    )
  })

  it('mirrors, scales and moves every shape and its motion', async () => {
    const shapes = [
      [
        { type: 'aabb', min: { x: 0, y: 1 }, max: { x: 2, y: 3 } },
        { max: { x: 4, y: -2 }, min: { x: 0, y: -6 }, type: 'aabb' },
      ],
      [
        { type: 'halfplane', normal: { x: 0, y: 2 }, offset: 3 },
        { normal: { x: 0, y: -2 }, offset: 6, type: 'halfplane' },
      ],
      [
        { type: 'box', width: 1, height: 2, radius: 0.5 },
        { height: 4, radius: 1, type: 'box', width: 2 },
      ],
      [
        { type: 'ellipse', rx: 1, ry: 2 },
        { rx: 2, ry: 4, type: 'ellipse' },
      ],
      [
        {
          type: 'compound',
          children: [{ shape: { type: 'circle', radius: 1 }, position: { x: 1, y: 1 }, rotation: 1 }],
        },
        {
          children: [{ position: { x: 2, y: -2 }, rotation: -1, shape: { radius: 2, type: 'circle' } }],
          type: 'compound',
        },
      ],
    ]
    const bodies = shapes.map(([shape], k) => ({
      id: `${k}`,
      shape,
      position: { x: 1, y: 1 },
      velocity: { x: 1, y: 1 },
      angularVelocity: 3,
    }))
    const { id } = await imported(
      client,
      JSON.stringify({ bodies }),
      'format=json&yUp=true&scale=2&offsetX=10&offsetY=20',
    )
    const { body } = await client.send('GET', `/${id}/bodies`)
    expect(body.bodies).toEqual(
      shapes.map(([, shape], k) => ({
        id: `${k}`,
        shape,
        position: { x: 12, y: 18 },
        velocity: { x: 2, y: -2 },
        angularVelocity: -3,
      })),
    )
  })
})

describe('an import of it', () => {
  const box = (id: string, x: number, more: object = {}) => ({
    id,
    shape: { type: 'box', width: 1, height: 1 },
    position: { x, y: 0 },
    ...more,
  })
  const document = (...bodies: object[]) => JSON.stringify({ bodies })

  it('without a source puts bodies as they are, tags nothing and removes nothing', async () => {
    const id = await client.createScene([box('mine', 0), box('same', 3, { tags: ['t'] }), box('other', 9)])
    const { body } = await client.send(
      'POST',
      `/${id}/import?format=json`,
      document(box('mine', 1), box('same', 3, { tags: ['t'] }), box('new', 5)),
    )
    expect(body).toMatchObject({ bodies: 3, added: 1, updated: 1, removed: 0, skipped: [] })
    const { body: list } = await client.send('GET', `/${id}/bodies`)
    expect(list.bodies.map(({ id, tags, position }: PutBody) => [id, tags, position?.x])).toEqual([
      ['mine', undefined, 1],
      ['same', ['t'], 3],
      ['other', undefined, 9],
      ['new', undefined, 5],
    ])
    // the same again changes nothing
    const again = await client.send('POST', `/${id}/import?format=json`, await exportedText(client, id, 'format=json'))
    expect(again.body).toMatchObject({ version: list.version, added: 0, updated: 0, removed: 0 })
  })

  it('with a source tags its bodies, removes what vanished and leaves others alone', async () => {
    const id = await client.createScene([box('mine', 0)])
    const first = document(box('a', 1, { tags: ['x'] }), box('b', 2), box('mine', 3))
    const { body } = await client.send('POST', `/${id}/import?format=json&source=level`, first)
    expect(body).toMatchObject({ added: 2, updated: 0, removed: 0, skipped: [{ where: 'mine', what: 'id' }] })
    const { body: list } = await client.send('GET', `/${id}/bodies?tag=import:level`)
    expect(list.bodies.map(({ id, tags }: PutBody) => [id, tags])).toEqual([
      ['a', ['x', 'import:level']],
      ['b', ['import:level']],
    ])
    // as it is exported, with the tag in it
    const kept = await exportedText(client, id, 'format=json&tag=import:level')
    const same = await client.send('POST', `/${id}/import?format=json&source=level`, kept)
    expect(same.body).toMatchObject({ version: 3, added: 0, updated: 0, removed: 0 })
    const less = await client.send('POST', `/${id}/import?format=json&source=level`, document(box('b', 7)))
    expect(less.body).toMatchObject({ added: 0, updated: 1, removed: 1 })
  })

  it('is all or nothing, and can be tried first', async () => {
    const id = await client.createScene([])
    const tried = await client.send('POST', `/${id}/import?format=json&dryRun=true`, document(box('a', 0)))
    expect(tried.body).toMatchObject({ version: 1, added: 1 })
    const many = document(...Array.from({ length: 51 }, (_, k) => box(`b${k}`, k)))
    const refused = await client.send('POST', `/${id}/import?format=json`, many)
    expect([refused.status, refused.body.code]).toEqual([413, 'too-many-operations'])
    expect((await client.send('GET', `/${id}`)).body).toMatchObject({ version: 1, bodyCount: 0 })
  })

  it('takes a page of the list', async () => {
    const id = await client.createScene([box('a', 0, { data: { k: [1] } }), box('b', 1)])
    const { text } = await client.send('GET', `/${id}/bodies`)
    const { report } = await imported(client, text, 'format=json')
    expect(report).toMatchObject({ added: 2, bounds: { min: { x: -0.5, y: -0.5 }, max: { x: 1.5, y: 0.5 } } })
  })

  it('leaves what is no body, and what comes twice, to the report', async () => {
    const cross = [
      { x: 0, y: 0 },
      { x: 1, y: 1 },
      { x: 1, y: 0 },
      { x: 0, y: 1 },
    ]
    const { report } = await imported(
      client,
      document(box('a', 0), box('a', 1), { id: 'x', shape: { type: 'region', outer: cross } }),
      'format=json',
    )
    expect(report).toMatchObject({
      bodies: 1,
      added: 1,
      skipped: [
        { where: '/bodies/1', what: 'body' },
        { where: 'x', what: 'region' },
      ],
    })
  })

  it.each([
    ['no JSON', '{', /It is not JSON/],
    ['no document', '[]', /must be an object/],
    ['no list', '{}', /list of bodies/],
    ['another list', '{"bodies":{}}', /must be a list/],
    ['no body', '{"bodies":[1]}', /^\/bodies\/0/],
    [
      'a field that bodies have not',
      '{"bodies":[{"id":"a","shape":{"type":"point"},"colour":1}]}',
      /\/bodies\/0.*colour/,
    ],
    ['a wrong number', '{"bodies":[{"id":"a","shape":{"type":"circle","radius":-1}}]}', /^\/bodies\/0\/shape\/radius/],
    ['an id that is none', '{"bodies":[{"id":"a b","shape":{"type":"point"}}]}', /^\/bodies\/0\/id/],
    [
      'much data',
      `{"bodies":[{"id":"a","shape":{"type":"point"},"data":"${'x'.repeat(5000)}"}]}`,
      /^\/bodies\/0\/data/,
    ],
    ['many brackets', `{"bodies":${'['.repeat(2 ** 20)}`, /deep/],
  ])('says what is wrong: %s', async (_, text, detail) => {
    const id = await client.createScene([])
    const { status, body } = await client.send('POST', `/${id}/import?format=json`, text)
    expect([status, body.code]).toEqual([422, 'import-malformed'])
    expect(body.detail).toMatch(detail)
  })
})

describe('GeoJSON of a source', () => {
  it('changes nothing in the scene that it comes from when it is imported again', async () => {
    const id = await client.createScene([])
    const file = JSON.stringify({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          id: 'a',
          properties: { name: 'A "<', n: [1, null] },
          geometry: { type: 'Point', coordinates: [1, 2] },
        },
        {
          type: 'Feature',
          id: 7,
          properties: null,
          geometry: {
            type: 'LineString',
            coordinates: [
              [0, 0],
              [1.5, 1],
              [0, 0],
            ],
          },
        },
        {
          type: 'Feature',
          id: 'r',
          properties: { tags: 'mine' },
          geometry: {
            type: 'Polygon',
            coordinates: [
              [
                [0, 0],
                [9, 0],
                [9, 9],
                [0, 9],
                [0, 0],
              ],
              [
                [1, 1],
                [1, 2],
                [2, 2],
                [1, 1],
              ],
            ],
          },
        },
      ],
    })
    const frame = 'format=geojson&source=a.b c&yUp=true&scale=0.5&offsetX=3'.replaceAll(' ', '%20')
    const first = await client.send('POST', `/${id}/import?${frame}`, file)
    expect(first.body).toMatchObject({ version: 2, added: 3, skipped: [] })
    const text = await exportedText(client, id, frame)
    const again = await client.send('POST', `/${id}/import?${frame}`, text)
    expect(again.body).toMatchObject({ version: 2, added: 0, updated: 0, removed: 0 })
  })
})

describe('an answer', () => {
  it('has the version as its ETag, a name, and is not sent again', async () => {
    const id = await client.createScene([])
    await client.send('PUT', '/..a:b', {})
    expect((await exported(client, id, 'format=json')).text).toBe('{"version":1,"bodies":[\n\n]}\n')
    const { headers } = await exported(client, '..a%3Ab', 'format=json')
    expect(headers).toMatchObject({
      etag: tagged(1),
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="a_b.json"',
    })
    const known = await client.app.inject({
      url: `/v1/2d/scenes/${id}/export?format=svg`,
      headers: { 'if-none-match': '"1"' },
    })
    expect([known.statusCode, known.body, known.headers.etag]).toEqual([304, '', tagged(1)])
    const head = await client.app.inject({ method: 'HEAD', url: `/v1/2d/scenes/${id}/export?format=geojson` })
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', tagged(1)])
    expect(head.headers['content-type']).toBe('application/geo+json; charset=utf-8')
  })

  it.each([
    ['format=dxf', 400, /"json", "geojson", "svg"/],
    ['', 400, /format is missing/],
    ['format=json&bounds=1,1,0,0', 422, /least/],
    ['format=json&scale=0', 400, /scale/],
    ['format=json&scale=1e-200', 422, /at least 1e-100/],
    ['format=json&offsetX=1e200', 422, /Offsets/],
    ['format=json&colour=1', 400, /colour/],
  ])('refuses %s', async (query, status, detail) => {
    const id = await client.createScene([])
    const answer = await client.send('GET', `/${id}/export?${query}`)
    expect([answer.status, answer.body.detail]).toEqual([status, expect.stringMatching(detail)])
  })

  it('is a 404 of a scene that is not there', async () => {
    expect((await client.send('GET', '/nobody/export?format=json')).body.code).toBe('scene-not-found')
  })

  it('has the bodies of a tag and of a box alone', async () => {
    const at = (id: string, x: number, tags: string[]) => ({
      id,
      shape: { type: 'circle', radius: 1 },
      position: { x, y: 0 },
      tags,
    })
    const plane = { id: 'plane', shape: { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 0 } }
    const id = await client.createScene([at('a', 0, ['t']), at('b', 5, ['t']), at('c', 0, ['u']), plane])
    const ids = async (query: string) =>
      (await client.send('GET', `/${id}/export?format=json&${query}`)).body.bodies.map(
        (body: { id: string }) => body.id,
      )
    expect(await ids('tag=t')).toEqual(['a', 'b'])
    expect(await ids('bounds=1,-1,3,1')).toEqual(['a', 'c', 'plane'])
    expect(await ids('bounds=1.5,-1,4,1&tag=t')).toEqual(['b'])
    expect(await ids('bounds=2,2,3,3')).toEqual(['plane'])
  })
})
