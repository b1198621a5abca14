// A region equals the union of its pieces, by every method; and what that depends on.

import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DecomposeRequest, DecomposeResponse } from '../../schemas/queries/decompose.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { decomposeRegion } from '../../src/queries/stateless/decompose.ts'
import { isProblem } from '../../src/wire/decode-problem.ts'
import { WILD } from '../fuzz/wild-values.ts'
import { cross, type Point } from '../oracle/exact-bodies.ts'
import { gridFor, toDouble, toGrid } from '../oracle/exact-numbers.ts'
import { arePartsApart, doubledArea, isStrictlyConvex, partitionFaults } from '../oracle/exact-partition.ts'
import { vec2 } from '../support/families/arbitraries.ts'
import { clippedArea } from '../support/families/clipped-area.ts'
import { gridRegion, mapped, type Rings, starRegion } from '../support/families/random-regions.ts'
import { runCount, runs } from '../support/runs.ts'

type Method = NonNullable<DecomposeRequest['method']>

function decompose([outer, ...holes]: Rings, method: Method, maxPieces = 16): DecomposeResponse {
  const region = { type: 'region' as const, outer: [...outer], holes: holes.map((hole) => [...hole]) }
  const limits = { maxVertices: 100_000, maxParts: 1 }
  const answer = decomposeRegion({ region, method, maxPieces }, limits)
  if (isProblem(answer)) throw new Error(answer.detail)
  return answer
}

const regions = fc.oneof({ weight: 3, arbitrary: gridRegion() }, { weight: 1, arbitrary: starRegion() })

/** Far away, where points gather on few doubles, and small or large. */
const placed: Arbitrary<Rings> = fc
  .record({
    rings: gridRegion(),
    offset: fc.constantFrom(0, 1e6, -1e9, 2 ** 50),
    scale: fc.constantFrom(1, 0.1, 2 ** -1070, 2 ** 320),
  })
  .map(({ rings, offset, scale }) =>
    mapped(rings, ({ x, y }) => ({ x: (x + offset) * scale, y: (y - offset) * scale })),
  )

const wild: Arbitrary<Rings> = fc.array(vec2(WILD), { minLength: 4, maxLength: 8 }).map((ring) => [ring])

describe.each<Method>(['exact', 'triangles'])('%s', (method) => {
  it.each([
    ['with rings that touch', regions, 600],
    ['far away and of any size', placed.filter(isRegion), 600],
    ['with coordinates of every magnitude', wild.filter(isRegion), 150],
  ])('is the region: %s', (_name, source, count) => {
    fc.assert(
      fc.property(source, (rings) => {
        const { pieces, area, error } = decompose(rings, method)
        expect(partitionFaults(rings, pieces)).toEqual([])
        expect(error).toBe(0)
        const exact = exactArea(rings)
        // Terms of different magnitudes cancel; they are summed to twice the digits of a double, and may underflow.
        const [width, height] = [extent(rings.flat(), 'x'), extent(rings.flat(), 'y')]
        const terms = width * height * 2 ** -96 + Math.max(width, height) ** 2 * 2 ** -1000
        expect(Math.abs(area - exact)).toBeLessThanOrEqual(exact * 1e-14 + terms)
      }),
      runs(count),
    )
  })

  it('depends on the region alone, not on how it is written', () => {
    fc.assert(
      fc.property(gridRegion(), fc.nat(20), fc.boolean(), (rings, turn, reversed) => {
        const rewritten = rings.map((ring) => {
          const start = turn % ring.length
          const turned = [...ring.slice(start), ...ring.slice(0, start)]
          return reversed ? turned.reverse() : turned
        })
        const [outer, ...holes] = rewritten
        const others = decompose([outer, ...holes.reverse()], method).pieces
        expect(others).toEqual(decompose(rings, method).pieces)
      }),
      runs(500),
    )
  })
})

