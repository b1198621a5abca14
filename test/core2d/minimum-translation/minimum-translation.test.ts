import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Body2d, Shape2d } from '../../../schemas/shapes2d.ts'
import { minimumTranslation } from '../../../src/core2d/minimum-translation/minimum-translation.ts'
import { createTranslation } from '../../../src/core2d/minimum-translation/refine.ts'
import { orderComposites } from '../../../src/core2d/narrow-phase/leaf-pairs.ts'
import { contact, contactComposites, createContact } from '../../../src/core2d/queries/contact.ts'
import { shortestTranslation } from '../../oracle/translation.ts'
import { asCompound, concaveShape, movedPieces, piecedPair } from '../../oracle/translation-shapes.ts'
import { prepare } from '../../support/answers/slots.ts'
import { runs } from '../../support/runs.ts'

type Ring = readonly (readonly [number, number])[]

const points = (ring: Ring) => ring.map(([x, y]) => ({ x, y }))
const at = (shape: Shape2d, x = 0, y = 0, rotation = 0): Body2d => ({ shape, position: { x, y }, rotation })
const region = (outer: Ring, ...holes: Ring[]): Shape2d => ({
  type: 'region',
  outer: points(outer),
  ...(holes.length > 0 ? { holes: holes.map(points) } : {}),
})
const chain = (vertices: Ring, loop = false): Shape2d => ({ type: 'chain', vertices: points(vertices), loop })
const compound = (...children: Body2d[]): Shape2d => ({ type: 'compound', children })
const box = (width: number, height: number): Shape2d => ({ type: 'box', width, height })
const circle = (radius: number): Shape2d => ({ type: 'circle', radius })
const point: Shape2d = { type: 'point' }
const segment = (ax: number, ay: number, bx: number, by: number): Shape2d => ({
  type: 'segment',
  a: { x: ax, y: ay },
  b: { x: bx, y: by },
})
const halfplane = (x: number, y: number, offset: number): Shape2d => ({ type: 'halfplane', normal: { x, y }, offset })

const U = region([
  [0, 0],
  [4, 0],
  [4, 3],
  [3, 3],
  [3, 1],
  [1, 1],
  [1, 3],
  [0, 3],
])
const L = region([
  [0, 0],
  [4, 0],
  [4, 1],
  [1, 1],
  [1, 4],
  [0, 4],
])
const FRAME = region(
  [
    [-3, -3],
    [3, -3],
    [3, 3],
    [-3, 3],
  ],
  [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ],
)
const PLUS = region([
  [-1, -3],
  [1, -3],
  [1, -1],
  [3, -1],
  [3, 1],
  [1, 1],
  [1, 3],
  [-1, 3],
  [-1, 1],
  [-3, 1],
  [-3, -1],
  [-1, -1],
])
const COMB = region([
  [0, 0],
  [7, 0],
  [7, 4],
  [6, 4],
  [6, 1],
  [5, 1],
  [5, 4],
  [4, 4],
  [4, 1],
  [3, 1],
  [3, 4],
  [2, 4],
  [2, 1],
  [1, 1],
  [1, 4],
  [0, 4],
])

function contactOf(a: Body2d, b: Body2d) {
  const out = createContact()
  contactComposites(prepare(a), prepare(b), 0, out)
  return out
}

/** The body scaled by k about the world's origin; compounds through their children. */
function scaled(body: Body2d, k: number): Body2d {
  return JSON.parse(JSON.stringify(body), (key, value) =>
    typeof value === 'number' && key !== 'rotation' ? value * k : value,
  )
}

