// Pairs of bodies at rest that take long: contact, distance, overlap, and tables of them.

import { seeded } from '../measuring/random-body.ts'
import {
  box,
  chain,
  compound,
  disc,
  discs,
  many,
  needles,
  nested,
  placed,
  point,
  polygon,
  region,
  SUBNORMAL_PAIR,
  sieve,
} from './bodies.ts'
import { at, circular, comb, gear, moved, scribble, spiky, spiral, star, tangle } from './outlines.ts'
import { type HeavyRequest, query, share } from './request.ts'

const between = seeded(101)

const twoStars = (count: number, shift = 0.3) => ({
  a: region(star(count)),
  b: placed(region(star(count, 0.45)), shift, 0.1, 0.01),
})

const contacts: HeavyRequest[] = [
  query('contact', '10,000 circles in one place with as many', (size) => ({
    a: discs(share(10_000, size)),
    b: discs(share(10_000, size)),
  })),
  ...[1000, 10_000, 30_000].map((count) =>
    query('contact', `two stars of ${count}`, (size) => twoStars(share(count, size, 8))),
  ),
  query('contact', 'two stars of 4,000 at 1e9 from the origin', (size) => ({
    a: region(moved(star(share(4000, size, 8)), 1e9, 1e9)),
    b: region(moved(star(share(4000, size, 8), 0.45), 1e9 + 0.3, 1e9 + 0.1)),
  })),
  query('contact', 'two regions of 100,000', (size) => ({
    a: region(circular(share(100_000, size))),
    b: placed(region(circular(share(100_000, size), 0.9)), 0.5, 0.2, 0.3),
  })),
  query('contact', '1,000 needle ellipses with as many', (size) => ({
    a: needles(between, share(1000, size)),
    b: needles(between, share(1000, size)),
  })),
  query('contact', 'two random chains of 2,000', (size) => ({
    a: chain(scribble(between, share(2000, size))),
    b: chain(scribble(between, share(2000, size))),
  })),
  query('contact', 'two combs of 1,000', (size) => ({
    a: region(comb(share(250, size))),
    b: placed(region(comb(share(250, size))), 20 * size, 3.1, Math.PI),
  })),
  query('contact', 'two gears of 1,000', (size) => ({
    a: region(gear(share(250, size))),
    b: placed(region(gear(share(250, size))), 0.7, 0.2, 0.03),
  })),
  query('contact', 'two random outlines of 1,000', (size) => ({
    a: region(tangle(between, share(1000, size, 5))),
    b: placed(region(tangle(between, share(1000, size, 5))), 0.1, 0.1, 0.5),
  })),
  query('contact', 'two spiky outlines of 10,000', (size) => ({
    a: region(spiky(between, share(10_000, size, 8))),
    b: placed(region(spiky(between, share(10_000, size, 8))), 0.2, 0.1),
  })),
  query('contact', 'two spirals of 80,000 that overlap', (size) => ({
    a: region(spiral(share(80_000, size))),
    b: placed(region(spiral(share(80_000, size))), 0.003, 0.002, 0.01),
  })),
  query('contact', 'two plates with 10,000 holes', (size) => ({
    a: sieve(share(10_000, size)),
    b: placed(sieve(share(10_000, size)), 10.3, 8.1, 0.2),
  })),
  query('contact', 'compounds of 100 polygons of 1,000', (size) => ({
    a: compound(many(share(100, size), (i) => placed(polygon(1000), 0.01 * i, 0))),
    b: compound(many(share(100, size), (i) => placed(polygon(1000), 0, 0.01 * i))),
  })),
  query('contact', 'ellipses with a region of 100,000', (size) => ({
    a: needles(between, share(1000, size)),
    b: region(star(share(100_000, size, 8))),
  })),
  query('contact', 'a half-plane with a region of 100,000', (size) => ({
    a: { shape: { type: 'halfplane', normal: at(0.1, 1), offset: 0 } },
    b: region(star(share(100_000, size, 8))),
  })),
  query('contact', 'compounds around 10,000 boxes, 8 deep', (size) => ({
    a: nested(7, compound(many(share(10_000, size), (i) => placed(box, i / 100, 0, i)))),
    b: nested(7, compound(many(share(10_000, size), (i) => placed(box, 0, i / 100, i)))),
  })),
  query('contact', 'below the normal doubles', () => SUBNORMAL_PAIR),
]

