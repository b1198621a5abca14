// The core's answers about points, segments, triangles, boxes and hulls, with skins or without, are the exact ones.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { contact, createContact } from '../../src/core3d/queries/contact.ts'
import { createDistance, distance } from '../../src/core3d/queries/distance.ts'
import { bodiesMeet, relate } from '../../src/core3d/queries/overlap.ts'
import { bodyOf, type CaseBody, type CaseShape, type Triple } from '../support/convex-cases-3d.ts'
import { coredBodies } from '../support/families/convex-bodies.ts'
import { runs } from '../support/runs.ts'
import { depthOf, squaredDistance } from './exact-cores-3d.ts'

/** Points in half units. */
function cornersOf({ shape, position }: CaseBody): number[][] {
  return localPoints(shape).map((point) => point.map((x, k) => 2 * (x + position[k])))
}

function localPoints(shape: CaseShape): number[][] {
  if (shape.points !== undefined) return shape.points
  const ends = [shape.a, shape.b, shape.c].filter((end) => end !== undefined)
  if (ends.length > 0) return ends
  const [x, y, z] = shape.size ?? [0, 0, 0]
  const halves = (size: number): number[] => [-size / 2, size / 2]
  return halves(x).flatMap((p) => halves(y).flatMap((q) => halves(z).map((r) => [p, q, r])))
}

/** `beyond`: of the sign of the squared distance less that of the skins. */
function relationOf(a: CaseBody, b: CaseBody, beyond: bigint): number {
  if (beyond !== 0n || (a.shape.radius ?? 0) + (b.shape.radius ?? 0) > 0) return beyond > 0n ? 1 : beyond < 0n ? -1 : 0
  const depth = depthOf(cornersOf(a), cornersOf(b))
  return depth > 0 && depth < Infinity ? -1 : 0
}

it('cored bodies on a grid', () => {
  const out = createDistance()
  fc.assert(
    fc.property(coredBodies, coredBodies, (a, b) => {
      const { over, under } = squaredDistance(cornersOf(a), cornersOf(b))
      const skins = 2 * ((a.shape.radius ?? 0) + (b.shape.radius ?? 0))
      const meet = over <= BigInt(skins) ** 2n * under
      expect(bodiesMeet(bodyOf(a), bodyOf(b))).toBe(meet)
      expect(bodiesMeet(bodyOf(b), bodyOf(a))).toBe(meet)
      expect(relate(bodyOf(a), bodyOf(b))).toBe(relationOf(a, b, over - BigInt(skins) ** 2n * under))
      expect(relate(bodyOf(b), bodyOf(a))).toBe(relate(bodyOf(a), bodyOf(b)))
      distance(bodyOf(a), bodyOf(b), out)
      const apart = Math.sqrt(Number(over) / Number(under)) - skins
      expect(out.distance).toBeCloseTo(meet ? 0 : apart / 2, 12)
      expect(out.distance > 0).toBe(!meet)
    }),
    runs(400),
  )
})

it('one unit in the last place decides, at any offset and scale', () => {
  const offsets = fc.constantFrom(0, 2 ** 30, -(2 ** 40))
  const exponents = fc.constantFrom(0, 40, -40, 900, -1000)
  const place = (position: Triple, by: number, scale: number): Triple =>
    position.map((x) => (x + by) * scale) as unknown as Triple
  fc.assert(
    fc.property(offsets, exponents, (offset, exponent) => {
      const scale = 2 ** exponent
      const box: CaseBody = {
        shape: { type: 'box', size: [2 * scale, 2 * scale, 2 * scale] },
        position: place([0, 0, 0], offset, scale),
      }
      const at = (x: number): CaseBody => ({
        shape: { type: 'segment', a: [0, -scale, 0], b: [scale, scale, scale] },
        position: [x, offset * scale, offset * scale],
      })
      const touching = (1 + offset) * scale
      const next = touching + Math.abs(touching) * 2 ** -52
      expect(bodiesMeet(bodyOf(box), bodyOf(at(touching)))).toBe(true)
      expect(bodiesMeet(bodyOf(box), bodyOf(at(next)))).toBe(false)
      expect(bodiesMeet(bodyOf(at(next)), bodyOf(box))).toBe(false)
    }),
    runs(100),
  )
})

it('the depth of solid hulls is that of the nearest facet of their difference', () => {
  const grid = fc.integer({ min: -4, max: 4 })
  const points = fc.array(fc.tuple(grid, grid, grid), { minLength: 4, maxLength: 6 })
  const out = createContact()
  fc.assert(
    fc.property(points, points, fc.tuple(grid, grid, grid), (a, b, position) => {
      const moved = b.map((point) => point.map((x, k) => x + position[k]))
      contact(
        bodyOf({ shape: { type: 'hull', points: a }, position: [0, 0, 0] }),
        bodyOf({ shape: { type: 'hull', points: b }, position }),
        out,
      )
      fc.pre(out.touching)
      const depth = depthOf(a, moved)
      fc.pre(depth < Infinity)
      expect(-out.separation).toBeCloseTo(depth, 12)
    }),
    runs(200),
  )
})
