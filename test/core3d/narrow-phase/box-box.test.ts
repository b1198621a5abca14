// The depth of two boxes by separating axes is that of the expanding polytope, and parts them.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { boundPointBox, meetBoxes, relateBoxes } from '../../../src/core3d/narrow-phase/box-box.ts'
import { createDepth, measureDepth } from '../../../src/core3d/narrow-phase/depth.ts'
import { boundDistance, createBounds } from '../../../src/core3d/narrow-phase/gjk.ts'
import { createSeparation, orderPair } from '../../../src/core3d/narrow-phase/pair-frame.ts'
import { separateExactly } from '../../../src/core3d/narrow-phase/points-points.ts'
import { separateByFace } from '../../../src/core3d/narrow-phase/twofold-face.ts'
import { contact, createContact } from '../../../src/core3d/queries/contact.ts'
import { bodiesMeet, relate } from '../../../src/core3d/queries/overlap.ts'
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

it('tells apart and overlapping as exact arithmetic does, far and near, at any size, also a hair from touching', () => {
  const bounds = createBounds()
  const exact = createSeparation()
  const found = createContact()
  const told = { apart: 0, meeting: 0 }
  const pairs = fc.tuple(
    boxes,
    boxes,
    fc.constantFrom(1, 3, 1e9),
    fc.constantFrom(1, 1e6, 1e-6, 2 ** -60),
    fc.boolean(),
  )
  fc.assert(
    fc.property(pairs, ([a, b, far, scale, isMoved]) => {
      const sized = ({ shape, position, orientation }: CaseBody, shift: number): CaseBody => ({
        shape: { ...shape, size: shape.size!.map((k) => k * scale) as never, radius: shape.radius! * scale },
        position: position.map((k) => (far === 3 ? k * far : k) * scale + shift * scale) as never,
        orientation,
      })
      const shift = far === 1e9 ? far : 0
      const one = sized(a, shift)
      let other = sized(b, shift)
      if (isMoved) {
        contact(bodyOf(one), bodyOf(other), found)
        const way = [found.nx, found.ny, found.nz]
        other = { ...other, position: other.position.map((k, i) => k - found.separation * way[i]!) as never }
      }
      const frame = orderPair(bodyOf(one), bodyOf(other))
      const relation = relateBoxes(frame)
      if (relation === 0) return
      told[relation < 0 ? 'meeting' : 'apart']++
      boundDistance(frame, bounds)
      separateExactly(frame, bounds, exact)
      expect(exact.meet).toBe(relation < 0)
      expect(relate(bodyOf(one), bodyOf(other))).toBe(relation)
    }),
    runs(1500),
  )
  expect(told.apart).toBeGreaterThan(runCount(200))
  expect(told.meeting).toBeGreaterThan(runCount(200))
})

it('finds the place of a box nearest to a ball as exact arithmetic does, also of thin ones and far from the origin', () => {
  const bounds = createBounds()
  const found = createSeparation()
  const exact = createSeparation()
  let taken = 0
  const shifts = fc.constantFrom(0, 0, 0.1, 1e9)
  const thin = fc.constantFrom(1, 1, 2 ** -20)
  fc.assert(
    fc.property(boxes, boxes, shifts, thin, fc.constantFrom(0, 0.25), (other, at, shift, thinness, radius) => {
      const [x, y, z] = at.position
      const [width, height, depth] = other.shape.size as [number, number, number]
      const ball: CaseBody = {
        shape: { type: 'sphere', radius },
        position: [4 * x + shift, 4 * y, 4 * z],
        orientation: undefined,
      }
      const [u, v, w] = other.position
      const box: CaseBody = {
        ...other,
        shape: { ...other.shape, size: [width, height * thinness, depth] },
        position: [u + shift, v, w],
      }
      const frame = orderPair(bodyOf(ball), bodyOf(box))
      if (!boundPointBox(frame, bounds) || !separateByFace(frame, bounds, found) || found.meet) return
      taken++
      boundDistance(frame, bounds)
      separateExactly(frame, bounds, exact)
      expect(Math.abs(found.distance - exact.distance)).toBeLessThanOrEqual(2 ** -52 * exact.distance)
      for (let k = 0; k < 3; k++) expect(Math.abs(found.normal[k]! - exact.normal[k]!)).toBeLessThanOrEqual(2 ** -52)
    }),
    runs(2000),
  )
  expect(taken).toBeGreaterThan(runCount(600))
})
