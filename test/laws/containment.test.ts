// What containment must be, whatever the shapes: an order of sets that does not hang on how they are written, where they are, or
// how large they are; and what it says is seen at points of both.

import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Body2d, Shape2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { countSteps } from '../../src/containers/budget.ts'
import { bounds, createBounds } from '../../src/core2d/queries/bounds.ts'
import { contains } from '../../src/core2d/queries/containment.ts'
import { relate } from '../../src/core2d/queries/overlap.ts'
import { createMotion } from '../../src/core2d/shape/motion.ts'
import type { MeasuredBody } from '../oracle/measured-bodies.ts'
import { measuredParts, partsDistance } from '../oracle/measured-parts.ts'
import { prepare } from '../support/answers/slots.ts'
import { GRID, UNIFORM } from '../support/families/arbitraries.ts'
import { mixedComposite, unrotatedComposite } from '../support/families/composite-arbitraries.ts'
import { HOSTILE_OUTLINES, ringOf } from '../support/families/hostile-shapes.ts'
import { nextAfter } from '../support/families/next-after.ts'
import { reversed, scaled, translated, turned } from '../support/families/transform.ts'
import { runCount, runs, unshrunk } from '../support/runs.ts'

const holds = (a: Body2d, b: Body2d): boolean => contains(prepare(a), prepare(b))
const both = (a: Body2d, b: Body2d): [boolean, boolean] => [holds(a, b), holds(b, a)]
const compound = (...children: Body2d[]): Body2d => ({ shape: { type: 'compound', children } })
const small = (body: Arbitrary<Body2d>): Arbitrary<Body2d> =>
  fc.tuple(body, fc.constantFrom(1, 0.25, 0.0625)).map(([one, k]) => scaled(one, k))
/** Guests that are inside more often than not at random. */
const pairs: Arbitrary<{ a: Body2d; b: Body2d }> = fc.record({
  a: unrotatedComposite(GRID),
  b: small(unrotatedComposite(GRID)),
})

describe('an order of sets', () => {
  it('holds itself, however it is written', () => {
    fc.assert(
      fc.property(fc.oneof(unrotatedComposite(GRID), mixedComposite()), (body) => {
        expect(holds(body, body)).toBe(true)
      }),
      runs(1500),
    )
    fc.assert(
      fc.property(unrotatedComposite(GRID), (body) => {
        expect(both(body, reversed(body))).toEqual([true, true])
      }),
      runs(1500),
    )
  })

  it('a union holds its members, and is held by what holds all of them', () => {
    fc.assert(
      fc.property(pairs, unrotatedComposite(GRID), ({ a, b }, c) => {
        expect(holds(compound(a, b), a)).toBe(true)
        expect(holds(compound(b, a), b)).toBe(true)
        expect(holds(c, compound(a, b))).toBe(holds(c, a) && holds(c, b))
        if (holds(a, b)) expect(both(a, compound(b, a))).toEqual([true, true])
      }),
      runs(800),
    )
  })

  it('passes on from one to the next', () => {
    fc.assert(
      fc.property(pairs, small(unrotatedComposite(GRID)), ({ a, b }, c) => {
        if (holds(a, b) && holds(b, c)) expect(holds(a, c)).toBe(true)
        const union = compound(a, c)
        if (holds(a, b)) expect(holds(union, b)).toBe(true)
      }),
      runs(1500),
    )
  })

  it('what is held meets its holder, and is in its bounds', () => {
    let held = 0
    const box = createBounds()
    const around = createBounds()
    fc.assert(
      fc.property(pairs, ({ a, b }) => {
        const holder = prepare(a)
        const guest = prepare(b)
        if (!contains(holder, guest)) return
        held++
        expect(relate(holder, guest)).toBeLessThanOrEqual(0)
        bounds(holder, createMotion(), 0, around)
        bounds(guest, createMotion(), 0, box)
        const slack = 1e-12
        expect(box.minX).toBeGreaterThanOrEqual(around.minX - slack)
        expect(box.minY).toBeGreaterThanOrEqual(around.minY - slack)
        expect(box.maxX).toBeLessThanOrEqual(around.maxX + slack)
        expect(box.maxY).toBeLessThanOrEqual(around.maxY + slack)
      }),
      runs(2000),
    )
    expect(held).toBeGreaterThan(runCount(60))
  })
})

