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

/** ax·bx + ay·by + az·bz − c with the errors of products and sums made good: as if rounded once, but for a hair, where c is nearly the rest. */
export function dotLess(ax: number, ay: number, az: number, bx: number, by: number, bz: number, c: number): number {
  const x = ax * bx
  const y = ay * by
  const z = az * bz
  const first = x + y
  const sum = first + z
  const errors = productError(ax, bx, x) + productError(ay, by, y) + productError(az, bz, z)
  return sum - c + (sumError(x, y, first) + sumError(first, z, sum) + errors)
}

/** Rounding error of a product of factors that are split already: for code that multiplies one number by several. */
export function halvesError(aHigh: number, aLow: number, bHigh: number, bLow: number, product: number): number {
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow)
}

/** Rounding error of the square of a number that is split already. */
export function squareError(high: number, low: number, square: number): number {
  const across = high * low
  return low * low - (square - high * high - across - across)
}

/** Where results are made. Lists that grow and shrink would cost several times as much. */
let work = new Float64Array(256)

function reserve(count: number): void {
  if (work.length >= count) return
  work = new Float64Array(2 * count)
}

/** Adds one double to the first `count` of `work` (GROW-EXPANSION with zeros left out); returns how many there are then. */
function grow(count: number, b: number): number {
  let q = b
  let kept = 0
  for (let i = 0; i < count; i++) {
    const component = work[i]
    const sum = q + component
    const error = sumError(q, component, sum)
    if (error !== 0) work[kept++] = error
    q = sum
  }
  if (q !== 0) work[kept++] = q
  return kept
}

/** The first `count` of `work` with as few components as its value needs (COMPRESS), as a list of its own. */
function compressed(count: number): Expansion {
  if (count === 0) return []
  const last = count - 1
  let q = work[last]
  let bottom = last
  for (let i = last - 1; i >= 0; i--) {
    const sum = q + work[i]
    const error = work[i] - (sum - q)
    q = sum
    if (error !== 0) {
      work[bottom--] = q
      q = error
    }
  }
  work[bottom] = q
  let top = 0
  for (let i = bottom + 1; i <= last; i++) {
    const sum = work[i] + q
    const error = q - (sum - work[i])
    if (error !== 0) work[top++] = error
    q = sum
  }
  if (q !== 0) work[top++] = q
  return listOf(top)
}

function listOf(count: number): Expansion {
  if (count === 0) return []
  if (count === 1) return [work[0]]
  if (count === 2) return [work[0], work[1]]
  const list = [work[0], work[1], work[2]]
  for (let i = 3; i < count; i++) list.push(work[i])
  return list
}

/** high + low, of which low is a rounding error of high. */
function pairOf(high: number, low: number): Expansion {
  if (low !== 0) return [low, high]
  return high === 0 ? [] : [high]
}

export function expansionOf(value: number): Expansion {
  return value === 0 ? [] : [value]
}

export function expansionSum(a: Expansion, b: Expansion): Expansion {
  return signedSum(a, b, 1)
}

export function expansionDifference(a: Expansion, b: Expansion): Expansion {
  return signedSum(a, b, -1)
}

/** a + side · b. */
function signedSum(a: Expansion, b: Expansion, side: 1 | -1): Expansion {
  if (b.length === 0) return a
  if (a.length === 0) return side > 0 ? b : expansionNegate(b)
  const isLonger = b.length > a.length
  const most = isLonger ? b.length : a.length
  const least = isLonger ? a.length : b.length
  spend(1 + (((most + 2) * least) >> 3))
  if (most === 1) {
    const other = side * b[0]
    const sum = a[0] + other
    return pairOf(sum, sumError(a[0], other, sum))
  }
  reserve(most + least)
  let count = most
  if (isLonger) {
    for (let i = 0; i < most; i++) work[i] = side * b[i]
    for (let i = 0; i < least; i++) count = grow(count, a[i])
  } else {
    for (let i = 0; i < most; i++) work[i] = a[i]
    for (let i = 0; i < least; i++) count = grow(count, side * b[i])
  }
  return compressed(count)
}

export function expansionNegate(a: Expansion): Expansion {
  return a.map((component) => -component)
}

export function expansionProduct(a: Expansion, b: Expansion): Expansion {
  if (a.length === 1 && b.length === 1) {
    spend(1)
    const product = a[0] * b[0]
    return pairOf(product, productError(a[0], b[0], product))
  }
  reserve(2 * a.length * b.length)
  let count = 0
  for (let i = 0; i < a.length; i++) {
    // Each product is added to what there is, which grows by two.
    spend(1 + ((b.length * (2 * i + 1) * b.length) >> 3))
    const factor = a[i]
    for (let j = 0; j < b.length; j++) {
      const product = factor * b[j]
      count = grow(count, productError(factor, b[j], product))
      count = grow(count, product)
    }
  }
  return compressed(count)
}

/** The nearest double, give or take one unit in the last place. */
export function expansionEstimate(a: Expansion): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]
  return sum
}

/** The sum of an expansion to twice the digits. */
export function expansionTwofold(a: Expansion): { high: number; low: number } {
  let low = 0
  for (let i = 0; i < a.length - 1; i++) low += a[i]
  return { high: a[a.length - 1] ?? 0, low }
}

export function expansionSign(a: Expansion): -1 | 0 | 1 {
  if (a.length === 0) return 0
  return a[a.length - 1] > 0 ? 1 : -1
}
