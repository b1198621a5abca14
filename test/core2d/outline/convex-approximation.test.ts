import { describe, expect, it } from 'vitest'
import type { Vec2 } from '../../../schemas/vector.ts'
import { ringArea } from '../../../src/core2d/outline/approximation-cut.ts'
import { convexApproximation } from '../../../src/core2d/outline/convex-approximation.ts'
import { fewConvexPieces } from '../../../src/core2d/outline/convex-decomposition.ts'
import type { Outline } from '../../../src/core2d/outline/outline.ts'
import { mapped, outlineOf, type Rings } from '../../support/families/random-regions.ts'

const quarters = (ring: readonly Vec2[]): Vec2[] => {
  const all = [...ring]
  for (let k = 0; k < 3; k++) all.push(...all.slice(-ring.length).map(({ x, y }) => ({ x: -y, y: x })))
  return all
}

/**
 * Four arms, 7 long and 1 wide, each with notches so deep in both sides, around a square hole. A line that takes one arm off at the next
 * cuts a third one in two.
 */
function pinwheel(notch: number): Rings {
  const arm = [
    { x: -1, y: -2 },
    { x: 3, y: notch - 2 },
    { x: 6, y: -2 },
    { x: 6, y: -1 },
    { x: 4, y: -1 - notch },
    { x: 2, y: -1 },
  ]
  const hole = [
    { x: -1, y: -1 },
    { x: -1, y: 1 },
    { x: 1, y: 1 },
    { x: 1, y: -1 },
  ]
  return [quarters(arm), hole]
}

function approximated(rings: Rings, most: number): { count: number; area: number } {
  const outline = outlineOf(rings) as Outline
  const pieces = convexApproximation(outline, fewConvexPieces(outline, Infinity), most)
  return { count: pieces.length, area: pieces.reduce((sum, ring) => sum + ringArea(ring, 1), 0) }
}

describe('convex approximations', () => {
  it.each([0.05, 0.2])('of a pinwheel with notches of %d are its arms, which no cuts across it make', (notch) => {
    for (const turn of [0, 0.3]) {
      const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
      const turned = mapped(pinwheel(notch), ({ x, y }) => ({ x: cos * x - sin * y, y: sin * x + cos * y }))
      const { count, area } = approximated(turned, 4)
      expect(count).toBe(4)
      expect(area).toBeCloseTo(28, 9)
      // fewer pieces cover more, and more of them less
      expect(approximated(turned, 3).area).toBeGreaterThan(28.1)
      expect(approximated(turned, 6).area).toBeLessThan(28 - notch)
    }
  })

  it('of a frame that is cut from side to side are as near to it as four boxes', () => {
    const square = (r: number) => quarters([{ x: -r, y: -r }])
    expect(approximated([square(3), square(1)], 4)).toEqual({ count: 4, area: 32 })
    expect(approximated([square(3), square(1)], 2).area).toBe(36)
  })
})
