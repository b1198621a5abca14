import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Expansion,
  expansionEstimate,
  expansionNegate,
  expansionOf,
  expansionProduct,
  expansionSign,
  expansionSum,
} from '../../src/numeric/expansion.ts'
import { runs } from '../support/runs.ts'

/** Doubles of very different sizes, none so small that a product could underflow. */
const double = fc
  .record({ mantissa: fc.maxSafeInteger(), exponent: fc.integer({ min: -160, max: 60 }) })
  .map(({ mantissa, exponent }) => mantissa * 2 ** exponent)

/** Value in units of 2^-400, exactly. */
function integer(value: number): bigint {
  let exponent = 0
  let scaled = value
  while (!Number.isInteger(scaled)) {
    scaled *= 2
    exponent++
  }
  return BigInt(scaled) << BigInt(400 - exponent)
}

function exact(e: Expansion): bigint {
  return e.reduce((sum, component) => sum + integer(component), 0n)
}

function build(values: readonly number[]): Expansion {
  return values.reduce((e: Expansion, value) => expansionSum(e, expansionOf(value)), [])
}

describe('expansions', () => {
  const lists = fc.array(double, { maxLength: 6 })

  it('add and multiply without rounding', () => {
    fc.assert(
      fc.property(lists, lists, (p, q) => {
        const a = build(p)
        const b = build(q)
        expect(exact(a)).toBe(p.reduce((sum, value) => sum + integer(value), 0n))
        expect(exact(expansionSum(a, b))).toBe(exact(a) + exact(b))
        expect(exact(expansionProduct(a, b)) << 400n).toBe(exact(a) * exact(b))
        expect(exact(expansionSum(a, expansionNegate(a)))).toBe(0n)
      }),
      runs(300),
    )
  })

  it('keep components apart in size, without zeros, so that the last one has the sign', () => {
    fc.assert(
      fc.property(lists, lists, (p, q) => {
        const e = expansionProduct(build(p), build(q))
        for (let i = 0; i < e.length; i++) {
          expect(e[i]).not.toBe(0)
          if (i > 0) expect(Math.abs(e[i - 1])).toBeLessThanOrEqual(Math.abs(e[i]) * 2 ** -52)
        }
        const value = exact(e)
        expect(expansionSign(e)).toBe(value > 0n ? 1 : value < 0n ? -1 : 0)
      }),
      runs(300),
    )
  })

  it('estimate to the last place', () => {
    expect(expansionEstimate(build([1, 2 ** -60, -1]))).toBe(2 ** -60)
    expect(expansionEstimate([])).toBe(0)
  })
})
