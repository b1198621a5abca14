import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Body2d, Shape2d } from '../../../schemas/shapes2d.ts'
import { separate } from '../../../src/core2d/narrow-phase/dispatch.ts'
import { createSeparation } from '../../../src/core2d/narrow-phase/separation.ts'
import { contact, createContact } from '../../../src/core2d/queries/contact.ts'
import { createDistance, distance } from '../../../src/core2d/queries/distance.ts'
import { createOverlap, overlap, relate } from '../../../src/core2d/queries/overlap.ts'
import { prepare } from '../../support/answers/slots.ts'
import { runs } from '../../support/runs.ts'

const at = (shape: Shape2d, x: number, y: number, rotation = 0): Body2d => ({ shape, position: { x, y }, rotation })
const circle = (radius: number): Shape2d => ({ type: 'circle', radius })
const box = (width: number, height: number, radius = 0): Shape2d => ({ type: 'box', width, height, radius })
const ellipse = (rx: number, ry: number): Shape2d => ({ type: 'ellipse', rx, ry })
const capsule = (x0: number, y0: number, x1: number, y1: number, radius: number): Shape2d => ({
  type: 'capsule',
  a: { x: x0, y: y0 },
  b: { x: x1, y: y1 },
  radius,
})
const polygon = (vertices: number[][], radius = 0): Shape2d => ({
  type: 'polygon',
  vertices: vertices.map(([x, y]) => ({ x, y })),
  radius,
})
const floor: Shape2d = { type: 'halfplane', normal: { x: 0, y: 2 }, offset: 0 }
const ceiling: Shape2d = { type: 'halfplane', normal: { x: 0, y: -1 }, offset: 0 }

function contactOf(a: Body2d, b: Body2d, maxDistance = 0) {
  const out = createContact()
  contact(prepare(a), prepare(b), maxDistance, out)
  return out
}

