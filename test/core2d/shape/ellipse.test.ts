import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Body, COS, createBody, RX, RY, SIN, setEllipse, setPose } from '../../../src/core2d/shape/body.ts'
import {
  createBoundaryPoint,
  ellipseContains,
  ellipseSupport,
  nearestOnEllipse,
  secondNearestOnEllipse,
} from '../../../src/core2d/shape/ellipse.ts'
import { runs } from '../../support/runs.ts'

function ellipse(rx: number, ry: number, rotation = 0): Body {
  const body = createBody()
  setPose(body, 0, 0, rotation)
  setEllipse(body, rx, ry)
  return body
}

function pointAt(e: Body, t: number): [number, number] {
  const [u, v] = [e.numbers[RX] * Math.cos(t), e.numbers[RY] * Math.sin(t)]
  return [e.numbers[COS] * u - e.numbers[SIN] * v, e.numbers[SIN] * u + e.numbers[COS] * v]
}

const axis = fc.double({ min: 0.01, max: 10, noNaN: true })
const coordinate = fc.double({ min: -12, max: 12, noNaN: true })
const angle = fc.double({ min: -3, max: 3, noNaN: true })

describe('nearestOnEllipse', () => {
  it('is as near as the best of many boundary points, and its normal passes through the point', () => {
    fc.assert(
      fc.property(axis, axis, angle, coordinate, coordinate, (rx, ry, rotation, x, y) => {
        const e = ellipse(rx, ry, rotation)
        const foot = createBoundaryPoint()
        nearestOnEllipse(e, x, y, foot)
        const distance = Math.hypot(foot.x - x, foot.y - y)
        for (let i = 0; i < 720; i++) {
          const [px, py] = pointAt(e, (Math.PI * i) / 360)
          expect(distance).toBeLessThanOrEqual(Math.hypot(px - x, py - y) + 1e-9)
        }
        const aside = (x - foot.x) * foot.ny - (y - foot.y) * foot.nx
        expect(Math.abs(aside)).toBeLessThan(1e-7 * (1 + distance))
        const probe = createBoundaryPoint()
        const height = ellipseSupport(e, foot.nx, foot.ny, probe)
        expect(foot.x * foot.nx + foot.y * foot.ny).toBeCloseTo(height, 9)
      }),
      runs(300),
    )
  })

  it.each([
    [3, 1, 0, 0, 1],
    [3, 1, 0, 0.5, 0.5],
    [3, 1, 3, 0, 0],
    [3, 1, 5, 0, 2],
    [3, 1, 0, -4, 3],
    [2, 2, 0, 0, 2],
    [1, 3, 0, 2.9, 0.1],
    [1e6, 1, 0, 7, 6],
    [1, 1e-160, 0.5, 2, 2],
  ])('of (%d, %d) at (%d, %d) is %d away', (rx, ry, x, y, expected) => {
    const foot = createBoundaryPoint()
    nearestOnEllipse(ellipse(rx, ry), x, y, foot)
    expect(Math.hypot(foot.x - x, foot.y - y)).toBeCloseTo(expected, 12)
    expect(Math.hypot(foot.nx, foot.ny)).toBeCloseTo(1, 14)
  })
})

describe('secondNearestOnEllipse', () => {
  it('is a boundary point whose normal passes through the point, across the major axis', () => {
    fc.assert(
      fc.property(axis, axis, angle, coordinate, coordinate, (rx, ry, rotation, x, y) => {
        const e = ellipse(rx, ry, rotation)
        const foot = createBoundaryPoint()
        if (!secondNearestOnEllipse(e, x / 4, y / 4, foot)) return
        const aside = (x / 4 - foot.x) * foot.ny - (y / 4 - foot.y) * foot.nx
        expect(Math.abs(aside)).toBeLessThan(1e-6 * (1 + Math.hypot(x, y)))
        const first = createBoundaryPoint()
        nearestOnEllipse(e, x / 4, y / 4, first)
        const away = Math.hypot(foot.x - x / 4, foot.y - y / 4)
        expect(away).toBeGreaterThanOrEqual(Math.hypot(first.x - x / 4, first.y - y / 4) - 1e-9)
      }),
      runs(500),
    )
  })

  it('exists on the minor axis and outside, within the evolute', () => {
    const foot = createBoundaryPoint()
    expect(secondNearestOnEllipse(ellipse(3, 1), 0, 0.5, foot)).toBe(true)
    expect([foot.x, foot.y]).toEqual([0, -1])
    expect(secondNearestOnEllipse(ellipse(5, 1), 0.1, 1.5, foot)).toBe(true)
    expect(foot.y).toBeLessThan(0)
    expect(secondNearestOnEllipse(ellipse(2, 2), 0.1, 0.2, foot)).toBe(false)
    expect(secondNearestOnEllipse(ellipse(3, 1), 9, 9, foot)).toBe(false)
  })
})

describe('ellipseContains', () => {
  it('is closed', () => {
    const e = ellipse(4, 2)
    expect(ellipseContains(e, 4, 0)).toBe(true)
    expect(ellipseContains(e, 0, -2)).toBe(true)
    expect(ellipseContains(e, 4.000001, 0)).toBe(false)
  })
})