describe('wherever it is', () => {
  it('scales and moves with its numbers', () => {
    const offset = fc.constantFrom(2 ** 20, -(2 ** 30), 3 * 2 ** 25, 1e9)
    const power = fc.integer({ min: -40, max: 40 }).map((n) => 2 ** n)
    fc.assert(
      fc.property(pairs, offset, offset, power, ({ a, b }, dx, dy, k) => {
        const answer = both(a, b)
        expect(both(scaled(a, k), scaled(b, k))).toEqual(answer)
        expect(both(translated(a, dx, dy), translated(b, dx, dy))).toEqual(answer)
      }),
      runs(1000),
    )
  })

  it('does not hang on the axes', () => {
    const offGrid = fc.record({ a: unrotatedComposite(UNIFORM), b: small(unrotatedComposite(UNIFORM)) })
    let held = 0
    fc.assert(
      fc.property(offGrid, fc.double({ min: -9, max: 9, noNaN: true }), ({ a, b }, angle) => {
        const answer = both(a, b)
        if (answer[0]) held++
        expect(both(turned(a, angle), turned(b, angle))).toEqual(answer)
      }),
      runs(1500),
    )
    expect(held).toBeGreaterThan(runCount(60))
  })

  it('is so for the largest and the least numbers', () => {
    fc.assert(
      fc.property(pairs, fc.constantFrom(2 ** 320, 2 ** -1000), ({ a, b }, k) => {
        expect(both(scaled(a, k), scaled(b, k))).toEqual(both(a, b))
      }),
      runs(400),
    )
  })
})

/** Points of the boundary of a leaf, half-planes as far as 20 units from their position. */
function boundaryOf(leaf: MeasuredBody): Vec2[] {
  const around = ({ x, y }: Vec2, rx: number, ry: number): Vec2[] =>
    ringOf(48, 1).map((p) => ({ x: x + rx * p.x, y: y + ry * p.y }))
  const between = (p: Vec2, q: Vec2, t: number): Vec2 => ({ x: p.x + t * (q.x - p.x), y: p.y + t * (q.y - p.y) })
  const shares = Array.from({ length: 41 }, (_, i) => i / 40)
  if (leaf.kind === 'ellipse') return around(leaf.center, leaf.rx, leaf.ry)
  if (leaf.kind === 'halfplane') {
    const { normal, offset } = leaf
    const foot = { x: normal.x * offset, y: normal.y * offset }
    const end = (k: number): Vec2 => ({ x: foot.x - k * normal.y, y: foot.y + k * normal.x })
    const deep = { x: foot.x - 1e4 * normal.x, y: foot.y - 1e4 * normal.y }
    return [...shares.map((t) => between(end(-20), end(20), t)), end(-1e4), end(1e4), deep]
  }
  const { ring, radius } = leaf
  return ring.flatMap((p, i) => {
    const q = ring[(i + 1) % ring.length]
    const length = Math.hypot(q.x - p.x, q.y - p.y)
    const nx = length > 0 ? (radius * (q.y - p.y)) / length : 0
    const ny = length > 0 ? (radius * (p.x - q.x)) / length : 0
    const edge = shares.map((t) => between(p, q, t))
    if (radius === 0) return edge
    return [
      ...edge.flatMap(({ x, y }) => [
        { x: x + nx, y: y + ny },
        { x: x - nx, y: y - ny },
      ]),
      ...around(p, radius, radius),
    ]
  })
}

