// What an import is told in its query string: the format, which may be left out, solid cells, and scales that lose what is drawn.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SceneClient, startScenes } from '../../support/services/scene-client.ts'

let client: SceneClient
beforeAll(async () => {
  client = await startScenes()
})
afterAll(() => client.close())

const importTo = (id: string, query: string, body: object | string, headers: Record<string, string> = {}) =>
  client.send('POST', `/${id}/import?${query}`, body, headers)
const imported = async (query: string, body: object | string) => importTo(await client.createScene(), query, body)
const polygon = (...rings: number[][][]) => ({ type: 'Polygon', coordinates: rings })
const SQUARE = [
  [0, 0],
  [4, 0],
  [4, 3],
  [0, 3],
  [0, 0],
]
const HOLE = [
  [1, 1],
  [2, 1],
  [2, 2],
  [1, 1],
]
const back = <Item>(list: readonly Item[]) => [...list].reverse()

describe('the format', () => {
  it('may be left out', async () => {
    expect((await imported('', polygon(SQUARE))).body).toMatchObject({ bodies: 1 })
    expect((await imported('', '<svg><rect width="1" height="2"/></svg>')).body).toMatchObject({ bodies: 1 })
    const own = await imported('', { bodies: [{ id: 'a', shape: { type: 'point' } }] })
    expect(own.body).toMatchObject({ bodies: 1 })
    const text = `--x\r\ncontent-disposition: form-data; name="file"; filename="a.svg"\r\n\r\n<svg><circle r="2"/></svg>\r\n--x--\r\n`
    const id = await client.createScene()
    const sent = await importTo(id, '', text, { 'content-type': 'multipart/form-data; boundary=x' })
    expect(sent.body).toMatchObject({ bodies: 1 })
    const { body } = await client.send('GET', `/${id}/bodies`)
    expect(body.bodies[0].tags).toContain('import:a.svg')
  })

  it('is what the query string says, whatever the file looks like', async () => {
    const { status, body } = await imported('format=ldtk', polygon(SQUARE))
    expect([status, body.code]).toEqual([422, 'import-malformed'])
    expect(body.detail).toContain('LDtk')
  })

  it('is asked for where it cannot be told', async () => {
    const { status, body } = await imported('', { a: 1 })
    expect([status, body.code]).toEqual([400, 'schema-violation'])
    expect(body.detail).toContain('Add format=')
  })
})

describe('solid cells', () => {
  const layer = (name: string, gid: number) => ({ type: 'tilelayer', name, width: 1, height: 1, data: [gid] })
  const marked = { id: 1, properties: [{ name: 'a b', type: 'bool', value: true }] }
  const MAP = {
    orientation: 'orthogonal',
    tilewidth: 8,
    tileheight: 8,
    tilesets: [{ firstgid: 1, name: 's', tilewidth: 8, tileheight: 8, tiles: [marked] }],
    layers: [layer('One', 1), layer('Two & more', 1), layer('Three', 2)],
  }

  it.each([
    ['', 0],
    ['solid=layer:One', 1],
    ['solid=layer:One&solid=layer:Two%20%26%20more', 2],
    ['solid=property:a+b&solid=layer:One', 2],
  ])('are named any number of times: %s', async (query, bodies) => {
    expect((await imported(query, MAP)).body).toMatchObject({ bodies })
  })

  it.each(['solid=Walls', 'solid=layer:', 'solid=', 'solid=layer:a&solid=tile:b'])(
    'are named as they must be: %s',
    async (query) => {
      const { status, body } = await imported(query, MAP)
      expect([status, body.code]).toEqual([400, 'schema-violation'])
      expect(body.detail).toContain('must be layer:<name> or property:<name>')
    },
  )
})

describe('what was imported, exported and imported again', () => {
  const turned = (...rings: number[][][]) => [polygon(...rings), polygon(...rings.map(back))]
  const far = SQUARE.map(([x, y]) => [x + 1e6, 1e-3 * y])
  const GEOMETRIES: [string, object][] = [
    ...turned(SQUARE).map((geometry): [string, object] => ['a polygon', geometry]),
    ...turned(SQUARE, HOLE).map((geometry): [string, object] => ['with a hole', geometry]),
    ['with a hole that runs as it does', polygon(SQUARE, back(back(HOLE)))],
    ...turned(far).map((geometry): [string, object] => ['far off and thin', geometry]),
    [
      'several',
      {
        type: 'MultiPolygon',
        coordinates: [[back(SQUARE)], [SQUARE.map(([x, y]) => [x + 9, y]), back(HOLE).map(([x, y]) => [x + 9, y])]],
      },
    ],
    [
      'a collection',
      { type: 'GeometryCollection', geometries: [polygon(back(SQUARE)), { type: 'Point', coordinates: [9, 9] }] },
    ],
    ['open', polygon(back(SQUARE).slice(1))],
    ['with repeated points', polygon(back([...SQUARE.slice(0, 2), SQUARE[1]!, ...SQUARE.slice(2)]))],
  ]

  it.each(GEOMETRIES)('changes nothing: %s', async (_, geometry) => {
    for (const frame of ['', '&yUp=true', '&scale=4&offsetX=8']) {
      const file = {
        type: 'FeatureCollection',
        features: [{ type: 'Feature', id: 'a', properties: { x: 1 }, geometry }],
      }
      const id = await client.createScene()
      const query = `format=geojson&source=map${frame}`
      const first = await importTo(id, query, file)
      expect(first.body).toMatchObject({ added: 1, skipped: [] })
      const exported = await client.app.inject({ url: `/v1/2d/scenes/${id}/export?${query}` })
      expect(exported.statusCode).toBe(200)
      const again = await importTo(id, query, exported.body)
      expect(again.body).toMatchObject({ added: 0, updated: 0, removed: 0, skipped: [] })
    }
  })
})

