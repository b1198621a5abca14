// Bodies in motion that take long: times of impact, casts, trajectories, bounds, and tables of them.

import type { MovingBody2d } from '../../schemas/shapes2d.ts'
import { seeded } from '../measuring/random-body.ts'
import {
  box,
  compound,
  disc,
  many,
  needles,
  placed,
  point,
  polygon,
  region,
  SUBNORMAL_FRAME,
  SUBNORMAL_PAIR,
} from './bodies.ts'
import { at, circular, comb, gear, moved, spiral, star } from './outlines.ts'
import { type HeavyRequest, query, share } from './request.ts'

const between = seeded(202)

const turning = (body: MovingBody2d, angularVelocity: number, x = 0, y = 0): MovingBody2d => ({
  ...body,
  velocity: at(x, y),
  angularVelocity,
})

const impacts: HeavyRequest[] = [
  query('time-of-impact', 'two gears of 1,000 that mesh and turn', (size) => ({
    a: turning(region(gear(share(250, size))), 1),
    b: turning(placed(region(gear(share(250, size))), 2.25, 0, 0.012), -1),
    duration: 10,
  })),
  query('time-of-impact', 'two gears of 10,000 that overlap and turn', (size) => ({
    a: turning(region(gear(share(2500, size))), 1),
    b: turning(placed(region(gear(share(2500, size))), 1.9, 0), -2),
    duration: 100,
  })),
  query('time-of-impact', 'two spirals of 80,000, one drifts through the other', (size) => ({
    a: region(spiral(share(80_000, size))),
    b: { ...region(spiral(share(80_000, size), Math.PI)), velocity: at(1, 0.1) },
    duration: 5,
  })),
  query('time-of-impact', 'two overlapping spirals of 20,000 that turn', (size) => ({
    a: turning(region(spiral(share(20_000, size))), 0.5),
    b: turning(placed(region(spiral(share(20_000, size))), 0.003, 0.002, 0.01), -0.5, 0.1),
    duration: 20,
  })),
  query('time-of-impact', 'two stars of 30,000 that turn past each other', (size) => ({
    a: turning(region(star(share(30_000, size, 8))), 3),
    b: turning(placed(region(star(share(30_000, size, 8))), -2.2, 1.999), -5, 0.5),
    duration: 8,
  })),
  query('time-of-impact', 'stars of 1,000 that turn a million times', (size) => ({
    a: turning(region(star(share(1000, size, 8))), 1e6),
    b: turning(placed(region(star(share(1000, size, 8))), 2.5, 0), -1e6),
    duration: 6.28,
  })),
  query('time-of-impact', 'a star of 1,000 turning at 1e100 for 1e100 s', (size) => ({
    a: turning(region(star(share(1000, size, 8))), 1e100),
    b: turning(placed(region(star(share(1000, size, 8))), 2.5, 0), 1e90),
    duration: 1e100,
  })),
  query('time-of-impact', 'two stars of 4,000 at 1e9 from the origin, turning', (size) => ({
    a: turning(region(moved(star(share(4000, size, 8)), 1e9, 0)), 1e-9),
    b: turning(region(moved(star(share(4000, size, 8)), 1e9 + 2.1, 0)), -1e-9),
    duration: 1,
  })),
  query('time-of-impact', '1,000 needle ellipses through as many', (size) => ({
    a: needles(between, share(1000, size)),
    b: { ...placed(needles(between, share(1000, size)), 4, 0), velocity: at(-1, 0.01) },
    duration: 8,
  })),
  query('time-of-impact', 'combs of 4,000 along each other, turning', (size) => ({
    a: turning(region(comb(share(1000, size))), 1e-4),
    b: turning(placed(region(comb(share(1000, size))), 0.08, 5.5, Math.PI), -1e-4, 0.01),
    duration: 100,
  })),
  query('time-of-impact', 'below the normal doubles, for no time', () => ({ ...SUBNORMAL_PAIR, duration: 0 })),
  query('time-of-impact', 'below the normal doubles, turning', () => ({
    a: turning(SUBNORMAL_FRAME, 1e100),
    b: { ...disc(5e-324), position: at(1e-311, 0), velocity: at(1e-310, 0) },
    duration: 1,
  })),
]

const casts: HeavyRequest[] = [
  query('shape-cast', 'a turning star of 30,000', (size) => ({
    body: placed(region(star(share(30_000, size, 8))), -4, 0),
    translation: at(8, 0.1),
    rotation: 40,
    targets: [region(star(share(30_000, size, 8)))],
  })),
  query('shape-cast', 'a turning gear of 1,000 at 10,000 boxes, all of them', (size) => ({
    body: placed(region(gear(share(250, size))), -60, 0),
    translation: at(120, 3),
    rotation: 100,
    targets: many(share(10_000, size), () => placed(box, between(-50, 50), between(-5, 5), between(-3, 3))),
    mode: 'all',
  })),
  query('shape-cast', 'an overlapping spiral of 50,000', (size) => ({
    body: region(spiral(share(50_000, size))),
    translation: at(0.5, 0.1),
    targets: [placed(region(spiral(share(50_000, size), Math.PI)), 0.004, 0)],
    mode: 'all',
  })),
  query('shape-cast', 'ellipses at 1,000 ellipses', (size) => ({
    body: placed(needles(between, share(300, size)), -4, 0),
    translation: at(8, 0),
    targets: many(share(1000, size), () => ({
      shape: { type: 'ellipse', rx: 1, ry: 0.01 },
      position: at(between(-1, 1), between(-1, 1)),
      rotation: between(-3, 3),
    })),
    mode: 'all',
  })),
  query('shape-cast', 'below the normal doubles', () => ({
    body: SUBNORMAL_PAIR.a,
    translation: at(1e-310, 0),
    targets: [SUBNORMAL_PAIR.b],
    mode: 'all',
  })),
  query('shape-cast', 'below the normal doubles, turning', () => ({
    body: SUBNORMAL_PAIR.a,
    translation: at(5e-324, 0),
    rotation: 1e100,
    targets: [SUBNORMAL_PAIR.b, SUBNORMAL_FRAME],
    mode: 'all',
  })),
  query('ray-cast', '10,000 bodies in one place, all of them', (size) => ({
    ray: { origin: at(-9, 0.25), direction: at(1, 0) },
    targets: many(share(10_000, size), () => polygon(8)),
    mode: 'all',
  })),
  query('ray-cast', 'along the teeth of a comb of 100,000', (size) => ({
    ray: { origin: at(-1, 1), direction: at(1, 0) },
    targets: [region(comb(share(24_000, size)))],
    mode: 'all',
    startInside: 'exit',
  })),
  query('ray-cast', 'through spirals of 80,000, grazing', (size) => ({
    ray: { origin: at(-9, 0), direction: at(1, 1e-17) },
    targets: [region(spiral(share(80_000, size))), region(spiral(share(80_000, size), Math.PI))],
    mode: 'all',
  })),
]