describe('at points of both', () => {
  it('no point is outside what holds it, and there is one outside what does not', () => {
    let unseen = 0
    let told = 0
    fc.assert(
      fc.property(pairs, ({ a, b }) => {
        const partsA = measuredParts(a)
        const partsB = measuredParts(b)
        const near = [...partsA.leaves, ...partsB.leaves].flatMap(boundaryOf).flatMap(({ x, y }) => [
          { x, y },
          { x: x + 1e-5, y },
          { x: x - 1e-5, y },
          { x, y: y + 1e-5 },
          { x, y: y - 1e-5 },
        ])
        const witness = near.find((p) => partsDistance(partsA, p) > 1e-7 && partsDistance(partsB, p) <= 1e-11)
        if (holds(a, b)) expect(witness).toBeUndefined()
        else {
          told++
          if (witness === undefined) unseen++
        }
      }),
      unshrunk(600),
    )
    // Samples may miss a gap that is narrow.
    expect(unseen).toBeLessThanOrEqual(told / 100)
  })
})

const at = (shape: Shape2d, x = 0, y = 0): Body2d => ({ shape, position: { x, y } })
const circle = (radius: number): Shape2d => ({ type: 'circle', radius })
const box = (width: number, height: number, radius = 0): Shape2d => ({ type: 'box', width, height, radius })
const ellipse = (rx: number, ry: number): Shape2d => ({ type: 'ellipse', rx, ry })
const segment = (ax: number, ay: number, bx: number, by: number): Shape2d => ({
  type: 'segment',
  a: { x: ax, y: ay },
  b: { x: bx, y: by },
})
const capsule = (half: number, radius: number): Shape2d => ({
  type: 'capsule',
  a: { x: -half, y: 0 },
  b: { x: half, y: 0 },
  radius,
})
const halfplane = (x: number, y: number, offset: number): Shape2d => ({ type: 'halfplane', normal: { x, y }, offset })
const corners = (half: number): Vec2[] => [
  { x: -half, y: -half },
  { x: half, y: -half },
  { x: half, y: half },
  { x: -half, y: half },
]
const rectangle = (minX: number, minY: number, maxX: number, maxY: number): Vec2[] => [
  { x: minX, y: minY },
  { x: maxX, y: minY },
  { x: maxX, y: maxY },
  { x: minX, y: maxY },
]
/** 16 wide and 10 high, with a hole 10 wide and 6 high in its middle. */
const frame: Shape2d = { type: 'region', outer: rectangle(-8, 0, 8, 10), holes: [rectangle(-5, 2, 5, 8)] }

/** [what, holder, guest of some size, the largest size at which it is held] */
const tight: [what: string, holder: Body2d, guest: (size: number) => Body2d, size: number][] = [
  ['a circle in a circle', at(circle(2)), (r) => at(circle(r), 1, 0), 1],
  ['a circle in a circle, along a diagonal', at(circle(6)), (r) => at(circle(r), 3, 4), 1],
  ['a box in a circle', at(circle(5)), (w) => at(box(w, 8)), 6],
  ['a circle in a box', at(box(4, 4)), (r) => at(circle(r), 1, 0), 1],
  ['a circle in the corner of a rounded box', at(box(4, 4, 2)), (r) => at(circle(r), 2, 2), 2],
  ['a larger circle in a rounded box', at(box(4, 4, 1)), (r) => at(circle(r)), 3],
  ['a capsule in a capsule', at(capsule(5, 2)), (r) => at(capsule(4, r)), 2],
  ['a circle in an ellipse', at(ellipse(3, 2)), (r) => at(circle(r)), 2],
  ['an ellipse in an ellipse', at(ellipse(3, 2)), (ry) => at(ellipse(1, ry)), 2],
  ['an ellipse in a circle', at(circle(5)), (rx) => at(ellipse(rx, 3)), 5],
  ['an ellipse in a box', at(box(6, 4)), (rx) => at(ellipse(rx, 1)), 3],
  ['an ellipse in a rounded box', at(box(4, 4, 1)), (rx) => at(ellipse(rx, 2)), 3],
  ['an ellipse in a capsule', at(capsule(4, 3)), (ry) => at(ellipse(5, ry)), 3],
  ['a point in an ellipse', at(ellipse(5, 10)), (x) => at({ type: 'point' }, x, 8), 3],
  ['a circle in a half-plane', at(halfplane(3, 4, 2)), (r) => at(circle(r), -3, -4), 7],
  ['an ellipse in a half-plane', at(halfplane(0, 2, 2)), (ry) => at(ellipse(7, ry), 0, -1), 3],
  ['a half-plane in a half-plane', at(halfplane(1, 3, 2)), (offset) => at(halfplane(2, 6, offset)), 2],
  ['a box in two boxes', compound(at(box(2, 2), -1), at(box(2, 2), 1)), (w) => at(box(w, 2)), 4],
  ['a segment in two circles', compound(at(circle(5), -3), at(circle(5), 3)), (y) => at(segment(-3, y, 3, y)), 4],
  ['a circle where two circles cross', compound(at(circle(5), -3), at(circle(5), 3)), (r) => at(circle(r)), 4],
  ['an ellipse where two circles cross', compound(at(circle(5), -3), at(circle(5), 3)), (r) => at(ellipse(1, r)), 4],
  [
    'an ellipse in two half-planes that leave out a wedge',
    compound(at(halfplane(0, 1, -3)), at(halfplane(1, 0, 2))),
    (rx) => at(ellipse(rx, 3)),
    2,
  ],
  ['a circle in a region', at(frame), (r) => at(circle(r), 6.5, 5), 1.5],
  ['a point beside a hole', at(frame), (x) => at({ type: 'point' }, -x, 4), -5],
  ['a chain along a hole', at(frame), (y) => at(segment(2, y, 5, y)), 2],
]

