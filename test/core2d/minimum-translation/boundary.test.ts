import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addPaths, addPathsWithin, setPlanes, tracesNothing } from '../../../src/core2d/minimum-translation/boundary.ts'
import { type Search, setSpare } from '../../../src/core2d/minimum-translation/forbidden.ts'
import { createPathPoint, createPaths, type Paths, setLineEnd } from '../../../src/core2d/minimum-translation/paths.ts'
import { concaveShape, convexShape } from '../../oracle/translation-shapes.ts'
import { searchOf } from '../../support/families/search-pairs.ts'
import { runs } from '../../support/runs.ts'

const between = (min: number, max: number) =>
  fc.noBias(fc.integer({ min: 0, max: 2 ** 20 })).map((part) => min + (part / 2 ** 20) * (max - min))
const shape = fc.oneof(concaveShape(false), concaveShape(true), convexShape(false))
const pair = fc.record({
  a: fc.record({ shape: shape.map((one) => one.shape) }),
  b: fc.record({
    shape: shape.map((one) => one.shape),
    position: fc.record({ x: between(-4, 4), y: between(-4, 4) }),
    rotation: fc.oneof(fc.constant(0), between(0, 6)),
  }),
})

interface Stretch {
  ax: number
  ay: number
  bx: number
  by: number
}

/** The straight paths that have been added. */
function stretches(paths: Paths): Stretch[] {
  const [from, to] = [createPathPoint(), createPathPoint()]
  return paths.added.map((path) => {
    setLineEnd(paths, path, true, from)
    setLineEnd(paths, path, false, to)
    return { ax: from.x, ay: from.y, bx: to.x, by: to.y }
  })
}

/** Distance of a point from the nearest of them. */
function distanceFrom(all: readonly Stretch[], x: number, y: number): number {
  let least = Infinity
  for (const { ax, ay, bx, by } of all) {
    const [ex, ey] = [bx - ax, by - ay]
    const square = ex * ex + ey * ey
    const share = square > 0 ? Math.min(Math.max(((x - ax) * ex + (y - ay) * ey) / square, 0), 1) : 0
    least = Math.min(least, Math.hypot(x - ax - share * ex, y - ay - share * ey))
  }
  return least
}

function eachLeafPair({ a, b }: Search, visit: (i: number, j: number) => void): void {
  for (let i = 0; i < a.view.leafCount; i++) for (let j = 0; j < b.view.leafCount; j++) visit(i, j)
}

describe('the boundary of what a pair of leaves forbids', () => {
  it('is cut to a square without losing any of it there', () => {
    const square = fc.record({ cx: between(-6, 6), cy: between(-6, 6), half: between(0.1, 3) })
    fc.assert(
      fc.property(pair, square, ({ a, b }, { cx, cy, half }) => {
        const { search } = searchOf(a, b)
        const isWithin = (x: number, y: number, margin: number) =>
          Math.max(Math.abs(x - cx), Math.abs(y - cy)) <= half + margin
        eachLeafPair(search, (i, j) => {
          setSpare(search, i, j)
          const whole = createPaths()
          addPaths(whole, search)
          const cut = createPaths()
          addPathsWithin(cut, search, cx, cy, half)
          const all = stretches(whole)
          const inside = stretches(cut)
          for (const { ax, ay, bx, by } of inside) {
            for (const share of [0, 0.3, 1]) {
              const [x, y] = [ax + share * (bx - ax), ay + share * (by - ay)]
              if (!isWithin(x, y, 1e-9) || distanceFrom(all, x, y) > 1e-9) expect.fail(`(${x}, ${y}) is not of it`)
            }
          }
          for (const { ax, ay, bx, by } of all) {
            for (let share = 0; share <= 1; share += 1 / 16) {
              const [x, y] = [ax + share * (bx - ax), ay + share * (by - ay)]
              if (isWithin(x, y, -1e-9) && distanceFrom(inside, x, y) > 1e-9) expect.fail(`(${x}, ${y}) is lost`)
            }
          }
        })
      }),
      runs(400),
    )
  })

  it('is nothing where the normals of two edges of regions say so, and as a rule they do', () => {
    const seen = { said: 0, unsaid: 0 }
    const region = concaveShape(false).map((one) => ({ shape: one.shape }))
    const place = fc.record({
      position: fc.record({ x: between(-4, 4), y: between(-4, 4) }),
      rotation: between(0.1, 1.4),
    })
    fc.assert(
      fc.property(region, region, place, (a, b, at) => {
        const { search } = searchOf(a, { ...b, ...at })
        eachLeafPair(search, (i, j) => {
          setSpare(search, i, j)
          const paths = createPaths()
          addPaths(paths, search)
          const saysNothing = tracesNothing(search, i, j)
          if (saysNothing && paths.added.length > 0) expect.fail(`edges ${i} and ${j} have a boundary`)
          if (paths.added.length === 0) seen[saysNothing ? 'said' : 'unsaid']++
        })
      }),
      runs(400),
    )
    expect(seen.said).toBeGreaterThan(100)
    expect(seen.unsaid).toBeLessThan(seen.said / 4)
  })
})

describe('half-planes', () => {
  it('forbid what is less than the depth of the other body in them', () => {
    fc.assert(
      fc.property(shape, between(-4, 4), between(-4, 4), between(0, 6), between(-3, 3), (other, x, y, turn, offset) => {
        const normal = { x: Math.cos(turn), y: Math.sin(turn) }
        const halfplane = { shape: { type: 'halfplane' as const, normal, offset } }
        const { search, swapped } = searchOf(halfplane, { shape: other.shape, position: { x, y } })
        expect(setPlanes(search)).toBe(true)
        const heights = other.pieces.flat().map((point) => normal.x * (point.x + x) + normal.y * (point.y + y))
        const side = swapped ? -1 : 1
        expect(search.planes).toHaveLength(3)
        expect(side * search.planes[0]).toBeCloseTo(normal.x, 12)
        expect(side * search.planes[1]).toBeCloseTo(normal.y, 12)
        expect(search.planes[2]).toBeCloseTo(offset - Math.min(...heights), 9)
      }),
      runs(300),
    )
  })

  it('that face each other forbid translations of less than their overlap; others are not parted', () => {
    const halfplane = (x: number, y: number, offset: number) => ({
      shape: { type: 'halfplane' as const, normal: { x, y }, offset },
    })
    const opposite = searchOf(halfplane(0, 1, 2), halfplane(0, -1, 1))
    expect(setPlanes(opposite.search)).toBe(true)
    expect(opposite.search.planes[2]).toBeCloseTo(3, 12)
    expect(Math.abs(opposite.search.planes[1])).toBe(1)
    expect(setPlanes(searchOf(halfplane(0, 1, 2), halfplane(1, 0, 1)).search)).toBe(false)
    expect(setPlanes(searchOf(halfplane(0, 1, 2), halfplane(0, 1, 1)).search)).toBe(false)
  })
})
