/**
 * Ratios of integers, rounded to doubles: the nearest one, the least one that is no less, and the nearest to twice the digits.
 *
 * Method: one division that leaves more bits than a double has, of which the last one stands for all that were cut off.
 */

import { createInputRange, includeInput, integerOf, unitExponentOf } from './exact-ring.ts'
import { scaleBy } from './safe-range.ts'
import type { Twofold } from './twofold.ts'

/** a / b · 2^exponent, rounded to the nearest double, ties to even. */
export function nearestRatio(a: bigint, b: bigint, exponent: number): number {
  if (a === 0n) return 0
  const isNegative = a < 0n !== b < 0n
  const top = a < 0n ? -a : a
  const bottom = b < 0n ? -b : b
  const shift = 66 - (top.toString(2).length - bottom.toString(2).length)
  // Subnormal results have fewer bits: the quotient is cut where the last bit of the double lies.
  const power = Math.max(exponent - shift, LOWEST_POWER)
  const move = exponent - power
  const over = move >= 0 ? top << BigInt(move) : top
  const under = move >= 0 ? bottom : bottom << BigInt(-move)
  let quotient = over / under
  // What is cut off stays as a last bit that is no tie.
  if (quotient * under !== over) quotient |= 1n
  const size = power === LOWEST_POWER ? nearestSubnormal(quotient) : scaleBy(Number(quotient), power)
  return isNegative ? -size : size
}

/** Two bits below the last one of subnormal doubles. */
const LOWEST_POWER = -1076

/** The quotient in units of 2^LOWEST_POWER, rounded to multiples of four of them. */
function nearestSubnormal(quotient: bigint): number {
  const high = quotient >> 2n
  const rest = quotient & 3n
  const up = rest > 2n || (rest === 2n && (high & 1n) === 1n)
  const units = high + (up ? 1n : 0n)
  return Number(units) * Number.MIN_VALUE
}

/** a / b · 2^exponent to twice the digits: the nearest double, and the nearest to what it lacks. */
export function twofoldRatio(a: bigint, b: bigint, exponent: number): Twofold {
  const high = nearestRatio(a, b, exponent)
  if (!Number.isFinite(high)) return { high, low: 0 }
  const unit = Math.min(exponent, lowestBit(high))
  return { high, low: nearestRatio((a << BigInt(exponent - unit)) - integerOf(high, unit) * b, b, unit) }
}

/** The exponent of a unit that the double is a multiple of. */
export function lowestBit(value: number): number {
  if (value === 0) return Infinity
  const range = createInputRange()
  includeInput(range, value)
  return unitExponentOf(range)
}

/** The least double that is no less than value · 2^exponent, value ≥ 0. */
export function ceilingOf(value: bigint, exponent: number): number {
  let nearest = nearestRatio(value, 1n, exponent)
  if (nearest === Infinity) return nearest
  const unit = nearest === 0 ? exponent : Math.min(exponent, lowestBit(nearest))
  if (integerOf(nearest, unit) < value << BigInt(exponent - unit)) nearest = nextAbove(nearest)
  return nearest
}

const VIEW = new DataView(new ArrayBuffer(8))

/** The double above. */
export function nextAbove(value: number): number {
  if (value === 0) return Number.MIN_VALUE
  VIEW.setFloat64(0, value)
  VIEW.setBigInt64(0, VIEW.getBigInt64(0) + (value > 0 ? 1n : -1n))
  return VIEW.getFloat64(0)
}
