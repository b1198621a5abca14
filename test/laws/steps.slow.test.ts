// The steps of a request are at most a stated function of its size, whatever its numbers are.

import { describe, expect, it } from 'vitest'
import type { Body2d, Shape2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { countSteps, OutOfBudget, within } from '../../src/containers/budget.ts'
import type { QueryLimits } from '../../src/queries/ask/query.ts'
import { boundsQuery } from '../../src/queries/stateless/bounds.ts'
import { decomposeQuery } from '../../src/queries/stateless/decompose.ts'
import { hullQuery } from '../../src/queries/stateless/hull.ts'
import { massQuery } from '../../src/queries/stateless/mass.ts'
import { minkowskiQuery } from '../../src/queries/stateless/minkowski.ts'
import { pairsQuery } from '../../src/queries/stateless/pairs.ts'
import { repairQuery } from '../../src/queries/stateless/repair.ts'
import { supportQuery } from '../../src/queries/stateless/support.ts'
import { tableQuery } from '../../src/queries/stateless/table.ts'
import { validateQuery } from '../../src/queries/stateless/validate.ts'
import { HOSTILE_OUTLINES, HOSTILE_POINTS, ringOf } from '../support/families/hostile-shapes.ts'

const limits: QueryLimits = {
  maxVertices: 1e6,
  maxParts: 1e5,
  maxTargets: 1e5,
  maxImpacts: 1e3,
  maxBodies: 1e5,
  maxPairs: 1e6,
  maxCells: 1e6,
}

interface OfTheDimension {
  answer(request: never, limits: QueryLimits): object
}

type Asked = OfTheDimension | { '2d': OfTheDimension }

function ask(query: Asked, request: object): object {
  return ('2d' in query ? query['2d'] : query).answer(request as never, limits)
}

function steps(query: Asked, request: object): number {
  return countSteps(() => ask(query, request)).steps
}

const nLogN = (n: number): number => n * Math.ceil(Math.log2(n + 2))

/** Each of a few sizes, twice the one before. */
const SIZES = [250, 500, 1000]

/** Ways to write the same shape small, large and far away. */
const PLACES: [string, (p: Vec2) => Vec2][] = [
  ['as it is', (p) => p],
  ['subnormal', ({ x, y }) => ({ x: x * 2 ** -1066, y: y * 2 ** -1066 })],
  ['a billion away', ({ x, y }) => ({ x: x + 1e9, y: y - 1e9 })],
  ['huge', ({ x, y }) => ({ x: x * 1e96, y: y * 1e96 })],
]

/** [query, what it is asked about an outline, most steps] */
type Law = [name: string, query: Asked, request: (ring: Vec2[]) => object, most: (n: number) => number]

const region = (ring: Vec2[]): Shape2d => ({ type: 'region', outer: ring })
const chain = (ring: Vec2[]): Shape2d => ({ type: 'chain', vertices: ring, loop: true })

const ofOutlines: Law[] = [
  ['mass', massQuery, (ring) => ({ shape: region(ring) }), (n) => 1000 + 16 * nLogN(n)],
  ['validate', validateQuery, (ring) => ({ shape: region(ring) }), (n) => 2 ** 18 + 64 * nLogN(n)],
  ['validate (chain)', validateQuery, (ring) => ({ shape: chain(ring) }), (n) => 1000 + 8 * nLogN(n)],
  ['bounds', boundsQuery, (ring) => ({ body: turning(chain(ring)), duration: 9 }), (n) => 1000 + 8 * nLogN(n)],
  [
    'support',
    supportQuery,
    (ring) => ({ body: { shape: chain(ring), rotation: 1 }, direction: { x: 1, y: 1e-300 } }),
    (n) => 1000 + 8 * nLogN(n),
  ],
  [
    'repair',
    repairQuery,
    (ring) => ({ rings: [ring.slice(0, 200)], rule: 'evenodd' }),
    (n) => 2 ** 20 + 64 * n * nLogN(n),
  ],
  ['hull', hullQuery, (ring) => ({ points: ring }), (n) => 1000 + 8 * nLogN(n)],
  [
    'decompose (triangles)',
    decomposeQuery,
    (ring) => ({ region: region(ring), method: 'triangles' }),
    (n) => 1000 + 64 * nLogN(n),
  ],
  ['decompose (exact)', decomposeQuery, (ring) => ({ region: region(ring) }), (n) => 2 ** 23 + 128 * nLogN(n)],
  [
    'decompose (approximate)',
    decomposeQuery,
    (ring) => ({ region: region(ring), method: 'approximate', maxPieces: 16 }),
    (n) => 2 ** 25 + 512 * nLogN(n),
  ],
]

function turning(shape: Shape2d) {
  return { shape, velocity: { x: 1, y: 2 }, angularVelocity: 3 }
}

describe.each(ofOutlines)('%s', (_name, query, request, most) => {
  it.each(Object.entries({ ...HOSTILE_OUTLINES, ...HOSTILE_POINTS }))('takes few steps for %s', (_kind, create) => {
    for (const [place, move] of PLACES) {
      for (const size of SIZES) {
        const ring = create(size).map(move)
        const taken = steps(query, request(ring))
        expect({ place, size, taken }).toEqual({ place, size, taken: Math.min(taken, most(ring.length)) })
        expect(taken).toBeGreaterThan(ring.length)
      }
    }
  })
})

describe('nested holes', () => {
  it('are told apart in few steps', () => {
    for (const count of [200, 400, 800]) {
      const holes = Array.from({ length: count }, (_, k) => ringOf(3, 1 - k / count))
      const shape = {
        type: 'region',
        outer: ringOf(3, 1)
          .reverse()
          .map(({ x, y }) => ({ x: x - 9, y })),
        holes,
      }
      expect(steps(validateQuery, { shape })).toBeLessThan(100 * nLogN(3 * count))
    }
  })
})

/** Where many bodies lie: what their boxes make hard for a broad phase. */
const CROWDS: Record<string, (i: number, n: number) => Body2d> = {
  'in one place': () => ({ shape: { type: 'box', width: 1, height: 1 } }),
  'on a line': (i) => ({ shape: { type: 'circle', radius: 0.1 }, position: { x: i, y: i } }),
  'long and crossed': (i, n) =>
    i % 2 === 0
      ? { shape: { type: 'box', width: 2 * n, height: 0.1 }, position: { x: 0, y: i } }
      : { shape: { type: 'box', width: 0.1, height: 2 * n }, position: { x: i, y: 0 } },
  'on ever finer scales': (i) => ({ shape: { type: 'circle', radius: 0 }, position: { x: 2 ** -(i % 1000), y: 0 } }),
  'without bounds': (i) => ({ shape: { type: 'halfplane', normal: { x: 1, y: i }, offset: i } }),
  nested: (i) => ({ shape: { type: 'box', width: 1 + i, height: 1 + i } }),
}

describe.each(['auto', 'brute-force', 'sweep-and-prune', 'spatial-hash', 'dynamic-tree'])('pairs by %s', (method) => {
  it.each(Object.entries(CROWDS))('takes few steps for bodies %s', (_kind, create) => {
    for (const size of SIZES) {
      const bodies = Array.from({ length: size }, (_, i) => create(i, size))
      const taken = steps(pairsQuery, { bodies, method, phase: 'broad' })
      expect(taken).toBeGreaterThan(size)
      // Every pair may meet.
      expect(taken).toBeLessThan(1000 + 64 * nLogN(size) + 8 * size ** 2)
    }
  })
})

describe('table', () => {
  it('takes steps by its cells', () => {
    for (const size of [20, 40, 80]) {
      const bodies: Body2d[] = Array.from({ length: size }, (_, i) => ({
        shape: { type: 'polygon', vertices: ringOf(8, 1 + i) },
      }))
      const taken = steps(tableQuery, { a: bodies, b: bodies, measure: 'distance' })
      expect(taken).toBeGreaterThan(size ** 2)
      expect(taken).toBeLessThan(1000 + 1000 * size ** 2)
    }
  })
})

describe('minkowski', () => {
  it('takes steps by its corners', () => {
    for (const size of [100, 200, 400, 800]) {
      const body = { shape: { type: 'polygon', vertices: ringOf(size, 1) } }
      expect(steps(minkowskiQuery, { a: body, b: body })).toBeLessThan(1000 + 24 * nLogN(2 * size))
    }
  })
})

describe('work that is ended at any step', () => {
  const comb = HOSTILE_OUTLINES['a comb'](60)
  const bodies = Array.from({ length: 60 }, (_, i) => CROWDS['on a line'](i, 60))
  const asked: [string, Asked, object][] = [
    ...ofOutlines.map(([name, query, request]): [string, Asked, object] => [name, query, request(comb)]),
    ['pairs', pairsQuery, { bodies, method: 'dynamic-tree' }],
    ['pairs by sweep', pairsQuery, { bodies, method: 'sweep-and-prune' }],
    ['pairs by hash', pairsQuery, { bodies, method: 'spatial-hash' }],
    ['table', tableQuery, { a: bodies.slice(0, 9), b: bodies.slice(0, 9), measure: 'distance' }],
  ]
  it.each(asked)('leaves nothing behind: %s', (_name, query, request) => {
    const { result, steps: whole } = countSteps(() => ask(query, request))
    for (let granted = 1; granted < whole; granted = Math.ceil(1.3 * granted)) {
      expect(() => within(granted, () => ask(query, request))).toThrow(OutOfBudget)
      expect(ask(query, request)).toEqual(result)
    }
  })
})