describe('the minimum translation of known shapes', () => {
  it.each<[string, Body2d, Body2d, [number, number]]>([
    ['U: out of its floor', at(U), at(box(1, 1), 2, 1), [0, 0.5]],
    ['U: into a slot of exactly the width', at(U), at(box(2, 2), 1.5, 2.2), [0.5, 0]],
    ['U: a wider box does not fit between the arms', at(U), at(box(2.5, 2), 2, 3), [0, 1]],
    ['U: a point goes to its nearest side', at(U), at(point, 0.4, 2), [-0.4, 0]],
    ['U: a point behind a reflex corner', at(U), at(point, 0.9, 0.9), [0.1, 0.1]],
    ['L: a circle into the corner', at(L), at(circle(1), 1.5, 1.5), [0.5, 0.5]],
    ['L: a corner within the corner', at(L), at(box(2, 2), 1.5, 1.8), [0.5, 0.2]],
    ['L against L', at(L), at(L, 0.5, 0.5), [0.5, 0.5]],
    ['frame: a box in the hole stays there', at(FRAME), at(box(1, 1), 0.7, 0), [-0.2, 0]],
    ['frame: a plug of exactly the size', at(FRAME), at(box(2, 2), 0.3, 0.4), [-0.3, -0.4]],
    ['frame: too large for the hole', at(FRAME), at(box(2.5, 1), 0, 0), [0, 3.5]],
    ['frame in frame', at(FRAME), at(FRAME, 4, 0), [2, 0]],
    ['plus: a box in the notch', at(PLUS), at(box(2, 2), 1.7, 1.9), [0.3, 0.1]],
    ['comb: a thin box between the teeth', at(COMB), at(box(0.5, 2), 2.1, 3), [-0.35, 0]],
    ['comb: a thick one over the teeth', at(COMB), at(box(1.5, 2), 3.5, 3.5), [0, 1.5]],
    ['comb: teeth into slots of exactly their width', at(COMB), at(COMB, 8.25, 6, Math.PI), [-0.25, 0]],
    [
      'wholly inside',
      at(
        region([
          [0, 0],
          [10, 0],
          [10, 10],
          [0, 10],
        ]),
      ),
      at(box(1, 1), 2, 5),
      [-2.5, 0],
    ],
    [
      'a region wholly inside',
      at(
        region([
          [0, 0],
          [20, 0],
          [20, 20],
          [0, 20],
        ]),
      ),
      at(U, 2, 8),
      [-6, 0],
    ],
    [
      'a chain is pushed out of a box',
      at(
        chain([
          [0, 0],
          [1, 1],
          [2, 0],
          [3, 1],
        ]),
      ),
      at(box(5, 4), 1.5, 1),
      [0, 2],
    ],
    [
      'a chain within a region',
      at(
        chain([
          [1, 1],
          [2, 2],
          [3, 1],
        ]),
      ),
      at(
        region([
          [0, 0],
          [9, 0],
          [9, 9],
          [0, 9],
        ]),
      ),
      [0, 2],
    ],
    [
      'a segment across a chain',
      at(
        chain([
          [-5, 0],
          [0, 0],
          [5, 0],
        ]),
      ),
      at(segment(0.5, -0.25, 0.5, 3)),
      [0, 0.25],
    ],
    [
      'a circle on a chain',
      at(
        chain([
          [-5, 0],
          [0, 0],
          [5, 0],
        ]),
      ),
      at(circle(1), 0, 0.25),
      [0, 0.75],
    ],
    [
      'a circle in a bend',
      at(
        chain([
          [-5, 5],
          [0, 0],
          [5, 5],
        ]),
      ),
      at(circle(Math.SQRT2), 0, 1.5),
      [0, 0.5],
    ],
    [
      'a loop around a small box',
      at(
        chain(
          [
            [0, 0],
            [6, 0],
            [6, 6],
            [0, 6],
          ],
          true,
        ),
      ),
      at(box(1, 1), 0.25, 3),
      [0.25, 0],
    ],
    ['a half-plane', at(U), at(halfplane(0, 1, 0.5)), [0, -0.5]],
    ['two half-planes in one', at(compound(at(halfplane(0, 1, 0)), at(halfplane(1, 0, 0)))), at(U, -1, -0.5), [1, 0.5]],
    [
      'tiles: a box over their seam',
      at(compound(at(box(2, 2)), at(box(2, 2), 2, 0))),
      at(box(1, 1), 1, 1.25),
      [0, 0.25],
    ],
  ])('%s', (_name, a, b, [x, y]) => {
    const out = contactOf(a, b)
    const depth = Math.hypot(x, y)
    expect(out.relation).toBe(-1)
    expect(out.exact).toBe(true)
    expect(out.separation).toBeCloseTo(-depth, 12)
    const ties = Math.abs(Math.abs(out.tx) - Math.abs(x)) + Math.abs(Math.abs(out.ty) - Math.abs(y))
    expect(ties).toBeLessThan(1e-12)
    expect([out.nx * depth, out.ny * depth]).toEqual([expect.closeTo(out.tx, 12), expect.closeTo(out.ty, 12)])
    const swapped = contactOf(b, a)
    expect([swapped.separation, 0 - swapped.tx, 0 - swapped.ty]).toEqual([out.separation, out.tx, out.ty])
    for (const k of [2 ** -40, 2 ** 40]) {
      const far = contactOf(scaled(a, k), scaled(b, k))
      expect([far.separation, far.tx, far.ty]).toEqual([k * out.separation, k * out.tx, k * out.ty])
    }
    const away = 2 ** 20
    const moved = (body: Body2d): Body2d => ({
      ...body,
      position: { x: (body.position?.x ?? 0) + away, y: (body.position?.y ?? 0) - away },
    })
    // A position of a million keeps ten digits after the point.
    expect(contactOf(moved(a), moved(b)).separation).toBeCloseTo(out.separation, 8)
  })
})

