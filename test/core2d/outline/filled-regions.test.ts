// Regions that rings fill, held against winding numbers counted point by point, and areas of both.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OutOfBudget } from '../../../src/containers/budget.ts'
import { filledRegions } from '../../../src/core2d/outline/filled-regions.ts'
import type { FillRule } from '../../../src/core2d/outline/noded-edges.ts'
import { orientation } from '../../../src/core2d/outline/orientation.ts'
import { createOutline } from '../../../src/core2d/outline/outline.ts'
import { setRegion } from '../../../src/core2d/outline/region.ts'
import { createOutlineFault } from '../../../src/core2d/outline/ring-check.ts'
import { runs, unshrunk } from '../../support/runs.ts'

type Point = readonly [x: number, y: number]
type Rings = readonly (readonly Point[])[]
interface Region {
  outer: Point[]
  holes: Point[][]
}

const RULES: readonly FillRule[] = ['nonzero', 'evenodd']

function filled(rings: Rings, rule: FillRule): Region[] {
  const starts = [0]
  for (const ring of rings) starts.push(starts.at(-1)! + ring.length)
  const pointsOf = (ring: Float64Array): Point[] =>
    Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!] as const)
  return filledRegions(Float64Array.from(rings.flat().flat()), starts, rule).map(({ outer, holes }) => ({
    outer: pointsOf(outer),
    holes: holes.map(pointsOf),
  }))
}

const ringsOf = (regions: readonly Region[]): Point[][] => regions.flatMap(({ outer, holes }) => [outer, ...holes])

/** 1 of a ring that runs counter-clockwise; it begins at its leftmost vertex. */
function turnOf(ring: readonly Point[]): number {
  return orientation(...ring.at(-1)!, ...ring[0]!, ...ring[1]!)
}

/** Whether a point is filled; null where it is too close to an edge to be told by doubles. */
function isFilled(rings: Rings, [x, y]: Point, rule: FillRule): boolean | null {
  let winding = 0
  let count = 0
  for (const ring of rings) {
    for (const [k, [ax, ay]] of ring.entries()) {
      const [bx, by] = ring[(k + 1) % ring.length]!
      if (ay <= y === by <= y) continue
      const crossing = ax + ((y - ay) / (by - ay)) * (bx - ax)
      if (Math.abs(crossing - x) < 1e-7 * (Math.abs(x) + 1)) return null
      if (crossing < x) continue
      count++
      winding += by > ay ? 1 : -1
    }
  }
  return rule === 'evenodd' ? count % 2 === 1 : winding !== 0
}

function expectRegions(regions: readonly Region[]): void {
  for (const { outer, holes } of regions) {
    const all = [outer, ...holes]
    const starts = [0]
    for (const ring of all) starts.push(starts.at(-1)! + ring.length)
    const outline = createOutline()
    const fault = createOutlineFault()
    const isRegion = setRegion(outline, Float64Array.from(all.flat().flat()), starts, 1, 0, fault)
    expect(isRegion ? outline.solid : fault).toBe(true)
  }
  for (const { outer, holes } of regions) {
    expect(turnOf(outer)).toBe(1)
    for (const hole of holes) expect(turnOf(hole)).toBe(-1)
  }
}

function expectSameSet(rings: Rings, regions: readonly Region[], rule: FillRule, shares: readonly Point[]): void {
  const all = rings.flat()
  const [xs, ys] = [all.map(([x]) => x), all.map(([, y]) => y)]
  const [minX, maxX, minY, maxY] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const found = ringsOf(regions)
  for (const [across, up] of shares) {
    const point: Point = [minX + across * (maxX - minX), minY + up * (maxY - minY)]
    const wanted = isFilled(rings, point, rule)
    const [wound, crossed] = [isFilled(found, point, 'nonzero'), isFilled(found, point, 'evenodd')]
    if (wanted === null || wound === null || crossed === null) continue
    expect({ point, wound, crossed }).toEqual({ point, wound: wanted, crossed: wanted })
  }
}

const share = fc.double({ min: 0, max: 1, noNaN: true })
const shares = fc.array(fc.tuple(share, share), { minLength: 20, maxLength: 20 })

