// What single queries are answered over HTTP, as a table: operation, request, and the answer, in full or in part, or the problem.
// Lengths and angles are chosen so that the answers are known by heart; how exact answers are in general is the matter of laws.

import { afterAll, describe, expect, it } from 'vitest'
import type { Dimension } from '../../src/queries/ask/query.ts'
import { type Client, startClient } from '../support/services/client.ts'

/** In full (`is`, by toEqual), in part (`has`, by toMatchObject), or a problem: status, code, and what its one error points to, if it has one. */
type Expected =
  | { is: unknown }
  | { has: unknown }
  | { refused: readonly [status: number, code: string, pointer: string | null] }
type Row = readonly [what: string, request: object, expected: Expected, more?: object]

const JSON_TYPE = 'application/json'

const clients = new Map<string, Promise<Client>>()
afterAll(async () => {
  for (const client of clients.values()) await (await client).close()
})

function clientOf(dimension: Dimension, env: Record<string, string>): Promise<Client> {
  const key = JSON.stringify([dimension, env])
  const client = clients.get(key) ?? startClient(env, dimension)
  clients.set(key, client)
  return client
}

/** The table of one operation. `more`: what else the body of the answer has. */
function answers(dimension: Dimension, op: string, rows: readonly Row[], env: Record<string, string> = {}): void {
  describe(`POST /v1/${dimension}/${op}`, () => {
    it.each(rows.map((row) => [row[0], row] as const))('%s', async (_, [, request, expected, more = {}]) => {
      const { status, type, body } = await (await clientOf(dimension, env)).post(op, request)
      if ('refused' in expected) {
        const [refusal, code, pointer] = expected.refused
        expect([status, type]).toEqual([refusal, 'application/problem+json'])
        expect(body).toMatchObject({
          status: refusal,
          code,
          ...(pointer === null ? {} : { errors: [{ pointer }] }),
          ...more,
        })
        return
      }
      expect([status, type], JSON.stringify(body)).toEqual([
        200,
        op === 'batch' ? JSON_TYPE : `${JSON_TYPE}; charset=utf-8`,
      ])
      if ('is' in expected) expect(body).toEqual(expected.is)
      else expect(body).toMatchObject(expected.has as object)
    })
  })
}

const is = (answer: unknown): Expected => ({ is: answer })
const has = (answer: unknown): Expected => ({ has: answer })
const refused = (status: number, code: string, pointer: string | null): Expected => ({
  refused: [status, code, pointer],
})
const near = (value: number, digits = 12): number => expect.closeTo(value, digits) as number

const { PI } = Math
const at = (x: number, y: number) => ({ position: { x, y } })
const ring = (...numbers: number[]) =>
  Array.from({ length: numbers.length / 2 }, (_, i) => ({ x: numbers[2 * i]!, y: numbers[2 * i + 1]! }))
const zeros = (count: number) => ring(...new Array<number>(2 * count).fill(0))
const compound = (...children: object[]) => ({ shape: { type: 'compound', children } })
const point = { shape: { type: 'point' } }
const unit = { shape: { type: 'circle', radius: 1 } }
const box = { shape: { type: 'box', width: 2, height: 2 } }
const square = { shape: { type: 'aabb', min: { x: 0, y: 0 }, max: { x: 1, y: 1 } } }
const segment = (x: number, y: number) => ({ shape: { type: 'segment', a: { x: 0, y: 0 }, b: { x, y } } })
const halfplane = (x: number, y: number, offset: number) => ({ shape: { type: 'halfplane', normal: { x, y }, offset } })

const pair = (b: object) => ({ a: box, b })
const apart = { aContainsB: false, bContainsA: false }
answers('2d', 'overlap', [
  ['overlapping', pair({ ...unit, ...at(1.5, 0) }), is({ overlap: true, relation: 'overlapping' })],
  ['touching', pair({ ...unit, ...at(2, 0) }), is({ overlap: true, relation: 'touching' })],
  ['apart by an ulp', pair({ ...unit, ...at(2 + 2 ** -51, 0) }), is({ overlap: false, relation: 'separated' })],
  ['apart', pair({ ...unit, ...at(3, 0) }), is({ overlap: false, relation: 'separated' })],
  [
    'explains a separation by an axis from A to B with a gap',
    { ...pair({ ...unit, ...at(3.5, 0) }), explain: true },
    is({
      overlap: false,
      relation: 'separated',
      ...apart,
      certificate: { kind: 'separating-axis', normal: { x: 1, y: 0 }, gap: 1.5 },
    }),
  ],
  [
    'explains an overlap by a common point',
    { ...pair({ ...unit, ...at(2, 0) }), explain: true },
    is({
      overlap: true,
      relation: 'touching',
      ...apart,
      certificate: { kind: 'common-point', point: { x: 1, y: 0 } },
    }),
  ],
  [
    'names A as the one that contains B',
    { ...pair(unit), explain: true },
    has({ relation: 'overlapping', aContainsB: true, bContainsA: false }),
  ],
  [
    'names B as the one that contains A',
    { a: unit, b: box, explain: true },
    has({ relation: 'overlapping', aContainsB: false, bContainsA: true }),
  ],
  [
    'has no certificate when none is wanted',
    { ...pair({ ...unit, ...at(2, 0) }), explain: false },
    is({ overlap: true, relation: 'touching' }),
  ],
])
answers('2d', 'batch', [
  [
    'explains an overlap too',
    { queries: [{ op: 'overlap', a: box, b: box, explain: true }] },
    has({ results: [{ aContainsB: true, bContainsA: true }] }),
  ],
])

