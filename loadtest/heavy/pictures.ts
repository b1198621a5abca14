// Pictures of as much as is drawn: 2,000 shapes, 50,000 vertices.

import { seeded } from '../measuring/random-body.ts'
import { box, compound, disc, discs, many, placed, polygon, region } from './bodies.ts'
import { at, bird, scribble, spiral, star } from './outlines.ts'
import { type HeavyRequest, picture, share } from './request.ts'

const between = seeded(505)
const SHAPES = 2000
const VERTICES = 50_000

export const heavyPictures: readonly HeavyRequest[] = [
  picture('contact', '1,000 circles with as many', (size) => ({
    a: discs(share(SHAPES / 2, size)),
    b: placed(discs(share(SHAPES / 2, size)), 1, 0),
  })),
  picture('contact', 'two stars of 25,000', (size) => ({
    a: region(star(share(VERTICES / 2, size, 8))),
    b: placed(region(star(share(VERTICES / 2, size, 8))), 0.3, 0.1, 0.02),
  })),
  picture('distance', 'two spirals of 25,000', (size) => ({
    a: region(spiral(share(VERTICES / 2, size))),
    b: region(spiral(share(VERTICES / 2, size), Math.PI)),
  })),
  picture('pairs', '2,000 bodies in one place', (size) => ({ bodies: many(share(SHAPES, size), () => disc()) })),
  picture('pairs', '2,000 polygons side by side', (size) => ({
    bodies: many(share(SHAPES, size), (i) => placed(polygon(20), i % 45, Math.floor(i / 45))),
  })),
  picture('table', '1,000 × 1,000 boxes', (size) => ({
    a: many(share(SHAPES / 2, size), () => placed(box, between(-20, 20), between(-20, 20))),
    b: many(share(SHAPES / 2, size), () => placed(box, between(-20, 20), between(-20, 20))),
    measure: 'distance',
  })),
  picture('ray-cast', 'all of 1,999 bodies', (size) => ({
    ray: { origin: at(-9, 0.25), direction: at(1, 0) },
    targets: many(share(SHAPES - 1, size), (i) => placed(polygon(20), i / 3, 0)),
    mode: 'all',
  })),
  picture('shape-cast', 'all of 1,999 bodies, turning', (size) => ({
    body: placed(region(star(200)), -9, 0),
    translation: at(700, 1),
    rotation: 50,
    targets: many(share(SHAPES - 1, size), (i) => placed(polygon(20), i / 3, 0)),
    mode: 'all',
  })),
  picture('trajectory', '100,000 bounces', (size) => ({
    body: { ...disc(0.1), velocity: at(1000, 0.001) },
    obstacles: [
      placed({ shape: { type: 'box', width: 1, height: 1e6 } }, -1, 0),
      placed({ shape: { type: 'box', width: 1, height: 1e6 } }, 1, 0),
    ],
    duration: 1e9,
    maxBounces: share(100_000, size),
  })),
  picture('decompose', 'a bird of 50,000, approximate by 1,000', (size) => ({
    region: region(bird(between, share(VERTICES, size, 8))).shape,
    method: 'approximate',
    maxPieces: 1000,
  })),
  picture('decompose', 'a star of 50,000, triangles', (size) => ({
    region: region(star(share(VERTICES, size, 8))).shape,
    method: 'triangles',
  })),
  picture('validate', 'a ring of 50,000 that crosses itself everywhere', (size) => ({
    shape: region(scribble(between, share(VERTICES, size, 8))).shape,
  })),
  picture('time-of-impact', 'two turning stars of 25,000', (size) => ({
    a: { ...region(star(share(VERTICES / 2, size, 8))), angularVelocity: 3 },
    b: { ...placed(region(star(share(VERTICES / 2, size, 8))), -3, 0.5), velocity: at(1, 0), angularVelocity: -2 },
    duration: 5,
  })),
  picture('mass', '2,000 polygons', (size) => ({
    shape: compound(many(share(SHAPES, size), (i) => placed(polygon(20), i, 0, i))).shape,
  })),
  picture('hull', '50,000 points', (size) => ({ points: scribble(between, share(VERTICES, size)) })),
]
