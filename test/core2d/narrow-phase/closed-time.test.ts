// Times of crossings against whole numbers: right far beyond the last digit of a double, so that they can be rounded once.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  circleTime,
  createVelocity,
  crossingTime,
  setVelocity,
  slopeSign,
} from '../../../src/core2d/narrow-phase/closed-time.ts'
import { type Body, X, Y } from '../../../src/core2d/shape/body.ts'
import type { Twofold } from '../../../src/numeric/twofold.ts'
import { abs, integerSqrt, signOf, toGrid } from '../../oracle/exact-numbers.ts'
import { prepare } from '../../support/answers/slots.ts'
import { runCount, runs } from '../../support/runs.ts'

interface Point {
  readonly x: number
  readonly y: number
}

/** Finer than any number here. */
const GRID = { exponent: -400 }
const whole = (x: number): bigint => toGrid(GRID, x)
const vector = (to: Point, from: Point) => ({ x: whole(to.x) - whole(from.x), y: whole(to.y) - whole(from.y) })
/** Bits of a quotient beyond the point. */
const BITS = 1000n
const BITS_RIGHT = 85n

function expectTime(found: Twofold, exact: bigint): void {
  const fine = (x: number) => toGrid({ exponent: -Number(BITS) }, x)
  const error = abs(fine(found.high) + fine(found.low) - exact)
  expect(error << BITS_RIGHT <= abs(exact), `${found.high} + ${found.low}`).toBe(true)
}

/** With every digit that a double has. */
const coordinate = fc.integer({ min: -(2 ** 53), max: 2 ** 53 }).map((n) => (9 * n) / 2 ** 53)
const point = fc.record({ x: coordinate, y: coordinate })
const radius = fc.oneof(fc.constant(0), fc.double({ min: 0.01, max: 2, noNaN: true }))
const at = (position: Point, r: number): Body =>
  prepare(r === 0 ? { shape: { type: 'point' }, position } : { shape: { type: 'circle', radius: r }, position })

/** Velocities of which B's is 0.3, −0.7: the difference has digits beyond a double. */
function moving(x: number, y: number) {
  const b = { x: 0.3, y: -0.7 }
  const a = { x: x + b.x, y: y + b.y }
  const v = createVelocity()
  setVelocity({ ax: a.x, ay: a.y, bx: b.x, by: b.y } as never, v)
  return { v, exact: vector(a, b) }
}

