// The pair function that knows supports alone, held against the closed forms of the kinds that have them.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { within } from '../../../src/containers/budget.ts'
import { createPoint } from '../../../src/core2d/narrow-phase/common-point.ts'
import { curveHalfplane, curvePair } from '../../../src/core2d/narrow-phase/curve-pair.ts'
import { separate } from '../../../src/core2d/narrow-phase/dispatch.ts'
import { createPolygonGap, expandPolygon, setCommonPoint } from '../../../src/core2d/narrow-phase/expanding-polygon.ts'
import { createSeparation } from '../../../src/core2d/narrow-phase/separation.ts'
import { type Body, createBody, setCircle, setPose } from '../../../src/core2d/shape/body.ts'
import { isCurved, kindOf } from '../../../src/core2d/shape/kinds.ts'
import { ELLIPSE_ERROR_RATIO } from '../../../src/core2d/tolerances.ts'
import { prepare } from '../../support/answers/slots.ts'
import { anyBody, BOUNDED_TYPES, GRID, mixedBody, UNIFORM } from '../../support/families/arbitraries.ts'
import { runCount, runs } from '../../support/runs.ts'

const probe = createBody()
const known = createSeparation()
const found = createSeparation()
const place = createSeparation()

/** Signed distance of the point (x, y), from the body's anchor, from the body. */
function distanceFrom(body: Body, x: number, y: number): number {
  setPose(probe, 0, 0, 0)
  setCircle(probe, 0)
  const still = { ...body, x: 0, y: 0, xLow: 0, yLow: 0 }
  probe.x = body.anchorX + x
  probe.y = body.anchorY + y
  separate(probe, still, place)
  return place.value
}

const ellipses = fc.oneof(anyBody(['ellipse']), anyBody(['ellipse'], GRID)).map(prepare)
const bounded = fc.oneof(mixedBody(BOUNDED_TYPES), anyBody(BOUNDED_TYPES, UNIFORM)).map(prepare)

