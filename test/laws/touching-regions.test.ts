// Regions that touch themselves, in vertices and within edges: what they are does not hang on how their rings are drawn, and no
// translation shorter than the answer is free. On small grids, where rings touch all the time and all signs are exact.

import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Body2d, Shape2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { relate } from '../../src/core2d/queries/overlap.ts'
import type { Body } from '../../src/core2d/shape/body.ts'
import { exactRelation } from '../oracle/exact-relation.ts'
import { contactAnswer, distanceAnswer } from '../support/answers/answers.ts'
import { prepare } from '../support/answers/slots.ts'
import { gridRegion, outlineOf, type Rings } from '../support/families/random-regions.ts'
import { runCount, unshrunk } from '../support/runs.ts'

const point = fc.record({ x: fc.integer({ min: -2, max: 4 }), y: fc.integer({ min: -2, max: 4 }) })
const ends = fc.record({ a: point, b: point }).filter(({ a, b }) => a.x !== b.x || a.y !== b.y)
const turn = (p: Vec2, q: Vec2, r: Vec2): number => (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)

function doubledArea(ring: readonly Vec2[]): number {
  return ring.reduce((sum, p, i) => sum + turn({ x: 0, y: 0 }, p, ring[(i + 1) % ring.length]), 0)
}

/** Flat holes, which remove nothing, are left out: the oracle takes them for a boundary. */
const touchingRings: Arbitrary<Rings> = gridRegion(10).filter(
  (rings) => outlineOf(rings)?.touchesItself === true && rings.every((ring) => doubledArea(ring) !== 0),
)

function regionOf([outer, ...holes]: Rings): Shape2d {
  return { type: 'region', outer: [...outer], holes: holes.map((hole) => [...hole]) }
}

const touchingRegion = touchingRings.map(regionOf)

