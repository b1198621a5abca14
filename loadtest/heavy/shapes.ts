// Single shapes that take long: decompose, validate, mass, hull, support, minkowski.

import { seeded } from '../measuring/random-body.ts'
import { compound, many, nested, placed, point, polygon, region, sieve } from './bodies.ts'
import { at, bird, circular, comb, gear, scribble, spiky, spiral, star, tangle } from './outlines.ts'
import { type HeavyRequest, query, share } from './request.ts'

const between = seeded(303)

const decompositions: HeavyRequest[] = [
  ...(['exact', 'triangles', 'approximate'] as const).flatMap((method) => [
    query('decompose', `a star of 100,000, ${method}`, (size) => ({
      region: region(star(share(100_000, size, 8))).shape,
      method,
    })),
    query('decompose', `a spiral of 100,000, ${method}`, (size) => ({
      region: region(spiral(share(100_000, size))).shape,
      method,
    })),
    query('decompose', `a plate with 20,000 holes, ${method}`, (size) => ({
      region: sieve(share(20_000, size)).shape,
      method,
    })),
  ]),
  query('decompose', 'spikes of 100,000, approximate by 10,000', (size) => ({
    region: region(spiky(between, share(100_000, size, 8))).shape,
    method: 'approximate',
    maxPieces: 10_000,
  })),
  ...[1000, 10_000, 100_000].map((count) =>
    query('decompose', `a bird of ${count}, approximate by 1,000`, (size) => ({
      region: region(bird(between, share(count, size, 8))).shape,
      method: 'approximate',
      maxPieces: 1000,
    })),
  ),
  query('decompose', 'a random outline of 2,000, approximate by 100', (size) => ({
    region: region(tangle(between, share(2000, size, 5))).shape,
    method: 'approximate',
    maxPieces: 100,
  })),
  query('decompose', 'a circle of 100,000, exact', (size) => ({
    region: region(circular(share(100_000, size))).shape,
  })),
  query('decompose', 'a comb of 100,000, triangles', (size) => ({
    region: region(comb(share(24_000, size))).shape,
    method: 'triangles',
  })),
]

const repairs: HeavyRequest[] = [
  query('repair', 'a ring of 100,000 that crosses itself everywhere', (size) => ({
    rings: [scribble(between, share(100_000, size, 8))],
    rule: 'nonzero',
  })),
  query('repair', 'a ring of 1,000 that crosses itself in every pair of edges', (size) => ({
    rings: [many(share(1001, size, 5), (i) => at(Math.cos(i * 3.1), Math.sin(i * 3.1)))],
    rule: 'evenodd',
  })),
  query('repair', 'a ring of 100,000 that runs to and fro', (size) => ({
    rings: [many(share(100_000, size), (i) => at(i % 2, 0))],
    rule: 'nonzero',
  })),
  query('repair', '20,000 rings in one place', (size) => ({
    rings: many(share(20_000, size), (i) => [at(0, 0), at(1, 0), at(i % 2, 1)]),
    rule: 'evenodd',
  })),
  query('repair', '1,000 edges within rounding of each other', (size) => ({
    rings: [many(share(1000, size), (i) => at(between(0, 3), between(0, 1e-16) * (i % 2)))],
    rule: 'nonzero',
  })),
  query('repair', 'a gear of 100,000', (size) => ({ rings: [gear(share(25_000, size))], rule: 'nonzero' })),
]

const validations: HeavyRequest[] = [
  query('validate', 'a ring of 100,000 that crosses itself everywhere', (size) => ({
    shape: region(scribble(between, share(100_000, size, 8))).shape,
  })),
  query('validate', 'a ring of 100,000 that runs to and fro', (size) => ({
    shape: region(many(share(100_000, size), (i) => at(i % 2, 0))).shape,
  })),
  query('validate', 'a plate with 20,000 holes in one place', (size) => ({
    shape: region(
      circular(4, 9),
      many(share(20_000, size), () => circular(3)),
    ).shape,
  })),
  query('validate', 'a gear of 100,000', (size) => ({ shape: region(gear(share(25_000, size))).shape })),
  query('validate', '100 rings of 1,000 that cross themselves, 7 deep', (size) => ({
    shape: nested(7, compound(many(share(100, size), () => region(scribble(between, 1000))))).shape,
  })),
]

const measures: HeavyRequest[] = [
  query('mass', 'a star of 100,000', (size) => ({ shape: region(star(share(100_000, size, 8))).shape, density: 3 })),
  query('mass', '10,000 polygons', (size) => ({
    shape: compound(many(share(10_000, size), (i) => placed(polygon(12), i, 0, i))).shape,
  })),
  query('hull', '100,000 points of a circle', (size) => ({ points: circular(share(100_000, size)) })),
  query('hull', '100,000 points nearly on a line', (size) => ({
    points: many(share(100_000, size), (i) => at(i / 3, i / 7)),
  })),
  query('support', 'a region of 100,000', (size) => ({
    body: placed(region(circular(share(100_000, size))), 0, 0, 0.3),
    direction: at(5e-324, -5e-324),
  })),
  query('minkowski', 'two polygons of 1,024', (size) => ({
    a: polygon(share(1024, size)),
    b: placed(polygon(share(1024, size)), 1, 0, 0.001),
    operation: 'difference',
  })),
  {
    ...query('minkowski', 'a region of 100,000, which is not taken', (size) => ({
      a: region(star(share(100_000, size, 8))),
      b: point,
    })),
    refused: ['minkowski-shape-unsupported'],
  },
]

export const heavyShapes: readonly HeavyRequest[] = [...decompositions, ...validations, ...repairs, ...measures]
