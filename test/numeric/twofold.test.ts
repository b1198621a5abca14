// Twofold numbers against whole numbers: exact where they say so, otherwise within the bound that they give.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addTwofold,
  divideTwofold,
  multiplyTwofold,
  roundTwofold,
  subtractTwofold,
  type Twofold,
  twofold,
} from '../../src/numeric/twofold.ts'
import { abs, toGrid } from '../oracle/exact-numbers.ts'
import { runs } from '../support/runs.ts'

const number = fc
  .tuple(
    fc.double({ min: -1, max: 1, noNaN: true, noDefaultInfinity: true }),
    fc.integer({ min: -40, max: 40 }),
    fc.double({ min: -1, max: 1, noNaN: true }),
  )
  .map(([x, exponent, part]): Twofold => {
    const high = (Math.abs(x) < 1e-9 ? 1 : x) * 2 ** exponent
    return twofold(high, high * part * 2 ** -53)
  })

/** Fine enough for what is made of these numbers. */
const GRID = { exponent: -700 }
const UNIT = toGrid(GRID, 1)
const whole = ({ high, low }: Twofold) => toGrid(GRID, high) + toGrid(GRID, low)

/** Off by no more than 2^-bits of what is expected. */
function expectNear(found: Twofold, expected: bigint, bits: bigint): void {
  expect(abs(whole(found) - expected) << bits <= abs(expected) + (1n << bits)).toBe(true)
  expect(found.high + found.low).toBe(found.high)
}

describe('twofold numbers', () => {
  it('hold the sum of two doubles, and round it to the nearest one', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), fc.integer({ min: -2, max: 60 }), (a, exponent) => {
        const b = a * 0.7 * 2 ** -exponent
        if (Math.abs(a) < 1e-90) return
        const sum = twofold(a, b)
        expect(whole(sum)).toBe(toGrid(GRID, a) + toGrid(GRID, b))
        expect(roundTwofold(sum)).toBe(a + b)
        expect(roundTwofold({ high: a, low: b })).toBe(a + b)
      }),
      runs(500),
    )
  })

  it('are added, subtracted, multiplied and divided within their bounds', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        const [p, q] = [whole(a), whole(b)]
        expectNear(addTwofold(a, b), p + q, 104n)
        expectNear(subtractTwofold(a, b), p - q, 104n)
        // where nearly all of it cancels
        const beside = { high: a.high, low: a.low / 2 }
        expectNear(subtractTwofold(a, beside), p - whole(beside), 104n)
        expectNear(multiplyTwofold(a, b), (p * q) / UNIT, 102n)
        expectNear(divideTwofold(a, b), (p * UNIT) / q, 101n)
      }),
      runs(2000),
    )
  })
})