describe('where two leaves meet there is no way through', () => {
  const translationOf = (a: Body2d, b: Body2d) => {
    const out = createTranslation()
    const frame = orderComposites(prepare(a), prepare(b))
    minimumTranslation(frame, out)
    const side = frame.swapped ? -1 : 1
    return { ...out, tx: side * out.tx, ty: side * out.ty }
  }

  it.each<[string, Body2d, Body2d, [number, number]]>([
    [
      'at a joint of the chain',
      at(
        chain([
          [-5, 0],
          [0, 0],
          [5, 0],
        ]),
      ),
      at(segment(0, -0.25, 0, 3)),
      [0, 0.25],
    ],
    [
      'tiles: a segment in their seam',
      at(compound(at(box(2, 2)), at(box(2, 2), 2, 0))),
      at(segment(1, 0.5, 1, 3)),
      [0, 0.5],
    ],
    ['tiles: a point in their seam', at(compound(at(box(2, 2)), at(box(2, 2), 2, 0))), at(point, 1, 0.5), [0, 0.5]],
    ['regions: a point in their seam', at(compound(at(L, -1, -4), at(L, -5, -4))), at(point, -1, -3.25), [0, 0.25]],
  ])('%s', (_name, a, b, [x, y]) => {
    for (const swapped of [false, true]) {
      const side = swapped ? -1 : 1
      const { tx, ty, exact, length } = swapped ? translationOf(b, a) : translationOf(a, b)
      expect(exact).toBe(true)
      expect(length).toBeCloseTo(Math.hypot(x, y), 12)
      expect([side * tx, side * ty]).toEqual([expect.closeTo(x, 12), expect.closeTo(y, 12)])
    }
  })
})

/** Both orders of one pair, which must agree to the last bit. */
function bothWays(a: Body2d, b: Body2d) {
  const out = contactOf(a, b)
  const swapped = contactOf(b, a)
  expect([swapped.separation, 0 - swapped.tx, 0 - swapped.ty]).toEqual([out.separation, 0 + out.tx, 0 + out.ty])
  return out
}

