// The steps of a request about bodies in space are at most a stated function of its size, whatever its numbers are.
import { describe, expect, it } from 'vitest'
import type { Vec3 } from '../../schemas/vector.ts'
import { countSteps } from '../../src/containers/budget.ts'
import type { Query, QueryLimits } from '../../src/queries/ask/query.ts'
import { queries3d } from '../../src/queries/stateless/all.ts'

const limits: QueryLimits = {
  maxVertices: 1e6,
  maxParts: 1e5,
  maxTargets: 1e5,
  maxImpacts: 1e3,
  maxBodies: 1e5,
  maxPairs: 1e6,
  maxCells: 1e6,
}

const byOp = new Map(queries3d.map((query) => [query.op, query]))

function steps(op: string, request: object): number {
  return countSteps(() => (byOp.get(op) as Query).answer(request, limits)).steps
}

const nLogN = (n: number): number => n * Math.ceil(Math.log2(n + 2))

/** Each of a few sizes, twice the one before. */
const SIZES = [250, 500, 1000]

/** Points that are hard on hulls, so many of them. */
const CLOUDS: [name: string, point: (k: number, count: number) => number[]][] = [
  ['a moment curve', (k) => [k, k * k, k * k * k]],
  ['a spiral on a ball', (k, count) => spiral(k, count)],
  ['a grid', (k) => [k % 8, (k >> 3) % 8, k >> 6]],
  ['one place', () => [0.1, 0.2, 0.3]],
  ['a circle', (k, count) => [Math.cos((2 * Math.PI * k) / count), Math.sin((2 * Math.PI * k) / count), 1]],
]

/** Ways to write the same points small, large and far away. */
const PLACES: [name: string, of: (c: number) => number][] = [
  ['as it is', (c) => c],
  ['subnormal', (c) => c * 2 ** -1066],
  ['a billion away', (c) => c + 1e9],
  ['huge', (c) => c * 1e90],
]

function spiral(k: number, count: number): number[] {
  const height = 1 - (2 * k + 1) / count
  const angle = k * Math.PI * (3 - Math.sqrt(5))
  const r = Math.sqrt(1 - height * height)
  return [r * Math.cos(angle), r * Math.sin(angle), height]
}

function cloudOf(point: (k: number, count: number) => number[], count: number, of: (c: number) => number): Vec3[] {
  return Array.from({ length: count }, (_, k) => {
    const [x, y, z] = point(k, count).map(of)
    return { x, y, z }
  })
}

describe.each(CLOUDS)('%s', (_cloud, point) => {
  it.each(PLACES)('%s has a hull in n log n steps', (_place, of) => {
    for (const n of SIZES) expect(steps('hull', { points: cloudOf(point, n, of) })).toBeLessThan(256 * nLogN(n))
  })
})

it.each(['a spiral on a ball', 'a circle'])('%s has a sum with itself in n² steps', (name) => {
  const [, point] = CLOUDS.find(([cloud]) => cloud === name)!
  for (const n of SIZES) {
    const body = { shape: { type: 'hull', points: cloudOf(point, n, (c) => c) } }
    for (const operation of ['sum', 'difference']) {
      expect(steps('minkowski', { a: body, b: body, operation })).toBeLessThan(64 * n * n)
    }
  }
})

/** Places that are hard on broad phases: all in one, in lines that cross, along a diagonal, at distances of all sizes. */
const CROWDS: [name: string, place: (k: number) => number[]][] = [
  ['in one place', () => [1, 2, 3]],
  ['in lines that cross', (k) => [0, 1, 2].map((axis) => (k % 3 === axis ? 2 * k : -5))],
  ['along a diagonal', (k) => [k, k, k]],
  ['ever farther away', (k) => [10 ** (k % 90), 0, -(10 ** (k % 7))]],
]

describe.each(CROWDS)('bodies %s', (_crowd, place) => {
  it.each(['auto', 'sweep-and-prune', 'spatial-hash', 'dynamic-tree'])(
    'are paired by %s in n log n steps and some for each pair',
    (method) => {
      for (const n of [125, 250]) {
        const bodies = Array.from({ length: n }, (_, k) => {
          const [x, y, z] = place(k)
          return { shape: { type: 'sphere', radius: 0.25 }, position: { x, y, z } }
        })
        const { pairs } = (byOp.get('pairs') as Query).answer({ bodies }, limits) as { pairs: number[][] }
        expect(steps('pairs', { bodies, method })).toBeLessThan(64 * nLogN(n) + 64 * pairs.length)
      }
    },
  )
})

describe.each(CLOUDS)('hulls of %s', (_cloud, point) => {
  it('are told to hold each other in steps by the product of their sizes', () => {
    for (const n of [64, 128, 256]) {
      const points = cloudOf(point, n, (c) => c)
      const hull = (radius: number, of = points): object => ({ shape: { type: 'hull', points: of, radius } })
      const backwards = [...points].reverse()
      for (const b of [hull(0, backwards), hull(1), { shape: { type: 'ellipsoid', radii: { x: 1, y: 2, z: 3 } } }])
        for (const a of [hull(0), hull(2)])
          expect(steps('overlap', { a, b, explain: true })).toBeLessThan(2 ** 20 + 32 * n * n)
    }
  })
})

/** The same cloud twice, one of them so far from the other that they touch, part or meet on their way. */
const PAIRS: [op: string, which: string, ask: (points: Vec3[], far: number) => object][] = [
  ['overlap', '', (points, far) => pairOf(points, far)],
  ['distance', '', (points, far) => pairOf(points, far)],
  ['contact', '', (points, far) => pairOf(points, far)],
  ['contact', 'within itself', (points) => pairOf(points, 0)],
  [
    'time-of-impact',
    '',
    (points, far) => {
      const { a, b } = pairOf(points, 2 * far)
      return { a: { ...a, velocity: { x: far, y: 0.1 * far, z: 0 } }, b, duration: 4 }
    },
  ],
  [
    'time-of-impact',
    'turning',
    (points, far) => {
      const { a, b } = pairOf(points, 2 * far)
      return {
        a: { ...a, velocity: { x: far, y: 0, z: 0 } },
        b: { ...b, angularVelocity: { x: 0, y: 3, z: 2 } },
        duration: 4,
        ignoreSeparating: true,
      }
    },
  ],
]

function pairOf(points: Vec3[], far: number) {
  const shape = { type: 'hull', points }
  return { a: { shape }, b: { shape, position: { x: far, y: 0, z: 0 } } }
}

const SOLID = CLOUDS.filter(([name]) => name === 'a spiral on a ball' || name === 'a grid' || name === 'a circle')

describe.each(SOLID)('two hulls of %s', (_cloud, point) => {
  it.each(PAIRS)('are asked for %s %s in n log n steps', (op, _which, ask) => {
    for (const [, of] of PLACES) {
      for (const n of SIZES) {
        const points = cloudOf(point, n, of)
        const xs = points.map(({ x }) => x)
        const width = Math.max(...xs) - Math.min(...xs)
        expect(steps(op, ask(points, width))).toBeLessThan(1024 * nLogN(n))
      }
    }
  })
})
