import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { edgesApart } from '../../../src/core2d/narrow-phase/leaf-pairs.ts'
import { createDistance, distance } from '../../../src/core2d/queries/distance.ts'
import type { Composite } from '../../../src/core2d/shape/body.ts'
import { prepare } from '../../support/answers/slots.ts'
import { runs } from '../../support/runs.ts'

const coordinate = fc.oneof(fc.integer({ min: -4, max: 4 }), fc.double({ min: -4, max: 4, noNaN: true }))
const edge = fc.tuple(coordinate, coordinate, coordinate, coordinate)

const chainOf = ([ax, ay, bx, by]: [number, number, number, number], x: number) =>
  prepare({
    shape: {
      type: 'chain',
      vertices: [
        { x: ax, y: ay },
        { x: bx, y: by },
      ],
    },
    position: { x, y: 0 },
  })

describe('the quick look at two edges', () => {
  it('never says apart of edges that are nearer, and says so of those well apart', () => {
    const found = createDistance()
    fc.assert(
      fc.property(edge, edge, fc.constantFrom(0, 1e6), fc.double({ min: 0, max: 1, noNaN: true }), (p, q, x, share) => {
        const a = chainOf(p, x)
        const b = chainOf(q, x)
        distance(a, b, found)
        const say = (limit: number) => edgesApart(a.composite as Composite, 0, b.composite as Composite, 0, limit, 0, 0)
        expect(say(found.distance)).toBe(false)
        expect(say(found.distance * (1 + share))).toBe(false)
        if (found.distance > 1e-9) expect(say(found.distance * (1 - 1e-3))).toBe(true)
      }),
      runs(500),
    )
  })
})
