import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { convexHull } from '../../../src/core2d/outline/convex-hull.ts'
import { nextAfter } from '../../support/families/next-after.ts'
import { runs } from '../../support/runs.ts'

type Point = readonly [number, number]

function hullOf(points: readonly Point[]): number[] {
  const out = new Int32Array(points.length)
  const size = convexHull(Float64Array.from(points.flat()), points.length, out)
  return Array.from(out.subarray(0, size))
}

/** Small integers only: exact. */
function cross([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point): number {
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

/** The vertices of the hull, by its definition: points that are not between two others nor inside three. */
function bruteHull(points: readonly Point[]): number[] {
  const distinct = points.map((_, i) => i).filter((i) => points.findIndex((p) => `${p}` === `${points[i]}`) === i)
  const isBetween = (p: Point, a: Point, b: Point): boolean =>
    cross(a, b, p) === 0 && (p[0] - a[0]) * (p[0] - b[0]) + (p[1] - a[1]) * (p[1] - b[1]) < 0
  return distinct.filter((i) => {
    const others = distinct.filter((j) => j !== i).map((j) => points[j])
    const p = points[i]
    for (const a of others) {
      for (const b of others) {
        if (isBetween(p, a, b)) return false
        if (others.some((c) => cross(a, b, p) > 0 && cross(b, c, p) > 0 && cross(c, a, p) > 0)) return false
      }
    }
    return true
  })
}

describe('convexHull', () => {
  const grid = (size: number): fc.Arbitrary<Point[]> =>
    fc.array(fc.tuple(fc.nat(size), fc.nat(size)), { minLength: 1, maxLength: 12 })

  it('has the vertices that its definition says, in order', () => {
    fc.assert(
      fc.property(fc.oneof(grid(1), grid(4), grid(30)), (points) => {
        const hull = hullOf(points)
        expect(hull.toSorted((i, j) => i - j)).toEqual(bruteHull(points))
        const [first] = hull.map((i) => points[i])
        expect(points.every(([x, y]) => x > first[0] || (x === first[0] && y >= first[1]))).toBe(true)
        if (hull.length < 3) return
        const at = (k: number): Point => points[hull[k % hull.length]]
        hull.forEach((_, k) => {
          expect(cross(at(k), at(k + 1), at(k + 2))).toBeGreaterThan(0)
        })
        // Strictly left turns that go round once: no vertex but the first two lies before the first edge.
        for (let k = 2; k < hull.length; k++) expect(cross(at(0), at(1), at(k))).toBeGreaterThan(0)
      }),
      runs(2000),
    )
  })

  it('is a point or a segment where the points are', () => {
    expect(hullOf([])).toEqual([])
    expect(
      hullOf([
        [2, 3],
        [2, 3],
      ]),
    ).toEqual([0])
    expect(
      hullOf([
        [0.2, 0.2],
        [0.1, 0.1],
        [0.7, 0.7],
        [0.3, 0.3],
        [0.7, 0.7],
      ]),
    ).toEqual([1, 2])
  })

  it('is exact to the last bit', () => {
    const triangle: Point[] = [
      [0.1, 0.1],
      [0.9, 0.9],
      [0.1, 0.9],
    ]
    for (const x of [0.2, 0.3, 0.7]) {
      expect(hullOf([...triangle, [x, x]])).toEqual([0, 1, 2])
      expect(hullOf([...triangle, [x, nextAfter(x, 1)]])).toEqual([0, 1, 2])
      expect(hullOf([...triangle, [x, nextAfter(x, -1)]])).toEqual([0, 3, 1, 2])
    }
  })

  it('takes thousands of points of any size', () => {
    for (const size of [1e100, 1, 1e-200]) {
      const count = 5000
      const circle = Array.from({ length: count }, (_, i): Point => {
        const angle = (i * 2 * Math.PI) / count
        return [size * Math.cos(angle), size * Math.sin(angle)]
      })
      const inner = circle.map(([x, y]): Point => [0.99 * x, 0.99 * y])
      expect(hullOf([...inner, ...circle]).toSorted((i, j) => i - j)).toEqual(circle.map((_, i) => count + i))
    }
  })
})
