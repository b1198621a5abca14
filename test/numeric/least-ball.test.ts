// The least ball against exact arithmetic: all balls through few of the points, in rational numbers; and, of balls of several radii, what E.
// Helly's theorem says of them.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countSteps } from '../../src/containers/budget.ts'
import { leastBall } from '../../src/numeric/least-ball.ts'
import { nearestRatio } from '../../src/numeric/nearest-double.ts'
import { runs } from '../support/runs.ts'

type Fraction = readonly [over: bigint, under: bigint]

const of = (n: number): Fraction => [BigInt(n), 1n]
const sub = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d - c * b, b * d]
const add = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d + c * b, b * d]
const mul = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * c, b * d]
const sign = ([a, b]: Fraction): number => (a === 0n ? 0 : a > 0n === b > 0n ? 1 : -1)
const dot = (u: Fraction[], v: Fraction[]): Fraction => u.map((x, k) => mul(x, v[k])).reduce(add)
const from = (p: Fraction[], q: Fraction[]): Fraction[] => q.map((x, k) => sub(x, p[k]))

/** Solves a square system by Gauss's elimination; null for a singular one. */
function solved(rows: Fraction[][]): Fraction[] | null {
  const n = rows.length
  const m = rows.map((row) => [...row])
  for (let k = 0; k < n; k++) {
    const pivot = m.findIndex((row, i) => i >= k && sign(row[k]) !== 0)
    if (pivot < 0) return null
    ;[m[k], m[pivot]] = [m[pivot], m[k]]
    const [a, b] = m[k][k]
    m[k] = m[k].map((x) => mul(x, [b, a]))
    for (let i = 0; i < n; i++) {
      const factor = m[i][k]
      if (i !== k) m[i] = m[i].map((x, j) => sub(x, mul(factor, m[k][j])))
    }
  }
  return m.map((row) => row[n])
}

/** Centre and squared radius of the least ball that holds all, of those on which up to d + 1 points lie. */
function bruteForce(points: Fraction[][]): { center: Fraction[]; square: Fraction } {
  let best: { center: Fraction[]; square: Fraction } | null = null
  const d = points[0].length
  for (let mask = 1; mask < 1 << points.length; mask++) {
    const [first, ...others] = points.filter((_, i) => mask & (1 << i))
    if (others.length > d) continue
    const edges = others.map((p) => from(first, p))
    const weights = solved(edges.map((e) => [...edges.map((f) => mul(of(2), dot(e, f))), dot(e, e)]))
    if (weights === null) continue
    const center = first.map((x, k) => edges.reduce((sum, e, i) => add(sum, mul(weights[i], e[k])), x))
    const square = dot(from(center, first), from(center, first))
    if (points.some((p) => sign(sub(dot(from(center, p), from(center, p)), square)) > 0)) continue
    if (best === null || sign(sub(square, best.square)) < 0) best = { center, square }
  }
  return best!
}

const flat = (points: readonly (readonly number[])[]) => Float64Array.from(points.flat())
const least = (points: readonly (readonly number[])[], dimension: number, origin = [0, 0, 0]) =>
  leastBall(flat(points), points.length, dimension, origin.slice(0, dimension))

const numbers = (d: number, size: number) =>
  fc.array(fc.array(fc.integer({ min: -size, max: size }), { minLength: d, maxLength: d }), {
    minLength: 1,
    maxLength: 7,
  })