describe('every cell of the pair table', () => {
  it('throws by name where no pair of convex bodies can come', () => {
    const compound = prepare({ shape: { type: 'compound', children: [{ shape: circle(1) }] } })
    const out = createSeparation()
    expect(() => separate(prepare(at(circle(1), 0, 0)), compound, out)).toThrow('A pair of circle and composite')
    expect(() => separate(compound, compound, out)).toThrow('A pair of composite and composite')
    expect(() => separate(prepare(at(floor, 0, 0)), compound, out)).toThrow('A pair of halfplane and composite')
  })

  // Separation and normal worked out by hand.
  it.each<[string, Body2d, Body2d, number, [number, number] | null]>([
    ['circle circle', at(circle(1), 0, 0), at(circle(2), 3, 4), 2, [0.6, 0.8]],
    ['circle circle inside', at(circle(1), 0, 0), at(circle(3), 1, 0), -3, [1, 0]],
    ['circle box face', at(circle(1), 0, 3), at(box(4, 2), 0, 0), 1, [0, -1]],
    ['circle box corner', at(circle(1), 5, 5), at(box(4, 2), 0, 0), 4, [-0.6, -0.8]],
    ['circle in box', at(circle(0.5), 1.5, 0), at(box(4, 2), 0, 0), -1, [-1, 0]],
    ['box box', at(box(2, 2), 0, 0), at(box(2, 2), 1.5, 0.5), -0.5, [1, 0]],
    ['box box corners', at(box(2, 2), 0, 0), at(box(2, 2), 5, 6), 5, [0.6, 0.8]],
    ['box rounded box', at(box(2, 2), 0, 0), at(box(2, 2, 1), 5, 6), 4, [0.6, 0.8]],
    ['capsules crossing', at(capsule(-2, 0, 2, 0, 1), 0, 0), at(capsule(0, -1, 0, 4, 0.5), 0, 0), -2.5, [0, 1]],
    ['segments crossing', at(capsule(-1, 0, 1, 0, 0), 0, 0), at(capsule(0, -0.25, 0, 3, 0), 0, 0), -0.25, [0, 1]],
    ['capsule in line', at(capsule(0, 0, 1, 0, 0.25), 0, 0), at(capsule(0, 0, 1, 0, 0.25), 2, 0), 0.5, [1, 0]],
    ['circle ellipse', at(circle(1), 6, 0), at(ellipse(3, 2), 0, 0), 2, [-1, 0]],
    ['point in ellipse', at(circle(0), 0, 1.5), at(ellipse(3, 2), 0, 0), -0.5, [0, -1]],
    ['box ellipse', at(box(2, 2), 5, 0), at(ellipse(3, 2), 0, 0), 1, [-1, 0]],
    ['ellipse ellipse', at(ellipse(3, 2), 0, 0), at(ellipse(1, 4), 7, 0), 3, [1, 0]],
    ['ellipse turned', at(ellipse(3, 1), 0, 0, Math.PI / 2), at(ellipse(1, 1), 0, 3.5), -0.5, [0, 1]],
    ['circle floor', at(circle(1), 7, 3), at(floor, 0, 0), 2, [0, -1]],
    ['box floor', at(box(2, 2), 7, 0.5), at(floor, 0, 0), -0.5, [0, -1]],
    ['ellipse floor', at(ellipse(3, 2), 7, 1), at(floor, 0, 0), -1, [0, -1]],
    ['floor ceiling apart', at(floor, 3, 0), at(ceiling, 9, 2), 2, [0, 1]],
    ['floor ceiling', at(floor, 3, 1), at(ceiling, 9, 0), -1, [0, 1]],
    ['two floors', at(floor, 3, 1), at(floor, 9, 0), -Infinity, null],
  ])('%s', (_name, a, b, separation, normal) => {
    for (const swapped of [false, true]) {
      const out = swapped ? contactOf(b, a, 10) : contactOf(a, b, 10)
      const side = swapped ? -1 : 1
      if (Number.isFinite(separation)) expect(out.separation).toBeCloseTo(separation, 12)
      else expect(out.separation).toBe(separation)
      expect(out.relation).toBe(Math.sign(separation))
      expect(out.hasNormal).toBe(normal !== null)
      if (normal === null) continue
      expect(side * out.nx).toBeCloseTo(normal[0], 12)
      expect(side * out.ny).toBeCloseTo(normal[1], 12)
      const depth = Math.max(-separation, 0)
      expect([side * out.tx, side * out.ty]).toEqual([
        expect.closeTo(depth * normal[0], 12),
        expect.closeTo(depth * normal[1], 12),
      ])
    }
  })
})

describe('the order of a pair', () => {
  const value = fc.double({ min: -4, max: 4, noNaN: true })
  const size = fc.double({ min: 0, max: 3, noNaN: true })
  const shape = fc.oneof(
    size.map(circle),
    fc.tuple(size, size, size).map(([w, h, r]) => box(w, h, r)),
    fc.tuple(value, value, value, value, size).map(([x0, y0, x1, y1, r]) => capsule(x0, y0, x1, y1, r)),
    fc.tuple(size, size).map(([rx, ry]) => ellipse(rx + 0.01, ry + 0.01)),
    fc.constant(floor),
  )
  const body = fc.tuple(shape, value, value, value).map(([s, x, y, r]) => at(s, x, y, r))

  it('swaps every answer to the last bit', () => {
    fc.assert(
      fc.property(body, body, (p, q) => {
        const [a, b] = [prepare(p), prepare(q)]
        const [ab, ba] = [createContact(), createContact()]
        contact(a, b, 1, ab)
        contact(b, a, 1, ba)
        expect(ba.separation).toBe(ab.separation)
        if (!isSame(p, q)) expect([-ba.nx + 0, -ba.ny + 0]).toEqual([ab.nx + 0, ab.ny + 0])
        expect(ba.count).toBe(ab.count)
        for (let i = 0; i < ab.count; i++) {
          expect([ba.points[i].x, ba.points[i].y]).toEqual([ab.points[i].x, ab.points[i].y])
          expect(ba.points[i].featureA).toBe(ab.points[i].featureB)
        }
        const [dab, dba] = [createDistance(), createDistance()]
        distance(a, b, dab)
        distance(b, a, dba)
        expect([dba.ax, dba.ay, dba.bx, dba.by]).toEqual([dab.bx, dab.by, dab.ax, dab.ay])
        const [oab, oba] = [createOverlap(), createOverlap()]
        overlap(a, b, oab)
        overlap(b, a, oba)
        expect([oba.relation, oba.px, oba.py, oba.gap]).toEqual([oab.relation, oab.px, oab.py, oab.gap])
      }),
      runs(1000),
    )
  })

  function isSame(p: Body2d, q: Body2d): boolean {
    return JSON.stringify(p) === JSON.stringify(q)
  }
})

