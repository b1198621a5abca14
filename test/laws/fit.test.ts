// Laws of what encloses a body in the plane: it contains it, exactly; none is less than its bound; circles and rectangles are the least.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FitRequest, FitResponse } from '../../schemas/queries/fit.ts'
import type { Body2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { contains } from '../../src/core2d/queries/containment.ts'
import { fitQuery } from '../../src/queries/stateless/fit.ts'
import { isProblem } from '../../src/wire/decode-problem.ts'
import { prepare } from '../support/answers/slots.ts'
import { BOUNDED_TYPES, EXACT_TYPES, GRID, mixedBody, UNIFORM, vec2 } from '../support/families/arbitraries.ts'
import { mixedComposite, unrotatedComposite } from '../support/families/composite-arbitraries.ts'
import { scaled } from '../support/families/transform.ts'
import { expectHeld, expectOfTheSet, expectPointsHeld } from '../support/fit-laws.ts'
import { runs, unshrunk } from '../support/runs.ts'

const KINDS = ['aabb', 'box', 'circle', 'capsule'] as const
const SIZES = ['area', 'perimeter'] as const
const limits = { maxVertices: 1e6, maxParts: 1e5 } as never

function ask(request: FitRequest): FitResponse {
  const answer = fitQuery['2d'].answer(request, limits)
  if (isProblem(answer)) throw new Error(JSON.stringify([request, answer]))
  return answer as FitResponse
}

/** The answer as it comes out of JSON. */
const sent = (body: Body2d): Body2d => JSON.parse(JSON.stringify(body)) as Body2d
const question = fc.record({ shape: fc.constantFrom(...KINDS), least: fc.constantFrom(...SIZES) })
const fitter = {
  ask,
  question,
  heldBy(holder: Body2d) {
    const slot = prepare(sent(holder))
    return (guest: Body2d) => contains(slot, prepare(guest))
  },
}
const bodies = fc.oneof(
  mixedBody(BOUNDED_TYPES),
  unrotatedComposite(GRID, BOUNDED_TYPES),
  mixedComposite(BOUNDED_TYPES),
)
const far = fc.tuple(bodies, fc.constantFrom(0, 0, 1e6, 1e9)).map(
  ([body, x]): Body2d => ({
    ...body,
    position: { x: (body.position?.x ?? 0) + x, y: body.position?.y ?? 0 },
  }),
)
const clouds = fc.array(fc.oneof(vec2(GRID), vec2(UNIFORM)), { minLength: 1, maxLength: 12 })

describe('what encloses a body', () => {
  it('contains it, and is no less than its bound', () => expectHeld(fitter, far, unshrunk(3000)))

  it('contains points of all sizes', () => {
    const pointAt = (position: Vec2): Body2d => ({ shape: { type: 'point' }, position })
    expectPointsHeld(fitter, { places: vec2(GRID), largest: 4e99, pointAt }, runs(1500))
  })

  it('scales with it', () => {
    fc.assert(
      fc.property(mixedBody(EXACT_TYPES), question, fc.integer({ min: -40, max: 40 }), (body, asked, power) => {
        const one = ask({ body, ...asked })
        const k = 2 ** power
        const other = ask({ body: scaled(body, k), ...asked })
        expect(other.measure).toBe(one.measure * (asked.least === 'area' ? k * k : k))
      }),
      runs(1000),
    )
  })

  it('does not hang on the order of points, or on which are repeated', () => expectOfTheSet(fitter, clouds, runs(1000)))

  it('is no larger than another that is known', () => {
    fc.assert(
      fc.property(clouds, fc.constantFrom(...SIZES), (points, least) => {
        const of = (shape: FitRequest['shape']) => ask({ points, shape, least }).measure
        expect(of('box')).toBeLessThanOrEqual(of('aabb') * (1 + 1e-14))
        expect(of('capsule')).toBeLessThanOrEqual(of('circle') * (1 + 1e-14))
      }),
      runs(1500),
    )
  })
})

/** Of the rectangle along an edge, exactly: what its area is over, or the square of half its perimeter. */
function rectangles(points: readonly Vec2[]): { area: [bigint, bigint]; half: [bigint, bigint] }[] {
  const exact = points.map(({ x, y }): [bigint, bigint] => [BigInt(x), BigInt(y)])
  const extent = (heights: bigint[]): bigint => {
    const sorted = heights.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    return sorted[sorted.length - 1] - sorted[0]
  }
  return exact.flatMap(([px, py]) =>
    exact
      .map(([qx, qy]): [bigint, bigint] => [qx - px, qy - py])
      .filter(([x, y]) => x !== 0n || y !== 0n)
      .map(([x, y]) => {
        const along = extent(exact.map(([a, b]) => a * x + b * y))
        const across = extent(exact.map(([a, b]) => b * x - a * y))
        const square = x * x + y * y
        return { area: [along * across, square], half: [(along + across) ** 2n, square] }
      }),
  )
}

describe('rectangles', () => {
  const whole = fc.oneof(
    fc.array(fc.record({ x: fc.integer({ min: -4, max: 4 }), y: fc.integer({ min: -4, max: 4 }) }), {
      minLength: 2,
      maxLength: 9,
    }),
    fc.array(fc.record({ x: fc.integer({ min: -1e6, max: 1e6 }), y: fc.integer({ min: -1e6, max: 1e6 }) }), {
      minLength: 2,
      maxLength: 9,
    }),
  )

  it('are the least of those along a line through two of the points, in exact arithmetic', () => {
    fc.assert(
      fc.property(whole, fc.constantFrom(...SIZES), (points, least) => {
        const all = rectangles(points).map(({ area, half }) => {
          const [a, b] = least === 'area' ? area : half
          return least === 'area' ? Number(a) / Number(b) : 2 * Math.sqrt(Number(a) / Number(b))
        })
        if (all.length === 0) return
        const exact = Math.min(...all)
        const { measure, lower } = ask({ points, shape: 'box', least })
        expect(lower).toBeLessThanOrEqual(exact * (1 + 1e-15))
        expect(lower).toBeGreaterThanOrEqual(exact * (1 - 1e-13))
        const size = Math.max(...points.flatMap(({ x, y }) => [Math.abs(x), Math.abs(y)]))
        expect(measure).toBeLessThanOrEqual(exact * (1 + 1e-14) + 1e-14 * (least === 'area' ? size * size : size))
      }),
      runs(1500),
    )
  })

  it('are no larger than at any of many angles, whatever the body', () => {
    fc.assert(
      fc.property(
        bodies,
        fc.constantFrom(...SIZES),
        fc.double({ noNaN: true, min: 0, max: 1.6 }),
        (body, least, angle) => {
          const { measure, body: box } = ask({ body, shape: 'box', least })
          const { width = 0, height = 0 } = box.shape as { width?: number; height?: number }
          const size = width + height
          const turned = { shape: { type: 'compound' as const, children: [body] }, rotation: angle }
          const isHeld = JSON.stringify(body).includes('aabb')
          if (isHeld) return
          expect(measure).toBeLessThanOrEqual(
            ask({ body: turned, shape: 'aabb', least }).measure * (1 + 1e-9) +
              1e-14 * (least === 'area' ? size * size : size) +
              1e-20,
          )
        },
      ),
      unshrunk(1500),
    )
  })

  it('stand as they are drawn where they are drawn along the axes', () => {
    const box = { shape: { type: 'box' as const, width: 3, height: 5 }, position: { x: 7, y: -1 } }
    expect(ask({ body: box, shape: 'box' })).toMatchObject({ body: box, measure: 15 })
    expect(ask({ body: { ...box, rotation: Math.PI / 2 }, shape: 'box' }).measure).toBe(15)
  })
})

describe('bounds of capsules', () => {
  it('are kept by capsules, which are their own least ones', () => {
    fc.assert(
      fc.property(
        vec2(GRID),
        vec2(GRID),
        fc.integer({ min: 0, max: 5 }),
        fc.constantFrom(...SIZES),
        (a, b, radius, least) => {
          const body: Body2d = { shape: { type: 'capsule', a, b, radius } }
          const length = Math.hypot(b.x - a.x, b.y - a.y)
          const own = least === 'area' ? radius * (Math.PI * radius + 2 * length) : 2 * (Math.PI * radius + length)
          const { measure, lower } = ask({ body, shape: 'capsule', least })
          expect(lower).toBeLessThanOrEqual(own * (1 + 1e-14))
          expect(measure).toBeLessThanOrEqual(own * (1 + 1e-9) + 1e-12 * (1 + length + radius))
        },
      ),
      runs(1000),
    )
  })

  it('lie within half of what is found', () => {
    fc.assert(
      fc.property(clouds, fc.constantFrom(...SIZES), (points, least) => {
        const { measure, lower } = ask({ points, shape: 'capsule', least })
        if (lower > 1e-6) expect(measure).toBeLessThan(2 * lower)
      }),
      runs(500),
    )
  })
})