answers('2d', 'distance', [
  [
    'the distance, the nearest points and the normal from A to B',
    { a: square, b: { ...point, ...at(4, 5) } },
    is({ distance: 5, pointA: { x: 1, y: 1 }, pointB: { x: 4, y: 5 }, normal: { x: 0.6, y: 0.8 } }),
  ],
  [
    '0, a common point and no normal when the bodies overlap',
    { a: square, b: { ...point, ...at(0.5, 0.25) } },
    is({ distance: 0, pointA: { x: 0.5, y: 0.25 }, pointB: { x: 0.5, y: 0.25 }, normal: null }),
  ],
])

const floor = { shape: { type: 'box', width: 10, height: 1 } }
const crateAt = (y: number) => ({ shape: { type: 'box', width: 1, height: 1 }, position: { x: 2, y } })
const corner = (x: number) =>
  expect.objectContaining({
    position: { x, y: 0.4375 },
    separation: -0.125,
    feature: expect.objectContaining({ a: { kind: 'edge', index: 2 } }),
  })
answers('2d', 'contact', [
  [
    'depth, normal and the translation that separates the pair',
    { a: floor, b: crateAt(0.875) },
    is({
      touching: true,
      separation: -0.125,
      normal: { x: 0, y: 1 },
      translation: { x: 0, y: 0.125 },
      exact: true,
      points: expect.toSatisfy((points: object[]) => points.length === 2),
    }),
  ],
  [
    'two points with their features',
    { a: floor, b: crateAt(0.875) },
    has({ points: expect.arrayContaining([corner(1.5), corner(2.5)]) }),
  ],
  [
    'no points of a pair that is further apart than maxDistance',
    { a: floor, b: crateAt(1.25), maxDistance: 0.125 },
    has({ touching: false, separation: 0.25, points: [], translation: { x: 0, y: 0 } }),
  ],
  [
    'points of a pair within maxDistance',
    { a: floor, b: crateAt(1.25), maxDistance: 0.25 },
    has({ points: [{ separation: 0.25 }, {}] }),
  ],
  [
    'no separation of half-planes that no translation separates',
    { a: halfplane(1, 0, 1), b: halfplane(0, 1, 1) },
    has({ touching: true, separation: null, normal: null, points: [], translation: null }),
  ],
])

const line = ring(0.1, 0.1, 0.9, 0.9, 0.1, 0.9)
const lower = { x: 0.3, y: 0.3 - 2 ** -54 }
answers(
  '2d',
  'hull',
  [
    [
      'corners counter-clockwise from the lowest of the leftmost',
      { points: ring(4, 3, 0, 3, 2, 0, 4, 0, 1, 1, 0, 0, 0, 2, 4, 3) },
      is({ vertices: ring(0, 0, 4, 0, 4, 3, 0, 3) }),
    ],
    ['a point on a line', { points: [...line, { x: 0.3, y: 0.3 }] }, is({ vertices: line })],
    [
      'a point an ulp beside that line',
      { points: [...line, lower] },
      is({ vertices: [line[0], lower, line[1], line[2]] }),
    ],
    ['points on a line', { points: ring(1, 1, 3, 3, 2, 2) }, is({ vertices: ring(1, 1, 3, 3) })],
    ['a point twice', { points: ring(5, 6, 5, 6) }, is({ vertices: ring(5, 6) })],
    ['a point', { points: ring(5, 6) }, is({ vertices: ring(5, 6) })],
    ['no points', { points: [] }, refused(400, 'schema-violation', '#/points')],
    ['out of range', { points: ring(0, 0, 1, 2e100) }, refused(422, 'coordinate-out-of-range', '#/points/1/y')],
    ['too many', { points: zeros(11) }, refused(413, 'too-many-vertices', '#/points'), { limit: 10, actual: 11 }],
  ],
  { MAX_VERTICES: '10' },
)

const plank = { shape: { type: 'box', width: 4, height: 2 }, position: { x: 1, y: 1 } }
const reach = Math.hypot(2, 1)
const still = { min: { x: -1, y: 0 }, max: { x: 3, y: 2 } }
const endless = { min: { x: null, y: null }, max: { x: null, y: null } }
const outOfRange = (pointer: string) => refused(422, 'coordinate-out-of-range', pointer)
answers('2d', 'bounds', [
  ['a body', { body: plank }, is(still)],
  ['a moving body now', { body: { ...plank, velocity: { x: 9, y: 9 }, angularVelocity: 1 } }, is(still)],
  [
    'the whole motion',
    { body: { ...plank, velocity: { x: 1, y: -2 } }, duration: 3 },
    is({ min: { x: -1, y: -6 }, max: { x: 6, y: 2 } }),
  ],
  [
    'a turn, tightly',
    { body: { ...plank, angularVelocity: PI / 2 }, duration: 1 },
    is({ min: { x: near(1 - reach), y: near(1 - reach) }, max: { x: near(1 + reach), y: near(1 + reach) } }),
  ],
  [
    'a slight turn, tightly',
    { body: { ...plank, angularVelocity: PI / 4 }, duration: 1 },
    has({ max: { y: near(1 + 3 * Math.SQRT1_2) } }),
  ],
  [
    'null where a half-plane has no bound',
    { body: halfplane(0, 2, 3) },
    is({ min: { x: null, y: null }, max: { x: null, y: 3 } }),
  ],
  ['a tilted half-plane', { body: { ...halfplane(0, 2, 3), rotation: 0.5 } }, is(endless)],
  [
    'all children of a compound',
    { body: compound(plank, { ...unit, ...at(-4, 0) }) },
    is({ min: { x: -5, y: -1 }, max: { x: 3, y: 2 } }),
  ],
  ['a duration out of range', { body: plank, duration: 2e100 }, outOfRange('#/duration')],
  ['a velocity out of range', { body: { ...plank, velocity: { x: 2e100, y: 0 } } }, outOfRange('#/body/velocity/x')],
  ['a position out of range', { body: { ...plank, ...at(2e100, 0) } }, outOfRange('#/body/position/x')],
])