const distances: HeavyRequest[] = [
  query('distance', 'two interleaved spirals of 80,000', (size) => ({
    a: region(spiral(share(80_000, size))),
    b: region(spiral(share(80_000, size), Math.PI)),
  })),
  query('distance', 'two random chains of 100,000 side by side', (size) => ({
    a: chain(scribble(between, share(100_000, size))),
    b: placed(chain(scribble(between, share(100_000, size))), 2.0001, 0),
  })),
  query('distance', 'two concentric rings of 100,000', (size) => ({
    a: region(circular(share(100_000, size))),
    b: chain([...circular(share(100_000, size, 8) - 1, 3), at(3, 0)]),
  })),
  query('distance', '10,000 circles in one place from as many in another', (size) => ({
    a: discs(share(10_000, size)),
    b: placed(discs(share(10_000, size)), 9, 0),
  })),
  query('distance', '10,000 needle ellipses from as many', (size) => ({
    a: needles(between, share(10_000, size)),
    b: placed(needles(between, share(10_000, size)), 3.1, 0),
  })),
  query('distance', 'below the normal doubles', () => SUBNORMAL_PAIR),
]

const overlaps: HeavyRequest[] = [
  query('overlap', 'two interleaved spirals of 80,000, explained', (size) => ({
    a: region(spiral(share(80_000, size))),
    b: region(spiral(share(80_000, size), Math.PI)),
    explain: true,
  })),
  query('overlap', 'a region of 100,000 in itself, explained', (size) => ({
    a: region(star(share(100_000, size, 8))),
    b: region(star(share(100_000, size, 8))),
    explain: true,
  })),
  query('overlap', 'combs of 100,000 whose teeth touch, explained', (size) => ({
    a: region(comb(share(24_000, size))),
    b: placed(region(comb(share(24_000, size))), 1 / 6, 0),
    explain: true,
  })),
  query('overlap', 'a point in a plate with 20,000 holes, explained', (size) => ({
    a: placed(point, 1.01, 1.01),
    b: sieve(share(20_000, size)),
    explain: true,
  })),
]

const tables: HeavyRequest[] = [
  ...[400, 500].map((count) =>
    query('table', `separation of 2 × 2 stars of ${count}`, (size) => {
      const { a, b } = twoStars(share(count, size, 8))
      return { a: [a, placed(a, 0.1, 0.05, 0.2)], b: [b, placed(b, 0.4, 0.1, 0.3)], measure: 'separation' }
    }),
  ),
  ...(['distance', 'separation', 'overlap'] as const).map((measure) =>
    query('table', `a million cells, ${measure} of boxes`, (size) => {
      const bodies = () =>
        many(share(1000, size), () => placed(box, between(-20, 20), between(-20, 20), between(-3, 3)))
      return { a: bodies(), b: bodies(), measure }
    }),
  ),
  query('table', 'distance of 5 ellipses to 100,000', (size) => {
    const ellipse = { shape: { type: 'ellipse' as const, rx: 1, ry: 0.1 } }
    const bodies = (count: number) => many(count, () => placed(ellipse, between(-9, 9), between(-9, 9), between(-3, 3)))
    return { a: bodies(5), b: bodies(share(100_000, size)), measure: 'distance' }
  }),
  query('table', 'below the normal doubles, separation of 400 × 400', (size) => ({
    a: many(share(400, size), () => SUBNORMAL_PAIR.a),
    b: many(share(400, size), () => ({ ...disc(5e-324), position: at(4e-308, 5e-324) })),
    measure: 'separation',
  })),
]

export const heavyPairs: readonly HeavyRequest[] = [...contacts, ...distances, ...overlaps, ...tables]