describe('curvePair', () => {
  it('finds what the closed forms find, with witnesses in the bodies and a direction that proves it', () => {
    const relations = { apart: 0, overlapping: 0, smooth: 0 }
    fc.assert(
      fc.property(ellipses, bounded, (ellipse, other) => {
        const frame = { ...separate(ellipse, other, known) }
        const { first: a, second: b, dx, dy, extent } = frame
        curvePair(a, b, frame, found)
        const tolerance = 2 * ELLIPSE_ERROR_RATIO * extent
        expect(Math.abs(found.value - known.value)).toBeLessThanOrEqual(tolerance)
        if (Math.abs(known.value) > tolerance) {
          expect(found.relation).toBe(known.relation)
          relations[known.relation > 0 ? 'apart' : 'overlapping']++
        }
        expect(distanceFrom(a, found.ax, found.ay)).toBeLessThanOrEqual(tolerance)
        expect(distanceFrom(b, found.bx - dx, found.by - dy)).toBeLessThanOrEqual(tolerance)
        const wayX = found.bx - found.ax - found.value * found.nx
        const wayY = found.by - found.ay - found.value * found.ny
        expect(Math.hypot(wayX, wayY)).toBeLessThanOrEqual(tolerance)
        // Where curves are smooth the direction is as good as the distance, and so are the points.
        const isSmooth = a.kind === b.kind && Math.min(a.rx, a.ry, b.rx, b.ry) > 0.2 * Math.max(a.reach, b.reach)
        if (isSmooth && known.value > 1e-3 * extent) {
          expect(Math.hypot(found.nx - known.nx, found.ny - known.ny)).toBeLessThanOrEqual(1e-9)
          expect(Math.hypot(found.ax - known.ax, found.ay - known.ay)).toBeLessThanOrEqual(1e-9 * extent)
          relations.smooth++
        }
        // Between the supports along the normal lies no more, and no less but for the tolerance.
        const { nx, ny } = found
        const heights = kindOf(a).height(a, nx, ny) + kindOf(b).height(b, -nx, -ny)
        const anchors = nx * (dx + a.anchorX - b.anchorX) + ny * (dy + a.anchorY - b.anchorY)
        expect(anchors - heights).toBeGreaterThanOrEqual(found.value - tolerance)
      }),
      runs(3000),
    )
    expect(relations.apart).toBeGreaterThan(runCount(100))
    expect(relations.overlapping).toBeGreaterThan(runCount(100))
    expect(relations.smooth).toBeGreaterThan(runCount(20))
  })

  it('does so where the two nearly touch', () => {
    fc.assert(
      fc.property(
        ellipses,
        bounded,
        fc.integer({ min: -30, max: -2 }),
        fc.boolean(),
        (ellipse, other, exponent, apart) => {
          const { first: a, second: b, dx, dy, extent } = { ...separate(ellipse, other, known) }
          const gap = (apart ? 1 : -1) * 2 ** exponent * extent
          const away = gap - known.value
          const still = { ...a, x: 0, y: 0, xLow: 0, yLow: 0 }
          const moved = {
            ...b,
            x: dx + a.anchorX - b.anchorX + away * known.nx,
            y: dy + a.anchorY - b.anchorY + away * known.ny,
          }
          const frame = { ...separate(still, { ...moved, xLow: 0, yLow: 0 }, known) }
          curvePair(frame.first, frame.second, frame, found)
          expect(Math.abs(found.value - known.value)).toBeLessThanOrEqual(2 * ELLIPSE_ERROR_RATIO * frame.extent)
        },
      ),
      runs(1000),
    )
  })

  it('knows the way out at the tip of a slender curve, up to where rounding hides it', () => {
    const curve = prepare({ shape: { type: 'ellipse', rx: 0.125, ry: 1.625 } })
    const tip = prepare({ shape: { type: 'point' } })
    for (const high of [0, 1e-13, 1e-9, -1e-13, -1e-9]) {
      for (const aside of [0, 1e-23, -1e-23, 1e-12]) {
        const frame = { dx: aside, dy: -1.625 - high, extent: 3.25, error: 0 }
        expect(within(2 ** 12, () => curvePair(tip, curve, frame, found))).toBeUndefined()
        expect(found.value).toBeCloseTo(high, 12)
        expect(Math.abs(found.nx)).toBeLessThan(1e-4)
        expect(found.ny).toBeCloseTo(-1, 8)
      }
    }
  })

  it('takes few steps, also for curves as good as flat', () => {
    const shapes = [
      [1, 1],
      [1, 1e-3],
      [1, 1e-9],
      [1e3, 1e-6],
    ]
    for (const [rx, ry] of shapes) {
      for (const y of [0, 1e-12, 0.1, 2]) {
        const a = prepare({ shape: { type: 'ellipse', rx, ry }, rotation: 0.3 })
        const b = prepare({ shape: { type: 'box', width: 2, height: 1 }, position: { x: 0.5, y }, rotation: 1 })
        const { first, second, ...frame } = { ...separate(a, b, known) }
        expect(within(2 ** 16, () => curvePair(first, second, frame, found))).toBeUndefined()
        expect(Math.abs(found.value - known.value)).toBeLessThanOrEqual(2 * ELLIPSE_ERROR_RATIO * frame.extent)
      }
    }
  })

  it('finds the lowest point over a half-plane', () => {
    fc.assert(
      fc.property(ellipses, anyBody(['halfplane']).map(prepare), (ellipse, plane) => {
        const frame = { ...separate(ellipse, plane, known) }
        curveHalfplane(frame.first, frame.second, frame, found)
        expect(Math.abs(found.value - known.value)).toBeLessThanOrEqual(ELLIPSE_ERROR_RATIO * frame.extent)
        expect([found.nx, found.ny]).toEqual([known.nx, known.ny])
      }),
      runs(200),
    )
  })
})

describe('expandPolygon', () => {
  it('has the separation between its bounds, whatever the kinds are', () => {
    const gap = createPolygonGap()
    fc.assert(
      fc.property(bounded, bounded, (p, q) => {
        const { first: a, second: b, dx, dy, extent } = separate(p, q, known)
        // Flat sets that cross have no inside to measure.
        fc.pre(isCurved(a) || isCurved(b))
        expandPolygon(a, b, dx, dy, extent, gap)
        const cores = known.value + a.radius + b.radius
        const tolerance = ELLIPSE_ERROR_RATIO * extent
        expect(gap.least).toBeLessThanOrEqual(cores + tolerance)
        expect(gap.most).toBeGreaterThanOrEqual(cores - tolerance)
        expect(gap.most - gap.least).toBeLessThanOrEqual(tolerance)
      }),
      runs(1000),
    )
  })

  it('has a point of both where they overlap', () => {
    const point = createPoint()
    let count = 0
    fc.assert(
      fc.property(ellipses, bounded, (p, q) => {
        const { first: a, second: b, dx, dy, extent } = separate(p, q, known)
        const tolerance = 4 * ELLIPSE_ERROR_RATIO * extent
        fc.pre(known.value + a.radius + b.radius < -tolerance)
        count++
        expect(setCommonPoint(a, b, dx, dy, extent, point)).toBe(true)
        expect(distanceFrom(a, point.x, point.y)).toBeLessThanOrEqual(tolerance)
        expect(distanceFrom(b, point.x - dx, point.y - dy)).toBeLessThanOrEqual(tolerance)
      }),
      runs(500),
    )
    expect(count).toBeGreaterThan(runCount(50))
  })
})