describe.each([2, 3])('in %i dimensions', (d) => {
  it('is that of exact arithmetic, to the last digit', () => {
    fc.assert(
      fc.property(fc.oneof(numbers(d, 3), numbers(d, 2 ** 30)), (points) => {
        const { center, radius, around } = least(
          points.map((p) => [...p, 0]),
          d,
        )
        const exact = bruteForce(points.map((p) => p.map(of)))
        expect(center).toEqual(exact.center.map(([a, b]) => nearestRatio(a, b, 0)))
        const [over, under] = exact.square
        expect(Math.abs(radius * radius - nearestRatio(over, under, 0))).toBeLessThanOrEqual(radius * radius * 2 ** -51)
        // No ball about the rounded centre holds less, and this one holds all.
        for (const p of points)
          expect(Math.hypot(...p.map((x, k) => x - center[k]))).toBeLessThanOrEqual(around * (1 + 2 ** -51))
        expect(around - radius).toBeLessThanOrEqual(2 ** -50 * (radius + Math.max(...center.map(Math.abs))))
      }),
      runs(1200),
    )
  })

  it('of balls is that of some few of them', () => {
    const ball = fc.tuple(
      fc.array(fc.integer({ min: -20, max: 20 }), { minLength: d, maxLength: d }),
      fc.integer({ min: 0, max: 12 }),
    )
    fc.assert(
      fc.property(fc.array(ball, { minLength: 1, maxLength: 7 }), (list) => {
        const balls = list.map(([center, radius]) => [...center, radius])
        const whole = least(balls, d)
        let largest = 0
        for (let mask = 1; mask < 1 << balls.length; mask++) {
          const few = balls.filter((_, i) => mask & (1 << i))
          if (few.length <= d + 1) largest = Math.max(largest, least(few, d).radius)
        }
        expect(whole.radius).toBe(largest)
        for (const each of balls) {
          const far = Math.hypot(...each.slice(0, d).map((x, k) => x - whole.center[k])) + each[d]
          expect(far).toBeLessThanOrEqual(whole.around * (1 + 2 ** -50))
        }
      }),
      runs(1000),
    )
  })

  it('hangs on neither order nor repetition, and scales', () => {
    const real = fc.array(fc.array(fc.double({ noNaN: true, min: -1, max: 1 }), { minLength: d, maxLength: d }), {
      minLength: 1,
      maxLength: 9,
    })
    fc.assert(
      fc.property(real, fc.integer({ min: -300, max: 300 }), (points, power) => {
        const one = least(
          points.map((p) => [...p, 0]),
          d,
        )
        expect(
          least(
            [...points, ...points].reverse().map((p) => [...p, 0]),
            d,
          ),
        ).toEqual(one)
        const large = least(
          points.map((p) => [...p.map((x) => x * 2 ** power), 0]),
          d,
        )
        if (points.flat().every((x) => x === 0 || Math.abs(x) > 2 ** -200)) {
          expect(large.around).toBe(one.around * 2 ** power)
        }
      }),
      runs(1000),
    )
  })

  it('takes numbers of all sizes', () => {
    const tiny = Number.MIN_VALUE
    const axes = Array.from({ length: d }, (_, k) => Array.from({ length: d }, (_, i) => (i === k ? 1 : 0)))
    for (const sizes of [
      [1e100, 1e-300],
      [tiny, 2 * tiny],
      [1e-300, tiny],
      [1, 1],
      [2 ** 53, 1],
    ]) {
      const points = axes.flatMap((axis, k) => [-1, 1].map((side) => [...axis.map((x) => x * side * sizes[k % 2]), 0]))
      const { center, around } = least(points, d)
      expect(center.map(Math.abs)).toEqual(axes.map(() => 0))
      expect(around).toBe(Math.max(...sizes))
    }
    expect(least([[...axes[0], 0]], d, [1e9, 0, 0]).center[0]).toBe(1e9 + 1)
  })

  it('takes few steps for many points, also on a sphere', () => {
    const many = (place: (i: number) => number[]) => Array.from({ length: 20_000 }, (_, i) => [...place(i), 0])
    const turned = (i: number) => {
      const z = d === 2 ? 0 : Math.sin(7 * i)
      const r = Math.sqrt(1 - z * z)
      return [r * Math.cos(i), r * Math.sin(i), z].slice(0, d)
    }
    expect(countSteps(() => least(many(turned), d)).steps).toBeLessThan(40 * 20_000)
    expect(
      countSteps(() =>
        least(
          many((i) => [Math.sin(i), Math.sin(2 * i), Math.sin(3 * i)].slice(0, d)),
          d,
        ),
      ).steps,
    ).toBeLessThan(20 * 20_000)
  })
})

it('rounds ratios to the nearest double, ties to even', () => {
  expect(nearestRatio(1n, 3n, 0)).toBe(1 / 3)
  expect(nearestRatio(-2n, 3n, 10)).toBe((-2 / 3) * 1024)
  expect(nearestRatio(2n ** 53n + 1n, 1n, 0)).toBe(2 ** 53)
  expect(nearestRatio(2n ** 53n + 3n, 1n, 0)).toBe(2 ** 53 + 4)
  expect(nearestRatio(2n ** 154n + 2n ** 101n + 1n, 1n, 0)).toBe(2 ** 154 + 2 ** 102)
  expect(nearestRatio(3n, 2n, -1074)).toBe(2 * Number.MIN_VALUE)
  expect(nearestRatio(5n, 2n, -1074)).toBe(2 * Number.MIN_VALUE)
  expect(nearestRatio(1n, 2n, -1074)).toBe(0)
  expect(nearestRatio(5n, 8n, -1074)).toBe(Number.MIN_VALUE)
})
