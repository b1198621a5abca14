// Depths within rounding: what overlaps by less than any rounded depth can tell says its true one.

import { describe, expect, it } from 'vitest'
import { contact, createContact } from '../../../src/core3d/queries/contact.ts'
import { bodyOf, type CaseBody, type Triple } from '../../support/convex-cases-3d.ts'
import { seededRandom } from '../../support/families/box-sets.ts'
import { isLongRun, runCount, seed } from '../../support/runs.ts'

/** Whole numbers of 2^-PLACES: enough for all that comes up here. */
const PLACES = 200
type Big = readonly [bigint, bigint, bigint]

function big(value: number): bigint {
  let digits = value
  let places = 0
  for (; !Number.isInteger(digits); places++) digits *= 2
  return BigInt(digits) << BigInt(PLACES - places)
}

const bigs = (p: readonly number[]): Big => [big(p[0]), big(p[1]), big(p[2])]
const less = (p: Big, q: Big): Big => [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
const dot = (p: Big, q: Big): bigint => p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
const cross = (p: Big, q: Big): Big => [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]

/** √value, rounded down. */
function root(value: bigint): bigint {
  if (value === 0n) return 0n
  let guess = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (guess + value / guess) >> 1n
    if (next >= guess) return guess
    guess = next
  }
}

/** over / under as a double, of numbers however small. */
const quotient = (over: bigint, under: bigint): number => Number((over << 400n) / under) * 2 ** -400

/** Depth of the origin in the hull of the points, over all of its faces; 0 or less outside. */
function depthInHull(points: readonly Big[]): number {
  let least = Infinity
  for (let i = 0; i < points.length; i++) {
    for (let j = i + 1; j < points.length; j++) {
      for (let k = j + 1; k < points.length; k++) {
        const normal = cross(less(points[j], points[i]), less(points[k], points[i]))
        if (normal.every((x) => x === 0n)) continue
        const heights = points.map((p) => dot(normal, less(p, points[i])))
        const side = heights.every((h) => h <= 0n) ? 1n : heights.every((h) => h >= 0n) ? -1n : 0n
        if (side === 0n) continue
        const length = root(dot(normal, normal))
        least = Math.min(least, quotient(side * dot(normal, points[i]), length << BigInt(PLACES)))
      }
    }
  }
  return least
}

const random = seededRandom(seed())
const between = (low: number, high: number): number => low + (high - low) * random()
const vector = (size: number): Triple => [between(-size, size), between(-size, size), between(-size, size)]
const sumOf = (p: Triple, q: Triple): Triple => [p[0] + q[0], p[1] + q[1], p[2] + q[2]]

interface Found {
  isMet: boolean
  separations: number[]
}

function ask(a: CaseBody, b: CaseBody): Found {
  const there = createContact()
  const back = createContact()
  contact(bodyOf(a), bodyOf(b), there)
  contact(bodyOf(b), bodyOf(a), back)
  return { isMet: there.touching, separations: [there.separation, back.separation] }
}

/** Returns how many of the pairs overlap by no more than a trifle. */
function expectDepths(pairs: number, size: number, make: () => { a: CaseBody; b: CaseBody; depth: number }): number {
  let trifles = 0
  for (let round = 0; round < pairs; round++) {
    const { a, b, depth } = make()
    const { isMet, separations } = ask(a, b)
    expect(isMet).toBe(depth >= 0)
    if (!(depth > 0)) continue
    const isTrifle = depth < 1e-12 * size
    if (isTrifle) trifles++
    const error = isTrifle ? 1e-12 * depth : 1e-14 * size
    for (const separation of separations) expect(Math.abs(separation + depth)).toBeLessThanOrEqual(error)
  }
  return trifles
}

const spread = (corners: readonly Triple[], shares: readonly number[]): Triple => {
  const sum = shares.reduce((total, share) => total + share, 0)
  return [0, 1, 2].map((k) => corners.reduce((at, corner, i) => at + (corner[k] * shares[i]) / sum, 0)) as Triple
}