describe('a scale at which numbers are lost', () => {
  const of = (shape: object, more: object = {}) => ({
    bodies: [
      { id: 'a', shape: { type: 'point' } },
      { id: 'tiny', shape, ...more },
    ],
  })
  const SMALL = 1e-200
  const at = (x: number, y: number) => ({ x, y })
  const corners = [at(0, 0), at(SMALL, 0), at(0, 1)]

  it.each([
    ['rx', { type: 'ellipse', rx: SMALL, ry: 1 }],
    ['ry', { type: 'ellipse', rx: 1, ry: SMALL }],
    ['radius', { type: 'circle', radius: SMALL }],
    ['width', { type: 'box', width: SMALL, height: 1 }],
    ['skin', { type: 'box', width: 1, height: 1, radius: SMALL }],
    ['aabb', { type: 'aabb', min: at(-1, -SMALL), max: at(0, 0) }],
    ['corner', { type: 'polygon', vertices: corners }],
    ['region', { type: 'region', outer: corners }],
    ['chain', { type: 'chain', vertices: corners }],
    ['capsule', { type: 'capsule', a: at(0, 0), b: at(1, 0), radius: SMALL }],
    ['offset', { type: 'halfplane', normal: at(0, 1), offset: SMALL }],
    [
      'child',
      {
        type: 'compound',
        children: [{ shape: { type: 'ellipse', rx: SMALL, ry: SMALL } }, { shape: { type: 'point' } }],
      },
    ],
  ])('is refused, with the id of the body: %s', async (_, shape) => {
    for (const frame of ['scale=1e-160', 'scale=1e-160&yUp=true']) {
      const id = await client.createScene()
      const { status, body } = await importTo(id, `format=json&${frame}`, of(shape))
      expect([status, body.code]).toEqual([422, 'coordinate-out-of-range'])
      expect(body.detail).toContain('tiny')
      expect((await client.send('GET', `/${id}`)).body).toMatchObject({ bodyCount: 0 })
      // the same body is taken where nothing is lost
      expect((await importTo(id, 'format=json&scale=0.5', of(shape))).body.bodies).toBe(2)
    }
  })

  it.each([
    ['radius', { type: 'circle', radius: 1e60 }, {}],
    ['rx', { type: 'ellipse', rx: 1e60, ry: 1 }, {}],
    ['corner', { type: 'polygon', vertices: [at(0, 0), at(1e60, 0), at(0, 1)] }, {}],
    ['position', { type: 'point' }, { position: at(0, -1e60) }],
    ['velocity', { type: 'point' }, { velocity: at(1e60, 0) }],
  ])('is refused where they become too large: %s', async (_, shape, more) => {
    const { status, body } = await imported('format=json&scale=1e60', of(shape, more))
    expect([status, body.code]).toEqual([422, 'coordinate-out-of-range'])
    expect(body.detail).toContain('tiny')
  })

  it.each([
    [
      'tiled',
      {
        orientation: 'orthogonal',
        tilewidth: 8,
        tileheight: 8,
        layers: [{ type: 'objectgroup', name: 'Things', objects: [{ id: 7, x: 0, y: 0, width: SMALL, height: 1 }] }],
      },
      'Things:7',
    ],
    ['svg', `<svg><ellipse id="e" rx="${SMALL}" ry="1"/></svg>`, 'svg:e'],
    [
      'geojson',
      {
        type: 'Feature',
        id: 'f',
        properties: null,
        geometry: polygon([
          [0, 0],
          [SMALL, 0],
          [0, 1],
          [0, 0],
        ]),
      },
      'import:f',
    ],
  ])('is refused in every format: %s', async (format, file, id) => {
    const { status, body } = await imported(`format=${format}&scale=1e-160`, file)
    expect([status, body.code]).toEqual([422, 'coordinate-out-of-range'])
    expect(body.detail).toContain(id)
  })

  it('of the file itself loses what it is about, and no more', async () => {
    const { body } = await imported(
      'format=svg',
      `<svg><g transform="scale(1e-200)"><ellipse id="e" rx="1e-200" ry="1"/></g><rect id="r" width="1" height="1"/></svg>`,
    )
    expect(body).toMatchObject({ bodies: 1, skipped: [{ where: '<ellipse> e', what: 'ellipse' }] })
  })
})
