// The ray function that knows distances alone, held against the closed form of ellipses.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rayCurve } from '../../../src/core2d/ray/ray-curve.ts'
import { rayEllipse } from '../../../src/core2d/ray/ray-ellipse.ts'
import { aim, createRay, createRayLine } from '../../../src/core2d/ray/ray-line.ts'
import { createRaySpan } from '../../../src/core2d/ray/ray-span.ts'
import { ELLIPSE_ERROR_RATIO } from '../../../src/core2d/tolerances.ts'
import { prepare } from '../../support/answers/slots.ts'
import { anyBody } from '../../support/families/arbitraries.ts'
import { runCount, runs } from '../../support/runs.ts'

const coordinate = fc.double({ min: -8, max: 8, noNaN: true })

describe('rayCurve', () => {
  it('finds the span that the closed form finds, but for rays that graze', () => {
    const line = createRayLine()
    const found = createRaySpan()
    const known = createRaySpan()
    let hits = 0
    fc.assert(
      fc.property(
        anyBody(['ellipse']).map(prepare),
        coordinate,
        coordinate,
        fc.double({ min: 0, max: 6.3, noNaN: true }),
        fc.double({ min: 0.1, max: 20, noNaN: true }),
        (body, ox, oy, angle, maxDistance) => {
          const ray = { ...createRay(), ox, oy, dx: Math.cos(angle), dy: Math.sin(angle), maxDistance }
          aim(line, ray, body)
          const isHit = rayEllipse(line, ray, body, known)
          const size = Math.abs(line.along) + Math.abs(line.side) + body.reach
          const chord = known.leave - known.enter
          // Near the rim, and where an end of the ray lies on it, rounding decides.
          const slopes = [
            known.enterNx * line.ux + known.enterNy * line.uy,
            known.leaveNx * line.ux + known.leaveNy * line.uy,
          ]
          const isClear = Math.min(...slopes.map(Math.abs)) > 1e-3 && chord > 1e-3 * body.reach
          const ends = [line.along + known.enter, line.along + known.leave].flatMap((at) => [at, at - maxDistance])
          if (isHit && (!isClear || ends.some((at) => Math.abs(at) < 1e-6 * size))) return
          if (!isHit) return
          hits++
          expect(rayCurve(line, body, found)).toBe(true)
          expect([found.inside, found.exits]).toEqual([known.inside, known.exits])
          const tolerance = 1e4 * ELLIPSE_ERROR_RATIO * size
          expect(Math.abs(found.enter - known.enter)).toBeLessThanOrEqual(tolerance)
          expect(Math.abs(found.leave - known.leave)).toBeLessThanOrEqual(tolerance)
          for (const [n, m] of [
            [found.enterNx, known.enterNx],
            [found.enterNy, known.enterNy],
            [found.leaveNx, known.leaveNx],
            [found.leaveNy, known.leaveNy],
          ]) {
            expect(Math.abs(n - m)).toBeLessThanOrEqual(1e-3)
          }
        },
      ),
      runs(2000),
    )
    expect(hits).toBeGreaterThan(runCount(200))
  })

  it('misses what the line passes by, what lies behind, and what lies beyond the ray', () => {
    const line = createRayLine()
    const span = createRaySpan()
    const body = prepare({ shape: { type: 'ellipse', rx: 2, ry: 1 }, position: { x: 10, y: 0 } })
    const cast = (ox: number, oy: number, maxDistance: number): boolean => {
      aim(line, { ...createRay(), ox, oy, maxDistance }, body)
      return rayCurve(line, body, span)
    }
    expect(cast(0, 1.5, 100)).toBe(false)
    expect(cast(0, 0.5, 7)).toBe(false)
    expect(cast(13, 0.5, 100)).toBe(false)
    expect(cast(0, 0.5, 9)).toBe(true)
    expect(span.exits).toBe(false)
    expect(cast(10, 0, 100)).toBe(true)
    expect(span.inside).toBe(true)
  })
})