describe('one unit in the last place', () => {
  it.each(tight)('%s', (_what, holder, guest, size) => {
    const [more, less] = [1, -1].map((ulps) => holds(holder, guest(nextAfter(size, ulps))))
    expect(holds(holder, guest(size))).toBe(true)
    expect([less, more]).toEqual([true, false])
  })

  it.each(tight)('%s, far away and much larger or smaller', (_what, holder, guest, size) => {
    for (const k of [2 ** 300, 2 ** -1000]) {
      expect(holds(scaled(holder, k), scaled(guest(size), k))).toBe(true)
      expect(holds(scaled(holder, k), scaled(guest(nextAfter(size, 1)), k))).toBe(false)
    }
    const far = (body: Body2d): Body2d => translated(body, 1e9, -(2 ** 31))
    expect(holds(far(holder), far(guest(size)))).toBe(true)
  })
})

describe('where places are rounded', () => {
  // positions of children and of compounds add up to numbers that no double has
  const FAR = 2 ** 20
  const UNIT = FAR * 2 ** -52
  const small = (shape: Shape2d, shift: number): Body2d => ({
    shape: { type: 'compound', children: [{ shape, position: { x: shift * UNIT, y: shift * UNIT } }] },
    position: { x: FAR, y: -FAR },
  })

  it.each<[what: string, create: (size: number) => Shape2d]>([
    ['a circle', circle],
    ['an ellipse', (size) => ellipse(size, size / 2)],
    ['a slim ellipse', (size) => ellipse(size, size / 64)],
    ['a rounded box', (size) => box(size, size, size / 2)],
    ['a capsule', (size) => capsule(size / 2, size / 2)],
    ['a box', (size) => box(2 * size, size)],
  ])('%s that is small holds points on its axis by where they are', (_what, create) => {
    for (const size of [3.2, 1000.2, 2 ** 16 + 0.2, 2 ** 23 + 0.2]) {
      for (const shift of [-0.45, -0.25, 0, 0.25, 0.45]) {
        const holder = small(create(size * UNIT), shift)
        const both = compound(holder, at(circle(1)))
        for (const side of [-1, 1]) {
          for (const steps of [Math.floor(size) - 1, Math.floor(size), Math.floor(size) + 1]) {
            const held = Math.abs(side * steps - shift) < size
            const point: Body2d = {
              shape: {
                type: 'compound',
                children: [{ shape: { type: 'point' }, position: { x: 0, y: shift * UNIT } }],
              },
              position: { x: FAR + side * steps * UNIT, y: -FAR },
            }
            expect([size, shift, side, steps, holds(both, point)]).toEqual([size, shift, side, steps, held])
          }
        }
      }
    }
  })
})