describe('exact signs', () => {
  const UP = 1 + 2 ** -52

  it.each<[string, Body2d, Body2d, Body2d]>([
    // A, and two positions of B: touching, and one unit in the last place off.
    ['circle circle', at(circle(2), 0, 0), at(circle(3), 3, 4), at(circle(3), 3, 4 * UP)],
    ['box corner circle', at(box(2, 2), 0, 0), at(circle(5), 4, 5), at(circle(5), 4, 5 * UP)],
    ['capsule side circle', at(capsule(0, 0, 4, 3, 1), 0, 0), at(circle(4), -1, 5.5), at(circle(4), -1, 5.5 * UP)],
    ['box box', at(box(2, 2), 0, 0), at(box(2, 2), 2, 0.5), at(box(2, 2), 2 * UP, 0.5)],
    ['box box corner', at(box(2, 2), 0, 0), at(box(2, 2), 2, 2), at(box(2, 2), 2, 2 * UP)],
    ['point ellipse', at(ellipse(5, 10), 0, 0), at(circle(0), 3, 8), at(circle(0), 3, 8 * UP)],
    [
      'ellipse ellipse',
      at(ellipse(6.5, 4.875), 0, 0),
      at(ellipse(6.5, 4.875), -5, 9),
      at(ellipse(6.5, 4.875), -5, 9 * UP),
    ],
    ['circle ellipse', at(ellipse(3, 2), 0, 0), at(circle(1.5), 4.5, 0), at(circle(1.5), 4.5 * UP, 0)],
    ['rounded box ellipse', at(ellipse(3, 2), 0, 0), at(box(1, 8, 0.5), 4, 0), at(box(1, 8, 0.5), 4 * UP, 0)],
    ['box ellipse', at(ellipse(3, 2), 0, 0), at(box(2, 8), 4, 0), at(box(2, 8), 4 * UP, 0)],
    ['circle floor', at(floor, 0, 0), at(circle(1), 9, 1), at(circle(1), 9, UP)],
    ['ellipse floor', at(floor, 0, 0), at(ellipse(3, 2), 9, 2), at(ellipse(3, 2), 9, 2 * UP)],
    ['floor ceiling', at(floor, 0, 1), at(ceiling, 9, 1), at(ceiling, 9, UP)],
    [
      'slanted floor',
      at({ type: 'halfplane', normal: { x: 3, y: 4 }, offset: 5 }, 0, 0),
      at(circle(5), 6, 8),
      at(circle(5), 6, 8 * UP),
    ],
  ])('%s', (_name, a, touching, apart) => {
    expect(relate(prepare(a), prepare(touching))).toBe(0)
    expect(relate(prepare(touching), prepare(a))).toBe(0)
    const out = contactOf(a, apart)
    expect(out.relation).toBe(1)
    expect(out.separation).toBeGreaterThan(0)
    expect(out.separation).toBeLessThan(1e-14)
    expect(contactOf(a, touching).separation).toBe(0)
  })

  it('follow from the nearest corner, though another one touches', () => {
    const inward = 2 ** -51
    const round = (x: number) => at(ellipse(x, 0.5), 0, 0)
    for (const [from, to] of [
      [0, -inward],
      [-inward, 0],
    ]) {
      const capsules = [capsule(from, 0, to, 0, 1), capsule(from, 0, 1, 0, 1), capsule(from, 0, 0, 0, 1)]
      const [slight, ...touching] = capsules.map((shape) => at(shape, 2, 0))
      expect(relate(prepare(slight), prepare(round(1)))).toBe(-1)
      expect(relate(prepare(slight), prepare(round(1 - 2 * inward)))).toBe(1)
      const isIn = from < 0
      for (const each of touching) expect(relate(prepare(each), prepare(round(1)))).toBe(isIn ? -1 : 0)
    }
  })

  it('take position + vertex exactly', () => {
    // 0.1 + 0.2 rounds up to a value above the exact sum of the two doubles; 0.3 lies below both.
    const wall = at({ type: 'aabb', min: { x: 0.2, y: 0 }, max: { x: 1, y: 1 } }, 0.1, 0)
    expect(relate(prepare(wall), prepare(at({ type: 'point' }, 0.1 + 0.2, 0.5)))).toBe(-1)
    expect(relate(prepare(wall), prepare(at({ type: 'point' }, 0.3, 0.5)))).toBe(1)
  })

  it('hold for pairs whose extent is near the smallest double, and beyond the spread of expansions', () => {
    const point = (x: number, y = 0): Body2d => at({ type: 'point' }, x, y)
    expect(relate(prepare(point(5e-324)), prepare(point(0)))).toBe(1)
    expect(relate(prepare(at(circle(0), -1e-323, 0)), prepare(at(circle(0), 0, 0)))).toBe(1)
    expect(relate(prepare(at(capsule(3, 0, 3, 0, 0), -3, 0)), prepare(point(-1e-200)))).toBe(1)
    expect(relate(prepare(at(circle(1), 0, 0)), prepare(point(1, 1e-200)))).toBe(1)
    const far = at(capsule(-1e-323, 2e90, 0, 2e90, 0), 0, 0)
    expect(relate(prepare(far), prepare(at(circle(0), 0, 2e90)))).toBe(0)
    const out = createDistance()
    distance(prepare(at(box(4e-300, 2e-300), 0, 0)), prepare(at(circle(1e-300), 5e-300, 5e-300)), out)
    expect(out.distance / 4e-300).toBeCloseTo(1, 12)
  })
})

