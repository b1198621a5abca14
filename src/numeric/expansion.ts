/**
 * Expansion arithmetic: a real number kept exactly as an unevaluated sum of doubles.
 *
 * Method: J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates",
 * Discrete & Computational Geometry 18 (1997), sections 2.3–2.8. An expansion here is an array of non-zero,
 * non-overlapping doubles in order of increasing magnitude; the empty array is zero. Results are exact as long as no
 * intermediate product over- or underflows; `exact-ring.ts` sees to that.
 */

import { spend } from '../containers/budget.ts'

export type Expansion = readonly number[]

/** 2^27 + 1: splits a double into two halves of 26 bits (Dekker). */
const SPLITTER = 134217729

/** Rounding error of `sum = a + b`: a + b = sum + error exactly (Knuth). */
export function sumError(a: number, b: number, sum: number): number {
  const bVirtual = sum - a
  return a - (sum - bVirtual) + (b - bVirtual)
}

/** (a + b) + (c + d) with the errors of the three additions made good: as if rounded once, but for a hair. */
export function sumOfFour(a: number, b: number, c: number, d: number): number {
  const left = a + b
  const right = c + d
  const sum = left + right
  return sum + (sumError(left, right, sum) + (sumError(a, b, left) + sumError(c, d, right)))
}

/** The leading 26 bits of a double; what is left of it has 26 as well (Veltkamp). */
export function leadingHalf(a: number): number {
  const c = SPLITTER * a
  return c - (c - a)
}

/** Rounding error of `product = a · b`: a · b = product + error exactly (Dekker). */
export function productError(a: number, b: number, product: number): number {
  const aHigh = leadingHalf(a)
  const bHigh = leadingHalf(b)
  return halvesError(aHigh, a - aHigh, bHigh, b - bHigh, product)
}

/** The same of factors that are split already: for code that multiplies one number by several. */
export function halvesError(aHigh: number, aLow: number, bHigh: number, bLow: number, product: number): number {
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow)
}

/** The same of a square. */
export function squareError(high: number, low: number, square: number): number {
  const across = high * low
  return low * low - (square - high * high - across - across)
}

/** Adds one double to `e` in place (GROW-EXPANSION with zeros left out). */
function grow(e: number[], b: number): void {
  let q = b
  let kept = 0
  const length = e.length
  for (let i = 0; i < length; i++) {
    const component = e[i]
    const sum = q + component
    const error = sumError(q, component, sum)
    if (error !== 0) e[kept++] = error
    q = sum
  }
  e.length = kept
  if (q !== 0) e.push(q)
}

/** Rewrites `e` in place with as few components as its value needs (COMPRESS). */
function compress(e: number[]): number[] {
  const last = e.length - 1
  if (last < 1) return e
  let q = e[last]
  let bottom = last
  for (let i = last - 1; i >= 0; i--) {
    const sum = q + e[i]
    const error = e[i] - (sum - q)
    q = sum
    if (error !== 0) {
      e[bottom--] = q
      q = error
    }
  }
  e[bottom] = q
  let top = 0
  for (let i = bottom + 1; i <= last; i++) {
    const sum = e[i] + q
    const error = q - (sum - e[i])
    if (error !== 0) e[top++] = error
    q = sum
  }
  e[top] = q
  e.length = q === 0 ? top : top + 1
  return e
}

export function expansionOf(value: number): Expansion {
  return value === 0 ? [] : [value]
}

export function expansionSum(a: Expansion, b: Expansion): Expansion {
  if (b.length > a.length) return expansionSum(b, a)
  if (b.length === 0) return a
  spend(1 + (((a.length + 2) * b.length) >> 3))
  const result = a.slice()
  for (let i = 0; i < b.length; i++) grow(result, b[i])
  return compress(result)
}

export function expansionNegate(a: Expansion): Expansion {
  return a.map((component) => -component)
}

export function expansionProduct(a: Expansion, b: Expansion): Expansion {
  const result: number[] = []
  for (let i = 0; i < a.length; i++) {
    // Each product is added to what there is, which grows by two.
    spend(1 + ((b.length * (2 * i + 1) * b.length) >> 3))
    for (let j = 0; j < b.length; j++) {
      const product = a[i] * b[j]
      grow(result, productError(a[i], b[j], product))
      grow(result, product)
    }
  }
  return compress(result)
}

/** The nearest double, give or take one unit in the last place. */
export function expansionEstimate(a: Expansion): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]
  return sum
}

/** The same to twice the digits. */
export function expansionTwofold(a: Expansion): { high: number; low: number } {
  let low = 0
  for (let i = 0; i < a.length - 1; i++) low += a[i]
  return { high: a[a.length - 1] ?? 0, low }
}

export function expansionSign(a: Expansion): -1 | 0 | 1 {
  if (a.length === 0) return 0
  return a[a.length - 1] > 0 ? 1 : -1
}
