/**
 * Twofold numbers: a real number kept as the unevaluated sum of two doubles, high + low with |low| ≤ ulp(high)/2, good to
 * about 2^-104 of itself.
 *
 * Method: T. J. Dekker, "A floating-point technique for extending the available precision", Numerische Mathematik 18
 * (1971); the bounds of M. Joldes, J.-M. Muller, V. Popescu, "Tight and rigorous error bounds for basic building blocks
 * of double-word arithmetic", ACM TOMS 44 (2017). Results hold as long as no product over- or underflows.
 * Closed forms take their last step in these, so that what they answer is rounded once (`core2d/closed-forms/closed-gap.ts`,
 * `core2d/closed-forms/closed-time.ts`). The hot ones write the same steps out; these records are for all others.
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
