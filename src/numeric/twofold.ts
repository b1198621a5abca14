/**
 * Twofold numbers: a real number kept as the unevaluated sum of two doubles, high + low with |low| ≤ ulp(high)/2, good to
 * about 2^-104 of itself.
 *
 * Method: T. J. Dekker, "A floating-point technique for extending the available precision", Numerische Mathematik 18
 * (1971); the bounds of M. Joldes, J.-M. Muller, V. Popescu, "Tight and rigorous error bounds for basic building blocks
 * of double-word arithmetic", ACM TOMS 44 (2017). Results hold as long as no product over- or underflows.
 * Closed forms take their last step in these, so that their answer is rounded once (`core2d/narrow-phase/closed-gap.ts`,
 * `core2d/narrow-phase/closed-time.ts`). The hot ones write the same steps out; these records are for all others.
 */

import { productError, sumError } from './expansion.ts'

export interface Twofold {
  high: number
  low: number
}

export function twofold(high: number, low: number): Twofold {
  const sum = high + low
  return { high: sum, low: sumError(high, low, sum) }
}

/** A double as it is. */
export function ofDouble(value: number): Twofold {
  return { high: value, low: 0 }
}

/** The nearest double. */
export function roundTwofold({ high, low }: Twofold): number {
  return high + low
}

/** Within 3·2^-106 of the exact sum, also where the two cancel. */
export function addTwofold(a: Twofold, b: Twofold): Twofold {
  const sum = a.high + b.high
  const lows = a.low + b.low
  const first = twofold(sum, sumError(a.high, b.high, sum) + lows)
  return twofold(first.high, sumError(a.low, b.low, lows) + first.low)
}

export function negateTwofold({ high, low }: Twofold): Twofold {
  return { high: -high, low: -low }
}

/** As `addTwofold`. */
export function subtractTwofold(a: Twofold, b: Twofold): Twofold {
  return addTwofold(a, negateTwofold(b))
}

export function multiplyTwofold(a: Twofold, b: Twofold): Twofold {
  const product = a.high * b.high
  return twofold(product, productError(a.high, b.high, product) + (a.high * b.low + a.low * b.high))
}

/** ax·bx + ay·by. */
export function dotTwofold(ax: Twofold, ay: Twofold, bx: Twofold, by: Twofold): Twofold {
  return addTwofold(multiplyTwofold(ax, bx), multiplyTwofold(ay, by))
}

/** a / b, b ≠ 0. */
export function divideTwofold(a: Twofold, b: Twofold): Twofold {
  const quotient = a.high / b.high
  const product = quotient * b.high
  const rest = a.high - product - productError(quotient, b.high, product) + (a.low - quotient * b.low)
  return twofold(quotient, rest / b.high)
}

/** √a, a ≥ 0. */
export function rootTwofold(a: Twofold): Twofold {
  if (!(a.high > 0)) return { high: 0, low: 0 }
  const root = Math.sqrt(a.high)
  const square = root * root
  const rest = a.high - square - productError(root, root, square) + a.low
  return twofold(root, rest / (2 * root))
}

// Twofold numbers and vectors of them in the slots of an array: `twofold.ts` for code that cannot afford a record each.
//
// A number takes two doubles of the array, high and low, a vector three numbers. Functions read slots and write slots; the
// slot written may be one of those read. Same steps, same bounds as the records.

/** Doubles of a vector. */
export const VECTOR_SIZE = 6

/** high + low, which need not be in order. */
function put(r: Float64Array, out: number, high: number, low: number): void {
  const sum = high + low
  r[out] = sum
  r[out + 1] = low - (sum - high)
}

/** a − b, exactly. */
export function putExactDifference(r: Float64Array, out: number, a: number, b: number): void {
  const difference = a - b
  r[out] = difference
  r[out + 1] = sumError(a, -b, difference)
}

/** slot a + side · slot b. */
export function putSum(r: Float64Array, out: number, a: number, b: number, side: 1 | -1): void {
  const highB = side * r[b]
  const lowB = side * r[b + 1]
  const high = r[a] + highB
  const low = r[a + 1] + lowB
  const error = sumError(r[a], highB, high)
  const lowError = sumError(r[a + 1], lowB, low)
  const rest = error + low
  const first = high + rest
  put(r, out, first, lowError + (rest - (first - high)))
}

export function putProduct(r: Float64Array, out: number, a: number, b: number): void {
  const product = r[a] * r[b]
  put(r, out, product, productError(r[a], r[b], product) + (r[a] * r[b + 1] + r[a + 1] * r[b]))
}

/** slot a / slot b, which is not 0. */
export function putQuotient(r: Float64Array, out: number, a: number, b: number): void {
  const quotient = r[a] / r[b]
  const product = quotient * r[b]
  const rest = r[a] - product - productError(quotient, r[b], product) + (r[a + 1] - quotient * r[b + 1])
  put(r, out, quotient, rest / r[b])
}