describe('the minimum translation of random shapes', () => {
  it('is what brute force over the pieces finds, as regions and as compounds', () => {
    fc.assert(
      fc.property(piecedPair(), fc.boolean(), fc.boolean(), ({ a, b, x, y }, splitA, splitB) => {
        const truth = shortestTranslation(a.pieces, movedPieces(b, x, y))
        const bodyA = at(splitA ? asCompound(a).shape : a.shape)
        const bodyB = at(splitB ? asCompound(b).shape : b.shape, x, y)
        const out = bothWays(bodyA, bodyB)
        expect(out.exact).toBe(true)
        expect(-Math.min(out.separation, 0)).toBeGreaterThan(truth.length - 1e-9)
        expect(-Math.min(out.separation, 0)).toBeLessThan(truth.length + 1e-9)
        expect(Math.hypot(out.tx, out.ty)).toBeCloseTo(-Math.min(out.separation, 0), 12)
      }),
      runs(1500),
    )
  })

  it('leaves the pair touching, and no shorter one parts it', () => {
    const coordinate = fc.integer({ min: -2000, max: 4000 }).map((n) => n / 1000)
    const radius = fc.integer({ min: 1, max: 1000 }).map((n) => n / 1000)
    const capsule = fc
      .tuple(coordinate, coordinate, radius)
      .map(
        ([x, y, r]): Shape2d => ({ type: 'capsule', a: { x: -x / 4, y: 0 }, b: { x: 0.5, y: y / 4 }, radius: r / 2 }),
      )
    const single = fc.oneof(
      radius.map(circle),
      capsule,
      radius.map((r): Shape2d => ({ type: 'box', width: 1, height: 2 * r, radius: r / 3 })),
    )
    const several = fc
      .tuple(single, single, coordinate, coordinate, coordinate)
      .map(([one, other, x, y, turn]) => compound(at(one, x / 2, y / 2), at(other, -y / 2, x / 3, turn)))
    const withRegion = radius.map((r) => compound(at(U, -1, 0, 0.3), at(circle(r), 3, 3)))
    const rounded = fc.oneof(single, several, withRegion)
    const share = fc.tuple(fc.integer({ min: 0, max: 999 }), fc.integer({ min: 1, max: 999 }))
    const shorter = fc.array(share, { minLength: 20, maxLength: 20 })
    fc.assert(
      fc.property(
        fc.boolean().chain(concaveShape),
        rounded,
        coordinate,
        coordinate,
        coordinate,
        shorter,
        ({ shape }, other, x, y, rotation, tries) => {
          const a = at(shape)
          const b = at(other, x, y, rotation)
          const out = bothWays(a, b)
          fc.pre(out.relation < 0)
          expect(out.exact).toBe(true)
          const after = contactOf(a, at(other, x + out.tx, y + out.ty, rotation))
          expect(Math.abs(after.separation)).toBeLessThan(1e-10)
          const depth = -out.separation
          for (const [turn, length] of tries) {
            // What is left of the way out is at least what is missing.
            const angle = (2 * Math.PI * turn) / 1000
            const way = (depth * length) / 1000
            const moved = at(other, x + way * Math.cos(angle), y + way * Math.sin(angle), rotation)
            const rest = contactOf(a, moved)
            expect(-rest.separation).toBeGreaterThan(depth - way - 1e-10)
          }
        },
      ),
      runs(200),
    )
  })

  it.each<[string, Body2d, Body2d, number]>([
    [
      'an arc whose nearest end is its last',
      at(
        region([
          [2.2536, 1.0306],
          [0.7273, 1.8858],
          [-1.6372, 0.868],
          [-1.9532, -0.7837],
          [-0.2377, -0.9784],
          [0.6735, -0.3234],
        ]),
      ),
      at(
        compound(
          at(circle(0.947), 1.0776, -1.0699, 5.42),
          at(
            { type: 'capsule', a: { x: -0.07, y: -0.2075 }, b: { x: 0.1842, y: -0.6594 }, radius: 0.0548 },
            -1.3216,
            -0.645,
            3.3441,
          ),
        ),
        0.4246,
        0.6905,
        2.3365,
      ),
      0.6901929,
    ],
    [
      'an arc that has only just entered what it leaves',
      at(
        compound(
          at(
            segment(-0.6465258006937802, 0.11373613122850657, -0.8940309244208038, -0.35233559273183346),
            -1.3955340140964836,
            -0.54661003081128,
            5.765018921345472,
          ),
          at(circle(0.7162148734787479), 0.08246129471808672, 0.594794541830197, 5.064201443921775),
        ),
      ),
      at(
        region([
          [1.996640610100524, 0.7487344536081175],
          [0.7484439514039942, 1.143378315733703],
          [-0.33176932783019986, 0.9149155568557485],
          [-1.078476441004521, 1.0276221950128712],
          [-1.5226244044918065, -0.6876286493368919],
          [-0.6111601824690559, -1.2269818698450115],
          [0.6954689853488397, -1.6597478999377608],
          [1.3687935521844585, -0.4532671103023562],
        ]),
        -1.7701269518584013,
        0.37972978595644236,
        0.9993615578860044,
      ),
      0.9863948,
    ],
    [
      'a line that leaves a capsule where its end begins',
      at(
        chain([
          [-0.5, -1],
          [-1.5, 1.5],
          [0.5, 0],
          [1.5, 0],
          [2, 0.5],
          [1, -2],
        ]),
      ),
      at(
        compound(
          at({ type: 'capsule', a: { x: -1, y: -0.25 }, b: { x: 1, y: 0.25 }, radius: 0.25 }, -0.5, -0.25),
          at({ type: 'capsule', a: { x: -0.5, y: 0.75 }, b: { x: -0.75, y: 0.5 }, radius: 0.25 }, 1.25, 0.25),
          at(
            chain([
              [1, -1],
              [-0.5, 1.5],
              [0.5, -2],
              [-1, 0.5],
              [2, -2],
              [-1.5, 2],
              [-1.5, -2],
            ]),
            -1.5,
            -1.25,
          ),
        ),
        0.5,
        0.5,
      ),
      1.75,
    ],
    [
      'a line across a stretch that a chain and a region share',
      at(
        chain([
          [-1.5, -0.5],
          [-1, 1],
          [-1, -0.5],
        ]),
      ),
      at(
        region([
          [3.5, 0.5],
          [1.5, 2.5],
          [0.5, 3.5],
          [-1, 1],
          [-1, 0],
          [-2, -1],
          [-0.5, -1.5],
          [0.5, -1],
          [2.5, -1.5],
        ]),
        -1.5,
        0,
      ),
      1.5811388,
    ],
    [
      'a line past an edge that another stands on',
      at(
        region([
          [1, 1],
          [-2, 3],
          [-3, -0.5],
          [1.5, -2.5],
        ]),
        1,
        -1.5,
      ),
      at(
        chain([
          [-2, -1.5],
          [-1, 2],
          [1, 1],
          [0, 0],
          [-1.5, 1],
        ]),
      ),
      Math.hypot(0.32, 0.62),
    ],
    [
      'a line while a point of a third part stays on an edge',
      at(
        region([
          [1, 0],
          [0.5, 1],
          [-1, 3],
          [-3, 1],
          [-2, -0.5],
          [-1, -2.5],
          [1, -3.5],
          [1, -0.5],
        ]),
      ),
      at(
        compound(
          at(segment(0.5, -0.75, 1, 0.25), -1, -1.25),
          at(
            chain([
              [0, 0.5],
              [0, -1.5],
            ]),
            0.25,
            -1.5,
          ),
          at(point, 1.25, 1.25),
        ),
        0,
        -1.5,
      ),
      Math.sqrt(5) / 4,
    ],
  ])('follows %s', (_name, a, b, depth) => {
    expect(-bothWays(a, b).separation).toBeCloseTo(depth, 6)
  })

  it('is the one of the polygon when a region is convex', () => {
    const side = fc.integer({ min: 1, max: 40 }).map((n) => n / 8)
    const coordinate = fc.integer({ min: -40, max: 40 }).map((n) => n / 16)
    fc.assert(
      fc.property(side, side, side, side, coordinate, coordinate, coordinate, (w, h, v, u, x, y, rotation) => {
        const corners: Ring = [
          [0, 0],
          [w, 0],
          [w, h],
          [0, h],
        ]
        const b = at(box(v, u), x, y, rotation)
        const out = bothWays(at(region(corners)), b)
        const convex = createContact()
        contact(prepare(at({ type: 'polygon', vertices: points(corners) })), prepare(b), 0, convex)
        expect(out.relation).toBe(convex.relation)
        expect(out.separation).toBeCloseTo(convex.separation, 12)
        expect(Math.hypot(out.tx, out.ty)).toBeCloseTo(Math.hypot(convex.tx, convex.ty), 12)
      }),
      runs(1000),
    )
  })
})