/** Slits so narrow that a body in it bounces without end. */
const walls = [
  { shape: { type: 'box' as const, width: 1, height: 100 }, position: at(-1, 0) },
  { shape: { type: 'box' as const, width: 1, height: 100 }, position: at(1, 0) },
]

const trajectories: HeavyRequest[] = [
  query('trajectory', '100,000 bounces among 100 obstacles', (size) => ({
    body: { ...disc(0.1), velocity: at(1000, 0.001) },
    obstacles: [...walls, ...many(98, (i) => placed(polygon(64), 5 * i + 50, 0))],
    duration: 1e9,
    maxBounces: share(100_000, size),
  })),
  query('trajectory', '1,000 bounces among 10,000 obstacles', (size) => ({
    body: { ...polygon(8), velocity: at(1000, 700) },
    obstacles: many(share(10_000, size), (i) => placed(polygon(16), 3 * (i % 100) + 5, 3 * Math.floor(i / 100) + 5, i)),
    duration: 1e9,
    maxBounces: share(1000, size),
  })),
  query('trajectory', '100,000 bounces in a star of 100,000', (size) => ({
    body: { ...point, velocity: at(1, 0.37) },
    obstacles: [{ shape: { type: 'chain', vertices: star(share(100_000, size, 8)), loop: true } }],
    duration: 1e9,
    maxBounces: share(100_000, size),
  })),
  query('trajectory', '1,000 moving ellipses, 10,000 bounces', (size) => ({
    body: { shape: { type: 'ellipse', rx: 0.5, ry: 0.05 }, velocity: at(3, 1) },
    obstacles: many(share(1000, size), (i) => ({
      shape: { type: 'ellipse' as const, rx: 1, ry: 0.1 },
      position: at(4 * (i % 32) + 4, 4 * Math.floor(i / 32) + 4),
      velocity: at(between(-0.01, 0.01), between(-0.01, 0.01)),
    })),
    duration: 1e6,
    maxBounces: share(10_000, size),
  })),
]

const tables: HeavyRequest[] = [
  ...[400, 500].map((count) =>
    query('table', `time-of-impact of 2 × 2 stars of ${count} that turn`, (size) => {
      const make = () => turning(region(star(share(count, size, 8))), 2)
      const away = (x: number, y: number) => ({ ...turning(make(), -1, -0.5), position: at(x, y) })
      return { a: [make(), make()], b: [away(2.5, 0.1), away(2.4, 0.9)], measure: 'time-of-impact', duration: 10 }
    }),
  ),
  query('table', 'time-of-impact of 500 × 500 octagons that turn', (size) => {
    const bodies = () =>
      many(share(500, size), () => ({
        ...turning(polygon(8), between(-3, 3), between(-9, 9), between(-9, 9)),
        position: at(between(-30, 30), between(-30, 30)),
      }))
    return { a: bodies(), b: bodies(), measure: 'time-of-impact', duration: 10 }
  }),
  query('table', 'time-of-impact below the normal doubles', () => ({
    a: [turning(SUBNORMAL_FRAME, 1), turning(SUBNORMAL_FRAME, 1e100), SUBNORMAL_PAIR.a, SUBNORMAL_PAIR.b],
    b: [turning(SUBNORMAL_FRAME, -1e-300, 5e-324), SUBNORMAL_PAIR.a, turning(SUBNORMAL_PAIR.b, 1e10)],
    measure: 'time-of-impact',
    duration: 5e-324,
  })),
]

const bounds: HeavyRequest[] = [
  query('bounds', 'a region of 100,000 that turns', (size) => ({
    body: turning(region(star(share(100_000, size, 8))), 1e9, 1, 1),
    duration: 1e9,
  })),
  query('bounds', '10,000 ellipses that turn', (size) => ({
    body: turning(needles(between, share(10_000, size)), 3, 1),
    duration: 1.7,
  })),
  query('bounds', 'a compound of 90 regions of 1,000 that turns slowly', (size) => ({
    body: turning(compound(many(share(90, size), (i) => placed(region(circular(1000)), i, i))), 1e-3, 1e3),
    duration: 1e3,
  })),
]

export const heavyMotions: readonly HeavyRequest[] = [...impacts, ...casts, ...trajectories, ...tables, ...bounds]