describe('slots', () => {
  const wedge: Vec2[] = [
    { x: -6, y: -1 },
    { x: 6, y: 0 },
    { x: -6, y: 1 },
  ]
  const guests: [what: string, shape: Shape2d][] = [
    ['a box', box(12, 2)],
    ['a rounded box', box(12, 2, 0.25)],
    ['a capsule', capsule(6, 1)],
    ['a rounded triangle', { type: 'polygon', vertices: wedge, radius: 0.5 }],
    ['an ellipse', ellipse(6, 1)],
  ]

  it.each(guests)('%s is held by two bodies that touch, and not where there is a slot between them', (_what, shape) => {
    for (const side of [box(10, 20), box(8, 18, 1), { type: 'polygon', vertices: corners(4), radius: 1 } as const]) {
      const beside = (width: number) => compound(at(side, -5 - width), at(side, 5))
      for (const y of [0, 1.5]) {
        expect(holds(beside(0), at(shape, 0, y))).toBe(true)
        for (const width of [2 ** -40, 0.5]) expect(holds(beside(width), at(shape, 0, y))).toBe(false)
      }
    }
  })
})

describe('thin and flat bodies', () => {
  const point = at({ type: 'point' })
  it('are the sets that they are', () => {
    expect(both(point, at(circle(0)))).toEqual([true, true])
    expect(both(point, at(box(0, 0)))).toEqual([true, true])
    expect(both(at(box(4, 0)), at(segment(-2, 0, 2, 0)))).toEqual([true, true])
    expect(both(at(box(4, 0)), at(segment(0, 0, 2, 0)))).toEqual([true, false])
    expect(both(at(box(4, 0)), at(box(4, Number.MIN_VALUE * 2)))).toEqual([false, true])
    expect(both(at(box(4, 4)), at({ type: 'chain', vertices: corners(2), loop: true }))).toEqual([true, false])
    expect(both(at({ type: 'chain', vertices: corners(2), loop: true }), at(segment(-2, 2, 1, 2)))).toEqual([
      true,
      false,
    ])
  })

  it('do not fill what is open between them', () => {
    const rungs = Array.from({ length: 9 }, (_, i) => at(segment(-2, i / 2 - 2, 2, i / 2 - 2)))
    expect(both(compound(...rungs), at(box(4, 4)))).toEqual([false, true])
    const halves = compound(at(box(1, 2), -0.5), at(box(1, 2), 0.5 + 2 ** -52))
    expect(both(halves, at(box(1, 1)))).toEqual([false, false])
    // A segment fills a slit as little, but holds what is in it.
    const slit = compound(at(box(1, 2), -0.5), at(box(1, 2), 1.5), at(segment(0, 0, 1, 0)))
    expect(both(slit, at(segment(-1, 0, 2, 0)))).toEqual([true, false])
    expect(both(slit, at(segment(-1, 0, 2, 2 ** -40)))).toEqual([false, false])
  })

  it('a hole is open, and what fills it closes it', () => {
    const hole: Body2d = at({ type: 'aabb', min: { x: -5, y: 2 }, max: { x: 5, y: 8 } })
    const whole: Body2d = at({ type: 'aabb', min: { x: -8, y: 0 }, max: { x: 8, y: 10 } })
    expect(both(at(frame), whole)).toEqual([false, true])
    expect(both(compound(at(frame), hole), whole)).toEqual([true, true])
    expect(both(compound(at(frame), at(ellipse(5, 3), 0, 5)), whole)).toEqual([false, true])
    expect(both(compound(at(frame), at(circle(6), 0, 5)), whole)).toEqual([true, false])
  })
})

