/**
 * Exact arithmetic on doubles for the oracle: every finite double is an integer times a power of two,
 * so after choosing one common power all coordinates of a question are plain BigInts.
 * Slow and obviously right; shares nothing with src/.
 */

export type Sign = -1 | 0 | 1

/** Integers of a grid stand for `integer * 2^exponent`. */
export interface Grid {
  exponent: number
}

export interface Ratio {
  num: bigint
  den: bigint
}

const view = new DataView(new ArrayBuffer(8))

/** x = mantissa * 2^exponent with an odd mantissa (or 0). */
export function decomposeDouble(x: number): { mantissa: bigint; exponent: number } {
  if (!Number.isFinite(x)) throw new RangeError(`not a finite number: ${x}`)
  if (x === 0) return { mantissa: 0n, exponent: 0 }
  view.setFloat64(0, x)
  const bits = view.getBigUint64(0)
  const biased = Number((bits >> 52n) & 0x7ffn)
  let mantissa = bits & 0xfffffffffffffn
  let exponent = biased === 0 ? -1074 : biased - 1075
  if (biased !== 0) mantissa |= 0x10000000000000n
  while ((mantissa & 1n) === 0n) {
    mantissa >>= 1n
    exponent++
  }
  return { mantissa: x < 0 ? -mantissa : mantissa, exponent }
}

/** The coarsest grid, halved once (for half widths), on which all values are integers. */
export function gridFor(values: readonly number[]): Grid {
  let exponent = Number.POSITIVE_INFINITY
  for (const value of values) if (value !== 0) exponent = Math.min(exponent, decomposeDouble(value).exponent)
  return { exponent: Number.isFinite(exponent) ? exponent - 1 : 0 }
}

export function toGrid(grid: Grid, x: number): bigint {
  const { mantissa, exponent } = decomposeDouble(x)
  return mantissa === 0n ? 0n : mantissa << BigInt(exponent - grid.exponent)
}

export function leastOf(values: readonly bigint[]): bigint {
  return [...values].sort((p, q) => signOf(p - q))[0]
}

export function signOf(x: bigint): Sign {
  return x > 0n ? 1 : x < 0n ? -1 : 0
}

export function abs(x: bigint): bigint {
  return x < 0n ? -x : x
}

function asSign(x: number): Sign {
  return x > 0 ? 1 : x < 0 ? -1 : 0
}

/** Sign of a + b√c, c ≥ 0. */
export function signOfRadical(a: bigint, b: bigint, c: bigint): Sign {
  const signA = signOf(a)
  const signB = c === 0n ? 0 : signOf(b)
  if (signA === 0) return signB
  if (signB === 0 || signA === signB) return signA
  return asSign(signA * signOf(a * a - b * b * c))
}

/** Sign of a + b√c + d√e, c ≥ 0, e ≥ 0. */
export function signOfTwoRadicals(a: bigint, b: bigint, c: bigint, d: bigint, e: bigint): Sign {
  const first = signOfRadical(a, b, c)
  const second = e === 0n ? 0 : signOf(d)
  if (first === 0) return second
  if (second === 0 || first === second) return first
  return asSign(first * signOfRadical(a * a + b * b * c - d * d * e, 2n * a * b, c))
}

/** Floor of the square root. */
export function integerSqrt(n: bigint): bigint {
  if (n < 0n) throw new RangeError('square root of a negative integer')
  if (n < 2n) return n
  let x = 1n << BigInt((bitLength(n) + 1) >> 1)
  for (;;) {
    const next = (x + n / x) >> 1n
    if (next >= x) return x
    x = next
  }
}

export function bitLength(n: bigint): number {
  return abs(n).toString(16).length * 4
}

/** integer * 2^exponent as a double, error below one unit in the last place. */
export function toDouble(integer: bigint, exponent: number): number {
  const drop = Math.max(0, bitLength(integer) - 64)
  let value = Number(integer >> BigInt(drop))
  let power = exponent + drop
  while (power > 500) {
    value *= 2 ** 500
    power -= 500
  }
  while (power < -500) {
    value *= 2 ** -500
    power += 500
  }
  return value * 2 ** power
}

/** Fractional bits carried by square roots before a subtraction, far below any double of interest. */
export const ROOT_BITS = 256n

/** √(num/den) with ROOT_BITS fractional bits. */
export function rootOfRatio(ratio: Ratio): bigint {
  return integerSqrt((ratio.num << (2n * ROOT_BITS)) / ratio.den)
}

export function ratioLess(a: Ratio, b: Ratio): boolean {
  return a.num * b.den < b.num * a.den
}