const vertex = (index: number) => ({ kind: 'vertex', index })
const surface = { kind: 'surface', index: 0 }
const crate = { ...plank, ...at(10, 20) }
const slope = { ...halfplane(3, 4, 5), ...at(1, 1) }
const nook = { shape: { type: 'region', outer: ring(0, 0, 9, 0, 9, 9, 3, 3) } }
const nested = compound({ ...compound(point, nook), ...at(1, 0) })
const towards = (body: object, x: number, y: number) => ({ body, direction: { x, y } })
const speck = (y: number) => ({ ...segment(0, y), ...at(3, 1e9) })
const dotAt = (x: number, y: number) => ({ ...point, ...at(x, y) })
const child = (index: number) => has({ feature: { path: [index] } })
answers('2d', 'support', [
  ['a corner', towards(crate, 1, -3), is({ point: { x: 12, y: 19 }, feature: vertex(1) })],
  ['a corner, nearly', towards(crate, -1e-100, 1e100), is({ point: { x: 8, y: 21 }, feature: vertex(3) })],
  [
    'the skin of a capsule',
    towards({ shape: { type: 'capsule', a: { x: 0, y: 0 }, b: { x: 10, y: 0 }, radius: 5 } }, 3, 4),
    is({ point: { x: 13, y: 4 }, feature: vertex(1) }),
  ],
  [
    'a circle, by a tiny direction',
    towards({ shape: { type: 'circle', radius: 5 } }, -3e-90, 4e-90),
    is({ point: { x: -3, y: 4 }, feature: surface }),
  ],
  [
    'an ellipse',
    towards({ shape: { type: 'ellipse', rx: 3, ry: 1 } }, 2, 0),
    is({ point: { x: 3, y: 0 }, feature: surface }),
  ],
  [
    'a turned ellipse',
    towards({ shape: { type: 'ellipse', rx: 3, ry: 1 }, rotation: PI / 2 }, 0, 1),
    has({ point: { y: near(3) } }),
  ],
  [
    'the edge of a half-plane',
    towards(slope, 6, 8),
    is({ point: { x: 4, y: 5 }, feature: { kind: 'edge', index: 0 } }),
  ],
  ['none backwards', towards(slope, -3, -4), is({ point: null, feature: null })],
  ['none beside the normal by an ulp', towards(slope, 3, 4 + 2 ** -50), is({ point: null, feature: null })],
  ['none across', towards(slope, 1, 0), is({ point: null, feature: null })],
  ['none of a compound without an end', towards(compound(crate, slope), 1, 0), is({ point: null, feature: null })],
  [
    'of a compound where it ends',
    towards(compound(crate, slope), 3, 4),
    is({ point: { x: 12, y: 21 }, feature: { ...vertex(2), path: [0] } }),
  ],
  ['the child', towards(nested, 1, 2), is({ point: { x: 10, y: 9 }, feature: { ...vertex(2), path: [0, 1] } })],
  ['a region', towards(nook, -1, 0.1), is({ point: { x: 0, y: 0 }, feature: vertex(0) })],
  ['higher by very little', towards(compound(dotAt(0, 1e9), speck(1e-30)), 0, 1), child(1)],
  ['lower by very little', towards(compound(dotAt(0, 1e9), speck(-1e-30)), 0, 1), child(0)],
  // 0.1 · 0.6 = 0.3 · 0.2 also as doubles; with 0.3 · 0.6 and 0.9 · 0.2 that is not so
  ['a tie', towards(compound(dotAt(0.1, 0.3), dotAt(0.2, 0.6)), 0.6, -0.2), child(0)],
  ['a tie, the other way', towards(compound(dotAt(0.2, 0.6), dotAt(0.1, 0.3)), 0.6, -0.2), child(0)],
  ['no tie', towards(compound(dotAt(0.1, 0.3), dotAt(0.3, 0.9)), 0.6, -0.2), child(0)],
  ['no tie, the other way', towards(compound(dotAt(0.3, 0.9), dotAt(0.1, 0.3)), 0.6, -0.2), child(1)],
  ['no direction', towards(crate, 0, -0), refused(422, 'direction-zero', '#/direction')],
  ['a direction out of range', towards(crate, 0, 2e100), outOfRange('#/direction/y')],
  ['a rotation out of range', towards({ ...crate, rotation: -2e100 }, 0, 1), outOfRange('#/body/rotation')],
])

