import { describe, expect, it } from 'vitest'
import type { Body2d, Shape2d } from '../../../schemas/shapes2d.ts'
import { featureIndex, featureKind } from '../../../src/core2d/feature.ts'
import { orderComposites } from '../../../src/core2d/narrow-phase/leaf-pairs.ts'
import {
  contact,
  contactComposites,
  createContact,
  createTouch,
  setCompositePoints,
} from '../../../src/core2d/queries/contact.ts'
import { prepare } from '../../support/answers/slots.ts'

type Ring = readonly (readonly [number, number])[]

const points = (ring: Ring) => ring.map(([x, y]) => ({ x, y }))
const at = (shape: Shape2d, x = 0, y = 0, rotation = 0): Body2d => ({ shape, position: { x, y }, rotation })
const region = (outer: Ring): Shape2d => ({ type: 'region', outer: points(outer) })
const chain = (vertices: Ring): Shape2d => ({ type: 'chain', vertices: points(vertices) })
const box = (width: number, height: number): Shape2d => ({ type: 'box', width, height })
const circle = (radius: number): Shape2d => ({ type: 'circle', radius })
const point: Shape2d = { type: 'point' }

const SQUARE: Ring = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 4],
]
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
const FLOOR = chain([
  [-9, 0],
  [-1, 0],
  [0, 0],
  [1, 0],
  [9, 0],
])
const TILES: Shape2d = { type: 'compound', children: [at(box(2, 2), -1, -1), at(box(2, 2), 1, -1)] }

function contactOf(a: Body2d, b: Body2d, maxDistance = 0) {
  const out = createContact()
  contactComposites(prepare(a), prepare(b), maxDistance, out)
  return out
}

/** Contact points from left to right: position, separation and the features and parts of both bodies. */
function pointsOf(a: Body2d, b: Body2d, maxDistance = 0) {
  const { count, points: found } = contactOf(a, b, maxDistance)
  return found
    .slice(0, count)
    .map((p) => ({
      at: [p.x, p.y],
      separation: p.separation,
      a: `${featureKind(p.featureA)} ${featureIndex(p.featureA)} of ${p.partA}`,
      b: `${featureKind(p.featureB)} ${featureIndex(p.featureB)} of ${p.partB}`,
    }))
    .sort((p, q) => p.at[0] - q.at[0])
}

describe('contact points of composite bodies', () => {
  it('stand at the outer corners of a box on a floor of many edges', () => {
    expect(pointsOf(at(FLOOR), at(box(5, 2), 0, 1))).toEqual([
      { at: [-2.5, 0], separation: 0, a: 'edge 0 of 0', b: 'vertex 0 of 0' },
      { at: [2.5, 0], separation: 0, a: 'edge 3 of 0', b: 'vertex 1 of 0' },
    ])
  })

  it('stand over two tiles of a compound, and name them', () => {
    expect(pointsOf(at(TILES), at(box(2, 2), 0, 0.75))).toEqual([
      { at: [-1, -0.125], separation: -0.25, a: 'edge 2 of 0', b: 'vertex 0 of 0' },
      { at: [1, -0.125], separation: -0.25, a: 'edge 2 of 1', b: 'vertex 1 of 0' },
    ])
  })

  it('are the same with the roles swapped', () => {
    const swapped = pointsOf(at(box(2, 2), 0, 0.75), at(TILES)).map(({ a, b, ...rest }) => ({ ...rest, a: b, b: a }))
    expect(swapped).toEqual(pointsOf(at(TILES), at(box(2, 2), 0, 0.75)))
  })

  it('lie midway between surfaces that are apart, up to the distance asked for', () => {
    const a = at(U)
    const b = at(box(1, 1), 2, 2)
    expect(contactOf(a, b).count).toBe(0)
    expect(contactOf(a, b, 0.25).count).toBe(0)
    expect(pointsOf(at(FLOOR), at(box(5, 2), 0, 1.5), 1)).toEqual([
      { at: [-2.5, 0.25], separation: 0.5, a: 'edge 0 of 0', b: 'vertex 0 of 0' },
      { at: [2.5, 0.25], separation: 0.5, a: 'edge 3 of 0', b: 'vertex 1 of 0' },
    ])
  })

  it('add the second corner of a tilted box while it is near enough', () => {
    const tilted = at(box(2, 2), 0, 1, 0.1)
    const near = pointsOf(at(FLOOR), tilted, 1)
    expect(near.map(({ b }) => b)).toEqual(['vertex 0 of 0', 'vertex 1 of 0'])
    expect(near[1].separation - near[0].separation).toBeCloseTo(2 * Math.sin(0.1), 12)
    expect(pointsOf(at(FLOOR), tilted, 0)).toHaveLength(1)
  })

  it('are those of the polygon for a region that is convex', () => {
    for (const body of [
      at(box(2, 2), 4.5, 1),
      at(box(2, 2), 4.5, 1, 0.2),
      at(box(1, 7), 0.25, 2),
      at(circle(1), -0.5, 2),
    ]) {
      const convex = createContact()
      contact(prepare(at({ type: 'polygon', vertices: points(SQUARE) })), prepare(body), 0, convex)
      const out = contactOf(at(region(SQUARE)), body)
      expect([out.nx, out.ny]).toEqual([expect.closeTo(convex.nx, 12), expect.closeTo(convex.ny, 12)])
      const places = (c: typeof out) =>
        c.points
          .slice(0, c.count)
          .map((p) => [p.x, p.y, p.separation].map((n) => n.toFixed(9)).join(' '))
          .sort()
      expect(places(out)).toEqual(places(convex))
    }
  })

  it('touch both walls of a corner', () => {
    const corner = region([
      [0, 0],
      [5, 0],
      [5, 1],
      [1, 1],
      [1, 5],
      [0, 5],
    ])
    const out = contactOf(at(corner), at(circle(1), 1.5, 1.5))
    expect([out.tx, out.ty]).toEqual([expect.closeTo(0.5, 12), expect.closeTo(0.5, 12)])
    const edges = pointsOf(at(corner), at(circle(1), 1.5, 1.5)).map(({ a }) => a)
    expect(edges).toEqual(['edge 3 of 0', 'edge 2 of 0'])
  })

  it('name the vertices of a chain as the user does', () => {
    const peak = chain([
      [3, -3],
      [0, 0],
      [-3, -3],
    ])
    expect(pointsOf(at(peak), at(point, 0, 2), 5)).toEqual([
      { at: [0, 1], separation: 2, a: 'vertex 1 of 0', b: 'vertex 0 of 0' },
    ])
  })
})

