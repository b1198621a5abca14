// Bodies of core points within rounding of touching: what numbers of twice the digits tell of them is what exact arithmetic tells.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { boundDistance, createBounds } from '../../../src/core3d/narrow-phase/gjk.ts'
import { createSeparation, orderPair } from '../../../src/core3d/narrow-phase/pair-frame.ts'
import { relateExactly } from '../../../src/core3d/narrow-phase/points-points.ts'
import { separate } from '../../../src/core3d/narrow-phase/separate.ts'
import { relateClosely } from '../../../src/core3d/narrow-phase/twofold-face.ts'
import { bodyOf, type CaseBody } from '../../support/convex-cases-3d.ts'
import { coredBodies } from '../../support/families/convex-bodies.ts'
import { runCount, runs } from '../../support/runs.ts'

const ROUNDOFF = 2 ** -53

const turn = fc
  .tuple(...[1, 2, 3, 4].map(() => fc.integer({ min: -9, max: 9 })))
  .filter((q) => q.some((c) => c !== 0))
  .map((q): [number, number, number, number] => {
    const length = Math.hypot(...q)
    return [q[0]! / length, q[1]! / length, q[2]! / length, q[3]! / length]
  })

/** On a grid or off it, near the origin or far from it. */
const bodies: fc.Arbitrary<CaseBody> = fc
  .tuple(coredBodies, fc.option(turn), fc.constantFrom(0, 0, 0.1, 1e9))
  .map(([body, orientation, shift]) => ({
    ...body,
    orientation: orientation ?? undefined,
    position: [body.position[0] + shift, body.position[1], body.position[2] - 3 * shift],
  }))

it('a relation told in numbers of twice the digits is the exact one', () => {
  const bounds = createBounds()
  const found = createSeparation()
  const told = { '-1': 0, '1': 0 }
  fc.assert(
    fc.property(bodies, bodies, fc.integer({ min: -8, max: 8 }), (one, other, ulps) => {
      let moved = other
      for (let step = 0; step < 2; step++) {
        const frame = orderPair(bodyOf(one), bodyOf(moved))
        separate(frame, found)
        if (found.meet) break
        const side = frame.swapped ? 1 : -1
        const way = found.distance + (step === 1 ? ulps * ROUNDOFF * frame.extent : 0)
        const along = (k: number): number => moved.position[k]! + side * way * found.normal[k]!
        moved = { ...moved, position: [along(0), along(1), along(2)] }
      }
      const frame = orderPair(bodyOf(one), bodyOf(moved))
      boundDistance(frame, bounds)
      if (bounds.simplex.holds === 2) return
      const relation = relateClosely(frame, bounds)
      if (relation === null) return
      told[relation]++
      expect(relation).toBe(relateExactly(frame, bounds))
    }),
    runs(3000),
  )
  expect(told[-1]).toBeGreaterThan(runCount(300))
  expect(told[1]).toBeGreaterThan(runCount(300))
})