const triangle = { shape: { type: 'polygon', vertices: ring(0, 0, 0, 1, 1, 0) } }
const add = (a: object, b: object) => ({ a, b, operation: 'sum' })
const subtract = (a: object, b: object) => ({ a, b, operation: 'difference' })
const ten = { ...box, ...at(10, 0) }
const five = { ...triangle, ...at(0, 5) }
const tiny = (x: number) => ({ ...segment(2 ** -53, 0), ...at(x, 0) })
const sliver = { shape: { type: 'polygon', vertices: ring(0, 0, 1, 0, 0.5, 2 ** -40) }, ...at(0, 2 ** 20) }
const three = { shape: { type: 'circle', radius: 3 }, ...at(10, 20) }
const summed = ring(-1, -1, 1, -1, 2, -1, 2, 1, 1, 2, -1, 2).filter((_, i) => i !== 1)
const unsupported = (
  [
    ['ellipse', { type: 'ellipse', rx: 1, ry: 2 }],
    ['halfplane', { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 0 }],
    ['chain', { type: 'chain', vertices: ring(0, 0, 1, 1) }],
    ['region', { type: 'region', outer: ring(0, 0, 1, 0, 0, 1) }],
    ['compound', { type: 'compound', children: [box] }],
  ] as const
).flatMap(([type, shape]): Row[] => [
  [
    `no ${type} as A`,
    add({ shape }, box),
    refused(422, 'minkowski-shape-unsupported', '#/a/shape/type'),
    { detail: expect.stringContaining(type) },
  ],
  [
    `no ${type} as B`,
    add(box, { shape }),
    refused(422, 'minkowski-shape-unsupported', '#/b/shape/type'),
    { detail: expect.stringContaining(type) },
  ],
])
const cloud = ring(3, 1, 0, 5, 2, 2)
answers('2d', 'fit', [
  [
    'two corners in any order',
    { points: ring(5, 1, 2, 3), shape: 'aabb' },
    has({ body: { shape: { type: 'aabb', min: { x: 2, y: 1 }, max: { x: 5, y: 3 } } }, measure: 6 }),
  ],
  [
    'a circle about points',
    { points: ring(0, 0, 6, 0, 6, 8), shape: 'circle' },
    has({ body: { shape: { type: 'circle', radius: 5 }, ...at(3, 4) } }),
  ],
  [
    'a circle about a union of circles',
    { body: compound(unit, { ...unit, ...at(4, 0) }), shape: 'circle' },
    has({ body: { shape: { type: 'circle', radius: 3 }, ...at(2, 0) } }),
  ],
  [
    'a box by its perimeter',
    { body: { ...box, ...at(1, 1) }, shape: 'box', least: 'perimeter' },
    has({ body: { ...box, ...at(1, 1) }, measure: 8 }),
  ],
  ['a capsule about a segment', { body: segment(4, 0), shape: 'capsule' }, has({ measure: 0, lower: 0 })],
  [
    'of a region by its hull',
    { body: { shape: { type: 'region', outer: ring(0, 0, 4, 0, 1, 1, 0, 4) } }, shape: 'circle' },
    has({ body: { ...at(2, 2) } }),
  ],
  ['neither body nor points', { shape: 'box' }, refused(400, 'schema-violation', null)],
  ['both', { body: box, points: cloud, shape: 'box' }, refused(400, 'schema-violation', '#/points')],
  ['no points', { points: [], shape: 'box' }, refused(400, 'schema-violation', '#/points')],
  ['a half-plane', { body: halfplane(0, 1, 0), shape: 'circle' }, refused(422, 'shape-unbounded', '#/body/shape')],
  [
    'a half-plane in a union',
    { body: compound(unit, halfplane(0, 1, 0)), shape: 'aabb' },
    refused(422, 'shape-unbounded', '#/body/shape'),
  ],
  ['too far', { points: ring(1e101, 0), shape: 'box' }, refused(422, 'coordinate-out-of-range', '#/points/0/x')],
  [
    'too large an answer',
    { points: ring(1e100, 0, -1e100, 0), shape: 'box' },
    refused(422, 'answer-out-of-range', null),
  ],
])
answers(
  '2d',
  'fit',
  [
    [
      'more points than are taken',
      { points: zeros(11), shape: 'circle' },
      refused(413, 'too-many-vertices', '#/points'),
    ],
  ],
  { MAX_VERTICES: '10' },
)
answers('3d', 'fit', [
  [
    'two corners in any order',
    {
      points: [
        { x: 1, y: 5, z: 0 },
        { x: 2, y: 3, z: -1 },
      ],
      shape: 'aabb',
    },
    has({ body: { shape: { min: { x: 1, y: 3, z: -1 }, max: { x: 2, y: 5, z: 0 } } }, measure: 2 }),
  ],
  [
    'a sphere about a cone',
    { body: { shape: { type: 'cone', radius: 4, height: 8 } }, shape: 'sphere' },
    has({ body: { shape: { type: 'sphere', radius: 5 }, position: { x: 0, y: -1, z: 0 } } }),
  ],
  [
    'a half-space',
    { body: { shape: { type: 'halfspace', normal: { x: 0, y: 1, z: 0 }, offset: 0 } }, shape: 'box' },
    refused(422, 'shape-unbounded', '#/body/shape'),
  ],
])

