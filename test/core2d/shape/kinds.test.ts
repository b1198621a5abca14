// The rows of the table of kinds, held against plain sampling of bodies.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { separate } from '../../../src/core2d/narrow-phase/dispatch.ts'
import { createSeparation } from '../../../src/core2d/narrow-phase/separation.ts'
import {
  ANCHOR_X,
  ANCHOR_Y,
  type Body,
  createBody,
  isCored,
  isCurved,
  REACH,
  setCircle,
  setPose,
  X,
  Y,
} from '../../../src/core2d/shape/body.ts'
import { createBoundaryPoint } from '../../../src/core2d/shape/ellipse.ts'
import { curveOf, kindOf } from '../../../src/core2d/shape/kinds.ts'
import { moveTurning } from '../../../src/core2d/shape/motion.ts'
import { ELLIPSE_ERROR_RATIO } from '../../../src/core2d/tolerances.ts'
import { prepare } from '../../support/answers/slots.ts'
import { anyBody, SHAPE_TYPES } from '../../support/families/arbitraries.ts'
import { runs } from '../../support/runs.ts'

const probe = createBody()
const separation = createSeparation()
const rim = createBoundaryPoint()
const box = new Float64Array(4)

/** Signed distance of a point of the world from the body. */
function distanceFrom(body: Body, x: number, y: number): number {
  setPose(probe, x, y, 0)
  setCircle(probe, 0)
  separate(probe, body, separation)
  return separation.value
}

const bodies = anyBody(SHAPE_TYPES).map(prepare)
const angles = fc.double({ min: 0, max: 7, noNaN: true })

describe('each kind', () => {
  it('is of one family', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const families = [isCored(body), isCurved(body), kindOf(body).name === 'halfplane']
        expect(families.filter((isOf) => isOf)).toHaveLength(1)
        expect(body.count > 0).toBe(isCored(body))
      }),
      runs(200),
    )
  })

  it('has its height, its support and its box where nothing of it lies beyond', () => {
    fc.assert(
      fc.property(bodies, angles, (body, angle) => {
        const [nx, ny] = [Math.cos(angle), Math.sin(angle)]
        const height = kindOf(body).height(body, nx, ny)
        kindOf(body).setBox(body, box)
        if (!isCored(body) && !isCurved(body)) {
          expect([...box]).toEqual([-Infinity, -Infinity, Infinity, Infinity])
          return
        }
        const tolerance =
          ELLIPSE_ERROR_RATIO * (Math.abs(body.numbers[X]) + Math.abs(body.numbers[Y]) + 2 * body.numbers[REACH])
        // The line at that height touches the body: a far point beyond it is as far from the body as from the line, or farther.
        const far = 10 * body.numbers[REACH] + 10
        const beyond = distanceFrom(body, body.numbers[X] + far * nx, body.numbers[Y] + far * ny)
        expect(beyond).toBeGreaterThanOrEqual(far - height - tolerance * far)
        for (const [side, x, y] of [
          [0, -1, 0],
          [1, 0, -1],
          [2, 1, 0],
          [3, 0, 1],
        ] as const) {
          expect(Math.abs(kindOf(body).height(body, x, y) - (side < 2 ? -1 : 1) * box[side])).toBeLessThanOrEqual(
            tolerance,
          )
        }
        if (!isCurved(body)) return
        expect(Math.abs(curveOf(body).support(body, nx, ny, rim) - height)).toBeLessThanOrEqual(tolerance)
        expect(Math.abs(rim.x * nx + rim.y * ny - height)).toBeLessThanOrEqual(tolerance)
        expect(Math.abs(distanceFrom(body, body.numbers[X] + rim.x, body.numbers[Y] + rim.y))).toBeLessThanOrEqual(
          tolerance,
        )
        // Homogeneous of the first degree, at the same point.
        const [x, y] = [rim.x, rim.y]
        expect(Math.abs(curveOf(body).support(body, 3 * nx, 3 * ny, rim) - 3 * height)).toBeLessThanOrEqual(
          6 * tolerance,
        )
        expect(Math.hypot(rim.x - x, rim.y - y)).toBeLessThanOrEqual(Math.sqrt(tolerance))
      }),
      runs(500),
    )
  })

  it('holds the disc that it says', () => {
    fc.assert(
      fc.property(bodies, angles, fc.double({ min: 0, max: 1, noNaN: true }), (body, angle, share) => {
        const far = share * body.numbers[REACH]
        const [x, y] = [far * Math.cos(angle), far * Math.sin(angle)]
        const radius = kindOf(body).innerRadius(body, x, y)
        const tolerance =
          ELLIPSE_ERROR_RATIO * (Math.abs(body.numbers[X]) + Math.abs(body.numbers[Y]) + 4 * body.numbers[REACH])
        if (radius < 0) return
        const place = distanceFrom(
          body,
          body.numbers[X] + body.numbers[ANCHOR_X] + x,
          body.numbers[Y] + body.numbers[ANCHOR_Y] + y,
        )
        expect(place).toBeLessThanOrEqual(-radius + tolerance)
        if (isCurved(body) && curveOf(body).holds(body, x, y, radius / 2)) expect(place).toBeLessThan(-radius / 4)
      }),
      runs(500),
    )
  })

  it('looks the same turned if it is round, and is equal to itself alone', () => {
    const turned = createBody()
    fc.assert(
      fc.property(bodies, angles, bodies, (body, angle, other) => {
        const { isRound, compare, lengths } = kindOf(body)
        expect(compare(body, body)).toBe(0)
        expect(lengths(body).every(Number.isFinite)).toBe(true)
        if (other.kind === body.kind) expect(Math.sign(compare(body, other)) + Math.sign(compare(other, body))).toBe(0)
        if (!isRound(body)) return
        moveTurning(body, { vx: 0, vy: 0, spin: 1 }, body, angle, turned)
        for (const [x, y] of [
          [1, 0],
          [0.6, 0.8],
        ]) {
          const height = kindOf(body).height(body, x, y) - x * body.numbers[ANCHOR_X] - y * body.numbers[ANCHOR_Y]
          const seen = kindOf(turned).height(turned, x, y) - x * turned.numbers[ANCHOR_X] - y * turned.numbers[ANCHOR_Y]
          expect(Math.abs(height - seen)).toBeLessThanOrEqual(
            ELLIPSE_ERROR_RATIO *
              (body.numbers[REACH] + Math.abs(body.numbers[ANCHOR_X]) + Math.abs(body.numbers[ANCHOR_Y])),
          )
        }
      }),
      runs(300),
    )
  })
})