describe('what is not exact says so', () => {
  it.each<[string, Body2d, Body2d, number]>([
    ['an ellipse out of a floor', at(U), at({ type: 'ellipse', rx: 0.75, ry: 0.5 }, 2, 1.2), 0.3],
    ['an ellipse into a slot of its width', at(U), at({ type: 'ellipse', rx: 1, ry: 0.5 }, 2, 1.2), 0.3],
    ['an ellipse into a corner', at(L), at({ type: 'ellipse', rx: 1, ry: 1 }, 1.5, 1.5), Math.SQRT1_2],
  ])('%s', (_name, a, b, depth) => {
    const out = bothWays(a, b)
    expect(out.relation).toBe(-1)
    expect(out.exact).toBe(false)
    expect(-out.separation).toBeCloseTo(depth, 9)
    const position = { x: (b.position?.x ?? 0) + out.tx, y: (b.position?.y ?? 0) + out.ty }
    expect(contactOf(a, { ...b, position }).separation).toBeCloseTo(0, 9)
  })

  it('a pair beyond the limit of work gets a translation that parts it', () => {
    const gear: Ring = Array.from({ length: 2000 }, (_, i) => {
      const angle = (2 * Math.PI * i) / 2000
      const radius = i % 2 === 0 ? 100 : 20
      return [radius * Math.cos(angle), radius * Math.sin(angle)]
    })
    const a = at(region(gear))
    const out = contactOf(a, at(region(gear), 31, 7))
    expect(out.exact).toBe(false)
    expect(-out.separation).toBeLessThan(200)
    const after = contactOf(a, at(region(gear), 31 + out.tx, 7 + out.ty))
    expect(Math.abs(after.separation)).toBeLessThan(1e-9)
  })
})

