// Powers of ten that are doubles, and products with them without rounding.
//
// Method: T. J. Dekker, "A floating-point technique for extending the available precision", 1971, section 4.

export const MOST_POWER = 22

const powers = Float64Array.from({ length: MOST_POWER + 1 }, (_, k) => Number(`1e${k}`))
/** 10^k, exactly. */
export const exactPowers: ArrayLike<number> = powers
/** The same as a sum of two with 26 bits each. */
const SPLIT = 2 ** 27 + 1
const highs = powers.map((power) => SPLIT * power - (SPLIT * power - power))
const lows = powers.map((power, k) => power - highs[k])

/** What value · 10^k is beyond `product`, which is that rounded: exactly, as long as neither is near the limits of doubles. */
export function productRest(value: number, k: number, product: number): number {
  const spread = SPLIT * value
  const high = spread - (spread - value)
  const low = value - high
  return low * lows[k] - (product - high * highs[k] - low * highs[k] - high * lows[k])
}