answers('3d', 'slice', [
  [
    'a half-space',
    {
      body: { shape: { type: 'halfspace', normal: { x: 0, y: 1, z: 0 }, offset: 0 } },
      plane: { normal: { x: 0, y: 0, z: 1 }, offset: 0 },
    },
    refused(422, 'shape-unbounded', '#/body/shape'),
  ],
  [
    'a normal of 0',
    { body: { shape: { type: 'sphere', radius: 1 } }, plane: { normal: { x: 0, y: 0, z: 0 }, offset: 0 } },
    refused(422, 'direction-zero', '#/plane/normal'),
  ],
  [
    'a ball by a normal of any length',
    { body: { shape: { type: 'sphere', radius: 5 } }, plane: { normal: { x: 0, y: -7, z: 0 }, offset: 3 } },
    has({
      frame: { origin: { x: 0, y: -3, z: 0 } },
      bodies: [{ shape: { type: 'circle', radius: 4 }, position: { x: 0, y: 0 } }],
    }),
  ],
  [
    'what reaches beyond all coordinates',
    {
      body: { shape: { type: 'box', size: { x: 1e100, y: 1e100, z: 1 } }, position: { x: 1e100, y: 1e100, z: 0 } },
      plane: { normal: { x: 0, y: 0, z: 1 }, offset: 0 },
    },
    refused(422, 'answer-out-of-range', null),
  ],
])

answers('2d', 'minkowski', [
  ['a sum', add(ten, five), is({ vertices: ring(9, 4, 12, 4, 12, 6, 11, 7, 9, 7), radius: 0 })],
  ['a sum, where nothing is said', { a: box, b: triangle }, is({ vertices: summed, radius: 0 })],
  ['the sum of the two', add(box, triangle), is({ vertices: summed, radius: 0 })],
  [
    'a difference, with parallel edges merged',
    subtract(ten, five),
    is({ vertices: ring(8, -6, 9, -7, 11, -7, 11, -4, 8, -4), radius: 0 }),
  ],
  ['a box less itself', subtract(box, box), has({ vertices: ring(-2, -2, 2, -2, 2, 2, -2, 2) })],
  [
    'radii added up',
    add(
      { shape: { ...box.shape, radius: 0.25 } },
      { shape: { type: 'capsule', a: { x: 0, y: 0 }, b: { x: 0, y: 2 }, radius: 0.5 } },
    ),
    is({ vertices: ring(-1, -1, 1, -1, 1, 3, -1, 3), radius: 0.75 }),
  ],
  ['one vertex of points', add(dotAt(1, 2), three), is({ vertices: ring(11, 22), radius: 3 })],
  ['one vertex of their difference', subtract(dotAt(1, 2), three), is({ vertices: ring(-9, -18), radius: 3 })],
  [
    'two vertices of segments that are parallel in doubles',
    add(segment(0.1, 0.3), segment(0.2, 0.6)),
    has({ vertices: [{}, {}] }),
  ],
  ['two vertices of opposite segments', add(segment(1, 3), segment(-2, -6)), has({ vertices: ring(-2, -6, 1, 3) })],
  ['four of others', add(segment(1, 3), segment(1, 0)), has({ vertices: ring(0, 0, 1, 0, 2, 3, 1, 3) })],
  ['a segment and a point', add(segment(1, 3), dotAt(1, 2)), has({ vertices: ring(1, 2, 2, 5) })],
  ['corners rounded once', add(tiny(1), tiny(1)), has({ vertices: ring(2, 0) })],
  ['corners rounded once, near 0', add(tiny(1), tiny(-1)), has({ vertices: ring(0, 0, 2 ** -52, 0) })],
  ['no corners that rounding has made collinear', add(sliver, point), has({ vertices: ring(0, 2 ** 20, 1, 2 ** 20) })],
  ...unsupported,
  ['no other operation', { a: box, b: box, operation: 'product' }, refused(400, 'schema-violation', '#/operation')],
])