describe('half-planes that nothing parts', () => {
  it.each<[string, Body2d, Body2d]>([
    ['two in one direction', at(compound(at(halfplane(0, 1, 0)), at(box(1, 1)))), at(compound(at(halfplane(1, 0, 0))))],
    ['a slot that is too narrow', at(compound(at(halfplane(0, 1, 0)), at(halfplane(0, -1, -1)))), at(U, 0, -1)],
  ])('%s', (_name, a, b) => {
    const out = bothWays(a, b)
    expect([out.relation, out.separation, out.hasNormal, out.count]).toEqual([-1, -Infinity, false, 0])
  })
})

describe('a half-plane against a region', () => {
  // The half-plane's own position lies in the region: its offset keeps it out of that.
  const corner = region([
    [-3.5, -2],
    [-1, -2],
    [2, -0.125],
    [3, 2],
  ])
  const plane = at(halfplane(-0.2, 3.4, -2.7), -2.5, 2.9)
  const depth = 6.0

  it('is parted from it, as from the polygon in its place', () => {
    const polygon: Shape2d = { type: 'polygon', vertices: corner.type === 'region' ? corner.outer : [] }
    const out = bothWays(at(corner, -4, -4), plane)
    const expected = createContact()
    contact(prepare(at(polygon, -4, -4)), prepare(plane), 0, expected)
    expect(expected.separation).toBeLessThan(-depth)
    expect(out.exact).toBe(true)
    expect(out.separation).toBeCloseTo(expected.separation, 12)
    expect([out.tx, out.ty]).toEqual([expect.closeTo(expected.tx, 12), expect.closeTo(expected.ty, 12)])
  })

  it('also as part of a compound', () => {
    const out = bothWays(at(corner, -4, -4), at(compound(plane)))
    expect(out.separation).toBeLessThan(-depth)
    expect(out.separation).toBeCloseTo(contactOf(at(corner, -4, -4), plane).separation, 12)
    expect(Math.hypot(out.tx, out.ty)).toBeCloseTo(-out.separation, 12)
  })
})