describe('approximate', () => {
  const cases = fc.record({
    rings: fc.oneof(regions, placed.filter(isRegion)),
    maxPieces: fc.integer({ min: 1, max: 12 }),
  })

  it('covers the region to the last bit with few pieces, apart but for rounding', () => {
    let approximated = 0
    let touching = 0
    fc.assert(
      fc.property(cases, ({ rings, maxPieces }) => {
        const { pieces, area, error } = decompose(rings, 'approximate', maxPieces)
        const exact = decompose(rings, 'exact')
        expect(pieces.length).toBeLessThanOrEqual(maxPieces)
        if (exact.pieces.length <= maxPieces) {
          expect({ pieces, area, error }).toEqual(exact)
          return
        }
        approximated++
        const grid = gridFor([...exact.pieces, ...pieces].flat().flatMap(({ x, y }) => [x, y]))
        const toPoints = (ring: readonly Vec2[]): Point[] =>
          ring.map(({ x, y }) => point(toGrid(grid, x), toGrid(grid, y)))
        const parts = pieces.map(toPoints)
        for (const part of parts) expect(isStrictlyConvex(part)).toBe(true)
        // Every piece of the region lies in the pieces: points of its triangles do, also the corners and those on the sides.
        for (const triangle of exact.pieces.flatMap(trianglesOf).map(toPoints)) {
          for (const p of samples(triangle)) {
            expect(
              parts.some((part) =>
                part.every((a, i) => cross(scaled(a), scaled(part[(i + 1) % part.length]), p) >= 0n),
              ),
            ).toBe(true)
          }
        }
        const total =
          toDouble(
            parts.reduce((sum, part) => sum + doubledArea(part), 0n),
            2 * grid.exponent,
          ) / 2
        expect(Math.abs(total - area - error)).toBeLessThanOrEqual(1e-13 * total)
        for (let i = 0; i < parts.length; i++) {
          for (let j = 0; j < i; j++) {
            if (arePartsApart(parts[i], parts[j])) continue
            touching++
            const size = Math.max(...pieces.flat().flatMap(({ x, y }) => [Math.abs(x), Math.abs(y)]))
            const length = Math.max(extent(pieces.flat(), 'x'), extent(pieces.flat(), 'y'))
            expect(clippedArea(pieces[i], pieces[j])).toBeLessThanOrEqual(2 ** -48 * size * length)
          }
        }
      }),
      runs(600),
    )
    expect(approximated).toBeGreaterThan(runCount(60))
    expect(touching).toBeLessThan(approximated / 2)
  })

  it('has less error the more pieces it may have, and none with enough', () => {
    fc.assert(
      fc.property(starRegion(), (rings) => {
        const errors = [1, 2, 4, 8, 16, 64].map((count) => decompose(rings, 'approximate', count).error)
        for (let k = 1; k < errors.length; k++) expect(errors[k]).toBeLessThanOrEqual(errors[k - 1] * (1 + 1e-12))
        expect(errors[5]).toBe(0)
      }),
      runs(100),
    )
  })

  it('halves a ring, and cuts a cross where its arms begin', () => {
    const square = (r: number): Vec2[] => [point(-r, -r), point(r, -r), point(r, r), point(-r, r)]
    expect(decompose([square(3), square(1)], 'approximate', 1)).toMatchObject({ area: 32, error: 4 })
    const cross = [
      [1, 3, 3, 1, 1, -1, -1, -3, -3, -1, -1, 1],
      [1, 1, -1, -1, -3, -3, -1, -1, 1, 1, 3, 3],
    ]
    const plus = cross[0].map((_, i) => point(cross[1][i], cross[0][i]))
    expect(decompose([plus], 'approximate', 1)).toMatchObject({ area: 20, error: 8 })
    expect(decompose([plus], 'approximate', 2).error).toBe(4)
    expect(decompose([plus], 'approximate', 3)).toMatchObject({ area: 20, error: 0 })
  })
})

it('scales by powers of two to the last bit', () => {
  fc.assert(
    fc.property(regions, fc.integer({ min: -40, max: 40 }), fc.nat(5), (rings, exponent, maxPieces) => {
      const k = 2 ** exponent
      const larger = ({ x, y }: Vec2): Vec2 => ({ x: x * k, y: y * k })
      for (const method of ['exact', 'triangles', 'approximate'] as const) {
        const { pieces, area, error } = decompose(rings, method, maxPieces + 1)
        const scaledAnswer = decompose(mapped(rings, larger), method, maxPieces + 1)
        expect(scaledAnswer).toEqual({ pieces: mapped(pieces, larger), area: area * k * k, error: error * k * k })
      }
    }),
    runs(300),
  )
})

function point<T>(x: T, y: T): { x: T; y: T } {
  return { x, y }
}

/** Whether rounding has left the rings what they were. */
function isRegion(rings: Rings): boolean {
  try {
    return decompose(rings, 'triangles').pieces.length > 0
  } catch {
    return false
  }
}

function exactArea(rings: Rings): number {
  const grid = gridFor(rings.flat().flatMap(({ x, y }) => [x, y]))
  const areas = rings.map((ring) => doubledArea(ring.map(({ x, y }) => point(toGrid(grid, x), toGrid(grid, y)))))
  const [outer, ...holes] = areas.map((area) => (area < 0n ? -area : area))
  return (
    toDouble(
      holes.reduce((sum, hole) => sum - hole, outer),
      2 * grid.exponent,
    ) / 2
  )
}

function trianglesOf(ring: readonly Vec2[]): Vec2[][] {
  return ring.slice(2).map((c, k) => [ring[0], ring[k + 1], c])
}

const FINENESS = 6n

function scaled({ x, y }: Point): Point {
  return { x: FINENESS * x, y: FINENESS * y }
}

/** Points of a triangle, on a grid over it, in units that are FINENESS times finer. */
function samples([a, b, c]: readonly Point[]): Point[] {
  const found: Point[] = []
  for (let i = 0n; i <= FINENESS; i++) {
    for (let j = 0n; i + j <= FINENESS; j++) {
      const k = FINENESS - i - j
      found.push(point(i * a.x + j * b.x + k * c.x, i * a.y + j * b.y + k * c.y))
    }
  }
  return found
}

function extent(points: readonly Vec2[], axis: 'x' | 'y'): number {
  const values = points.map((p) => p[axis])
  return Math.max(...values) - Math.min(...values)
}
