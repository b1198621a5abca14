// Numbers as JSON has them, read as JSON.parse reads them: to the nearest double.
//
// Method: up to 15 digits are a double, and so is 10^22 and what is below, so that their quotient is rounded once (W. Clinger, How to
// read floating point numbers accurately, 1990, section 3). 16 and 17 digits are an exact sum of two, and so is what the first
// quotient leaves over; what is to be added to it is known to 48 bits, which settles the last bit but for ties. What
// remains, and exponents, are the engine's.

import { type JsonInput, textBetween } from './input.ts'
import { exactPowers, MOST_POWER, productRest } from './powers.ts'

const MINUS = 45
const POINT = 46
const ZERO = 48
/** Digits of the first part, and of both. */
const FIRST_DIGITS = 12
const MOST_DIGITS = 17
/** Digits that are an exact double, whatever they are. */
const SURE_DIGITS = 15
const MOST_DECIMALS = MOST_POWER

/** Four digits at a time: what makes them their values, and what shows those that are greater than 9. */
const ZEROS = 0x30303030
const SIXES = 0x06060606
const HIGH_HALVES = 0xf0f0f0f0 | 0

// a name of this file: imported ones are looked up each time
const powers = exactPowers
const LESS = 1 - 2 ** -48
const MORE = 1 + 2 ** -48

/** The number at `input.at`, which is moved behind it; not a number where there is none. */
export function readNumber(input: JsonInput): number {
  const { bytes, view } = input
  let at = input.at
  const isNegative = bytes[at] === MINUS
  if (isNegative) at++
  let first = 0
  let second = 0
  /** Digits from the first one on that is not 0, and those behind the point. */
  let digits = 0
  let decimals = 0
  let digit = bytes[at] - ZERO
  if (digit === 0) {
    digit = bytes[++at] - ZERO
    if (digit >= 0 && digit <= 9) return Number.NaN
  } else {
    for (; digit >= 0 && digit <= 9 && digits <= MOST_DIGITS; digit = bytes[++at] - ZERO) {
      if (digits < FIRST_DIGITS) first = first * 10 + digit
      else second = second * 10 + digit
      digits++
    }
    if (digits === 0) return Number.NaN
  }
  if (digit === POINT - ZERO) {
    const point = at++
    if (digits === 0) while (bytes[at] === ZERO) at++
    if (at + FIRST_DIGITS <= bytes.length) {
      while (digits <= FIRST_DIGITS - 4) {
        const four = view.getUint32(at, true) ^ ZEROS
        if (((four | (four + SIXES)) & HIGH_HALVES) !== 0) break
        const pairs = (four * 10 + (four >>> 8)) & 0xff00ff
        first = first * 10000 + (pairs & 0xff) * 100 + (pairs >>> 16)
        digits += 4
        at += 4
      }
    }
    for (digit = bytes[at] - ZERO; digit >= 0 && digit <= 9 && digits <= MOST_DIGITS; digit = bytes[++at] - ZERO) {
      if (digits < FIRST_DIGITS) first = first * 10 + digit
      else second = second * 10 + digit
      digits++
    }
    decimals = at - point - 1
    if (decimals === 0 && digits <= MOST_DIGITS) return Number.NaN
  }
  // e or E, or too many digits
  if ((digit | 0x20) === 0x65 - ZERO || digits > MOST_DIGITS || decimals > MOST_DECIMALS) return readAnyhow(input)
  const value = digits <= FIRST_DIGITS ? first / powers[decimals] : quotient(first, second, digits, decimals)
  if (Number.isNaN(value)) return readAnyhow(input)
  input.at = at
  return isNegative ? -value : value
}

/** (first · 10^(digits − 12) + second) / 10^decimals, or not a number when that is hard to tell. */
function quotient(first: number, second: number, digits: number, decimals: number): number {
  const upper = first * powers[digits - FIRST_DIGITS]
  const sum = upper + second
  const divisor = powers[decimals]
  const near = sum / divisor
  if (digits <= SURE_DIGITS) return near
  const low = second - (sum - upper)
  const product = near * divisor
  const more = (sum - product - productRest(near, decimals, product) + low) / divisor
  const value = near + LESS * more
  return value === near + MORE * more ? value : Number.NaN
}

/** The same by the engine. */
function readAnyhow(input: JsonInput): number {
  const { bytes, at } = input
  let end = at
  while (isOfNumber(bytes[end])) end++
  const text = textBetween(input, at, end)
  if (!NUMBER.test(text)) return Number.NaN
  input.at = end
  return Number(text)
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Digits, signs, the point, e and E. */
function isOfNumber(byte: number): boolean {
  return (byte >= ZERO && byte <= 57) || byte === MINUS || byte === 43 || byte === POINT || (byte | 0x20) === 0x65
}
