// Curved bodies beside triangles millions of times as long as wide: all corners lie in the face, although its rounded normal says otherwise.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { boundDistance, createBounds } from '../../../src/core3d/narrow-phase/gjk.ts'
import { orderPair } from '../../../src/core3d/narrow-phase/pair-frame.ts'
import { boundCurved } from '../../../src/core3d/narrow-phase/smooth-contact.ts'
import { bodyOf, type CaseShape, type Triple } from '../../support/convex-cases-3d.ts'
import { runs } from '../../support/runs.ts'

const part = fc.integer({ min: -1000, max: 1000 }).map((thousandths) => thousandths / 1000)
const vector = fc.tuple(part, part, part)

/** The third corner lies beside the edge between the others, off it by a millionth to some ten billionths. */
const sliver = fc
  .tuple(vector, vector, vector, fc.integer({ min: 200, max: 1200 }), fc.integer({ min: 20, max: 32 }))
  .filter(([, way]) => way.some((x) => Math.abs(x) > 0.1))
  .map(([from, way, aside, thousandths, power]): CaseShape => {
    const corner = (share: number, off: number): Triple => [
      from[0] + share * way[0] + off * aside[0],
      from[1] + share * way[1] + off * aside[1],
      from[2] + share * way[2] + off * aside[2],
    ]
    return { type: 'hull', points: [corner(0, 0), corner(3, 0), corner(thousandths / 1000, 2 ** -power)] }
  })

const beside: fc.Arbitrary<CaseShape> = fc.constantFrom<CaseShape>(
  { type: 'cylinder', radius: 0.8, height: 0.6 },
  { type: 'cone', radius: 0.7, height: 1.1 },
  { type: 'ellipsoid', radii: [0.7, 0.5, 0.9] },
)

it('a curved body is as far from a sliver as the bounds of their distance tell', () => {
  const narrow = createBounds()
  const bounds = createBounds()
  fc.assert(
    fc.property(sliver, beside, fc.tuple(part, part, part, part), vector, (triangle, curved, orientation, place) => {
      fc.pre(orientation.some((c) => Math.abs(c) > 0.1))
      const length = Math.hypot(...orientation)
      const turned = orientation.map((c) => c / length) as unknown as [number, number, number, number]
      const a = bodyOf({ shape: triangle, position: [0, 0, 0], orientation: [0, 0, 0, 1] })
      const b = bodyOf({ shape: curved, position: place.map((x) => 4 * x) as Triple, orientation: turned })
      const frame = orderPair(a, b)
      boundDistance(frame, bounds)
      fc.pre(bounds.lower > 0)
      boundCurved(frame, narrow)
      expect(narrow.lower).toBeLessThan(bounds.upper + 2e-12 * frame.extent)
      expect(narrow.upper).toBeGreaterThan(bounds.lower - 2e-12 * frame.extent)
    }),
    runs(1000),
  )
})
