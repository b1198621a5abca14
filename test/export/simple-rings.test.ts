// Rings that were moved, turned and rounded are written so that they are read back.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Vec2 } from '../../schemas/vector.ts'
import { createOutline } from '../../src/core2d/outline/outline.ts'
import { setRegion } from '../../src/core2d/outline/region.ts'
import { createOutlineFault } from '../../src/core2d/outline/ring-check.ts'
import { simpleRings } from '../../src/export/simple-rings.ts'
import { isLongRun, runs } from '../support/runs.ts'

function isRegion(ring: readonly Vec2[]): boolean {
  const points = Float64Array.from(ring.flatMap(({ x, y }) => [x, y]))
  return setRegion(createOutline(), points, [0, ring.length], 1, 0, createOutlineFault())
}

const moved = (ring: readonly Vec2[], x: number, y: number): Vec2[] => ring.map((p) => ({ x: p.x + x, y: p.y + y }))

describe('rings that rounding has made cross', () => {
  const spur = [
    { x: 1398.4664, y: 3290.7651 },
    { x: 1397.274802743484, y: 3288.9583037037037 },
    { x: 1395.896866392318, y: 3287.3733444444447 },
    { x: 1398.6536688999997, y: 3288.947592899999 },
    { x: 1398.4663999999996, y: 3290.7650999999987 },
  ]

  it('are made simple by the last digit of one vertex', () => {
    expect(isRegion(spur)).toBe(true)
    const placed = moved(spur, 1075.2824, -1497.3746)
    expect(isRegion(placed)).toBe(false)
    const [ring] = simpleRings([placed])
    expect(isRegion(ring!)).toBe(true)
    const different = ring!.filter(({ x, y }, k) => x !== placed[k]!.x || y !== placed[k]!.y)
    expect(different).toHaveLength(1)
    for (const [k, { x, y }] of ring!.entries()) {
      expect(Math.abs(x - placed[k]!.x) + Math.abs(y - placed[k]!.y)).toBeLessThan(1e-12)
    }
  })

  it('of many kinds are made simple by last digits', () => {
    const coordinate = fc.double({ min: 0, max: 10, noNaN: true })
    const share = fc.double({ min: 0.01, max: 0.99, noNaN: true })
    const point = fc.record({ x: coordinate, y: coordinate })
    let crossed = 0
    fc.assert(
      fc.property(point, point, point, share, share, point, (a, c, e, t, u, by) => {
        const m = { x: a.x + t * (c.x - a.x), y: a.y + t * (c.y - a.y) }
        // Goes back close beside its first edge.
        const notch = { x: m.x + (e.x - m.x) * u * 1e-13, y: m.y + (e.y - m.y) * u * 1e-13 }
        const ring = [a, c, notch, e]
        const placed = moved(ring, 100 * by.x, 1000 * by.y)
        if (!isRegion(ring) || isRegion(placed)) return
        crossed++
        expect(isRegion(simpleRings([placed])[0]!)).toBe(true)
      }),
      runs(2000),
    )
    if (isLongRun) expect(crossed).toBeGreaterThan(10)
  })

  it('stay as they are where they do not cross', () => {
    const square = [
      { x: 0, y: 0 },
      { x: 1, y: 0 },
      { x: 1, y: 1 },
    ]
    expect(simpleRings([square])).toEqual([square])
  })
})