const moving = { shape: { type: 'circle', radius: 0.5 } }
const cast = (targets: object[], more: object = {}) => ({ body: moving, translation: { x: 8, y: 0 }, targets, ...more })
const wallAt = (x: number) => ({ ...box, ...at(x, 0) })
const hitsOf = (...targets: number[]) => has({ hits: targets.map((target) => ({ target })) })
const bar = { body: segment(2, 0), translation: { x: 0, y: 0 } }
answers('2d', 'shape-cast', [
  [
    'the nearest hit in full',
    cast([wallAt(6), wallAt(3.5)]),
    is({
      hits: [
        {
          target: 1,
          distance: 2,
          fraction: 0.25,
          point: { x: 2.5, y: 0 },
          normal: { x: -1, y: 0 },
          feature: { kind: 'edge', index: 3 },
          startedInside: false,
          exit: { distance: 5, fraction: 0.625 },
          status: 'converged',
        },
      ],
    }),
  ],
  [
    'all hits from near to far, ties by target',
    cast([wallAt(6), wallAt(3.5), wallAt(-5), wallAt(6), wallAt(3.5)], { mode: 'all' }),
    hitsOf(1, 4, 0, 3),
  ],
  ['any: the first of the list', cast([wallAt(-5), wallAt(6), wallAt(3.5)], { mode: 'any' }), hitsOf(1)],
  ['the earlier one of a tie', cast([wallAt(6), wallAt(6)]), hitsOf(0)],
  ['no targets', cast([]), is({ hits: [] })],
  ['a miss', cast([wallAt(-5)], { mode: 'all' }), is({ hits: [] })],
  ['no exit after the motion', cast([wallAt(8)]), has({ hits: [{ fraction: 0.8125, exit: null }] })],
  [
    'what the body meets before it moves',
    cast([wallAt(-1.25)], { translation: { x: 1, y: 0 } }),
    has({
      hits: [
        {
          distance: 0,
          fraction: 0,
          normal: { x: 1, y: 0 },
          point: { x: -0.375, y: 0 },
          startedInside: true,
          exit: { distance: 0.25, fraction: 0.25 },
        },
      ],
    }),
  ],
  ['a target that it leaves', cast([wallAt(-1.5)]), hitsOf(0)],
  ['a target that it leaves, ignored', cast([wallAt(-1.5)], { ignoreSeparating: true }), is({ hits: [] })],
  [
    'no translation: what the body meets where it is',
    cast([wallAt(0), wallAt(5)], { translation: { x: 0, y: 0 }, mode: 'all' }),
    has({ hits: [{ target: 0, distance: 0, fraction: 0, exit: null }] }),
  ],
  ['a bar beside a pin', cast([dotAt(0, 1)], bar), is({ hits: [] })],
  [
    'a bar that turns',
    cast([dotAt(0, 1)], { ...bar, rotation: PI }),
    has({ hits: [{ target: 0, distance: 0, fraction: near(0.5) }] }),
  ],
  [
    'the child of a compound',
    cast([compound(compound(wallAt(9), wallAt(3.5)))]),
    has({ hits: [{ fraction: 0.25, feature: { kind: 'edge', index: 3, path: [0, 1] } }] }),
  ],
  ['a translation out of range', cast([], { translation: { x: 2e100, y: 0 } }), outOfRange('#/translation/x')],
  ['a rotation out of range', cast([], { rotation: -2e100 }), outOfRange('#/rotation')],
  ['a position out of range', cast([], { body: { ...moving, ...at(0, 2e100) } }), outOfRange('#/body/position/y')],
  ['a target out of range', cast([wallAt(0), { ...moving, rotation: 2e100 }]), outOfRange('#/targets/1/rotation')],
])
answers(
  '2d',
  'shape-cast',
  [
    [
      'more targets than MAX_TARGETS',
      cast([moving, moving]),
      refused(413, 'too-many-targets', '#/targets'),
      { limit: 1, actual: 2 },
    ],
  ],
  { MAX_TARGETS: '1' },
)

/** Area, centroid and inertia, and the mass of density 1, to 10 digits. */
const mass = (area: number, x: number, y: number, inertia: number) =>
  is({
    area: near(area, 10),
    mass: near(area, 10),
    centroid: { x: near(x, 10), y: near(y, 10) },
    inertia: near(inertia, 10),
  })
const none = (x: number, y: number) => is({ area: 0, mass: 0, centroid: { x, y }, inertia: 0 })
const weighed = (shape: object, density?: number) => (density === undefined ? { shape } : { shape, density })
const sided = { type: 'box', width: 4, height: 2 }
/** A square and two half discs whose centroids lie 4/3π beyond its sides. */
const halves = PI / 2 - PI * (4 / (3 * PI)) ** 2 + PI * (1 + 4 / (3 * PI)) ** 2
/** A square with its corners cut out, and quarter discs in their place. */
const r = 0.5
const side = 2 + 2 * r
const corners = 4 * ((r * r * (2 * r * r)) / 12 + r * r * 2 * (1 + r / 2) ** 2)
const far = (4 * r) / (3 * PI)
const discs = (PI * r ** 4) / 2 - PI * r * r * 2 * far ** 2 + PI * r * r * 2 * (1 + far) ** 2
const outer = ring(0, 0, 4, 0, 4, 4, 0, 4)
const y = (16 * 2 - 2 * 1.5) / 14
const holed = (16 * 32) / 12 + 16 * (2 - y) ** 2 - (2 * 5) / 12 - 2 * (1.5 - y) ** 2
const pieces = (...children: object[]) => weighed(compound(...children).shape)
const chain = (loop: boolean, ...numbers: number[]) =>
  weighed({ type: 'chain', vertices: ring(...numbers), ...(loop ? { loop } : {}) })