/** Rings, some of them once more, turned back or moved a little. */
function ringsFrom(coordinate: fc.Arbitrary<number>, step: number): fc.Arbitrary<Point[][]> {
  const ring = fc.array(fc.tuple(coordinate, coordinate), { minLength: 1, maxLength: 9 })
  const more = fc.constantFrom('alone', 'alone', 'again', 'back', 'moved')
  return fc.array(fc.tuple(ring, more), { minLength: 1, maxLength: 4 }).map((all) =>
    all.flatMap(([points, kind]) => {
      if (kind === 'again') return [points, [...points]]
      if (kind === 'back') return [points, [...points].reverse()]
      if (kind === 'moved') return [points, points.map(([x, y]) => [x + step, y] as [number, number])]
      return [points]
    }),
  )
}

const FAMILIES: readonly [string, fc.Arbitrary<Point[][]>][] = [
  ['a grid', ringsFrom(fc.integer({ min: 0, max: 5 }), 1)],
  ['the plane', ringsFrom(fc.double({ min: -100, max: 100, noNaN: true }), 1e-9)],
  [
    'tenths a million away',
    ringsFrom(
      fc.integer({ min: 0, max: 5 }).map((k) => 1e6 + k / 10),
      0.1,
    ),
  ],
  [
    'one line, nearly',
    fc
      .array(
        fc
          .tuple(share, fc.integer({ min: -2, max: 2 }), fc.integer({ min: -2, max: 2 }))
          .map(([t, i, j]): Point => [3 * t + i * 2 ** -52, 7.1 * t + j * 2 ** -50]),
        { minLength: 3, maxLength: 20 },
      )
      .map((ring) => [ring]),
  ],
]

describe.each(FAMILIES)('of rings on %s', (_name, arbitrary) => {
  it.each(RULES)('are simple, and filled where the rings are by the rule %s', (rule) => {
    fc.assert(
      fc.property(arbitrary, shares, (rings, places) => {
        const regions = filled(rings, rule)
        expectRegions(regions)
        expectSameSet(rings, regions, rule, places)
      }),
      unshrunk(150),
    )
  })

  it('are the same again, and however the rings are drawn', () => {
    fc.assert(
      fc.property(arbitrary, fc.nat(20), (rings, by) => {
        for (const rule of RULES) {
          const regions = filled(rings, rule)
          expect(filled(ringsOf(regions), rule)).toEqual(regions)
          const drawnOtherwise = [...rings]
            .reverse()
            .map((ring) => [...ring.slice(by % ring.length), ...ring.slice(0, by % ring.length)])
          expect(filled(drawnOtherwise, rule)).toEqual(regions)
          const back = rings.map((ring) => [...ring].reverse())
          expect(filled(back, rule)).toEqual(regions)
        }
      }),
      unshrunk(60),
    )
  })
})

describe('of rings on a grid', () => {
  it('scale with it by powers of two to the last bit', () => {
    fc.assert(
      fc.property(ringsFrom(fc.integer({ min: 0, max: 9 }), 1), fc.integer({ min: -300, max: 300 }), (rings, power) => {
        const unit = 2 ** power
        const scaled = (all: Rings): Point[][] => all.map((ring) => ring.map(([x, y]) => [x * unit, y * unit] as const))
        for (const rule of RULES) {
          expect(ringsOf(filled(scaled(rings), rule))).toEqual(scaled(ringsOf(filled(rings, rule))))
        }
      }),
      runs(80),
    )
  })
})

