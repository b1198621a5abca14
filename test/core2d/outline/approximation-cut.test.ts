import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ConvexRing, type Cut, cutRing, sideOfCut } from '../../../src/core2d/outline/approximation-cut.ts'
import { orientation } from '../../../src/core2d/outline/orientation.ts'
import { hullOf, UNIFORM, vec2 } from '../../support/families/arbitraries.ts'
import { runCount, runs } from '../../support/runs.ts'

const ringOf = (points: readonly { x: number; y: number }[]): ConvexRing =>
  Float64Array.from(points.flatMap(({ x, y }) => [x, y]))

const cuts: fc.Arbitrary<Cut> = fc
  .record({ axis: fc.constantFrom<-1 | 0 | 1>(-1, 0, 1), p: vec2(UNIFORM), q: vec2(UNIFORM) })
  .map(({ axis, p, q }) => ({ axis, px: p.x, py: p.y, qx: q.x, qy: q.y }))

const rings = fc
  .array(vec2(UNIFORM), { minLength: 3, maxLength: 10 })
  .map((points) => hullOf(points))
  .filter((hull) => hull.length >= 3)
  .map(ringOf)

function turns(ring: ConvexRing, x: number, y: number): number[] {
  return Array.from({ length: ring.length / 2 }, (_, k) => {
    const [i, j] = [2 * k, (2 * k + 2) % ring.length]
    return orientation(ring[i], ring[i + 1], ring[j], ring[j + 1], x, y)
  })
}

describe('cutRing', () => {
  it('gives convex parts that hold the vertices on their sides, and at most two corners more', () => {
    let crossed = 0
    fc.assert(
      fc.property(rings, cuts, (ring, cut) => {
        const lefts: ConvexRing[] = []
        const rights: ConvexRing[] = []
        cutRing(cut, ring, 8, lefts, rights)
        expect(lefts.length + rights.length).toBeGreaterThan(0)
        if (lefts.length + rights.length > 1) crossed++
        for (const [sign, [part]] of [
          [1, lefts],
          [-1, rights],
        ] as const) {
          let own = 0
          for (let i = 0; i < ring.length; i += 2) {
            if (sideOfCut(cut, ring[i], ring[i + 1]) * sign <= 0) continue
            own++
            expect(Math.min(...turns(part, ring[i], ring[i + 1]))).toBeGreaterThanOrEqual(0)
          }
          if (part === undefined) continue
          expect(part.length / 2).toBeLessThanOrEqual(own + 2)
          if (cut.axis < 0) continue
          // What an upright or level line parts stays on its side, to the last bit.
          for (let i = 0; i < part.length; i += 2) {
            expect(sideOfCut(cut, part[i], part[i + 1]) * sign).toBeGreaterThanOrEqual(0)
          }
        }
      }),
      runs(2000),
    )
    expect(crossed).toBeGreaterThan(runCount(100))
  })

  it('cuts through corners and along sides without new points', () => {
    const square = Float64Array.of(0, 0, 2, 0, 2, 2, 0, 2)
    const parts = (cut: Partial<Cut>): number[][][] => {
      const lefts: ConvexRing[] = []
      const rights: ConvexRing[] = []
      cutRing({ axis: -1, px: 0, py: 0, qx: 0, qy: 0, ...cut }, square, 2, lefts, rights)
      return [lefts, rights].map((side) => side.map((ring) => [...ring]))
    }
    expect(parts({ qx: 2, qy: 2 }).map((side) => side.map((ring) => ring.length))).toEqual([[6], [6]])
    expect(parts({ axis: 1 })).toEqual([[[...square]], []])
    expect(parts({ axis: 0 })).toEqual([[], [[...square]]])
    expect(parts({ axis: 0, px: 1 })).toEqual([[[0, 0, 1, 0, 1, 2, 0, 2]], [[1, 0, 2, 0, 2, 2, 1, 2]]])
  })

  it('finds crossings next to zero of edges that are not', () => {
    const ring = Float64Array.of(
      9.404564036679567,
      -12.944271909999161,
      -5.87785252292473,
      8.090169943749475,
      -10.5,
      7.6,
    )
    const lefts: ConvexRing[] = []
    const rights: ConvexRing[] = []
    cutRing({ axis: 0, px: -2.0206672185931327e-15, py: 0, qx: 0, qy: 0 }, ring, 16, lefts, rights)
    for (const [part] of [lefts, rights]) {
      const ys = [...part].filter((_, i) => i % 2 === 1 && part[i - 1] === -2.0206672185931327e-15)
      expect(ys).toHaveLength(2)
      for (const y of ys) expect(Math.abs(y)).toBeLessThan(4)
    }
  })
})