describe.each([1, 1e-3, 1e3])('a depth within rounding, at %f times the size', (size) => {
  const tetrahedron = (): Triple[] => Array.from({ length: 4 }, () => vector(size))

  it('is that of a point in a hull', () => {
    const trifles = expectDepths(runCount(150), size, () => {
      const points = tetrahedron()
      const position = spread(points.slice(0, 3), [between(0, 1), between(0, 1), between(0, 1)])
      const depth = depthInHull(points.map((p) => less(bigs(p), bigs(position))))
      return {
        a: { shape: { type: 'hull', points }, position: [0, 0, 0] },
        b: { shape: { type: 'point' }, position },
        depth,
      }
    })
    expect(trifles).toBeGreaterThan(runCount(150) / 8)
  })

  /** Corners off a place, on the one side of a plane through it or on the other. */
  const beside = (normal: Triple, side: 1 | -1): Triple => {
    const way = vector(size)
    const height = way[0] * normal[0] + way[1] * normal[1] + way[2] * normal[2]
    const rise = side * between(0.1, 1) * size - height
    return sumOf(way, normal.map((n) => rise * n) as Triple)
  }

  it.each([2, 3])('is that of two hulls that touch about a part of %d corners, also far from the origin', (corners) => {
    const trifles = expectDepths(runCount(90), size, () => {
      const [u, v] = [vector(1), vector(1)]
      const across: Triple = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
      const normal = across.map((x) => x / Math.hypot(...across)) as Triple
      const along = (way: Triple, share: number): Triple => way.map((x) => share * size * x) as Triple
      const own = [along(u, between(0.2, 1)), along(u, between(-1, -0.2)), along(v, between(0.2, 1))].slice(0, corners)
      const one = [...own, ...Array.from({ length: 4 - corners }, () => beside(normal, -1))]
      const others = corners === 2 ? [along(v, between(0.2, 1)), along(v, between(-1, -0.2))] : [[0, 0, 0] as Triple]
      const other = [...others, ...Array.from({ length: 4 - others.length }, () => beside(normal, 1))]
      const touch = spread(
        own,
        own.map(() => between(0.1, 1)),
      )
      const from = spread(
        others,
        others.map(() => between(0.1, 1)),
      )
      const place: Triple = random() < 0.5 ? [0, 0, 0] : [1e6 * size, -2e6 * size, 3e6 * size]
      const position = sumOf(place, [touch[0] - from[0], touch[1] - from[1], touch[2] - from[2]])
      const offset = less(bigs(position), bigs(place))
      const depth = depthInHull(one.flatMap((p) => other.map((q) => less(less(bigs(p), bigs(q)), offset))))
      return {
        a: { shape: { type: 'hull', points: one }, position: place },
        b: { shape: { type: 'hull', points: other }, position },
        depth,
      }
    })
    if (isLongRun) expect(trifles).toBeGreaterThan(runCount(90) / 8)
  })

  it('is that of two balls', () => {
    const trifles = expectDepths(runCount(150), size, () => {
      const way = vector(size)
      const radius = between(0.1, 1) * Math.hypot(...way)
      const rest = Math.hypot(...way) - radius
      const [x, y, z] = bigs(way)
      const distance = root((x * x + y * y + z * z) << BigInt(2 * PLACES))
      const depth = quotient(((big(radius) + big(rest)) << BigInt(PLACES)) - distance, 1n << BigInt(2 * PLACES))
      return {
        a: { shape: { type: 'sphere', radius }, position: [0, 0, 0] },
        b: { shape: { type: 'sphere', radius: rest }, position: way },
        depth,
      }
    })
    expect(trifles).toBeGreaterThan(runCount(150) / 8)
  })

  it('is that of a hull in a half-space', () => {
    const trifles = expectDepths(runCount(150), size, () => {
      const points = tetrahedron()
      const normal = vector(1)
      const length = Math.hypot(...normal)
      const heights = points.map((p) => (p[0] * normal[0] + p[1] * normal[1] + p[2] * normal[2]) / length)
      const offset = Math.min(...heights)
      const n = bigs(normal)
      const lowest = points.map((p) => dot(n, bigs(p))).sort((p, q) => (p < q ? -1 : 1))[0]
      const size2 = root(dot(n, n) << BigInt(2 * PLACES))
      const depth = quotient(big(offset) * size2 - (lowest << BigInt(PLACES)), size2 << BigInt(PLACES))
      return {
        a: { shape: { type: 'halfspace', normal, offset }, position: [0, 0, 0] },
        b: { shape: { type: 'hull', points }, position: [0, 0, 0] },
        depth,
      }
    })
    expect(trifles).toBeGreaterThan(runCount(150) / 8)
  })
})
