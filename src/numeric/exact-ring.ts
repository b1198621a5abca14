/**
 * Exact arithmetic for predicates: one way to write a polynomial sign, two number systems to evaluate it in.
 *
 * A predicate is written once, over `Ring<T>`. `exactly` runs it first on plain doubles that watch their own rounding:
 * on grids and round numbers nothing is rounded and that is the answer. Otherwise it runs on floating-point expansions
 * (`expansion.ts`) after scaling the inputs by a power of two; where the spread of the inputs' exponents could make a
 * product of the stated degree underflow, on integers (every double is an integer times a power of two). All three are
 * exact, so the choice never shows in the answer.
 *
 * Root sums: signs of a + b√p + c√q by squaring, the classical reduction for sums of square roots (e.g. C. Burnikel,
 * R. Fleischer, K. Mehlhorn, S. Schirra, "A strong and easily computable separation bound…", Algorithmica 27 (2000),
 * where it is the textbook case that needs no bound).
 */

import { spend } from '../containers/budget.ts'
import {
  type Expansion,
  expansionDifference,
  expansionEstimate,
  expansionOf,
  expansionProduct,
  expansionSign,
  expansionSum,
  expansionTwofold,
  productError,
  sumError,
} from './expansion.ts'
import { LARGEST_SAFE_SQUARE, SMALLEST_SAFE_SQUARE } from './roundoff.ts'
import { divideTwofold, type Twofold } from './twofold.ts'

export type Sign = -1 | 0 | 1

export interface Ring<T> {
  /** The given double (one of the declared inputs), exactly, as a length. */
  of(value: number): T
  /** A small integer constant, free of dimension. */
  integer(value: number): T
  add(a: T, b: T): T
  sub(a: T, b: T): T
  mul(a: T, b: T): T
  sign(a: T): Sign
  /** a / b as a double, correct to a few units in the last place; b must not be zero. */
  ratio(a: T, b: T): number
  /** a / b as a double in the caller's unit of length, for an `a` of one degree more than `b`. */
  length(a: T, b: T): number
  /** a / b to twice the digits, for an `a` of `degree` more degrees than `b`; b must not be zero. */
  quotient(a: T, b: T, degree: 0 | 1): Twofold
}

/** Exponent of the highest bit: 2^e <= |x| < 2^(e+1). Subnormals give their true exponent. */
export function binaryExponent(x: number): number {
  VIEW.setFloat64(0, x)
  const biased = (VIEW.getUint32(0) >>> 20) & 0x7ff
  if (biased !== 0) return biased - 1023
  return x === 0 ? -1075 : binaryExponent(x * 2 ** 60) - 60
}

const VIEW = new DataView(new ArrayBuffer(8))

/** Bits of a double's significand. */
const SIGNIFICAND_BITS = 53
/** Exponent of the smallest positive double. */
const LOWEST_EXPONENT = -1074
/** Exponent of a unit that all numbers of the range are whole multiples of. */
export function unitExponentOf({ smallest, largest }: InputRange): number {
  if (largest === 0) return 0
  return Math.max(binaryExponent(smallest) - SIGNIFICAND_BITS + 1, LOWEST_EXPONENT)
}

/** Exponents up to which 2^e and its reciprocal are both normal doubles. */
const LARGEST_SCALE_EXPONENT = 1000

/** Whether an operation of `plainRing` has rounded since it was last reset. */
let rounded = false

function plainSum(a: number, b: number): number {
  const sum = a + b
  if (sumError(a, b, sum) !== 0) rounded = true
  return sum
}

function plainProduct(a: number, b: number): number {
  const product = a * b
  const magnitude = Math.abs(product)
  // Outside these bounds an error term may have underflowed, or the product overflowed.
  if (magnitude > SMALLEST_SAFE_SQUARE && magnitude < LARGEST_SAFE_SQUARE) {
    if (productError(a, b, product) !== 0) rounded = true
  } else if (a !== 0 && b !== 0) rounded = true
  return product
}

/** Doubles that take note when they round. */
const plainRing: Ring<number> = {
  of: (value) => value,
  integer: (value) => value,
  add: plainSum,
  sub: (a, b) => plainSum(a, -b),
  mul: plainProduct,
  sign: (a) => (a > 0 ? 1 : a < 0 ? -1 : 0),
  ratio: (a, b) => a / b,
  length: (a, b) => a / b,
  quotient: (a, b) => divideTwofold({ high: a, low: 0 }, { high: b, low: 0 }),
}

function expansionRing(unitExponent: number): Ring<Expansion> {
  const scale = 2 ** -unitExponent
  return {
    of: (value) => expansionOf(value * scale),
    integer: expansionOf,
    add: expansionSum,
    sub: expansionDifference,
    mul: expansionProduct,
    sign: expansionSign,
    ratio: (a, b) => expansionEstimate(a) / expansionEstimate(b),
    length: (a, b) => (expansionEstimate(a) / expansionEstimate(b)) * 2 ** unitExponent,
    quotient: (a, b, degree) => {
      const { high, low } = divideTwofold(expansionTwofold(a), expansionTwofold(b))
      const unit = 2 ** (degree * unitExponent)
      return { high: high * unit, low: low * unit }
    },
  }
}

