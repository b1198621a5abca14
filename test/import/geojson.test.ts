// Files of GeoJSON, in all that RFC 7946 lets them be.

import { describe, expect, it } from 'vitest'
import { bodiesOf, imported, refusal } from './imported.ts'

const taken = (file: object) => imported({ 'a.geojson': JSON.stringify(file) }, { format: 'geojson', source: 'a' })
const refused = (file: object) => refusal({ 'a.geojson': JSON.stringify(file) }, { format: 'geojson' })
const feature = (geometry: object | null, more: object = {}) => ({
  type: 'Feature',
  geometry,
  properties: null,
  ...more,
})
const collection = (...features: object[]) => ({ type: 'FeatureCollection', features })
const of = (type: string, coordinates: unknown) => ({ type, coordinates })
const shapes = (file: object) => bodiesOf(taken(file)).map(({ shape }) => shape)
const whys = (...geometries: object[]) =>
  taken(collection(...geometries.map((each) => feature(each)))).skipped.map(({ why }) => why)

const RING = [
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
  [2, 1],
  [1, 1],
]

describe('geometries', () => {
  it('may stand alone, with a third coordinate, a box and a system', () => {
    const point = { ...of('Point', [1, 2, 300]), bbox: [1, 2, 1, 2] }
    expect(bodiesOf(taken(point))).toEqual([
      { id: 'a:0', shape: { type: 'point' }, position: { x: 1, y: 2 }, tags: ['layer:a', 'kind:feature', 'import:a'] },
    ])
    const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:OGC:1.3:CRS84' } }
    expect(bodiesOf(taken({ ...collection(feature(point)), name: 'walls', crs }))).toHaveLength(1)
    expect(bodiesOf(taken(feature(point, { id: 7 })))[0]?.id).toBe('a:7')
  })

  it('are the same whichever way rings go, and whether they end where they start', () => {
    const area = { type: 'region', outer: RING.slice(0, -1).map(([x, y]) => ({ x, y })) }
    expect(shapes(of('Polygon', [RING]))).toEqual([area])
    expect(shapes(of('Polygon', [RING.slice(0, -1)]))).toEqual([area])
    const back = shapes(of('Polygon', [[...RING].reverse(), HOLE]))[0]
    expect(taken(of('Polygon', [[...RING].reverse(), [...HOLE].reverse()])).skipped).toEqual([])
    expect(back.holes).toHaveLength(1)
  })

  it('may repeat positions, and have holes that touch their outline or each other in a point', () => {
    const repeated = [
      [0, 0],
      [0, 0],
      [4, 0],
      [4, 4],
      [4, 4],
      [0, 4],
      [0, 0],
      [0, 0],
    ]
    expect(taken(of('Polygon', [repeated]))).toMatchObject({ skipped: [], bodies: [{}] })
    const corner = [
      [0, 0],
      [1, 2],
      [2, 1],
      [0, 0],
    ]
    expect(taken(of('Polygon', [RING, corner]))).toMatchObject({ skipped: [], bodies: [{}] })
    const next = [
      [2, 2],
      [2, 3],
      [3, 3],
      [3, 2],
      [2, 2],
    ]
    expect(taken(of('Polygon', [RING, HOLE, next]))).toMatchObject({ skipped: [], bodies: [{}] })
  })

  it('of several parts are one compound', () => {
    expect(
      shapes(
        of('MultiPoint', [
          [0, 0],
          [1, 1],
        ]),
      ),
    ).toMatchObject([{ type: 'compound', children: { length: 2 } }])
    expect(
      shapes(
        of('MultiPolygon', [
          [RING],
          [
            [
              [9, 9],
              [10, 9],
              [9, 10],
              [9, 9],
            ],
          ],
        ]),
      ),
    ).toMatchObject([{ type: 'compound' }])
    expect(
      shapes(
        of('MultiLineString', [
          [
            [0, 0],
            [1, 1],
          ],
        ]),
      ),
    ).toMatchObject([{ type: 'chain' }])
    const geometries = [
      of('Point', [5, 6]),
      {
        type: 'GeometryCollection',
        geometries: [
          of('LineString', [
            [0, 0],
            [1, 0],
          ]),
        ],
      },
    ]
    expect(shapes({ type: 'GeometryCollection', geometries })).toMatchObject([
      { type: 'compound', children: { length: 2 } },
    ])
  })

  it('of lines that end where they start are loops', () => {
    expect(shapes(of('LineString', RING))).toMatchObject([{ type: 'chain', loop: true, vertices: { length: 4 } }])
    expect(
      shapes(
        of('LineString', [
          [0, 0],
          [1, 0],
          [0, 0],
        ]),
      )[0].loop,
    ).toBeUndefined()
  })

  it('without coordinates are none, and leave others alone', () => {
    const empty = ['Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon'].map((type) =>
      of(type, []),
    )
    const file = taken(collection(...empty.map((each) => feature(each)), feature(null), feature(of('Point', [1, 2]))))
    expect(file.bodies.map(({ id }) => id)).toEqual(['a:7'])
    expect(file.skipped.map(({ where }) => where)).toEqual([0, 1, 2, 3, 4, 5, 6].map((k) => `/features/${k}`))
    expect(
      whys(
        { type: 'GeometryCollection', geometries: [] },
        of('Polygon', [
          [
            [0, 0],
            [1, 1],
            [0, 0],
          ],
        ]),
      ),
    ).toEqual(['It has no parts.', expect.stringContaining('four positions or more')])
  })

  it('too far away are skipped with the reason', () => {
    const [why] = whys(of('Point', [1e300, 0]))
    expect(why).toMatch(/1e\+300/)
  })
})

describe('features', () => {
  it('have ids that are texts or numbers, or their place', () => {
    const point = of('Point', [0, 0])
    const ids = [{ id: 'north gate' }, { id: 12 }, {}, { id: 2 }, { id: '12' }, { id: null }].map((each) =>
      feature(point, each),
    )
    expect(taken(collection(...ids)).bodies.map(({ id }) => id)).toEqual([
      'a:north_gate',
      'a:12',
      'a:2',
      'a:2.2',
      'a:12.2',
      'a:5',
    ])
  })

  it('carry their properties', () => {
    const properties = { name: 'Gate', open: false, size: { w: 3 }, tags: ['a', 1, null] }
    expect(JSON.parse(taken(feature(of('Point', [0, 0]), { properties })).bodies[0]!.data!)).toEqual(properties)
    expect(taken(feature(of('Point', [0, 0]), { properties: {} })).bodies[0]!.data).toBeUndefined()
  })
})

describe('files that are none', () => {
  it('are refused with the place', () => {
    expect(refused({ features: [] })).toMatch(/a\.geojson: It is no GeoJSON: it has no type/)
    expect(refused(collection(collection()))).toMatch(/\/features\/0\/type: .*"FeatureCollection"/)
    expect(
      refused(
        of('LineString', [
          [0, 0],
          ['1', 2],
        ]),
      ),
    ).toMatch(/^import-malformed: \/coordinates\/1: A position/)
    expect(
      refused(
        of('Polygon', [
          [0, 0],
          [1, 1],
        ]),
      ),
    ).toMatch(/\/coordinates\/0\/0: A position/)
    expect(refused({ type: 'FeatureCollection', features: [3] })).toMatch(/\/features\/0: It must be an object, got 3/)
  })
})
