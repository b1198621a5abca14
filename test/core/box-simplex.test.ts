// What is clear of boxes, segments and triangles is what the exact relations of both cores say.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { clearRelation, createCorners, OPEN } from '../../src/core/box-simplex.ts'
import { relate as relate2d } from '../../src/core2d/queries/overlap.ts'
import {
  createBody as createBody2d,
  setBox as setBox2d,
  setCapsule as setCapsule2d,
  setPose as setPose2d,
} from '../../src/core2d/shape/body.ts'
import { relate as relate3d } from '../../src/core3d/queries/overlap.ts'
import { createBody as createBody3d, setPose as setPose3d } from '../../src/core3d/shape/body.ts'
import { setAabb, setTriangle } from '../../src/core3d/shape/shapes.ts'
import { runs } from '../support/runs.ts'

const whole = fc.integer({ min: -3, max: 3 })
/** Grids on which much touches, neighbours in the last place, tenths, places far away. */
const coordinates = fc.constantFrom(
  whole,
  whole.map((n) => n / 2),
  whole.map((n) => n * 0.1),
  whole.map((n) => 1 + n * 2 ** -52),
  whole.map((n) => 1e9 + n),
  fc.double({ min: -3, max: 3, noNaN: true }),
)
const triple = (c: fc.Arbitrary<number>) => fc.tuple(c, c, c)
const cases = coordinates.chain((c) =>
  fc.record({ corners: fc.tuple(triple(c), triple(c), triple(c)), one: triple(c), other: triple(c), level: fc.nat(6) }),
)

const corners = createCorners()
const leaf3d = createBody3d()
const box3d = createBody3d()
const leaf2d = createBody2d()
const box2d = createBody2d()

it('agrees with the exact relations, and often knows', () => {
  let known = 0
  let touching = 0
  let count = 0
  fc.assert(
    fc.property(cases, ({ corners: given, one, other, level }) => {
      // now and then flat across an axis
      const [a, b, c] = given.map((p) => p.map((x, k) => (k === level ? given[0][k] : x)) as [number, number, number])
      const min = one.map((x, k) => Math.min(x, other[k])) as [number, number, number]
      const max = one.map((x, k) => Math.max(x, other[k])) as [number, number, number]
      const see = (expected: () => number) => {
        const found = clearRelation(corners, Float64Array.of(...min, ...max))
        count++
        if (found === OPEN) return
        known++
        if (found === 0) touching++
        expect(found).toBe(expected() + 0)
      }
      corners.size = Math.max(...[a, b, c].flat().map(Math.abs))
      corners.places.set([...a, ...b, ...c])
      corners.count = 3
      see(() => {
        setPose3d(leaf3d, { position: [0, 0, 0] })
        setTriangle(leaf3d, a, b, c)
        setPose3d(box3d, { position: [0, 0, 0] })
        setAabb(box3d, min, max)
        return relate3d(leaf3d, box3d)
      })
      corners.count = 2
      see(() => {
        setPose2d(leaf2d, 0, 0, 0)
        setCapsule2d(leaf2d, a[0], a[1], b[0], b[1], 0)
        setPose2d(box2d, 0, 0, 0)
        setBox2d(box2d, min[0], min[1], max[0], max[1], 0)
        return relate2d(leaf2d, box2d)
      })
    }),
    runs(20_000),
  )
  expect(known).toBeGreaterThan(0.7 * count)
  expect(touching).toBeGreaterThan(0.02 * count)
})
