// Bodies of core points clearly apart: what their face tells in numbers of twice the digits is what exact arithmetic tells.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { boundDistance, createBounds } from '../../../src/core3d/narrow-phase/gjk.ts'
import { createSeparation, orderPair } from '../../../src/core3d/narrow-phase/pair-frame.ts'
import { separateExactly } from '../../../src/core3d/narrow-phase/points-points.ts'
import { separateByFace } from '../../../src/core3d/narrow-phase/twofold-face.ts'
import { bodyOf, type CaseBody } from '../../support/convex-cases-3d.ts'
import { coredBodies, turn } from '../../support/families/convex-bodies.ts'
import { runCount, runs } from '../../support/runs.ts'

const ROUNDOFF = 2 ** -53

/** On a grid or off it, near the origin or far from it. */
const bodies: fc.Arbitrary<CaseBody> = fc
  .tuple(coredBodies, fc.option(turn), fc.constantFrom(0, 0, 0.1, 1e9))
  .map(([body, orientation, shift]) => ({
    ...body,
    orientation: orientation ?? undefined,
    position: [body.position[0] + shift, body.position[1], body.position[2] - 3 * shift],
  }))

it('distance, points and normal are the exact ones to the last place', () => {
  const bounds = createBounds()
  const found = createSeparation()
  const exact = createSeparation()
  let taken = 0
  fc.assert(
    fc.property(bodies, bodies, (a, b) => {
      const frame = orderPair(bodyOf(a), bodyOf(b))
      boundDistance(frame, bounds)
      if (bounds.simplex.holds > 0 || !separateByFace(frame, bounds, found)) return
      taken++
      separateExactly(frame, bounds, exact)
      expect(found.meet).toBe(exact.meet)
      expect(Math.abs(found.distance - exact.distance)).toBeLessThanOrEqual(2 * ROUNDOFF * exact.distance)
      const size = Math.max(...exact.a.map(Math.abs), ...exact.b.map(Math.abs), frame.extent)
      for (let k = 0; k < 3; k++) {
        expect(Math.abs(found.normal[k]! - exact.normal[k]!)).toBeLessThanOrEqual(2 * ROUNDOFF)
        const way = found.b[k]! - found.a[k]!
        expect(Math.abs(way - (exact.b[k]! - exact.a[k]!))).toBeLessThanOrEqual(4 * ROUNDOFF * size)
      }
    }),
    runs(1500),
  )
  // Most pairs that are apart go this way.
  expect(taken).toBeGreaterThan(runCount(500))
})

it('a side of a box whose corners rounding has bent has the nearest of its two triangles', () => {
  const bounds = createBounds()
  const found = createSeparation()
  const box: CaseBody = {
    shape: { type: 'box', size: [1, 2, 3] },
    position: [0, 0, 0],
    orientation: [0.5341703053870098, 0.2670851526935049, 0.10683406107740197, 0.7947330479134063],
  }
  for (let i = 0; i < 200; i++) {
    const sphere: CaseBody = {
      shape: { type: 'sphere', radius: 0.5 },
      position: [3 * Math.cos(i), 3 * Math.sin(i), Math.sin(7 * i)],
    }
    const frame = orderPair(bodyOf(box), bodyOf(sphere))
    boundDistance(frame, bounds)
    expect(separateByFace(frame, bounds, found)).toBe(true)
  }
})

it('a corner is tried against the face although another pair of that face has it', () => {
  const bounds = createBounds()
  const found = createSeparation()
  const exact = createSeparation()
  const orientation: CaseBody['orientation'] = [0.6, 0, 0.8, 0]
  const box: CaseBody = { shape: { type: 'box', size: [1.5, 1.25, 1.25] }, position: [-3, -3, -2], orientation }
  // Both have an edge along the same axis, bent by the turn.
  const hull: CaseBody = {
    shape: {
      type: 'hull',
      points: [
        [0.30000000000000004, 0.2, 0.1],
        [0.30000000000000004, -0.1, -0.2],
        [-0.2, 0.1, -0.2],
        [0, 0.30000000000000004, 0.30000000000000004],
        [-0.2, -0.2, -0.30000000000000004],
        [0, 0.30000000000000004, -0.1],
        [0.2, -0.30000000000000004, -0.30000000000000004],
        [0.2, 0.30000000000000004, 0],
        [0.1, -0.30000000000000004, 0],
        [0, 0.30000000000000004, 0.2],
      ],
    },
    position: [-2.2350033055990934, -3.656239014584571, -1.2174842138774693],
    orientation,
  }
  const frame = orderPair(bodyOf(box), bodyOf(hull))
  boundDistance(frame, bounds)
  expect(separateByFace(frame, bounds, found)).toBe(true)
  separateExactly(frame, bounds, exact)
  expect(Math.abs(found.distance - exact.distance)).toBeLessThanOrEqual(2 * ROUNDOFF * exact.distance)
})
