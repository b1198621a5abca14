// Boxes hold their bodies, touch them on all sides, and lose nothing to rounding.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bounds, createBounds } from '../../../src/core3d/queries/bounds.ts'
import { createSupport, support } from '../../../src/core3d/queries/support.ts'
import { bodyOf, type CaseBody } from '../../support/convex-cases-3d.ts'
import { convexBodies } from '../../support/families/convex-bodies.ts'
import { runs } from '../../support/runs.ts'

const out = createBounds()
const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
] as const

function boxOf(body: CaseBody): number[] {
  bounds(bodyOf(body), out)
  return [...out.min, ...out.max].map((side) => side + 0)
}

describe('bounds', () => {
  it('end at the farthest points', () => {
    const far = createSupport()
    fc.assert(
      fc.property(convexBodies, fc.boolean(), (shape, isTurned) => {
        const body: CaseBody = isTurned ? { ...shape, orientation: [0.1, 0.7, -0.5, 0.5] } : shape
        const box = boxOf(body)
        AXES.forEach(([x, y, z], k) => {
          support(bodyOf(body), x, y, z, far)
          const greatest = [far.x, far.y, far.z][k]
          support(bodyOf(body), -x, -y, -z, far)
          const least = [far.x, far.y, far.z][k]
          expect(box[k + 3]).toBeGreaterThanOrEqual(greatest - 2 ** -49)
          expect(box[k + 3]).toBeCloseTo(greatest, 12)
          expect(box[k]).toBeLessThanOrEqual(least + 2 ** -49)
          expect(box[k]).toBeCloseTo(least, 12)
        })
      }),
      runs(500),
    )
  })

  it('round outward where position + side is no double', () => {
    const [minX, , , maxX] = boxOf({ shape: { type: 'sphere', radius: 2 ** -30 }, position: [2 ** 40, 0, 0] })
    expect(minX).toBe(2 ** 40 - 2 ** -13)
    expect(maxX).toBe(2 ** 40 + 2 ** -12)
    expect(boxOf({ shape: { type: 'sphere', radius: 1 }, position: [2 ** 40, 0, 0] })[3]).toBe(2 ** 40 + 1)
  })

  it('are exact for curved bodies in line with the axes', () => {
    const shape = { type: 'cone', radius: 0.1, height: 0.2, axis: 'z' } as const
    expect(boxOf({ shape, position: [0, 0, 0] })).toEqual([-0.1, -0.1, -0.1, 0.1, 0.1, 0.1])
    const quarter = Math.SQRT1_2
    expect(boxOf({ shape, position: [0, 0, 0], orientation: [quarter, 0, 0, quarter] })).toEqual([
      -0.1, -0.1, -0.1, 0.1, 0.1, 0.1,
    ])
  })

  it('of half-spaces end only along an axis', () => {
    const box = (normal: [number, number, number]): number[] =>
      boxOf({ shape: { type: 'halfspace', normal, offset: 2 }, position: [1, 1, 1] })
    expect(box([0, -3, 0])).toEqual([-Infinity, -1, -Infinity, Infinity, Infinity, Infinity])
    expect(box([0, 0, 3])).toEqual([-Infinity, -Infinity, -Infinity, Infinity, Infinity, 3])
    expect(box([1, 1, 0])).toEqual([-Infinity, -Infinity, -Infinity, Infinity, Infinity, Infinity])
  })
})
