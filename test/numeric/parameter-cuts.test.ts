import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createCuts,
  cutAt,
  cutAtRoots,
  type ParameterCuts,
  parametersBetween,
  type Rational,
} from '../../src/numeric/parameter-cuts.ts'
import { runs } from '../support/runs.ts'

type Polynomial = bigint[]

function times(f: Polynomial, g: Polynomial): Polynomial {
  const result: Polynomial = new Array(f.length + g.length - 1).fill(0n)
  for (let i = 0; i < f.length; i++) for (let j = 0; j < g.length; j++) result[i + j] += f[i] * g[j]
  return result
}

function valueAt(f: Polynomial, { n, d }: Rational): bigint {
  return f.reduce((sum, coefficient, i) => sum + coefficient * n ** BigInt(i) * d ** BigInt(f.length - 1 - i), 0n)
}

/** The polynomial with these rational roots. */
function withRoots(roots: readonly Rational[]): Polynomial {
  return roots.reduce((f: Polynomial, { n, d }) => times(f, [-n, d]), [1n])
}

const asNumber = ({ n, d }: Rational): number => Number(n) / Number(d)
const cutsOf = (polynomials: readonly Polynomial[], isBounded = false): ParameterCuts => {
  const cuts = createCuts(isBounded)
  for (const f of polynomials) cutAtRoots(cuts, f)
  return cuts
}

const rational = fc
  .record({ n: fc.integer({ min: -12, max: 12 }), d: fc.constantFrom(1, 2, 3, 4, 6) })
  .map(({ n, d }): Rational => ({ n: BigInt(n), d: BigInt(d) }))

describe('parameters between cuts', () => {
  it('lie between neighbours, one in each stretch, however roots are shared', () => {
    const lists = fc.array(fc.array(rational, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(lists, fc.boolean(), (all, isBounded) => {
        const inRange = all.flat().filter(({ n, d }) => !isBounded || (n > 0n && n < d))
        const roots = [...new Set(inRange.map(asNumber))].sort((p, q) => p - q)
        const parameters = parametersBetween(cutsOf(all.map(withRoots), isBounded)).map(asNumber)
        const limits = isBounded ? [0, ...roots, 1] : [-Infinity, ...roots, Infinity]
        expect(parameters).toHaveLength(limits.length - 1)
        parameters.forEach((t, i) => {
          expect(t).toBeGreaterThan(limits[i])
          expect(t).toBeLessThan(limits[i + 1])
        })
      }),
      runs(2000),
    )
  })

  it('see each sign that a polynomial takes', () => {
    const coefficients = fc.array(fc.integer({ min: -9, max: 9 }).map(BigInt), { minLength: 3, maxLength: 5 })
    fc.assert(
      fc.property(fc.array(coefficients, { minLength: 1, maxLength: 4 }), (polynomials) => {
        const parameters = parametersBetween(cutsOf(polynomials))
        for (const f of polynomials) {
          const signs = parameters.map((t) => valueAt(f, t)).filter((value) => value !== 0n)
          let changes = 0
          for (let i = 1; i < signs.length; i++) if (signs[i] > 0n !== signs[i - 1] > 0n) changes++
          let sampled = 0
          let last = 0
          for (let k = -4001; k <= 4001; k++) {
            const value = f.reduceRight((sum, coefficient) => sum * (k / 200) + Number(coefficient), 0)
            if (Math.abs(value) < 1e-9) continue
            if (last !== 0 && value > 0 !== last > 0) sampled++
            last = value
          }
          expect(changes).toBeGreaterThanOrEqual(sampled)
        }
      }),
      runs(300),
    )
  })

  it('take roots for one only where they are', () => {
    // √2 in two ways, and a neighbour of it that is 1e-30 away.
    const near = 10n ** 60n
    const f = [-2n, 0n, 1n]
    const g = times([-2n, 0n, 1n], [-7n, 0n, 3n])
    const h = [-2n * near - 1n, 0n, near]
    expect(parametersBetween(cutsOf([f]))).toHaveLength(3)
    expect(parametersBetween(cutsOf([f, g]))).toHaveLength(5)
    expect(parametersBetween(cutsOf([g, f, f]))).toHaveLength(5)
    expect(parametersBetween(cutsOf([f, h]))).toHaveLength(5)
    const all = parametersBetween(cutsOf([h, g, f]))
    expect(all).toHaveLength(7)
    const between = all.filter((t) => valueAt(f, t) > 0n && valueAt(h, t) < 0n)
    expect(between).toHaveLength(2)
  })

  it('take a double root for a cut, and zero for none', () => {
    expect(parametersBetween(cutsOf([times([-1n, 3n], [-1n, 3n])], true))).toHaveLength(2)
    expect(parametersBetween(cutsOf([times([-2n, 0n, 1n], [-2n, 0n, 1n])]))).toHaveLength(3)
    expect(parametersBetween(cutsOf([[0n, 0n], [], [5n], [1n, 0n, 1n]]))).toEqual([{ n: 0n, d: 1n }])
  })

  it('leave out cuts at the ends and beyond', () => {
    const cuts = createCuts(true)
    for (const [n, d] of [
      [0n, 1n],
      [1n, 1n],
      [-1n, 2n],
      [3n, 2n],
      [-1n, -2n],
    ]) {
      cutAt(cuts, n, d)
    }
    expect(parametersBetween(cuts).map(asNumber)).toEqual([0.25, 0.75])
  })
})
