// Two half-spaces have a point in common, however nearly opposite their normals are.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bodiesMeet, createOverlap, overlap } from '../../../src/core3d/queries/overlap.ts'
import type { Body } from '../../../src/core3d/shape/body.ts'
import { bodyOf, type Triple } from '../../support/convex-cases-3d.ts'
import { runs } from '../../support/runs.ts'

const halfspace = (normal: Triple, offset: number, position: Triple = [0, 0, 0]): Body =>
  bodyOf({ shape: { type: 'halfspace', normal, offset }, position })
const out = createOverlap()

function isCommon(a: Body, b: Body): boolean {
  overlap(a, b, out)
  const shared = bodyOf({ shape: { type: 'point' }, position: [out.px, out.py, out.pz] })
  return bodiesMeet(shared, a) && bodiesMeet(shared, b)
}

describe('two half-spaces', () => {
  it.each([1, 1e-3, 1e-6, 1e-9, 1e-12, 1e-16, 1e-100, 1e-190])('of normals off opposite ones by %d overlap', (tilt) => {
    const ground = halfspace([0, 1, 0], 0)
    const above = halfspace([tilt, -1, 0], -1)
    expect(isCommon(ground, above)).toBe(true)
    expect(out.relation).toBe(-1)
    expect(isCommon(above, ground)).toBe(true)
    expect(out.px).toBeLessThan(-0.9 / tilt)
  })

  it('of opposite normals are told apart by one unit in the last place', () => {
    const slope = halfspace([1, 2, 3], 0, [3, 0, 1])
    for (const [offset, relation] of [
      [0, 0],
      [2 ** -1000, -1],
      [-(2 ** -1000), 1],
    ]) {
      overlap(slope, halfspace([-2, -4, -6], offset, [1, 1, 1]), out)
      expect(out.relation).toBe(relation)
    }
  })

  it('have the point in common that is said', () => {
    const short = fc.integer({ min: -3, max: 3 })
    const normals = fc.tuple(short, short, short).filter((normal) => normal.some((x) => x !== 0))
    const sides = fc.record({ normal: normals, offset: short, position: fc.tuple(short, short, short) })
    const tilts = fc.constantFrom(0, 1, 2 ** -20, 2 ** -40, 2 ** -52)
    fc.assert(
      fc.property(sides, sides, tilts, ({ normal, offset, position }, other, tilt) => {
        const nearly = normal.map((x, k) => -x + tilt * other.normal[k]) as Triple
        fc.pre(nearly.some((x) => x !== 0))
        const [a, b] = [halfspace(normal, offset, position), halfspace(nearly, other.offset, other.position)]
        overlap(a, b, out)
        if (out.relation > 0) return
        const size = Math.max(9, Math.abs(out.px), Math.abs(out.py), Math.abs(out.pz))
        // Moved by a part in 10^14 of where it is, against both normals, it lies in both.
        for (const body of [a, b]) {
          const shared = bodyOf({ shape: { type: 'sphere', radius: 1e-14 * size }, position: [out.px, out.py, out.pz] })
          expect(bodiesMeet(shared, body)).toBe(true)
        }
      }),
      runs(1000),
    )
  })
})