const endlessShape = halfplane(0, 1, 0).shape
answers(
  '2d',
  'mass',
  [
    ['a circle', weighed({ type: 'circle', radius: 2 }), mass(4 * PI, 0, 0, 8 * PI)],
    ['a box', weighed(sided), mass(8, 0, 0, (8 * 20) / 12)],
    ['an aabb', weighed({ type: 'aabb', min: { x: 1, y: 2 }, max: { x: 4, y: 3 } }), mass(3, 2.5, 2.5, (3 * 10) / 12)],
    ['an ellipse', weighed({ type: 'ellipse', rx: 3, ry: 2 }), mass(6 * PI, 0, 0, (6 * PI * 13) / 4)],
    ['a polygon', weighed({ type: 'polygon', vertices: ring(0, 0, 0, 3, 6, 0) }), mass(9, 2, 1, (9 * 45) / 18)],
    [
      'a capsule',
      weighed({ type: 'capsule', a: { x: -1, y: 5 }, b: { x: 1, y: 5 }, radius: 1 }),
      mass(4 + PI, 0, 5, (4 * 8) / 12 + halves),
    ],
    [
      'a rounded box',
      weighed({ type: 'box', width: 2, height: 2, radius: r }),
      mass(side * side - (4 - PI) * r * r, 0, 0, side ** 4 / 6 - corners + discs),
    ],
    ['a region', weighed({ type: 'region', outer }), mass(16, 2, 2, (16 * 32) / 12)],
    [
      'a region with a hole',
      weighed({ type: 'region', outer, holes: [ring(1, 1, 3, 1, 3, 2, 1, 2)] }),
      mass(14, 2, y, holed),
    ],
    [
      'children',
      pieces(box, { ...box, position: { x: 6, y: 0 }, rotation: PI / 2 }),
      mass(8, 3, 0, 2 * ((4 * 8) / 12) + 8 * 9),
    ],
    ['children that overlap, twice', pieces(box, box), mass(8, 0, 0, (8 * 8) / 12)],
    [
      'a mass that is the area, to the last bit',
      weighed({ type: 'circle', radius: 2 }),
      is(expect.toSatisfy(({ area, mass }) => area === mass)),
    ],
    ['a density', weighed(sided, 0.5), has({ area: 8, mass: 4, inertia: near((4 * 20) / 12) })],
    ['a density of 0', weighed(sided, 0), has({ area: 8, mass: 0, inertia: 0 })],
    ['a point', weighed(point.shape), none(0, 0)],
    ['a circle of radius 0', weighed({ type: 'circle', radius: 0 }), none(0, 0)],
    ['a segment', weighed({ type: 'segment', a: { x: 1, y: 1 }, b: { x: 3, y: 5 } }), none(2, 3)],
    ['a flat box', weighed({ type: 'box', width: 4, height: 0 }), none(0, 0)],
    ['a chain', chain(false, 0, 0, 4, 0, 4, 4), none(3, 1)],
    ['a closed chain', chain(true, 0, 0, 3, 0, 3, 4), none((4.5 + 12 + 7.5) / 12, (0 + 8 + 10) / 12)],
    ['a chain of one point', chain(false, 7, 8, 7, 8), none(7, 8)],
    ['a flat region', weighed({ type: 'region', outer: ring(0, 0, 4, 4, 2, 2) }), none(2, 2)],
    ['a flat polygon', weighed({ type: 'polygon', vertices: ring(0, 0, 4, 4, 2, 2) }), none(2, 2)],
    ['points alone', pieces(dotAt(1, 0), dotAt(4, 0)), has({ centroid: { x: 2.5, y: 0 } })],
    [
      'a segment among points: it counts alone',
      pieces(dotAt(100, 0), { ...segment(2, 0), ...at(4, 0) }),
      has({ centroid: { x: 5, y: 0 } }),
    ],
    [
      'a circle among segments: it counts alone',
      pieces(dotAt(100, 0), { ...segment(2, 0), ...at(4, 0) }, { ...unit, ...at(8, 0) }),
      has({ centroid: { x: 8, y: 0 } }),
    ],
    ['no half-plane', weighed(endlessShape), refused(422, 'shape-unbounded', '#/shape/type')],
    [
      'no half-plane within',
      pieces(compound(point, { shape: endlessShape })),
      refused(422, 'shape-unbounded', '#/shape/children/0/shape/children/1/shape/type'),
    ],
    ['an answer too large', weighed({ type: 'circle', radius: 1e90 }), refused(422, 'answer-out-of-range', '#/shape')],
    ['a radius out of range', weighed({ type: 'circle', radius: 2e100 }), outOfRange('#/shape/radius')],
    ['a density out of range', weighed(point.shape, 2e100), outOfRange('#/density')],
    ['a negative density', weighed(point.shape, -1), refused(400, 'schema-violation', '#/density')],
    [
      'too many vertices',
      weighed({ type: 'chain', vertices: zeros(11) }),
      refused(413, 'too-many-vertices', '#/shape/vertices'),
    ],
  ],
  { MAX_VERTICES: '10' },
)