describe('edges that turning has made not quite parallel', () => {
  // A bump 0.03 wide with a flat end, 0.018 deep in a long edge: its direction is off by much more than a long one's.
  const bumpy = region([
    [3.1487895543515547, 0.8647713162253448],
    [3.1487895543515547, 0.7083112102314075],
    [-0.9499354795508901, 0.7083112102314075],
    [-0.9499354795508901, -1.5438858621056766],
    [3.1487895543515547, -1.5438858621056766],
    [3.1487895543515547, -3.0945375913920268],
    [-0.9188932191853882, -3.0945375913920268],
    [-0.9188932191853882, -3.989571209234362],
    [-0.9499354795508901, -3.989571209234362],
    [-0.9499354795508901, -3.0945375913920268],
    [-2.2949015603124856, -3.0945375913920268],
    [-2.2949015603124856, -1.5438858621056766],
    [-2.1363416635455827, -1.5438858621056766],
    [-2.1363416635455827, 0.7083112102314075],
    [-2.2949015603124856, 0.7083112102314075],
    [-2.2949015603124856, 0.8647713162253448],
  ])
  const star = region([
    [-1.625, 2],
    [-2, 2.625],
    [-4, 1.25],
    [-4, -2],
    [-2, 0],
    [-1.625, -1],
    [-1, 0.375],
    [4, -3],
    [4, 1],
    [-1, 1],
  ])

  it.each([0, 0.001, 0.1, 0.7, 1.3, Math.PI / 2])('%d rad', (angle) => {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    const [x, y] = [3.5109339316912163, 1.9711624839759994]
    const a = at(bumpy, cos * x - sin * y, sin * x + cos * y, angle)
    const b = at(star, cos + 3 * sin, sin - 3 * cos, angle)
    const out = bothWays(a, b)
    const depth = 0.01840872525836
    expect(out.exact).toBe(true)
    expect(out.separation).toBeCloseTo(-depth, 12)
    expect([out.tx, out.ty]).toEqual([expect.closeTo(depth * sin, 12), expect.closeTo(-depth * cos, 12)])
  })
})