/** The double as so many units of 2^unitExponent, which must divide it. */
export function integerOf(value: number, unitExponent: number): bigint {
  if (value === 0) return 0n
  const lowBit = Math.max(binaryExponent(value) - SIGNIFICAND_BITS + 1, LOWEST_EXPONENT)
  // value / 2^lowBit is an integer below 2^53; two steps, because 2^1074 is not a double.
  const half = Math.trunc(lowBit / 2)
  const mantissa = value / 2 ** half / 2 ** (lowBit - half)
  return BigInt(mantissa) << BigInt(lowBit - unitExponent)
}

function bitLength(a: bigint): number {
  return (a < 0n ? -a : a).toString(16).length * 4
}

/** a / b times 2^exponent; the exponents are joined first, so that only the result can overflow. */
export function integerRatio(a: bigint, b: bigint, exponent: number): number {
  const shift = 64 - (bitLength(a) - bitLength(b))
  const quotient = shift >= 0 ? (a << BigInt(shift)) / b : a / (b << BigInt(-shift))
  const power = exponent - shift
  const half = Math.trunc(power / 2)
  return Number(quotient) * 2 ** half * 2 ** (power - half)
}

/** The ratio to twice the digits. */
function integerQuotient(a: bigint, b: bigint, exponent: number): Twofold {
  const shift = 128 - (bitLength(a) - bitLength(b))
  const quotient = shift >= 0 ? (a << BigInt(shift)) / b : a / (b << BigInt(-shift))
  const high = Number(quotient)
  const low = Number(quotient - BigInt(high))
  const power = exponent - shift
  const half = Math.trunc(power / 2)
  return { high: high * 2 ** half * 2 ** (power - half), low: low * 2 ** half * 2 ** (power - half) }
}

/** Steps of one operation on integers of so many bits: products take as many as the square of their words, a few dozen of which are a step. */
const BITS_PER_STEP = 1024

/** `bits`: of the largest numbers that come up. */
function integerRing(unitExponent: number, bits: number): Ring<bigint> {
  const size = bits / BITS_PER_STEP
  const sum = 1 + size
  const product = 1 + 8 * size * size
  return {
    of: (value) => integerOf(value, unitExponent),
    integer: BigInt,
    add: (a, b) => {
      spend(sum)
      return a + b
    },
    sub: (a, b) => {
      spend(sum)
      return a - b
    },
    mul: (a, b) => {
      spend(product)
      return a * b
    },
    sign: (a) => (a > 0n ? 1 : a < 0n ? -1 : 0),
    ratio: (a, b) => integerRatio(a, b, 0),
    length: (a, b) => integerRatio(a, b, unitExponent),
    quotient: (a, b, degree) => integerQuotient(a, b, degree * unitExponent),
  }
}

/** Steps of a predicate on doubles that note their rounding. */
const PLAIN_STEPS = 8

let exactCount = 0

/** How many predicates rounding has left to exact arithmetic so far: searches with a budget count them as many steps. */
export function exactEvaluations(): number {
  return exactCount
}

/** Magnitudes of a predicate's inputs, gathered before a ring is chosen. */
export interface InputRange {
  smallest: number
  largest: number
}

export function createInputRange(): InputRange {
  return { smallest: Infinity, largest: 0 }
}

export function includeInput(range: InputRange, value: number): void {
  const magnitude = Math.abs(value)
  if (magnitude === 0) return
  if (magnitude < range.smallest) range.smallest = magnitude
  if (magnitude > range.largest) range.largest = magnitude
}

/**
 * Runs `predicate` in a ring where polynomials up to `degree` in the declared inputs are exact.
 * Every value passed to `ring.of` must lie in `range`. The predicate may run twice, and must not keep state.
 */
export function exactly<R>(range: InputRange, degree: number, predicate: <T>(ring: Ring<T>) => R): R {
  spend(PLAIN_STEPS)
  rounded = false
  const plain = predicate(plainRing)
  if (!rounded) return plain
  exactCount++
  const top = binaryExponent(range.largest) + 1
  const bottom = unitExponentOf(range)
  const fits = (bottom - top) * degree > LOWEST_EXPONENT && Math.abs(top) <= LARGEST_SCALE_EXPONENT
  return fits ? predicate(expansionRing(top)) : predicate(integerRing(bottom, (top - bottom) * degree))
}

/** Sign of a + b·√p, p ≥ 0. */
export function signOfRootSum<T>(ring: Ring<T>, a: T, b: T, p: T): Sign {
  const signA = ring.sign(a)
  const signB = ring.sign(p) === 0 ? 0 : ring.sign(b)
  if (signB === 0 || signA === signB) return signA
  if (signA === 0) return signB
  const { mul } = ring
  return (signA * ring.sign(ring.sub(mul(a, a), mul(mul(b, b), p)))) as Sign
}

/** Sign of a + b·√p + c·√q, p, q ≥ 0. */
export function signOfTwoRootSum<T>(ring: Ring<T>, a: T, b: T, p: T, c: T, q: T): Sign {
  const signAB = signOfRootSum(ring, a, b, p)
  const signC = ring.sign(q) === 0 ? 0 : ring.sign(c)
  if (signC === 0 || signAB === signC) return signAB
  if (signAB === 0) return signC
  // (a + b√p)² − c²q = (a² + b²p − c²q) + 2ab√p decides which of the two opposite terms is larger.
  const { mul, add } = ring
  const rational = ring.sub(add(mul(a, a), mul(mul(b, b), p)), mul(mul(c, c), q))
  const ab = mul(a, b)
  return (signAB * signOfRootSum(ring, rational, add(ab, ab), p)) as Sign
}
