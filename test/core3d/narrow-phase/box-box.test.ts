// The depth of two boxes by separating axes is that of the expanding polytope, and parts them.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { meetBoxes } from '../../../src/core3d/narrow-phase/box-box.ts'
import { createDepth, measureDepth } from '../../../src/core3d/narrow-phase/depth.ts'
import { boundDistance, createBounds } from '../../../src/core3d/narrow-phase/gjk.ts'
import { orderPair } from '../../../src/core3d/narrow-phase/pair-frame.ts'
import { contact, createContact } from '../../../src/core3d/queries/contact.ts'
import { bodiesMeet } from '../../../src/core3d/queries/overlap.ts'
import { bodyOf, type CaseBody } from '../../support/convex-cases-3d.ts'
import { runCount, runs } from '../../support/runs.ts'

type Quaternion = [number, number, number, number]

/** About an axis of the world or none of them, by a round angle, any angle, or next to none. */
const turns: fc.Arbitrary<Quaternion> = fc
  .tuple(
    fc.constantFrom<[number, number, number]>([1, 0, 0], [0, 1, 0], [0, 0, 1], [0.6, 0.8, 0], [2 / 3, 1 / 3, 2 / 3]),
    fc.oneof(
      fc.constantFrom(0, Math.PI / 2, Math.PI / 4, Math.PI),
      fc.double({ min: -3, max: 3, noNaN: true }),
      fc.integer({ min: -52, max: -1 }).map((power) => 2 ** power),
    ),
  )
  .map(([[x, y, z], angle]) => {
    const sine = Math.sin(angle / 2)
    return [x * sine, y * sine, z * sine, Math.cos(angle / 2)]
  })

const size = fc.oneof(fc.constantFrom(0.5, 1, 2), fc.double({ min: 0.01, max: 2, noNaN: true }))
const place = fc.oneof(fc.constantFrom(-0.5, 0, 0.5), fc.double({ min: -1, max: 1, noNaN: true }))

const boxes: fc.Arbitrary<CaseBody> = fc.record({
  shape: fc.record({
    type: fc.constant('box'),
    size: fc.tuple(size, size, size),
    radius: fc.constantFrom(0, 0, 0.25),
  }),
  position: fc.tuple(place, place, place),
  orientation: turns,
})

it('is the depth that the expanding polytope finds', () => {
  const bounds = createBounds()
  const depth = createDepth()
  const other = createDepth()
  let taken = 0
  fc.assert(
    fc.property(boxes, boxes, (a, b) => {
      const frame = orderPair(bodyOf(a), bodyOf(b))
      if (!meetBoxes(frame, depth)) return
      taken++
      boundDistance(frame, bounds)
      measureDepth(frame, bounds, other)
      expect(Math.abs(depth.depth - other.depth)).toBeLessThanOrEqual(1e-13 * frame.extent)
    }),
    runs(2000),
  )
  expect(taken).toBeGreaterThan(runCount(800))
})

it('parts them, and nothing shorter along the normal does', () => {
  const found = createContact()
  fc.assert(
    fc.property(boxes, boxes, (a, b) => {
      contact(bodyOf(a), bodyOf(b), found)
      if (!found.touching || found.separation > -1e-9) return
      const moved = (share: number): CaseBody => ({
        ...b,
        position: [
          b.position[0] + share * found.tx,
          b.position[1] + share * found.ty,
          b.position[2] + share * found.tz,
        ],
      })
      const shift = 1e-12 / -found.separation
      expect(bodiesMeet(bodyOf(a), bodyOf(moved(1 + shift)))).toBe(false)
      expect(bodiesMeet(bodyOf(a), bodyOf(moved(1 - shift)))).toBe(true)
    }),
    runs(500),
  )
})

it('slivers of corners that rounding has bent do not end the expansion', () => {
  const a: CaseBody = {
    shape: { type: 'box', size: [1, 1.5586064025992528, 1.416682084952481] },
    position: [-0.5, -0.5, 0],
    orientation: [1.483977895098935e-16, 0, 0, 1],
  }
  const b: CaseBody = {
    shape: { type: 'box', size: [1, 1, 1] },
    position: [-0.5, -0.5, 0.5],
    orientation: [1.483977895098935e-16, 1.4008584557588988e-14, 2.078842982508635e-30, 1],
  }
  const frame = orderPair(bodyOf(a), bodyOf(b))
  const bounds = createBounds()
  const depth = createDepth()
  boundDistance(frame, bounds)
  measureDepth(frame, bounds, depth)
  expect(depth.depth).toBeCloseTo(0.7083410424762544, 12)
})
