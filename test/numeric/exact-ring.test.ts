import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  binaryExponent,
  createInputRange,
  exactly,
  includeInput,
  type Ring,
  type Sign,
  signOfRootSum,
  signOfTwoRootSum,
} from '../../src/numeric/exact-ring.ts'
import { runs } from '../support/runs.ts'

function withInputs<R>(values: readonly number[], degree: number, predicate: <T>(ring: Ring<T>) => R): R {
  const range = createInputRange()
  for (const value of values) includeInput(range, value)
  return exactly(range, degree, predicate)
}

/** ad − bc. */
function determinant(a: number, b: number, c: number, d: number): Sign {
  return withInputs([a, b, c, d], 2, ({ of, mul, sub, sign }) => sign(sub(mul(of(a), of(d)), mul(of(b), of(c)))))
}

describe('exactly', () => {
  it('sees a difference far below rounding', () => {
    const a = 1 + 2 ** -52
    expect(determinant(a, a, a, a)).toBe(0)
    // (1 + 2u)² − (1 + 4u)·1 = 4u²
    expect(determinant(a, 1 + 2 ** -51, 1, a)).toBe(1)
  })

  it('does not lose products to underflow or overflow', () => {
    expect(determinant(1e-200, 1, 0, 1e-200)).toBe(1)
    expect(determinant(5e-324, 1e100, 5e-324, 1e100)).toBe(0)
    expect(determinant(1e100, 1e-323, 1, 1e-323)).toBe(1)
    expect(determinant(1e300, 1e300, 1e300, 1e300)).toBe(0)
    expect(determinant(5e-324, 1e-323, 5e-324, 5e-324)).toBe(-1)
  })

  it('gives ratios to the last places at any scale', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true, min: 1e-300, max: 1e300 }),
        fc.double({ noNaN: true, noDefaultInfinity: true, min: 1e-300, max: 1e300 }),
        (p, q) => {
          const ratio = withInputs([p, q], 1, ({ of, ratio }) => ratio(of(p), of(q)))
          const expected = p / q
          if (expected > 1e-300 && expected < 1e300) expect(Math.abs(ratio / expected - 1)).toBeLessThan(1e-15)
        },
      ),
      runs(300),
    )
  })
})

describe('binaryExponent', () => {
  it('is the exponent of the highest bit, of subnormals too', () => {
    expect([1, 1.99, 2, 0.75, 1e-320, 5e-324, -8].map(binaryExponent)).toEqual([0, 0, 1, -1, -1064, -1074, 3])
  })
})

/** Sign of a + b√p + c√q for integers, by integer square roots of numbers blown up by 2^400. */
function bigRootSign(a: bigint, terms: [bigint, bigint][]): Sign {
  const one = 1n << 400n
  let value = a * one
  for (const [factor, radicand] of terms) value += factor * isqrt(radicand * one * one)
  const slack = 1000n
  return value > slack ? 1 : value < -slack ? -1 : 0
}

function isqrt(n: bigint): bigint {
  if (n < 2n) return n
  let x = 1n << BigInt(Math.ceil(n.toString(2).length / 2))
  for (;;) {
    const y = (x + n / x) >> 1n
    if (y >= x) return x
    x = y
  }
}

describe('root sums', () => {
  const small = fc.integer({ min: -40, max: 40 })
  const radicand = fc.integer({ min: 0, max: 40 })

  it('of one and two roots have the right sign, zero included', () => {
    fc.assert(
      fc.property(small, small, radicand, small, radicand, (a, b, p, c, q) => {
        const values = [a, b, p, c, q]
        const one = withInputs(values, 4, (r) => signOfRootSum(r, r.of(a), r.of(b), r.of(p)))
        expect(one === 0 ? 0 : one).toBe(bigRootSign(BigInt(a), [[BigInt(b), BigInt(p)]]))
        const two = withInputs(values, 8, (r) => signOfTwoRootSum(r, r.of(a), r.of(b), r.of(p), r.of(c), r.of(q)))
        const terms: [bigint, bigint][] = [
          [BigInt(b), BigInt(p)],
          [BigInt(c), BigInt(q)],
        ]
        expect(two === 0 ? 0 : two).toBe(bigRootSign(BigInt(a), terms))
      }),
      runs(2000),
    )
  })
})