const at3 = (x: number, y: number, z: number) => ({ position: { x, y, z } })
const half = { shape: { type: 'halfspace', normal: { x: 0, y: -2, z: 0 }, offset: 1 }, ...at3(7, 5, 9) }
const hull = {
  shape: {
    type: 'hull',
    points: [
      { x: 0, y: 0, z: 0 },
      { x: 1, y: 0, z: 0 },
      { x: 0, y: 1, z: 0 },
      { x: 0, y: 0, z: 1 },
      { x: 0, y: 0, z: 1 },
    ],
    radius: 3,
  },
  ...at3(10, 20, 30),
}
const noBound = { x: null, y: null, z: null }
const wall = { shape: { type: 'box', size: { x: 8, y: 6, z: 2 } }, angularVelocity: { x: 0, y: 0, z: PI / 2 } }
const anySpeed = [1e-300, 1e-100, 1e100].flatMap((rate) =>
  [0, 1e-300, -1e100].flatMap((speed) =>
    [wall.shape, { type: 'cone', radius: 1, height: 2 }].map(
      (shape): Row => [
        `a ${shape.type} that moves at ${speed} and turns at ${rate}, for any time`,
        {
          body: { shape, velocity: { x: speed, y: 0, z: 0 }, angularVelocity: { x: rate, y: 0, z: rate } },
          duration: 1e100,
        },
        has({}),
      ],
    ),
  ),
)
answers('3d', 'bounds', [
  ['a body', { body: hull }, is({ min: { x: 7, y: 17, z: 27 }, max: { x: 14, y: 24, z: 34 } })],
  ['null where there is no bound', { body: half }, is({ min: { ...noBound, y: 4 }, max: noBound })],
  [
    'a turned body',
    { body: { shape: { type: 'box', size: { x: 2, y: 4, z: 6 } }, orientation: { x: 0.5, y: 0.5, z: 0.5, w: 0.5 } } },
    is({ min: { x: -3, y: -1, z: -2 }, max: { x: 3, y: 1, z: 2 } }),
  ],
  ['a turn', { body: wall, duration: 1 }, has({ min: { x: near(-5) }, max: { y: near(5), z: near(1) } })],
  [
    'a half-space that moves',
    { body: { ...half, velocity: { x: 1, y: -2, z: 1 } }, duration: 1 },
    is({ min: { ...noBound, y: 2 }, max: noBound }),
  ],
  ...anySpeed,
  [
    'a velocity out of range',
    { body: { ...wall, velocity: { x: 1e101, y: 0, z: 0 } } },
    outOfRange('#/body/velocity/x'),
  ],
])

const along = (body: object, x: number, y: number, z: number) => ({ body, direction: { x, y, z } })
answers('3d', 'support', [
  [
    'the point of the caller, of equal ones the first',
    along(hull, 0, 0, 5),
    is({ point: { x: 10, y: 20, z: 34 }, feature: { kind: 'vertex', vertices: [3] } }),
  ],
  ['none without an end', along(half, 0, 1, 0), is({ point: null, feature: null })],
  [
    'the face of a half-space along its normal',
    along(half, 0, -1e90, 0),
    is({ point: { x: 7, y: 4, z: 9 }, feature: { kind: 'face', vertices: [] } }),
  ],
  ['no direction', along(hull, 0, -0, 0), refused(422, 'direction-zero', '#/direction')],
])

const cube = { shape: { type: 'box', size: { x: 2, y: 2, z: 2 } } }
const ball = { shape: { type: 'sphere', radius: 3 }, ...at3(10, 20, 30) }
const dot3 = { ...point, ...at3(1, 2, 3) }
const tiny3 = (x: number) => ({
  shape: { type: 'segment', a: { x: 0, y: 0, z: 0 }, b: { x: 2 ** -53, y: 0, z: 0 } },
  ...at3(x, 0, 0),
})
/** A ring of so many points that the sum of two that cross has too many corners. */
const crossing = (place: (c: number, s: number) => object) => ({
  shape: { type: 'hull', points: Array.from({ length: 600 }, (_, k) => place(Math.cos(k / 96), Math.sin(k / 96))) },
})
const unsupported3 = (
  [
    ['cylinder', { type: 'cylinder', radius: 1, height: 2 }],
    ['cone', { type: 'cone', radius: 1, height: 2 }],
    ['ellipsoid', { type: 'ellipsoid', radii: { x: 1, y: 2, z: 3 } }],
    ['halfspace', { type: 'halfspace', normal: { x: 0, y: 1, z: 0 }, offset: 0 }],
  ] as const
).flatMap(([type, shape]): Row[] => {
  const pointing = (pointer: string) => ({ errors: [{ pointer, detail: expect.stringContaining(type) }] })
  return [
    [
      `no ${type} as A`,
      { a: { shape }, b: cube },
      refused(422, 'minkowski-shape-unsupported', '#/a/shape/type'),
      pointing('#/a/shape/type'),
    ],
    [
      `no ${type} as B`,
      { a: cube, b: { shape } },
      refused(422, 'minkowski-shape-unsupported', '#/b/shape/type'),
      pointing('#/b/shape/type'),
    ],
  ]
})
answers('3d', 'minkowski', [
  [
    'a sum',
    { a: cube, b: cube },
    is({
      vertices: [-2, 2].flatMap((x) => [-2, 2].flatMap((y) => [-2, 2].map((z) => ({ x, y, z })))),
      faces: [
        [0, 1, 3, 2],
        [0, 2, 6, 4],
        [0, 4, 5, 1],
        [1, 5, 7, 3],
        [2, 3, 7, 6],
        [4, 6, 7, 5],
      ],
      radius: 0,
    }),
  ],
  ['a point and a ball', { a: dot3, b: ball }, is({ vertices: [{ x: 11, y: 22, z: 33 }], faces: [], radius: 3 })],
  ['a point less a ball', subtract(dot3, ball), is({ vertices: [{ x: -9, y: -18, z: -27 }], faces: [], radius: 3 })],
  [
    'corners rounded once',
    { a: tiny3(1), b: tiny3(-1) },
    has({
      vertices: [
        { x: 0, y: 0, z: 0 },
        { x: 2 ** -52, y: 0, z: 0 },
      ],
    }),
  ],
  ...unsupported3,
  [
    'an answer with too many corners',
    { a: crossing((x, y) => ({ x, y, z: 0 })), b: crossing((x, z) => ({ x, y: 0, z })) },
    refused(413, 'too-many-vertices', null),
    { detail: expect.stringContaining('131072') },
  ],
])