describe('inputs that once went wrong', () => {
  it('a circle beside two edges that are in line but for one ulp', () => {
    const vertices = [
      { x: 0, y: -1 },
      { x: 0.0625, y: 0 },
      { x: 0.125, y: 1.0000000000000002 },
      { x: 0, y: 0 },
    ]
    const out = contactOf(at({ type: 'polygon', vertices, radius: 0.625 }, 0, 0), at({ type: 'point' }, 0.625, 0.625))
    expect(out.separation).toBeCloseTo(-0.10258185345036301, 14)
  })

  it('nearest points of boxes a rounding error apart lie on the boxes', () => {
    const a = at(capsule(-4, -4, 1, -4, 0), -4, -4)
    const b = at(
      { type: 'aabb', min: { x: -4, y: -4 }, max: { x: 1.0000000266716853, y: -1.9778683868490607 } },
      -9.000000026671685,
      -6.02213161315094,
    )
    const out = createDistance()
    distance(prepare(a), prepare(b), out)
    expect([out.ax, out.ay]).toEqual([expect.closeTo(-8, 6), expect.closeTo(-8, 12)])
  })

  it('the far side of an ellipse is the way out for a vertex on its minor axis', () => {
    const a = at(ellipse(0.15992020237130458, 0.9508339106153765), -4, 1.3966665877421809)
    const b = at(
      capsule(-3.340704893015853, 1.9519410569789697, -1.8482671941003361, -0.18884787618450227, 0),
      -0.8192153093554451,
      -0.5552744692367888,
    )
    expect(contactOf(a, b).separation).toBeCloseTo(-0.319840404742609, 12)
  })

  it('a normal from nearest points 7e-9 apart at 1e9 is a unit vector', () => {
    const a = at(
      capsule(-3.202557093657875, -0.1646754084527173, -3.202557093657875, -0.16467540845271733, 0),
      -1000000004,
      999996,
    )
    const b = at(
      {
        type: 'aabb',
        min: { x: -3.999999999999961, y: 3.323599697007152 },
        max: { x: 0.13841704726243087, y: 3.9364967978642973 },
      },
      -1000000003.2025571,
      999991.8988277937,
    )
    const out = contactOf(a, b)
    expect(Math.hypot(out.nx, out.ny)).toBeCloseTo(1, 15)
  })

  it('a normal from nearest points on a chain in line but for one ulp belongs to the right edge', () => {
    const a = polygon([
      [0, 1],
      [4, -1],
      [4, -2],
    ])
    const b = polygon(
      [
        [-4, 3],
        [-4, 0.5],
        [-3.999999999999999, -2],
        [0, -0.5],
        [1, 0],
        [0, 1],
      ],
      1.875,
    )
    const out = contactOf(at(a, 0, 0), at(b, 9.5, -3.625))
    expect([out.separation, out.nx, out.ny]).toEqual([-0.375, 1, 0])
    expect(out.points[0].separation).toBe(-0.375)
  })

  it('denormal sizes beside ordinary ones give finite answers of the right sign', () => {
    const speck = at({ type: 'point' }, 3.3324622633200973, -3.4316118252771632)
    const skin = at(box(0.3289901554129732, 2.1616558583106893, 5e-324), 3.496957341026584, -2.3507838961218184)
    expect(contactOf(skin, speck).separation).toBeCloseTo(2.2377260456559e-16, 28)
    const needle = polygon(
      [
        [0, 0],
        [2 ** 53, 0],
        [2 ** 53, 0],
      ],
      5e-324,
    )
    expect(contactOf(at(capsule(-1.44, -0.195, 3.56, -0.195, 0.838), 0, 0), at(needle, 0, 0)).separation).toBe(-0.643)
    const huge = at(capsule(0, 0, 0, 5e-324, 1e100), 0, 0)
    expect(contactOf(huge, at(capsule(-2.1, -1.1, -0.8, -0.6, 0), 0, 0)).separation).toBe(-1e100)
    const hair = contactOf(at({ type: 'point' }, 0, 0), at(ellipse(5e-324, 0.625), 0, 0))
    expect([hair.relation, Math.abs(hair.nx), Math.abs(hair.ny)]).toEqual([-1, 1, 0])
    const apart = contactOf(at(circle(5.8e-302), 0, -1e-323), at({ type: 'point' }, 5.8e-302, 0))
    expect(apart.separation).toBeGreaterThan(0)
  })
})

