import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { orientation } from '../../../src/core2d/outline/orientation.ts'
import { gridFor, signOf, toGrid } from '../../oracle/exact-numbers.ts'
import { runs } from '../../support/runs.ts'

type Six = [number, number, number, number, number, number]

function exactTurn(values: Six): number {
  const grid = gridFor(values)
  const [ax, ay, bx, by, cx, cy] = values.map((x) => toGrid(grid, x))
  return signOf((bx - ax) * (cy - ay) - (by - ay) * (cx - ax))
}

describe('orientation', () => {
  it('is exact where differences overflow beside subnormal numbers', () => {
    // The larger difference is no double, and its product with the smaller one would be infinite.
    const values: Six = [0, -1.61895e-319, 1.7e308, 0, -1.7e308, -2.42843e-319]
    expect(exactTurn(values)).toBe(1)
    expect(orientation(...values)).toBe(1)
  })

  it('is the sign of the determinant for numbers of any size together', () => {
    const number = fc
      .tuple(fc.constantFrom(5e-324, 1e-319, 1e-200, 1, 1e9, 1e200, 4e307), fc.integer({ min: -4, max: 4 }))
      .map(([size, factor]) => size * factor)
    fc.assert(
      fc.property(fc.tuple(number, number, number, number, number, number), (values) => {
        expect(orientation(...values)).toBe(exactTurn(values))
      }),
      runs(10_000),
    )
  })
})
