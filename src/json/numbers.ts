// Numbers of JSON text: read to the nearest double, as JSON.parse does, and written with the fewest digits that read back as the
// same number, as Number.prototype.toString does.
//
// Method: powers of ten up to 10^22 are doubles; products with them are exact sums of two (T. J. Dekker, "A floating-point technique
// for extending the available precision", 1971, section 4).

import { type JsonInput, textBetween } from './input.ts'
import type { JsonOutput } from './output.ts'

const MOST_POWER = 22

/** 10^k, exactly. */
const powers = Float64Array.from({ length: MOST_POWER + 1 }, (_, k) => Number(`1e${k}`))
/** Each power is a sum of two with 26 bits each. */
const SPLIT = 2 ** 27 + 1
const highs = powers.map((power) => SPLIT * power - (SPLIT * power - power))
const lows = powers.map((power, k) => power - highs[k])

/** The difference of value · 10^k and `product`, which is that rounded: exact, as long as neither is near the limits of doubles. */
function productRest(value: number, k: number, product: number): number {
  const spread = SPLIT * value
  const high = spread - (spread - value)
  const low = value - high
  return low * lows[k] - (product - high * highs[k] - low * highs[k] - high * lows[k])
}

// Reading: up to 15 digits are a double, and so is 10^22 and what is below, so that their quotient is rounded once (W. Clinger, How to
// read floating point numbers accurately, 1990, section 3). 16 and 17 digits are an exact sum of two, and so is what the first
// quotient leaves over; what is to be added to it is known to 48 bits, which settles the last bit but for ties. What
// remains, and exponents, are the engine's.

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

/** Reads the number with the engine's parser. */
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

// Writing: a number x of exponent t is brought to 17 digits, P = x · 10^(16−t) in [1e16, 1e17). For 1e-6 ≤ x < 1e15 that power of ten
// is a double, so the product is known exactly as a sum of two, and so is half the gap to the neighbours of x, h = ulp(x)/2 · 10^(16−t), which is between 0.55 and 11.1.
// A number that differs from P by less is read back as x: the nearest multiple of 10 (16 digits), of 100 (15 or fewer: no two multiples of
// 100 are that near) or else of 1. Whatever remains, rare or awkward, is left to the engine.

/** Bytes of the longest number. */
export const NUMBER_LENGTH = 25

const LEAST = 1e-6
const LIMIT = 1e15
/** Numbers with as many decimals are common, and quickly found. */
const DECIMALS = 1000
const HALF = 1e8
const QUARTER = 1e4

/** By exponent bits: a t with 10^t no greater than any number of that exponent. */
const exponents = Int8Array.from({ length: 2 ** 11 }, (_, bits) =>
  Math.max(-100, Math.min(100, Math.floor((bits - 1023) * Math.log10(2)))),
)
/** The four digits of each number below 10,000, the first one in the lowest byte. */
const quads = Uint32Array.from({ length: QUARTER }, (_, n) =>
  Array.from(String(n).padStart(4, '0')).reduce((word, digit, k) => word + (ZERO + Number(digit)) * 2 ** (8 * k), 0),
)

const double = new Float64Array(1)
/** Low word, high word. */
const words = new Uint32Array(double.buffer)