describe('a segment whose ends a turn has rounded to one point', () => {
  const d = Number.MIN_VALUE
  const segment = at({ type: 'segment', a: { x: 3 * d, y: 0 }, b: { x: 4 * d, y: 0 } }, 0, 0, Math.PI / 3)

  it.each([
    [100, 400],
    [-300, 90],
    [40, -500],
  ])('is as far from a circle at (%d, %d) of the least doubles as at its own scale', (x, y) => {
    const disc = at(circle(20 * d), x * d, y * d)
    const slots = [prepare(segment), prepare(disc)] as const
    expect(slots.map(({ count }) => count)).toEqual([1, 1])
    for (const [a, b] of [slots, [slots[1], slots[0]] as const]) {
      const out = createSeparation()
      const { first } = separate(a, b, out)
      // the nearer end, from where the circle is seen
      const length = Math.min(
        ...[3, 4].map((t) => Math.hypot(x - t * Math.cos(Math.PI / 3), y - t * Math.sin(Math.PI / 3))),
      )
      expect(Math.abs(out.value / d - (length - 20))).toBeLessThan(2)
      const side = first === slots[0] ? 1 : -1
      const [wx, wy] = [(out.bx - out.ax) / d, (out.by - out.ay) / d]
      expect(
        Math.hypot(side * wx - (x * (length - 20)) / length, side * wy - (y * (length - 20)) / length),
      ).toBeLessThan(5)
      expect(Math.hypot(side * out.nx - x / length, side * out.ny - y / length)).toBeLessThan(0.05)
    }
  })
})
