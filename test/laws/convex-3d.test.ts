// Laws of two convex bodies in space: swapped, moved, turned, and as hulls of themselves.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDistance as createFlatDistance, distance as flatDistance } from '../../src/core2d/queries/distance.ts'
import {
  createBody as createFlat,
  setPose as setFlatPose,
  setBox as setRectangle,
} from '../../src/core2d/shape/body.ts'
import { contact, createContact } from '../../src/core3d/queries/contact.ts'
import { createDistance, type Distance, distance } from '../../src/core3d/queries/distance.ts'
import { bodiesMeet } from '../../src/core3d/queries/overlap.ts'
import { bodyOf, type CaseBody, type Triple } from '../support/convex-cases-3d.ts'
import { convexBodies, triples, turnAxes } from '../support/families/convex-bodies.ts'
import { runs } from '../support/runs.ts'

function measure(a: CaseBody, b: CaseBody): Distance {
  const out = createDistance()
  distance(bodyOf(a), bodyOf(b), out)
  return out
}

const positive = (record: Distance): number[] =>
  Object.values(record).map((value: number | boolean) => Number(value) + 0)

describe('two convex bodies in space', () => {
  it('answer the other way round when swapped, to the last bit', () => {
    fc.assert(
      fc.property(convexBodies, convexBodies, (a, b) => {
        const there = measure(a, b)
        const back = measure(b, a)
        const swapped: Distance = {
          distance: back.distance,
          ax: back.bx,
          ay: back.by,
          az: back.bz,
          bx: back.ax,
          by: back.ay,
          bz: back.az,
          hasNormal: back.hasNormal,
          nx: -back.nx,
          ny: -back.ny,
          nz: -back.nz,
        }
        expect(positive(there)).toEqual(positive(swapped))
        expect(bodiesMeet(bodyOf(a), bodyOf(b))).toBe(!there.hasNormal)
      }),
      runs(1000),
    )
  })

  it('stay as far apart when moved by short numbers', () => {
    fc.assert(
      fc.property(convexBodies, convexBodies, triples, (a, b, by) => {
        const moved = ({ shape, position }: CaseBody): CaseBody => ({
          shape,
          position: position.map((x, k) => x + 1000 * by[k]) as unknown as Triple,
        })
        const here = measure(a, b)
        const there = measure(moved(a), moved(b))
        expect(there.hasNormal).toBe(here.hasNormal)
        expect(there.distance).toBe(here.distance)
      }),
      runs(500),
    )
  })

  it('turn with the axes', () => {
    fc.assert(
      fc.property(convexBodies, convexBodies, (a, b) => {
        const here = measure(a, b)
        const there = measure(turnAxes(a), turnAxes(b))
        expect(there.hasNormal).toBe(here.hasNormal)
        // 1e-9 of extents of 10 and more.
        expect(there.distance).toBeCloseTo(here.distance, 8)
      }),
      runs(500),
    )
  })

  it('are as far apart as hulls of their corners', () => {
    fc.assert(
      fc.property(triples, triples, convexBodies, (size, position, other) => {
        const half = size.map((x) => Math.abs(x) / 2)
        const box: CaseBody = { shape: { type: 'box', size: size.map(Math.abs) as Triple }, position }
        const points = [-1, 1].flatMap((x) =>
          [-1, 0, 1].flatMap((y) => [-1, 1].map((z): Triple => [x * half[0], y * half[1], z * half[2]])),
        )
        const hull: CaseBody = { shape: { type: 'hull', points }, position }
        const here = measure(box, other)
        const there = measure(hull, other)
        expect(there.hasNormal).toBe(here.hasNormal)
        expect(there.distance).toBeCloseTo(here.distance, 9)
      }),
      runs(500),
    )
  })

  it('answer as their shadows where z does not decide', () => {
    const size = fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 }))
    const place = fc.tuple(fc.integer({ min: -4, max: 4 }), fc.integer({ min: -4, max: 4 }))
    const flat = ([width, height]: readonly number[], [x, y]: readonly number[]) => {
      const body = createFlat()
      setFlatPose(body, x, y, 0)
      setRectangle(body, -width / 2, -height / 2, width / 2, height / 2, 0)
      return body
    }
    const solid = ([width, height]: readonly number[], [x, y]: readonly number[]): CaseBody => ({
      shape: { type: 'box', size: [width, height, 1] },
      position: [x, y, 0],
    })
    const out = createFlatDistance()
    fc.assert(
      fc.property(size, place, size, place, (sizeA, placeA, sizeB, placeB) => {
        flatDistance(flat(sizeA, placeA), flat(sizeB, placeB), out)
        const there = measure(solid(sizeA, placeA), solid(sizeB, placeB))
        expect(there.hasNormal).toBe(out.hasNormal)
        expect(there.distance).toBe(out.distance)
      }),
      runs(500),
    )
  })

  it('are parted by the translation, and by nothing shorter along it', () => {
    const out = createContact()
    fc.assert(
      fc.property(convexBodies, convexBodies, (a, b) => {
        contact(bodyOf(a), bodyOf(b), out)
        fc.pre(out.touching)
        const { tx, ty, tz, nx, ny, nz } = out
        expect(Math.hypot(tx, ty, tz)).toBeCloseTo(-out.separation, 12)
        const moved = (by: number): CaseBody => ({
          shape: b.shape,
          position: [b.position[0] + tx + by * nx, b.position[1] + ty + by * ny, b.position[2] + tz + by * nz],
        })
        expect(measure(a, moved(2 ** -16)).distance).toBeCloseTo(2 ** -16, 8)
        if (out.separation < -(2 ** -20)) expect(measure(a, moved(-(2 ** -30))).hasNormal).toBe(false)
      }),
      runs(500),
    )
  })
})
