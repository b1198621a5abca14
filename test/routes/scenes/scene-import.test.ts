// Editors' files into a scene: what becomes of them, again and again, and what is said of those that are none.

import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SceneClient, startScenes } from '../../support/services/scene-client.ts'

let client: SceneClient
let send: SceneClient['send']
beforeAll(async () => {
  client = await startScenes()
  send = client.send
})
afterAll(() => client.close())

const DATA = new URL('../../../../shared/data/', import.meta.url)
const dataPresent = existsSync(DATA)
if (!dataPresent) console.log('skipped: ../shared/data is not there')

const importText = (id: string, query: string, text: string, headers: Record<string, string> = {}) =>
  send('POST', `/${id}/import?${query}`, text, headers)
const bodiesOf = async (id: string, query = '') =>
  (await send('GET', `/${id}/bodies?limit=1000${query}`)).body.bodies as Record<string, unknown>[]

function multipart(files: Record<string, string>): [text: string, headers: Record<string, string>] {
  const boundary = 'a-line-that-no-file-has'
  const parts = Object.entries(files).map(
    ([name, text]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: application/json\r\n\r\n${text}\r\n`,
  )
  return [`${parts.join('')}--${boundary}--\r\n`, { 'content-type': `multipart/form-data; boundary=${boundary}` }]
}

const collection = (...features: object[]) => JSON.stringify({ type: 'FeatureCollection', features })
const feature = (id: string | number, type: string, coordinates: unknown, properties: object | null = null) => ({
  type: 'Feature',
  id,
  geometry: { type, coordinates },
  properties,
})
const SQUARE = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 4],
  [0, 0],
]
const HOLE = [
  [1, 1],
  [1, 2],
  [2, 2],
  [1, 1],
]

it('takes files that are small enough together, however they are cut', async () => {
  const limit = 300_000
  const small = await startScenes({ BODY_LIMIT: '100000', OPERATIONS_BODY_LIMIT: `${limit}` })
  try {
    const scene = await small.createScene([])
    const sent = async (...lengths: number[]) => {
      const files = lengths.map((length, k) => [`${k}.json`, collection(feature(k, 'Point', [k, 0])).padEnd(length)])
      const [text, headers] = multipart(Object.fromEntries(files))
      return small.send('POST', `/${scene}/import?format=geojson`, text, headers)
    }
    expect((await sent(140_000, 150_000)).status).toBe(200)
    for (const lengths of [[150_000, 151_000], [299_000, 1_001], [300_001]]) {
      expect((await sent(...lengths)).body, `${lengths}`).toMatchObject({ status: 413, code: 'body-too-large', limit })
    }
  } finally {
    await small.close()
  }
})

describe('GeoJSON', () => {
  it('becomes a body for each feature', async () => {
    const id = await client.createScene([])
    const text = collection(
      feature('here', 'Point', [1, 2, 30], { name: 'Here' }),
      feature('way', 'LineString', [
        [0, 0],
        [1, 1],
      ]),
      feature(7, 'Polygon', [SQUARE, HOLE]),
      feature('few', 'MultiPoint', [
        [0, 0],
        [1, 0],
      ]),
      feature('areas', 'MultiPolygon', [[SQUARE]]),
      { type: 'Feature', geometry: null, properties: null },
      {
        type: 'Feature',
        id: 'mixed',
        geometry: {
          type: 'GeometryCollection',
          geometries: [
            { type: 'Point', coordinates: [9, 9] },
            { type: 'MultiLineString', coordinates: [SQUARE, HOLE] },
          ],
        },
        properties: {},
      },
    )
    const { status, body } = await importText(id, 'format=geojson&source=town', text)
    expect(status).toBe(200)
    expect(body).toMatchObject({ version: 2, bodies: 6, added: 6, updated: 0, removed: 0, cells: 0, merged: 0 })
    expect(body.skipped).toEqual([{ where: '/features/5', what: 'feature', why: 'It has no geometry.' }])
    expect(body.bounds).toEqual({ min: { x: 0, y: 0 }, max: { x: 9, y: 9 } })
    const bodies = await bodiesOf(id)
    expect(bodies[0]).toEqual({
      id: 'town:here',
      shape: { type: 'point' },
      position: { x: 1, y: 2 },
      tags: ['layer:town', 'kind:feature', 'import:town'],
      data: { name: 'Here' },
    })
    expect(bodies.map(({ id, shape }) => [id, (shape as { type: string }).type])).toEqual([
      ['town:here', 'point'],
      ['town:way', 'chain'],
      ['town:7', 'region'],
      ['town:few', 'compound'],
      ['town:areas', 'region'],
      ['town:mixed', 'compound'],
    ])
  })

  it('is mirrored, scaled and moved, in that order', async () => {
    const id = await client.createScene([])
    const text = collection(feature('p', 'Point', [1, 2]), feature('l', 'LineString', SQUARE))
    await importText(id, 'format=geojson&yUp=true&scale=2&offsetX=10&offsetY=1', text)
    const [point, line] = await bodiesOf(id)
    expect(point).toMatchObject({ id: 'import:p', position: { x: 12, y: -3 } })
    expect(line).toMatchObject({ position: { x: 10, y: 1 } })
    expect((line!.shape as { vertices: object[] }).vertices.slice(1, 4)).toEqual([
      { x: 8, y: 0 },
      { x: 8, y: -8 },
      { x: 0, y: -8 },
    ])
  })

  it('is skipped where a ring crosses itself, with the place', async () => {
    const id = await client.createScene([])
    const bow = [
      [0, 0],
      [2, 2],
      [2, 0],
      [0, 2],
      [0, 0],
    ]
    const { body } = await importText(id, 'format=geojson', collection(feature('bow', 'Polygon', [bow])))
    expect(body).toMatchObject({ version: 1, bodies: 0, bounds: null })
    expect(body.skipped).toEqual([{ where: 'import:bow', what: 'region', why: expect.stringMatching(/cross/) }])
  })
})

describe('importing again', () => {
  const one = feature('one', 'Point', [0, 0])
  const two = feature('two', 'Point', [1, 0])

  it('changes what has changed, removes what is gone, and leaves the rest alone', async () => {
    const id = await client.createScene([
      { id: 'player', shape: { type: 'circle', radius: 1 } },
      { id: 'map:mine', shape: { type: 'point' } },
    ])
    await importText(id, 'format=geojson&source=other', collection(one))
    await importText(id, 'format=geojson&source=map', collection(one, two))
    const same = await importText(id, 'format=geojson&source=map', collection(one, two))
    expect(same.body).toMatchObject({ version: 4, added: 0, updated: 0, removed: 0 })
    const three = feature('three', 'Point', [5, 5])
    const changed = collection({ ...one, properties: { door: true } }, three, feature('mine', 'Point', [0, 0]))
    const tried = await importText(id, 'format=geojson&source=map&dryRun=true', changed)
    expect(tried.body).toMatchObject({ version: 4, added: 1, updated: 1, removed: 1 })
    const { body } = await importText(id, 'format=geojson&source=map', changed)
    expect(body).toMatchObject({ version: 5, bodies: 3, added: 1, updated: 1, removed: 1 })
    expect(body.skipped).toEqual([{ where: 'map:mine', what: 'id', why: expect.stringContaining('left as it is') }])
    const ids = (await bodiesOf(id)).map((each) => each.id)
    expect(ids.sort()).toEqual(['map:mine', 'map:one', 'map:three', 'other:one', 'player'])
  })

  it('is refused where the scene has moved on', async () => {
    const id = await client.createScene([])
    const headers = { 'if-match': '"7"' }
    const { status, body } = await importText(id, 'format=geojson', collection(one), headers)
    expect([status, body.code]).toEqual([412, 'version-mismatch'])
  })

  it('is all or nothing', async () => {
    const limited = await startScenes({ MAX_SCENE_BODIES: '1' })
    try {
      const id = await limited.createScene([])
      const { status, body } = await limited.send('POST', `/${id}/import?format=geojson`, collection(one, two))
      expect([status, body.code]).toEqual([413, 'too-many-scene-bodies'])
      expect((await limited.send('GET', `/${id}`)).body).toMatchObject({ version: 1, bodyCount: 0 })
    } finally {
      await limited.close()
    }
  })
})

const layer = (more: object) => ({
  __identifier: 'Walls',
  __pxTotalOffsetX: 0,
  __pxTotalOffsetY: 0,
  visible: true,
  ...more,
})
const intGrid = (columns: number, cells: number[]) =>
  layer({
    __type: 'IntGrid',
    __gridSize: 8,
    __cWid: columns,
    __cHei: cells.length / columns,
    intGridCsv: cells,
    layerDefUid: 1,
  })
const level = (identifier: string, worldX: number, more: object) => ({
  identifier,
  worldX,
  worldY: 0,
  pxWid: 16,
  pxHei: 16,
  ...more,
})
const project = (worldLayout: string, levels: object[]) =>
  JSON.stringify({
    worldLayout,
    defs: { layers: [{ uid: 1, intGridValues: [{ value: 1, identifier: 'stone' }] }] },
    levels,
  })

describe('LDtk', () => {
  it('becomes regions of cells, and entities by their pivots', async () => {
    const id = await client.createScene([])
    const entity = {
      __identifier: 'Chest',
      iid: 'e-1',
      width: 10,
      height: 20,
      px: [30, 40],
      __pivot: [0.5, 1],
      fieldInstances: [{ __identifier: 'gold', __value: 7 }],
    }
    const entities = layer({
      __identifier: 'Things',
      __type: 'Entities',
      __pxTotalOffsetX: 3,
      entityInstances: [entity],
    })
    const tiles = layer({ __identifier: 'Grass', __type: 'AutoLayer' })
    const text = project('Free', [level('A', 100, { layerInstances: [entities, intGrid(2, [1, 1, 1, 2]), tiles] })])
    const { body } = await importText(id, 'format=ldtk&source=game', text)
    expect(body).toMatchObject({ bodies: 3, cells: 4, merged: 2 })
    expect(body.skipped).toMatchObject([{ where: 'level A, layer Grass', what: 'AutoLayer layer' }])
    const [chest, stone, two] = await bodiesOf(id)
    expect(chest).toEqual({
      id: 'Things:e-1',
      shape: { type: 'box', width: 10, height: 20 },
      position: { x: 133, y: 30 },
      tags: ['layer:Things', 'kind:entity', 'class:Chest', 'level:A', 'import:game'],
      data: { gold: 7 },
    })
    expect(stone).toMatchObject({
      id: 'Walls:A.0.0',
      position: { x: 100, y: 0 },
      tags: expect.arrayContaining(['value:stone']),
    })
    expect((stone!.shape as { outer: object[] }).outer).toHaveLength(6)
    expect(two).toMatchObject({ shape: { type: 'box', width: 8, height: 8 }, position: { x: 112, y: 12 } })
    expect(two?.tags).toContain('value:2')
  })

  it('stands in a row where its layout is linear', async () => {
    const id = await client.createScene([])
    const levels = ['A', 'B'].map((name) => level(name, -1, { layerInstances: [intGrid(1, [1])] }))
    const { body } = await importText(id, 'format=ldtk', project('LinearHorizontal', levels))
    expect(body.bounds).toEqual({ min: { x: 0, y: 0 }, max: { x: 16 + 48 + 8, y: 8 } })
  })

  it('finds levels in files that are sent along, and names one that is not', async () => {
    const id = await client.createScene([])
    const apart = level('A', 0, { layerInstances: null, externalRelPath: 'folder/../A.ldtkl' })
    const main = project('Free', [apart])
    const { status, body } = await importText(id, 'format=ldtk', main)
    expect([status, body.code]).toEqual([422, 'import-file-missing'])
    expect(body.detail).toMatch(/^\/levels\/0: The file names the level "A\.ldtkl", which was not sent/)
    const files = { 'game.ldtk': main, 'A.ldtkl': JSON.stringify(level('A', 0, { layerInstances: [intGrid(1, [1])] })) }
    const [text, headers] = multipart(files)
    const sent = await importText(id, 'format=ldtk', text, headers)
    expect(sent.body).toMatchObject({ bodies: 1, cells: 1 })
    expect((await bodiesOf(id))[0]?.tags).toContain('import:game.ldtk')
  })

  it.skipIf(!dataPresent)(
    'accounts for all of real projects, and joins cells without changing what a ray hits',
    async () => {
      const counts = {
        Typical_2D_platformer_example: [2098, 15],
        Typical_TopDown_example: [363, 21],
        Entities: [1069, 27],
      }
      for (const [name, [cells, entities]] of Object.entries(counts)) {
        const text = readFileSync(new URL(`ldtk/${name}.ldtk`, DATA), 'utf8')
        const [joined, single] = [await client.createScene([]), await client.createScene([])]
        const one = await importText(joined, 'format=ldtk', text)
        const other = await importText(single, 'format=ldtk&merge=false', text)
        expect(one.body.cells).toBe(cells)
        expect(one.body.bodies).toBe(one.body.merged + entities!)
        expect(other.body).toMatchObject({ cells, merged: 0, bodies: cells! + entities!, bounds: one.body.bounds })
        const { min, max } = one.body.bounds
        const rays = Array.from({ length: 200 }, (_, k) => ({
          origin: { x: min.x + ((k * 0.377) % 1) * (max.x - min.x), y: min.y + ((k * 0.613) % 1) * (max.y - min.y) },
          direction: { x: Math.cos(k), y: Math.sin(k) },
        }))
        const hitsOf = async (id: string) =>
          (await send('POST', `/${id}/ray-cast`, { rays, filter: { tags: { any: ['kind:cell'] } } })).body.results.map(
            ({ hits }: { hits: { distance: number }[] }) => hits[0]?.distance ?? null,
          )
        const [a, b] = [await hitsOf(joined), await hitsOf(single)]
        a.forEach((distance: number | null, k: number) => {
          if (distance === null) expect(b[k]).toBeNull()
          else expect(Math.abs(distance - b[k])).toBeLessThan(1e-9 * (1 + distance))
        })
      }
    },
  )
})

describe('a file that is none', () => {
  it.each([
    ['format=ldtk', '{"levels": [', 400, 'import-malformed', /JSON/],
    ['format=ldtk', '[]', 422, 'import-malformed', /object/],
    ['format=ldtk', '{}', 422, 'import-malformed', /neither levels nor worlds/],
    [
      'format=ldtk',
      '{"levels":[{"worldX":"a","worldY":0,"pxWid":1,"pxHei":1}]}',
      422,
      'import-malformed',
      /levels\/0\/worldX.*"a"/,
    ],
    [
      'format=geojson',
      '{"type":"Polygon","coordinates":[[[0,0],["x",1]]]}',
      422,
      'import-malformed',
      /coordinates\/0\/1/,
    ],
    ['format=geojson', '{"type":"Sphere"}', 422, 'import-malformed', /"Sphere"/],
    ['format=png', '{}', 400, 'schema-violation', /format/],
    ['', '{}', 400, 'schema-violation', /format/],
    ['format=geojson&scale=0', '{}', 400, 'schema-violation', /scale/],
  ])('is told so: %s %s', async (query, text, status, code, words) => {
    const id = await client.createScene([])
    const answer = await importText(id, query, text)
    expect(answer.body.detail).toMatch(words)
    expect(answer.body.code).toBe(code)
    expect(answer.status).toBe(code === 'import-malformed' ? 422 : status)
    expect((await send('GET', `/${id}`)).body.version).toBe(1)
  })

  it('is told so where nothing is sent, or nothing is there', async () => {
    const id = await client.createScene([])
    expect((await send('POST', `/${id}/import?format=ldtk`)).body.code).toBe('empty-body')
    expect((await importText('nowhere', 'format=ldtk', '{}')).body.code).toBe('scene-not-found')
  })

  it('may be deep or long, and holds nothing up', async () => {
    const id = await client.createScene([])
    const deep = `${'{"type":"GeometryCollection","geometries":['.repeat(20000)}${']}'.repeat(20000)}`
    expect((await importText(id, 'format=geojson', deep)).body.code).toBe('import-malformed')
    const grid = project('Free', [
      level('A', 0, { layerInstances: [{ ...intGrid(1, [1]), __cWid: 1e9, __cHei: 1e9 }] }),
    ])
    expect((await importText(id, 'format=ldtk', grid)).body.code).toBe('import-malformed')
  })
})
