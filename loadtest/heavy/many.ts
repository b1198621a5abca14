// Many bodies and many queries: pairs and batches.

import { seeded } from '../measuring/random-body.ts'
import { box, disc, many, placed, point, polygon, region, SUBNORMAL_PAIR, scattered } from './bodies.ts'
import { at, circular, star } from './outlines.ts'
import { type HeavyRequest, LINES, query, share } from './request.ts'

const between = seeded(404)

const pairs: HeavyRequest[] = [
  query('pairs', '100,000 bodies, about two pairs each', (size) => ({
    bodies: scattered(between, share(100_000, size), Math.sqrt(share(100_000, size)), (i) =>
      i % 2 === 0 ? { type: 'circle', radius: 0.5 } : { type: 'box', width: 1, height: 0.8 },
    ),
  })),
  query('pairs', '100,000 circles in one place', (size) => ({ bodies: many(share(100_000, size), () => disc()) })),
  query('pairs', '100,000 boxes by brute force', (size) => ({
    bodies: scattered(between, share(100_000, size), 1e4, () => ({ type: 'box', width: 1, height: 1 })),
    method: 'brute-force',
    phase: 'broad',
  })),
  query('pairs', '100,000 boxes of every size in cells of 1e-100', (size) => ({
    bodies: scattered(between, share(100_000, size), 1e4, (i) => ({ type: 'circle', radius: 2 ** ((i % 60) - 50) })),
    method: 'spatial-hash',
    cellSize: 1e-100,
    phase: 'broad',
  })),
  query('pairs', '50,000 walls across as many, sweep and prune', (size) => ({
    bodies: many(share(100_000, size), (i) =>
      i % 2 === 0
        ? placed({ shape: { type: 'box', width: 1e6, height: 1e-3 } }, 0, i)
        : placed({ shape: { type: 'box', width: 1e-3, height: 1e6 } }, i, 0),
    ),
    method: 'sweep-and-prune',
  })),
  query('pairs', '10 stars of 10,000 in one place', (size) => ({
    bodies: many(10, (i) => placed(region(star(share(10_000, size, 8))), 0.01 * i, 0, 0.1 * i)),
  })),
  query('pairs', '10,000 ellipses in one place', (size) => ({
    bodies: many(share(10_000, size), (i) => placed({ shape: { type: 'ellipse', rx: 1, ry: 0.01 } }, 0, 0, i)),
  })),
  query('pairs', '100,000 bodies below the normal doubles', (size) => ({
    bodies: many(share(100_000, size), (i) => placed(disc(5e-324), 5e-324 * (i % 300), 5e-324 * Math.floor(i / 300))),
  })),
]

/** Short ones of every kind. */
const MIXED = [
  { op: 'contact', a: disc(), b: placed(point, 0.5, 0) },
  { op: 'overlap', a: disc(), b: placed(box, 1.5, 0), explain: true },
  { op: 'distance', a: disc(), b: placed(box, 3, 0) },
  { op: 'mass', shape: box.shape },
  { op: 'support', body: box, direction: at(1, 1) },
  { op: 'bounds', body: { ...box, angularVelocity: 1 }, duration: 1 },
  { op: 'ray-cast', ray: { origin: at(-3, 0), direction: at(1, 0) }, targets: [disc()] },
  { op: 'time-of-impact', a: disc(), b: { ...placed(point, 5, 0), velocity: at(-1, 0) }, duration: 9 },
]

/** A pair of a few kilobytes that takes some milliseconds. */
const heavyPair = (i: number) => ({
  op: 'contact',
  a: region(round6(star(180))),
  b: placed(region(round6(star(180, 0.4))), 0.2 + i / 1e4, 0.1, 0.02),
})

const round6 = (ring: ReturnType<typeof star>) => ring.map(({ x, y }) => at(Number(x.toFixed(6)), Number(y.toFixed(6))))

const list = (name: string, make: (size: number) => object[]): HeavyRequest => ({
  name: `batch: ${name}`,
  path: '/v1/2d/batch',
  body: (size) => JSON.stringify({ queries: make(size) }),
})

const lines = (name: string, make: (size: number) => object[]): HeavyRequest => ({
  name: `lines: ${name}`,
  path: '/v1/2d/batch',
  type: LINES,
  streams: true,
  body: (size) =>
    make(size)
      .map((each) => `${JSON.stringify(each)}\n`)
      .join(''),
})

const mixed = (size: number) => many(share(100_000, size), (i) => MIXED[i % MIXED.length]!)
const heavy = (size: number) => many(share(1000, size), heavyPair)
const shortHeavy = (size: number) =>
  many(share(50, size), (i) => ({
    op: 'table',
    a: many(300, (k) => placed(polygon(3), k / 9, i, k)),
    b: many(300, (k) => placed(polygon(3), k / 9, i + 1, -k)),
    measure: 'separation',
  }))

const batches: HeavyRequest[] = [
  list('100,000 mixed queries', mixed),
  list('1,000 contacts of stars of 180', heavy),
  list('50 tables of 90,000 cells', shortHeavy),
  list('10,000 contacts below the normal doubles', (size) =>
    many(share(10_000, size), () => ({ op: 'contact', ...SUBNORMAL_PAIR })),
  ),
  lines('100,000 mixed queries', mixed),
  lines('1,000 contacts of stars of 180', heavy),
  lines('one of a region of 100,000', (size) => [
    { op: 'contact', a: region(circular(share(100_000, size))), b: region(star(share(100_000, size, 8))) },
  ]),
]

export const heavyMany: readonly HeavyRequest[] = [...pairs, ...batches]
