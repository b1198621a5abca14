// Bodies that heavy requests are made of.

import type { Body2d, Shape2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import type { Between } from '../measuring/random-body.ts'
import { at, circular } from './outlines.ts'

export const region = (outer: Vec2[], holes: Vec2[][] = []): Body2d => ({
  shape: { type: 'region', outer, ...(holes.length > 0 && { holes }) },
})

export const chain = (vertices: Vec2[]): Body2d => ({ shape: { type: 'chain', vertices } })

export const compound = (children: Body2d[]): Body2d => ({ shape: { type: 'compound', children } })

export const placed = (body: Body2d, x: number, y: number, rotation = 0): Body2d => ({
  ...body,
  position: at(x, y),
  rotation,
})

export const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

export const disc = (radius = 1): Body2d => ({ shape: { type: 'circle', radius } })

/** All in one place. */
export const discs = (count: number): Body2d => compound(many(count, () => disc()))

export const point: Body2d = { shape: { type: 'point' } }

export const box: Body2d = { shape: { type: 'box', width: 1, height: 1 } }

export const polygon = (count: number): Body2d => ({ shape: { type: 'polygon', vertices: circular(count) } })

/** Across each other, a million times as long as wide. */
export function needles(between: Between, count: number): Body2d {
  return compound(
    many(count, () => {
      const needle: Body2d = { shape: { type: 'ellipse', rx: 1, ry: 1e-6 } }
      return placed(needle, between(-0.5, 0.5), between(-0.5, 0.5), between(-Math.PI, Math.PI))
    }),
  )
}

/** A square plate with so many holes, in rows. */
export function sieve(holeCount: number, cornersOfHole = 3): Body2d {
  const side = Math.ceil(Math.sqrt(holeCount))
  const outer = [at(0, 0), at(side, 0), at(side, side), at(0, side)]
  const holes = many(holeCount, (i) =>
    circular(cornersOfHole, 0.4).map(({ x, y }) => at(x + (i % side) + 0.5, y + Math.floor(i / side) + 0.5)),
  )
  return region(outer, holes)
}

/** A compound of a flat rounded box and a point, whose least size is below the normal doubles, and a sliver beside it. */
export const SUBNORMAL_PAIR: { a: Body2d; b: Body2d } = {
  a: compound([{ shape: { type: 'box', width: 0, height: 0, radius: 2.2e-308 } }, point]),
  b: region([at(0, 0), at(0, -1e-315), at(0, 2.1999999000000003e-308)]),
}

/** Below the normal doubles, with a hole that has no area. */
export const SUBNORMAL_FRAME: Body2d = region(
  [at(-3e-310, -3e-310), at(3e-310, -3e-310), at(3e-310, 3e-310), at(-3e-310, 3e-310)],
  [[at(-1e-310, 0), at(1e-310, 0), at(0, 0)]],
)

/** Compounds around each other, as deep as is taken. */
export function nested(depth: number, core: Body2d): Body2d {
  let body = core
  for (let i = 0; i < depth; i++) body = compound([body])
  return body
}

export const scattered = (between: Between, count: number, side: number, make: (i: number) => Shape2d): Body2d[] =>
  many(count, (i) => placed({ shape: make(i) }, between(0, side), between(0, side), between(-Math.PI, Math.PI)))