describe('the normal of a touching pair', () => {
  it.each<[string, Body2d, [number, number]]>([
    ['a point on the top', at(point, 1, 4), [0, 1]],
    ['a point on the right', at(point, 4, 1), [1, 0]],
    ['a point on the bottom', at(point, 1, 0), [0, -1]],
    ['a segment along the left', at({ type: 'segment', a: { x: 0, y: 1 }, b: { x: 0, y: 3 } }), [-1, 0]],
    ['a box beside it', at(box(1, 1), 4.5, 2), [1, 0]],
    ['a circle on top', at(circle(0.5), 2, 4.5), [0, 1]],
  ])('points out of the region: %s', (_name, b, [nx, ny]) => {
    for (const shape of [region(SQUARE), { type: 'compound' as const, children: [at(region(SQUARE))] }]) {
      const out = contactOf(at(shape), b)
      expect([out.relation, out.separation, out.tx, out.ty]).toEqual([0, 0, 0, 0])
      expect([out.nx, out.ny]).toEqual([nx, ny])
      expect(out.count).toBeGreaterThan(0)
      const swapped = contactOf(b, at(shape))
      expect([swapped.nx, swapped.ny]).toEqual([0 - nx, 0 - ny])
    }
  })

  it('points into the hole from its edge', () => {
    const frame: Shape2d = {
      type: 'region',
      outer: points(SQUARE),
      holes: [
        points([
          [1, 1],
          [3, 1],
          [3, 3],
          [1, 3],
        ]),
      ],
    }
    expect(contactOf(at(frame), at(point, 2, 1))).toMatchObject({ relation: 0, nx: 0, ny: 1 })
    expect(contactOf(at(frame), at(point, 3, 2))).toMatchObject({ relation: 0, nx: -1, ny: 0 })
  })
})

describe('separation of bodies apart', () => {
  it('is the distance of the nearest leaves, with their normal', () => {
    const out = contactOf(at(U), at(circle(0.25), 2, 2))
    expect(out.relation).toBe(1)
    expect(out.separation).toBeCloseTo(0.75, 12)
    expect([out.tx, out.ty, out.exact]).toEqual([0, 0, true])
    expect(Math.hypot(out.nx, out.ny)).toBeCloseTo(1, 12)
  })
})

it('a pair that a bound has moved a little too far still has its contact points', () => {
  const frame = orderComposites(prepare(at(FLOOR)), prepare(at(box(2, 2), 0, 0.5)))
  const depth = 0.75
  const out = createContact()
  const side = frame.swapped ? -1 : 1
  setCompositePoints(frame, { ...createTouch(), ny: side, ty: side * depth, depth, error: 1e-12 }, out)
  expect(out.count).toBe(2)
  for (const { x, y, separation } of out.points) {
    expect(Math.abs(x)).toBeCloseTo(1, 12)
    expect(y).toBeCloseTo(-0.25, 12)
    expect(separation).toBeCloseTo(-0.5, 12)
  }
})
