// Curved bodies over hulls whose faces are nearly level with each other: the nearest point lies on one of them, not in the plane of
// the one beside it.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { boundDistance, createBounds } from '../../../src/core3d/narrow-phase/gjk.ts'
import { orderPair } from '../../../src/core3d/narrow-phase/pair-frame.ts'
import { createDistance, distance } from '../../../src/core3d/queries/distance.ts'
import { bodyOf, type CaseShape, type Triple } from '../../support/convex-cases-3d.ts'
import { runs } from '../../support/runs.ts'

const part = fc.integer({ min: -1000, max: 1000 }).map((thousandths) => thousandths / 1000)

/** A cap so flat that its faces differ by thousandths of a radian. */
const cap = fc
  .tuple(fc.array(fc.tuple(part, part), { minLength: 5, maxLength: 16 }), fc.integer({ min: 6, max: 20 }))
  .map(([places, power]): CaseShape => {
    const points = places.map(([x, y]): Triple => [x, y, -(x * x + y * y) * 2 ** -power])
    return { type: 'hull', points: [...points, [0.1, -0.2, -2]] }
  })

const over: fc.Arbitrary<CaseShape> = fc.constantFrom<CaseShape>(
  { type: 'cylinder', radius: 0.8, height: 0.6 },
  { type: 'cone', radius: 0.7, height: 1.1 },
  { type: 'ellipsoid', radii: [0.7, 0.5, 0.9] },
)

it('is as far as the bounds of their distance tell', () => {
  const out = createDistance()
  const bounds = createBounds()
  fc.assert(
    fc.property(cap, over, fc.tuple(part, part, part, part), part, part, (flat, curved, orientation, x, y) => {
      fc.pre(orientation.some((c) => Math.abs(c) > 0.1))
      const length = Math.hypot(...orientation)
      const turned = orientation.map((c) => c / length) as unknown as [number, number, number, number]
      const a = bodyOf({ shape: flat, position: [0, 0, 0], orientation: [0, 0, 0, 1] })
      const b = bodyOf({ shape: curved, position: [x, y, 2.5], orientation: turned })
      distance(a, b, out)
      const frame = orderPair(a, b)
      boundDistance(frame, bounds)
      expect(out.distance).toBeGreaterThan(bounds.lower - 2e-12 * frame.extent)
      expect(out.distance).toBeLessThan(bounds.upper + 2e-12 * frame.extent)
    }),
    runs(3000),
  )
})