describe('filled regions', () => {
  it('that begin at one point come in the order of their next points, however they are drawn', () => {
    const fans = [0, 1, 2, 3, 4].map((k): Point[] => [
      [0, 0],
      [5 - k, 2 * k - 4],
      [5 - k, 2 * k - 3],
    ])
    for (let turn = 0; turn < fans.length; turn++) {
      const drawn = [...fans.slice(turn), ...fans.slice(0, turn)]
      for (const rings of [drawn, [...drawn].reverse()]) {
        const outer = filled(rings, 'nonzero').map((region) => region.outer)
        expect(outer.map(([first]) => first)).toEqual(fans.map(() => [0, 0]))
        expect(outer.map(([, [x]]) => x)).toEqual([1, 2, 3, 4, 5])
      }
    }
  })

  const square = (x: number, y: number, size: number): Point[] => [
    [x, y],
    [x + size, y],
    [x + size, y + size],
    [x, y + size],
  ]
  const back = (ring: Point[]): Point[] => [...ring].reverse()

  it('of a pentagram are its five points, or all of it', () => {
    const star = Array.from({ length: 5 }, (_, k): Point => {
      const angle = (4 * Math.PI * k) / 5
      return [Math.cos(angle), Math.sin(angle)]
    })
    expect(filled([star], 'evenodd').map(({ outer }) => outer.length)).toEqual([3, 3, 3, 3, 3])
    const [whole] = filled([star], 'nonzero')
    expect(whole!.outer).toHaveLength(10)
    for (const corner of star) expect(whole!.outer).toContainEqual(corner)
  })

  it('of squares in squares are told apart by the rule', () => {
    const nested = [square(0, 0, 10), square(1, 1, 8), square(2, 2, 6)]
    expect(filled(nested, 'nonzero')).toEqual([{ outer: nested[0], holes: [] }])
    expect(filled(nested, 'evenodd')).toEqual([
      {
        outer: nested[0],
        holes: [
          [
            [1, 1],
            [1, 9],
            [9, 9],
            [9, 1],
          ],
        ],
      },
      { outer: nested[2], holes: [] },
    ])
    expect(filled([nested[0]!, back(nested[1]!)], 'nonzero')[0]!.holes).toHaveLength(1)
  })

  it('of squares side by side are one, and of the same square twice one or none', () => {
    const both = [square(0, 0, 4), square(4, 0, 4)]
    const joined = [
      {
        outer: [
          [0, 0],
          [4, 0],
          [8, 0],
          [8, 4],
          [4, 4],
          [0, 4],
        ].filter(([x]) => x !== 4),
        holes: [],
      },
    ]
    for (const rule of RULES) expect(filled(both, rule)).toEqual(joined)
    expect(filled([square(0, 0, 4), square(0, 0, 4)], 'evenodd')).toEqual([])
    expect(filled([square(0, 0, 4), square(0, 0, 4)], 'nonzero')).toEqual([{ outer: square(0, 0, 4), holes: [] }])
    expect(filled([square(0, 0, 4), back(square(0, 0, 4))], 'nonzero')).toEqual([])
  })

  it('keep vertices on straight edges, and none of spikes and rings without area', () => {
    const given: Point[] = [
      [0, 0],
      [2, 0],
      [4, 0],
      [4, 4],
      [4, 9],
      [4, 4],
      [0, 4],
    ]
    const flat: Point[] = [
      [-1, 2],
      [9, 2],
    ]
    const kept = [
      {
        outer: [
          [0, 0],
          [2, 0],
          [4, 0],
          [4, 4],
          [0, 4],
        ],
        holes: [],
      },
    ]
    for (const rule of RULES) expect(filled([given, flat, [[7, 7]]], rule)).toEqual(kept)
  })

  it('that touch in a point are cut there: rings pass each point once', () => {
    const eight: Point[] = [
      [0, 0],
      [2, 2],
      [4, 0],
      [4, 4],
      [2, 2],
      [0, 4],
    ]
    expect(filled([eight], 'evenodd').map(({ outer }) => outer.length)).toEqual([3, 3])
    // A hole that touches the outline, drawn in one go.
    const pinched: Point[] = [
      [0, 0],
      [8, 0],
      [8, 8],
      [0, 8],
      [0, 0],
      [2, 4],
      [4, 2],
    ]
    for (const ring of [pinched, back(pinched)]) {
      const [region, ...others] = filled([ring], 'evenodd')
      expect(others).toEqual([])
      expect([region!.outer.length, region!.holes.map(({ length }) => length)]).toEqual([4, [3]])
    }
  })

  it('have corners of crossings that are rounded once', () => {
    // 1/3 and 2/3 of the way: no doubles.
    const [region] = filled(
      [
        [
          [0, 0],
          [3, 0],
          [3, 1],
          [0, 1],
        ],
        [
          [1, -1],
          [2, 2],
          [3, 5],
          [2, 5],
        ],
      ],
      'nonzero',
    )
    expect(region!.outer).toContainEqual([4 / 3, 0])
    expect(region!.outer).toContainEqual([5 / 3, 1])
  })

  it('of too many crossings are refused', () => {
    const count = 1601
    const star = Array.from({ length: count }, (_, k): Point => {
      const angle = (2 * Math.PI * k * ((count - 1) / 2)) / count
      return [Math.round(1e4 * Math.cos(angle)), Math.round(1e4 * Math.sin(angle))]
    })
    expect(() => filled([star], 'nonzero')).toThrow(OutOfBudget)
  })
})