describe('the time at which', () => {
  it('a circle meets or leaves another one', () => {
    let met = 0
    fc.assert(
      fc.property(point, point, point, radius, radius, (from, to, aim, ra, rb) => {
        const { v, exact } = moving(aim.x + to.x - from.x, aim.y + to.y - from.y)
        if (v.exponent !== 0) return
        const q = vector(from, to)
        const r = whole(ra) + whole(rb)
        const speed = exact.x * exact.x + exact.y * exact.y
        const along = q.x * exact.x + q.y * exact.y
        const square = along * along - speed * (q.x * q.x + q.y * q.y - r * r)
        if (r === 0n ? abs(along) < speed >> 20n : 1000n * square < speed * r * r) return
        const root = r === 0n ? 0n : integerSqrt(square << (2n * BITS))
        met++
        for (const end of [-1, 1] as const) {
          const found = { high: 0, low: 0 }
          circleTime(at(to, rb), 0, at(from, ra), 0, v, end, found)
          const sum = r === 0n ? -along << BITS : BigInt(end) * root - (along << BITS)
          if (abs(sum / speed) > 1n << (BITS - 20n)) expectTime(found, sum / speed)
        }
      }),
      runs(10_000),
    )
    expect(met).toBeGreaterThan(runCount(3000))
  })

  it('a corner meets an edge, with skins and without', () => {
    let met = 0
    const triangle = fc.tuple(point, point, point)
    const share = fc.double({ min: 0.2, max: 0.8, noNaN: true })
    fc.assert(
      fc.property(triangle, point, point, share, radius, radius, (corners, position, way, part, ra, rb) => {
        const [p, s, t] = corners
        const area = (s.x - p.x) * (t.y - p.y) - (s.y - p.y) * (t.x - p.x)
        if (Math.abs(area) < 2) return
        const [first, second, third] = area > 0 ? [p, s, t] : [p, t, s]
        const edge = { x: second.x - first.x, y: second.y - first.y }
        const length = Math.hypot(edge.x, edge.y)
        // comes from without, to a place between both ends
        const inward = edge.x * way.y - edge.y * way.x
        if (Math.hypot(way.x, way.y) < 0.1 || inward < 0.2 * length * Math.hypot(way.x, way.y) || length < 0.5) return
        const skin = (ra + rb) / length
        const target = {
          x: position.x + first.x + part * edge.x + skin * edge.y,
          y: position.y + first.y + part * edge.y - skin * edge.x,
        }
        const from = { x: target.x - 0.7 * way.x, y: target.y - 0.7 * way.y }
        const { v, exact } = moving(way.x, way.y)
        const shape = { type: 'polygon' as const, vertices: [first, second, third], ...(rb > 0 && { radius: rb }) }
        const b = prepare({ shape, position })
        const k = indexOf(b, first, position)
        const found = { high: 0, low: 0 }
        crossingTime(at(from, ra), b, { a0: 0, a1: 0, b0: k, b1: (k + 1) % 3 }, v, -1, found)
        met++
        const e = vector(second, first)
        const q = {
          x: whole(from.x) - whole(position.x) - whole(first.x),
          y: whole(from.y) - whole(position.y) - whole(first.y),
        }
        const slope = e.y * exact.x - e.x * exact.y
        const height = e.y * q.x - e.x * q.y
        const size = integerSqrt((e.x * e.x + e.y * e.y) << (2n * BITS))
        expectTime(found, ((whole(ra) + whole(rb)) * size - (height << BITS)) / slope)
        expect(slopeSign(b, k, v)).toBe(signOf(slope))
      }),
      runs(40_000),
    )
    expect(met).toBeGreaterThan(runCount(3000))
  })
})

describe('the side to which a motion leads from an edge', () => {
  it('is right also where it runs nearly along it', () => {
    const steep = fc.integer({ min: -64, max: 64 })
    let near = 0
    fc.assert(
      fc.property(point, fc.double({ min: 0.1, max: 3, noNaN: true }), steep, (to, scale, ulps) => {
        if (Math.hypot(to.x, to.y) < 1 || to.x === 0) return
        const corners = [{ x: 0, y: 0 }, to, { x: to.x / 2 - to.y, y: to.y / 2 + to.x }]
        const b = prepare({ shape: { type: 'polygon', vertices: corners } })
        const k = indexOf(b, corners[0], { x: 0, y: 0 })
        const { v, exact } = moving(scale * to.x, scale * to.y * (1 + ulps * 2 ** -52))
        const e = vector(to, { x: 0, y: 0 })
        const slope = e.y * exact.x - e.x * exact.y
        const size = abs(e.y * exact.x) + abs(e.x * exact.y)
        const found = slopeSign(b, k, v)
        if (abs(slope) << 48n < size) near++
        if (found !== 0 || abs(slope) << 90n > size) expect(found).toBe(signOf(slope))
      }),
      runs(10_000),
    )
    expect(near).toBeGreaterThan(runCount(1000))
  })
})

/** The vertex of a body that was given as this one. */
function indexOf(body: Body, { x, y }: Point, position: Point): number {
  const off = Array.from({ length: body.count }, (_, k) =>
    Math.hypot(
      body.numbers[X] + body.numbers[body.vertices + 2 * k] - position.x - x,
      body.numbers[Y] + body.numbers[body.vertices + 2 * k + 1] - position.y - y,
    ),
  )
  return off.indexOf(Math.min(...off))
}