describe('very different sizes', () => {
  it('in one body: what is as small as squares that underflow is told as well', () => {
    const least = (k: number): Body2d[] => [
      at(segment(0, 0, 8 * k, 6 * k)),
      at({ type: 'capsule', a: { x: 0, y: 0 }, b: { x: 8 * k, y: 6 * k }, radius: k }),
      at({
        type: 'polygon',
        vertices: [
          { x: 0, y: 0 },
          { x: 8 * k, y: 0 },
          { x: 8 * k, y: 6 * k },
        ],
      }),
      at({
        type: 'region',
        outer: [
          { x: 0, y: 0 },
          { x: 8 * k, y: 0 },
          { x: 8 * k, y: 6 * k },
          { x: 4 * k, y: 2 * k },
        ],
      }),
    ]
    for (const k of [2 ** -560, 2 ** -700, 2 ** -1070]) {
      for (const one of least(k)) {
        const beside = compound(one, at(box(1, 1), 3))
        expect(holds(beside, at({ type: 'point' }, 8 * k, 6 * k))).toBe(true)
        expect(holds(beside, at({ type: 'point' }, -k, -2 * k))).toBe(false)
        expect([k, one.shape.type, holds(beside, at(segment(4 * k, 3 * k, 8 * k, 6 * k)))]).toEqual([
          k,
          one.shape.type,
          one.shape.type !== 'region',
        ])
        expect(holds(beside, at(segment(8 * k, 5 * k, 8 * k, 6 * k)))).toBe(one.shape.type !== 'segment')
        expect(both(beside, compound(at(box(1, 1), 3), one))).toEqual([true, true])
      }
    }
  })

  it('a million to one', () => {
    expect(both(at(box(1e6, 1)), at(circle(0.5), 499999.5))).toEqual([true, false])
    expect(both(at(box(1e6, 1)), at(circle(0.5), nextAfter(499999.5, 1)))).toEqual([false, false])
    expect(both(at(ellipse(1e6, 1)), at(ellipse(1, 1e-6), 999999))).toEqual([true, false])
    expect(both(at(ellipse(1e6, 1)), at(circle(1e-6), 1e6))).toEqual([false, false])
  })
})

describe('steps', () => {
  const region = (vertices: Vec2[]): Body2d => at({ type: 'region', outer: vertices })
  const nearlyLinear = (n: number): number => 1e5 + 4000 * n + n ** 2 / 8

  const simple = Object.entries(HOSTILE_OUTLINES).filter(([kind]) => !kind.startsWith('a comb of long teeth'))

  it.each(simple)('are few for %s within itself', (_kind, create) => {
    for (const size of [250, 500, 1000]) {
      const ring = create(size)
      const holder = prepare(region(ring))
      const guests = [
        region([...ring.slice(3), ...ring.slice(0, 3)]),
        at({ type: 'chain', vertices: ring, loop: true }),
      ]
      for (const guest of guests.map(prepare)) {
        const { result, steps } = countSteps(() => contains(holder, guest))
        expect(result).toBe(true)
        expect({ size, steps }).toEqual({ size, steps: Math.min(steps, nearlyLinear(size)) })
      }
    }
  })

  it('are few for polygons of many corners', () => {
    for (const radius of [0, 0.5]) {
      const ring = ringOf(1024, 1)
      const holder = prepare(at({ type: 'polygon', vertices: ring, radius }))
      const guest = prepare(at({ type: 'polygon', vertices: ring.filter((_, i) => i % 2 === 0), radius }))
      expect(countSteps(() => contains(holder, guest)).steps).toBeLessThan(2 ** 20)
    }
  })

  it('are few for a plain covered by tiles', () => {
    const tiles = (count: number): Body2d =>
      compound(...Array.from({ length: count ** 2 }, (_, i) => at(box(1, 1), i % count, Math.floor(i / count))))
    for (const count of [4, 8, 16]) {
      const middle = (count - 1) / 2
      const { result, steps } = countSteps(() =>
        contains(prepare(tiles(count)), prepare(at(box(count, count), middle, middle))),
      )
      expect(result).toBe(true)
      expect(steps).toBeLessThan(4000 * count ** 2)
    }
  })
})