const others: Record<string, Arbitrary<Shape2d>> = {
  'a point': fc.constant({ type: 'point' }),
  'a segment': ends.map(({ a, b }) => ({ type: 'segment', a, b })),
  'a box of no width': fc
    .tuple(fc.integer({ min: 1, max: 6 }), fc.boolean())
    .map(([length, tall]) => ({ type: 'box', width: tall ? 0 : length, height: tall ? length : 0 })),
  'a capsule of radius 0': ends.map(({ a, b }) => ({ type: 'capsule', a, b, radius: 0 })),
  'a flat polygon': ends.map(({ a, b }) => ({
    type: 'polygon',
    vertices: [a, { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, b],
  })),
  'a box': fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
    .map(([width, height]) => ({ type: 'box', width, height })),
  'a triangle': fc
    .tuple(point, point, point)
    .filter(([p, q, r]) => turn(p, q, r) !== 0)
    .map((vertices) => ({ type: 'polygon', vertices })),
  'a chain': fc
    .array(point, { minLength: 2, maxLength: 4 })
    .filter((vertices) => vertices.some(({ x, y }) => x !== vertices[0].x || y !== vertices[0].y))
    .map((vertices) => ({ type: 'chain', vertices })),
  'another such region': touchingRegion,
}

interface Writing {
  first: number
  backwards: boolean
  /** Of each edge: where it gets vertices that say nothing. */
  extra: readonly number[]
}

const writings: Arbitrary<Writing[]> = fc.array(
  fc.record({
    first: fc.nat(60),
    backwards: fc.boolean(),
    extra: fc.array(fc.nat(7), { minLength: 4, maxLength: 12 }),
  }),
  { minLength: 1, maxLength: 5 },
)

/** The same region with redundant vertices, its rings begun elsewhere and run the other way. */
function rewritten(rings: Rings, ways: readonly Writing[]): Rings {
  return rings.map((ring, r) => {
    const { first, backwards, extra } = ways[r % ways.length]
    const vertices = ring.flatMap((p, i) => {
      const q = ring[(i + 1) % ring.length]
      const bits = extra[i % extra.length]
      const shares = [0.25, 0.5, 0.75].filter((_, k) => (bits & (1 << k)) !== 0)
      return [p, ...shares.map((share) => ({ x: p.x + share * (q.x - p.x), y: p.y + share * (q.y - p.y) }))]
    })
    const start = first % vertices.length
    const begun = [...vertices.slice(start), ...vertices.slice(0, start)]
    return backwards ? begun.reverse() : begun
  })
}

const TOLERANCE = 1e-9

function at({ x, y }: Vec2, shape: Shape2d, { x: dx, y: dy }: Vec2): Body2d {
  return { shape, position: { x: x + dx, y: y + dy } }
}

/** Directions of lines through points of small grids. */
const DIRECTIONS = Array.from({ length: 15 * 15 }, (_, i) => ({ x: (i % 15) - 7, y: Math.floor(i / 15) - 7 }))

/** Whether a body may also be moved a little from where it is: it is not held there from all sides, as a key is in its lock. */
function mayMove(a: Body, b: (t: Vec2) => Body2d, { x, y }: Vec2): boolean {
  return DIRECTIONS.some(
    (d) => (d.x !== 0 || d.y !== 0) && relate(a, prepare(b({ x: x + d.x / 1024, y: y + d.y / 1024 }))) >= 0,
  )
}

/**
 * The shortest free translation by half units that is shorter than `length`, or null. Single translations with none free beside
 * them are left out: there the search lets walls that meet in a point overlap, as it must for rounding.
 */
function shorterOnGrid(a: Body, b: (t: Vec2) => Body2d, length: number): Vec2 | null {
  let best: Vec2 | null = null
  let least = length - TOLERANCE
  const count = Math.ceil(2 * length)
  for (let i = -count; i <= count; i++) {
    for (let j = -count; j <= count; j++) {
      const t = { x: i / 2, y: j / 2 }
      const own = Math.hypot(t.x, t.y)
      if (own >= least || relate(a, prepare(b(t))) < 0 || !mayMove(a, b, t)) continue
      best = t
      least = own
    }
  }
  return best
}

const halves = fc.record({ x: fc.integer({ min: -2, max: 14 }), y: fc.integer({ min: -2, max: 14 }) })
const places = halves.map(({ x, y }) => ({ x: x / 2, y: y / 2 }))

describe.each(Object.entries(others))('against %s', (name, shapes) => {
  const runs = name === 'another such region' ? 200 : 500

  it('the relation is the exact one', () => {
    fc.assert(
      fc.property(touchingRegion, shapes, places, (shape, other, place) => {
        const pair = { a: { shape }, b: { shape: other, position: place } }
        expect(contactAnswer(pair).relation + 0).toBe(exactRelation(pair.a, pair.b))
      }),
      unshrunk(runs),
    )
  })

  it('nothing hangs on how the region is drawn', () => {
    fc.assert(
      fc.property(touchingRings, writings, shapes, places, (rings, ways, other, place) => {
        const b = { shape: other, position: place }
        const [own, again] = [rings, rewritten(rings, ways)].map((each) => {
          const a = { shape: regionOf(each) }
          const { relation, separation, exact } = contactAnswer({ a, b })
          return { relation, separation, exact, distance: distanceAnswer({ a, b }).distance }
        })
        expect(again.relation).toBe(own.relation)
        expect(again.exact).toBe(own.exact)
        expect(Math.abs(again.separation - own.separation)).toBeLessThan(TOLERANCE)
        expect(Math.abs(again.distance - own.distance)).toBeLessThan(TOLERANCE)
      }),
      unshrunk(runs),
    )
  })

  it('the translation parts them, and none that is shorter does', () => {
    let count = 0
    fc.assert(
      fc.property(touchingRegion, shapes, places, (shape, other, place) => {
        const b = (t: Vec2) => at(place, other, t)
        const { relation, translation, exact } = contactAnswer({ a: { shape }, b: b({ x: 0, y: 0 }) })
        if (relation >= 0) return
        count++
        expect(exact).toBe(true)
        expect(contactAnswer({ a: { shape }, b: b(translation) }).separation).toBeGreaterThan(-TOLERANCE)
        const length = Math.hypot(translation.x, translation.y)
        expect(shorterOnGrid(prepare({ shape }), b, length)).toBe(null)
      }),
      unshrunk(runs),
    )
    expect(count).toBeGreaterThan(runCount(runs / 10))
  })
})

it('nothing hangs on how it is drawn where both are turned, and no shorter translation is free', () => {
  const solid = fc.constantFrom<Shape2d>(
    { type: 'box', width: 1, height: 1 },
    { type: 'box', width: 0, height: 2 },
    { type: 'circle', radius: 0.5 },
    { type: 'capsule', a: { x: 0, y: 0 }, b: { x: 1, y: 1 }, radius: 0.25 },
  )
  const angle = fc.integer({ min: 1, max: 6000 }).map((n) => n / 1000)
  const poses = fc.record({ place: places, angle, other: angle, isSame: fc.boolean() })
  fc.assert(
    fc.property(touchingRings, writings, fc.oneof(solid, touchingRegion), poses, (rings, ways, shape, pose) => {
      const rotation = pose.angle
      const body = (t: Vec2): Body2d => ({ ...at(pose.place, shape, t), rotation: pose.isSame ? rotation : pose.other })
      const b = body({ x: 0, y: 0 })
      const [own, again] = [rings, rewritten(rings, ways)].map((each) =>
        contactAnswer({ a: { shape: regionOf(each), rotation }, b }),
      )
      expect(Math.abs(again.separation - own.separation)).toBeLessThan(TOLERANCE)
      if (own.relation >= 0) return
      const a = prepare({ shape: regionOf(rings), rotation })
      const length = Math.hypot(own.translation.x, own.translation.y) - TOLERANCE
      for (let k = 0; k < 24; k++) {
        const way = length * (k % 2 === 0 ? 1 : Math.sqrt((k + 0.5) / 24))
        const t = { x: way * Math.cos(k + rotation), y: way * Math.sin(k + rotation) }
        if (length > 0) expect(relate(a, prepare(body(t)))).toBe(-1)
      }
    }),
    unshrunk(1500),
  )
})
