import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countSteps, OutOfBudget, within } from '../../../src/containers/budget.ts'
import { convexHull } from '../../../src/core3d/shape/convex-hull.ts'
import { exactHull } from '../../oracle/exact-hull.ts'
import { clouds, facesOf, hullFaults, hullOf, type Point } from '../../support/families/hull-points.ts'
import { nextAfter } from '../../support/families/next-after.ts'
import { runs } from '../../support/runs.ts'

const CUBE: Point[] = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [k >> 2, (k >> 1) & 1, k & 1])

/** The same numbers in every run. */
function randomNumbers(start: number): () => number {
  let state = start
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

function onSphere(random: () => number): Point {
  const z = 2 * random() - 1
  const angle = 2 * Math.PI * random()
  const r = Math.sqrt(1 - z * z)
  return [r * Math.cos(angle), r * Math.sin(angle), z]
}

describe('convexHull', () => {
  it('has the corners and faces that the definition says', () => {
    const grid = (size: number, most: number): fc.Arbitrary<Point[]> =>
      fc.array(fc.tuple(fc.nat(size), fc.nat(size), fc.nat(size)), { minLength: 1, maxLength: most })
    fc.assert(
      fc.property(fc.oneof(grid(1, 12), grid(2, 14), grid(4, 10), grid(30, 10)), (points) => {
        const hull = hullOf(points)
        const named = (i: number): string => points[i].join()
        const exact = exactHull(points)
        expect(Array.from(hull.vertices, named).sort()).toEqual(exact.corners)
        expect(
          facesOf(hull)
            .map((face) => face.map(named).sort())
            .sort(),
        ).toEqual(exact.faces)
        for (const v of hull.vertices) expect(points.findIndex((p) => p.join() === named(v))).toBe(v)
        expect(hullFaults(points, hull)).toEqual([])
      }),
      runs(600),
    )
  })

  it('puts corners and faces in an order of their own', () => {
    const hull = hullOf(CUBE.toReversed())
    expect(Array.from(hull.vertices)).toEqual([7, 6, 5, 4, 3, 2, 1, 0])
    const faces = facesOf(hullOf(CUBE))
    expect(faces).toEqual([
      [0, 1, 3, 2],
      [0, 2, 6, 4],
      [0, 4, 5, 1],
      [1, 5, 7, 3],
      [2, 3, 7, 6],
      [4, 6, 7, 5],
    ])
  })

  it('says of what has no inside what it is', () => {
    expect(hullOf([]).dimension).toBe(-1)
    const point = hullOf([
      [2, 3, -0],
      [2, 3, 0],
    ])
    expect([point.dimension, ...point.vertices]).toEqual([0, 0])
    const segment = hullOf([
      [0.2, 0.2, 0.2],
      [0.1, 0.1, 0.1],
      [0.7, 0.7, 0.7],
      [0.3, 0.3, 0.3],
      [0.7, 0.7, 0.7],
    ])
    expect(segment).toMatchObject({ dimension: 1, faceStarts: Int32Array.of(0) })
    expect(Array.from(segment.vertices)).toEqual([1, 2])
    const square = hullOf([...CUBE.slice(0, 4), [0, 0.5, 0.5], [0, 0.5, 0]])
    expect(square.dimension).toBe(2)
    expect(facesOf(square)).toEqual([
      [0, 1, 3, 2],
      [0, 2, 3, 1],
    ])
  })

  it('is exact to the last bit', () => {
    const base: Point[] = [
      [0.1, 0.1, 0.1],
      [0.9, 0.9, 0.9],
      [0.1, 0.9, 0.3],
      [5, 0, -7],
    ]
    for (const x of [0.2, 0.3, 0.7]) {
      expect(Array.from(hullOf([...base, [x, x, x]]).vertices)).not.toContain(4)
      const moved = [nextAfter(x, 1), nextAfter(x, -1)].map((y) => hullOf([...base, [x, x, y]]).vertices.includes(4))
      expect(moved.filter(Boolean)).toHaveLength(1)
    }
    // A pyramid whose tip lies a last place above its base, and a cube dented by none.
    const tip = hullOf([...CUBE.slice(0, 4), [Number.MIN_VALUE, 0.3, 0.4]])
    expect(tip.dimension).toBe(3)
    expect(facesOf(tip)).toHaveLength(5)
    const raised = hullOf([...CUBE, [nextAfter(1, 1), 0.3, 0.4], [nextAfter(1, -1), 0.3, 0.4]])
    expect(facesOf(raised)).toHaveLength(9)
  })

  it('takes coordinates of any size together', () => {
    const sizes = [5e-324, 1e-300, 1e-200, 1, 1e200, 1.7e308]
    const random = randomNumbers(7)
    for (let run = 0; run < 40; run++) {
      const pick = (): number => sizes[Math.floor(random() * sizes.length)] * Math.sign(random() - 0.5)
      const points = Array.from({ length: 14 }, (): Point => [pick(), pick(), pick()])
      expect(hullFaults(points, hullOf(points))).toEqual([])
    }
  })

  /** Inputs that have made other hulls slow, or wrong: [count, number of the point among them and a random source → point]. */
  const families: [name: string, make: (i: number, count: number, random: () => number) => Point][] = [
    ['a sphere', (_i, _n, random) => onSphere(random)],
    ['a ball', (_i, _n, random) => onSphere(random).map((c) => c * Math.cbrt(random())) as unknown as Point],
    ['one plane', (_i, _n, random) => [random(), random(), 3]],
    [
      'nearly one plane',
      (_i, _n, random) =>
        [random(), random(), 1 / 3].map((c, k, p) => (k < 2 ? c : 0.3 * p[0] + 0.7 * p[1])) as unknown as Point,
    ],
    ['one line', (i) => [i, 2 * i, 3 * i]],
    ['a grid', (i) => [i % 20, Math.floor(i / 20) % 20, Math.floor(i / 400)]],
    ['a grid of tenths', (i) => [(i % 20) * 0.1, (Math.floor(i / 20) % 20) * 0.1, Math.floor(i / 400) * 0.1]],
    [
      'the rims of a cylinder',
      (i, _n, random) => {
        const angle = 2 * Math.PI * random()
        return [Math.cos(angle), Math.sin(angle), i & 1]
      },
    ],
    [
      'a cone with points about its tip',
      (i, n, random) => {
        const angle = 2 * Math.PI * random()
        return i < n / 2
          ? [Math.cos(angle), Math.sin(angle), 0]
          : (onSphere(random).map((c, k) => 0.001 * c + (k === 2 ? 1 : 0)) as unknown as Point)
      },
    ],
    [
      'a circle and its axis',
      (i, n, random) => {
        const angle = 2 * Math.PI * random()
        return i < n / 2 ? [Math.cos(angle), Math.sin(angle), 0] : [0, 0, i / n]
      },
    ],
    [
      'two skew curves',
      (i, _n, random) => {
        const t = 2 * random() - 1
        return i & 1 ? [t, t ** 3, 1 + t * t] : [t ** 3, t, -1 - t * t]
      },
    ],
    [
      'a moment curve',
      (_i, _n, random) => {
        const t = random()
        return [t, t * t, t ** 3]
      },
    ],
    ['a thousand points over and over', (i) => onSphere(randomNumbers(i % 1000))],
    ['one point', () => [1, 2, 3]],
  ]

  it.each(families)('takes few steps for %s', (_name, make) => {
    const [small, large] = [1000, 8000].map((count) => {
      const random = randomNumbers(count)
      const points = Array.from({ length: count }, (_, i) => make(i, count, random))
      return countSteps(() => hullOf(points))
    })
    // Of n log n; each exact sign counts for many.
    expect(large.steps).toBeLessThan(13 * 1.5 * Math.max(small.steps, 32000))
    expect(large.steps / 8000).toBeLessThan(600)
  })

  it('is the same where points go at random', () => {
    fc.assert(
      fc.property(clouds, (points) => {
        const flat = Float64Array.from(points.flat())
        expect(convexHull(flat, points.length, 0)).toEqual(convexHull(flat, points.length))
      }),
      runs(500),
    )
    for (const [, make] of families) {
      const random = randomNumbers(5)
      const flat = Float64Array.from(Array.from({ length: 2000 }, (_, i) => make(i, 2000, random)).flat())
      const { result, steps } = countSteps(() => convexHull(flat, 2000, 0))
      expect(result).toEqual(convexHull(flat, 2000))
      expect(steps / 2000).toBeLessThan(800)
    }
  })

  it('starts anew after work that was cut short', () => {
    const random = randomNumbers(11)
    const points = Float64Array.from(Array.from({ length: 500 }, () => onSphere(random)).flat())
    const whole = convexHull(points, 500)
    const { steps } = countSteps(() => convexHull(points, 500))
    for (let share = 1; share < 20; share++) {
      expect(() => within(Math.floor((steps * share) / 20), () => convexHull(points, 500))).toThrow(OutOfBudget)
      expect(convexHull(points, 500)).toEqual(whole)
    }
  })
})