/** Writes a number at `at`, where there must be room for it, and returns where it ends. What is not finite is null in JSON. */
export function appendNumber({ bytes, view }: JsonOutput, at: number, value: number): number {
  if (value < 0 && value > -Infinity) {
    bytes[at++] = MINUS
    value = -value
  }
  if (value === (value | 0)) return appendInteger(bytes, at, value)
  if (!(value >= LEAST && value < LIMIT)) return appendAnyhow(bytes, at, value)
  const thousandths = value * DECIMALS
  if (thousandths === (thousandths | 0) && thousandths / DECIMALS === value) {
    return appendThousandths(bytes, at, thousandths)
  }
  double[0] = value
  const high = words[1]
  const low = words[0]
  const bits = high >>> 20
  // below a power of two the gap is half as wide
  if (low === 0 && (high & 0xfffff) === 0) return appendAnyhow(bytes, at, value)
  let t = exponents[bits]
  t += t >= 0 ? +(value >= powers[t + 1]) : +(value * powers[-t - 1] >= 1)
  const k = 16 - t
  const power = powers[k]
  const product = value * power
  const rest = productRest(value, k, product)
  words[1] = (bits - 53) << 20
  words[0] = 0
  const gap = double[0] * power
  // P = first · 1e8 + second + part
  let first = (product / HALF) | 0
  const whole = Math.floor(rest + 0.5)
  const part = rest - whole
  let second = (product - first * HALF + whole) | 0
  if (second < 0) {
    second += HALF
    first--
  } else if (second >= HALF) {
    second -= HALF
    first++
  }
  const ones = second % 10
  const isUpper = +(ones > 5) | (+(ones === 5) & +(part > 0))
  const step = 10 * isUpper - ones
  // All that follows is exact where it matters: `gap` and `step` are near each other then.
  const excess = isUpper === 1 ? -part - (gap - step) : part - (gap + step)
  const isShorter = +(excess < 0)
  // ties, and a power of ten that was guessed wrongly, are the engine's
  const isTie = excess === 0 || part === 0.5 || part === -0.5 || (ones === 5 && part === 0)
  if (isTie || first < HALF || first >= 10 * HALF) return appendAnyhow(bytes, at, value)
  if (isShorter === 1) {
    const hundredth = second % 100
    if (hundredth <= 11 && part <= gap - hundredth) {
      if (part === gap - hundredth) return appendAnyhow(bytes, at, value)
      second -= hundredth
    } else if (hundredth >= 89 && -part <= gap - (100 - hundredth)) {
      if (-part === gap - (100 - hundredth)) return appendAnyhow(bytes, at, value)
      second += 100 - hundredth
    } else second += step
    if (second === HALF) {
      second = 0
      first++
      if (first === 10 * HALF) return appendAnyhow(bytes, at, value)
    }
  }
  return appendDigits(bytes, view, at, t, first, second)
}

/** The 17 digits of first · 1e8 + second, the first of which counts 10^t, without zeros at the end. */
function appendDigits(bytes: Buffer, view: DataView, at: number, t: number, first: number, second: number): number {
  const lead = (first / HALF) | 0
  const next = first - lead * HALF
  const a = (next / QUARTER) | 0
  const b = (second / QUARTER) | 0
  let start = at
  if (t < 0) {
    bytes[at] = ZERO
    bytes[at + 1] = POINT
    bytes[at + 2] = ZERO
    bytes[at + 3] = ZERO
    bytes[at + 4] = ZERO
    bytes[at + 5] = ZERO
    bytes[at + 6] = ZERO
    start = at - t
  }
  bytes[start + 1] = ZERO + lead
  view.setUint32(start + 2, quads[a], true)
  view.setUint32(start + 6, quads[next - a * QUARTER], true)
  view.setUint32(start + 10, quads[b], true)
  view.setUint32(start + 14, quads[second - b * QUARTER], true)
  let end = start + 18
  if (t >= 0) {
    for (let k = at; k <= at + t; k++) bytes[k] = bytes[k + 1]
    bytes[at + t + 1] = POINT
  }
  while (bytes[end - 1] === ZERO) end--
  return bytes[end - 1] === POINT ? end - 1 : end
}

function appendInteger(bytes: Buffer, at: number, value: number): number {
  let end = at + 1
  for (let bound = 10; value >= bound; bound *= 10) end++
  let rest = value
  for (let k = end - 1; k >= at; k--) {
    const tens = (rest / 10) | 0
    bytes[k] = ZERO + rest - 10 * tens
    rest = tens
  }
  return end
}

function appendThousandths(bytes: Buffer, at: number, value: number): number {
  const whole = (value / DECIMALS) | 0
  const point = appendInteger(bytes, at, whole)
  const decimals = appendInteger(bytes, point, value - whole * DECIMALS + DECIMALS)
  // the 1 of the thousand that was added makes room for the point
  bytes[point] = POINT
  let end = decimals
  while (bytes[end - 1] === ZERO) end--
  return end
}

function appendAnyhow(bytes: Buffer, at: number, value: number): number {
  return at + bytes.write(Number.isFinite(value) ? String(value) : 'null', at, 'latin1')
}