/** The root of slot a, which is more than 0. */
export function putRoot(r: Float64Array, out: number, a: number): void {
  const root = Math.sqrt(r[a])
  const square = root * root
  put(r, out, root, (r[a] - square - productError(root, root, square) + r[a + 1]) / (2 * root))
}

/** number s · vector a. */
export function putScaled(r: Float64Array, out: number, s: number, a: number): void {
  putProduct(r, out, s, a)
  putProduct(r, out + 2, s, a + 2)
  putProduct(r, out + 4, s, a + 4)
}

// Below, what a step leaves stays in variables: slots written and read again would take as long as the sums themselves.

/** The scalar product of two vectors. */
export function putDot(r: Float64Array, out: number, a: number, b: number): void {
  let sum = 0
  let sumRest = 0
  for (let k = 0; k < VECTOR_SIZE; k += 2) {
    const x = r[a + k]
    const y = r[b + k]
    const product = x * y
    const productRest = productError(x, y, product) + (x * r[b + k + 1] + r[a + k + 1] * y)
    const high = product + productRest
    const low = productRest - (high - product)
    if (k === 0) {
      sum = high
      sumRest = low
      continue
    }
    const whole = sum + high
    const lows = sumRest + low
    const rest = sumError(sum, high, whole) + lows
    const first = whole + rest
    const last = sumError(sumRest, low, lows) + (rest - (first - whole))
    sum = first + last
    sumRest = last - (sum - first)
  }
  r[out] = sum
  r[out + 1] = sumRest
}

/** The vector product, into a slot that is none of them. */
export function putCross(r: Float64Array, out: number, a: number, b: number): void {
  for (let k = 0; k < VECTOR_SIZE; k += 2) {
    const next = k === 4 ? 0 : k + 2
    const last = k === 0 ? 4 : k - 2
    putMinor(r, out + k, a + next, b + last, a + last, b + next)
  }
}

/** slot a · slot b − slot c · slot d */
export function putMinor(r: Float64Array, out: number, a: number, b: number, c: number, d: number): void {
  const left = r[a] * r[b]
  const leftRest = productError(r[a], r[b], left) + (r[a] * r[b + 1] + r[a + 1] * r[b])
  const leftHigh = left + leftRest
  const leftLow = leftRest - (leftHigh - left)
  const right = r[c] * r[d]
  const rightRest = productError(r[c], r[d], right) + (r[c] * r[d + 1] + r[c + 1] * r[d])
  const rightHigh = right + rightRest
  const rightLow = rightRest - (rightHigh - right)
  const whole = leftHigh - rightHigh
  const lows = leftLow - rightLow
  const rest = sumError(leftHigh, -rightHigh, whole) + lows
  const first = whole + rest
  put(r, out, first, sumError(leftLow, -rightLow, lows) + (rest - (first - whole)))
}

/** slot b + slot s · slot a */
export function putAlong(r: Float64Array, out: number, b: number, s: number, a: number): void {
  const product = r[s] * r[a]
  const productRest = productError(r[s], r[a], product) + (r[s] * r[a + 1] + r[s + 1] * r[a])
  const high = product + productRest
  const low = productRest - (high - product)
  const whole = r[b] + high
  const lows = r[b + 1] + low
  const rest = sumError(r[b], high, whole) + lows
  const first = whole + rest
  put(r, out, first, sumError(r[b + 1], low, lows) + (rest - (first - whole)))
}

/** s · (a − b), added to a slot. */
export function addScaledDifference(r: Float64Array, out: number, s: number, a: number, b: number): void {
  const difference = a - b
  const product = difference * r[s]
  const productRest =
    productError(difference, r[s], product) + (difference * r[s + 1] + sumError(a, -b, difference) * r[s])
  const high = product + productRest
  const low = productRest - (high - product)
  const whole = r[out] + high
  const lows = r[out + 1] + low
  const rest = sumError(r[out], high, whole) + lows
  const first = whole + rest
  put(r, out, first, sumError(r[out + 1], low, lows) + (rest - (first - whole)))
}

/** slot c + (a − b) */
export function putShiftedDifference(r: Float64Array, out: number, a: number, b: number, c: number): void {
  const difference = a - b
  const differenceRest = sumError(a, -b, difference)
  const whole = difference + r[c]
  const lows = differenceRest + r[c + 1]
  const rest = sumError(difference, r[c], whole) + lows
  const first = whole + rest
  put(r, out, first, sumError(differenceRest, r[c + 1], lows) + (rest - (first - whole)))
}

/** (a − b) − (c − d) */
export function putExactDifferences(r: Float64Array, out: number, a: number, b: number, c: number, d: number): void {
  const left = a - b
  const leftRest = sumError(a, -b, left)
  const right = c - d
  const rightRest = sumError(c, -d, right)
  const whole = left - right
  const lows = leftRest - rightRest
  const rest = sumError(left, -right, whole) + lows
  const first = whole + rest
  put(r, out, first, sumError(leftRest, -rightRest, lows) + (rest - (first - whole)))
}