describe('ellipses among the parts', () => {
  const partedBy = (a: Body2d, b: Body2d) => {
    const out = bothWays(a, b)
    const moved = { ...b, position: { x: (b.position?.x ?? 0) + out.tx, y: (b.position?.y ?? 0) + out.ty } }
    return { depth: -out.separation, out, rest: contactOf(a, moved).separation }
  }
  const ring = region([
    [4, -2],
    [4, -1],
    [4, 0],
    [1, 3],
    [-3, 4],
    [-4, -1],
    [0, -1],
  ])

  it.each([0, 0.001, 0.1, 0.7, 1.3])('a point that comes to rest on an edge stays outside, turned by %d', (angle) => {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    const put = (shape: Shape2d, x: number, y: number) => at(shape, cos * x - sin * y, sin * x + cos * y, angle)
    const ellipse: Shape2d = { type: 'ellipse', rx: 2.5, ry: 1.375 }
    const parts = compound(at(ellipse, 0, -2.375), at(point, -1, 4), at(point, 0.75, 1))
    const { depth, rest } = partedBy(put(parts, -3, 3), put(ring, -3, 1))
    expect(Math.abs(rest)).toBeLessThan(1e-11)
    // Held between the ellipse and a point.
    expect(depth).toBeCloseTo(4.31342624845, 10)
  })

  it.each<[string, Ring, Body2d, Body2d]>([
    [
      'two vertices that are almost as deep',
      [
        [-2, 1],
        [0, 4],
        [4, 3],
        [4, 1.125],
        [0, -3.125],
      ],
      at(point, 1, 0.875),
      at({ type: 'ellipse', rx: 0.9702587214952552, ry: 2.7580956826866987 }, 3.790581853942796, 0.6859070365925923),
    ],
    [
      'a side that curves almost as a circle about the way out',
      [
        [2, -1],
        [-2, 0],
        [-3, -4],
        [0, -2.375],
      ],
      at(point, 4, -1, 0.026995240708490797),
      at(
        { type: 'ellipse', rx: 2.391166787237922, ry: 1.231631532129588 },
        0.7098287393886853,
        -1.7325639770210572,
        -5.895920526870355,
      ),
    ],
  ])('the shortest of several ways out, as from a polygon: %s', (_name, corners, place, ellipse) => {
    const polygon = { ...place, shape: { type: 'polygon' as const, vertices: points(corners) } }
    const expected = createContact()
    contact(prepare(polygon), prepare(ellipse), 0, expected)
    const { out } = partedBy({ ...place, shape: region(corners) }, ellipse)
    expect(out.separation).toBeCloseTo(expected.separation, 10)
  })

  it('a vertex on a smooth side: the nearest point of an ellipse', () => {
    const round: Shape2d = { type: 'ellipse', rx: 2, ry: 2.01 }
    const wedge = region([
      [0, 0],
      [9, 8],
      [9, 1],
      [8, 0.5],
      [9, 0],
      [9, -8],
    ])
    const { depth, out, rest } = partedBy(at(compound(at(round))), at(wedge, 0.12, 0.11))
    expect(Math.abs(rest)).toBeLessThan(1e-11)
    // No direction brings the vertex (0.12, 0.11) to the surface sooner.
    let least = Infinity
    for (let k = 0; k < 4e6; k++) {
      const angle = (2 * Math.PI * k) / 4e6
      least = Math.min(least, Math.hypot(2 * Math.cos(angle) - 0.12, 2.01 * Math.sin(angle) - 0.11))
    }
    expect(depth).toBeCloseTo(least, 10)
    expect(out.count).toBe(1)
  })
})

describe('rounded bodies along an edge', () => {
  it('in line with a segment that touches only its end: a cap against a corner', () => {
    const corner = region([
      [2, 0],
      [3, -1.125],
      [2, -2],
    ])
    const cap: Shape2d = { type: 'capsule', a: { x: 0, y: -0.3125 }, b: { x: 0, y: 0.3125 }, radius: 2.5 }
    const out = bothWays(at(corner), at(cap, 2, 2.375))
    expect(out.exact).toBe(true)
    expect(out.separation).toBeCloseTo(-0.4375, 12)
    expect([out.tx, out.ty]).toEqual([expect.closeTo(0, 12), expect.closeTo(0.4375, 12)])
  })

  it.each([0, 0.001, 0.1, 0.7, 1.3])('a rounded box whose sides are parallel to the edges, turned by %d', (angle) => {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    const put = (shape: Shape2d, x: number, y: number) => at(shape, cos * x - sin * y, sin * x + cos * y, angle)
    const slotted = region([
      [-3.8922449973632025, 0.3470165429616552],
      [-1.0288297473579902, 0.3470165429616552],
      [-1.0288297473579902, 2.5479958751222016],
      [-3.8922449973632025, 2.5479958751222016],
      [-3.8922449973632025, 3.2523639858591302],
      [3.6111682154296556, 3.2523639858591302],
      [3.6111682154296556, -2.2334592293544118],
      [0.974821474390005, -2.2334592293544118],
      [0.974821474390005, 0.3470165429616552],
      [-0.4492880218061823, 0.3470165429616552],
      [-0.4492880218061823, -2.2334592293544118],
      [-3.8922449973632025, -2.2334592293544118],
    ])
    const rounded: Shape2d = {
      type: 'box',
      width: 0.9748754106416273,
      height: 1.6962132760937754,
      radius: 0.2236865764204911,
    }
    const out = bothWays(
      put(slotted, 3.5087556696030777, 2.0566495585777513),
      put(rounded, 2.627027211073413, 1.9164215969614107),
    )
    expect(out.exact).toBe(true)
    expect(out.separation).toBeCloseTo(-1.284304270627, 11)
  })
})
