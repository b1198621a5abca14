// Numbers are written and read as the engine does it, to the last digit and bit.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createJsonInput } from '../../src/json/input.ts'
import { appendNumber, NUMBER_LENGTH, readNumber } from '../../src/json/numbers.ts'
import { createJsonOutput, reserve } from '../../src/json/output.ts'
import { runs } from '../support/runs.ts'

const out = createJsonOutput()
reserve(out, 0, NUMBER_LENGTH)

function written(value: number): string {
  return out.bytes.toString('latin1', 0, appendNumber(out, 0, value))
}

/** The number that the whole text is, or not a number. */
function read(text: string, behind = ''): number {
  const input = createJsonInput(Buffer.from(text + behind))
  const value = readNumber(input)
  return input.at === text.length ? value : Number.NaN
}

function parsed(text: string): number {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'number' && text.trim() === text ? value : Number.NaN
  } catch {
    return Number.NaN
  }
}

const bits = new Float64Array(1)
const words = new BigInt64Array(bits.buffer)

/** So many doubles further on. */
function step(value: number, count: number): number {
  bits[0] = value
  words[0] += BigInt(count)
  return bits[0]
}

const near = fc.integer({ min: -3, max: 3 })
const doubles = fc.oneof(
  fc.double(),
  fc.double({ min: -1, max: 1, noNaN: true }),
  fc.double({ min: -1e4, max: 1e4, noNaN: true }),
  fc.double({ min: 1e12, max: 1e17, noNaN: true }),
  // short decimals and their neighbours
  fc
    .tuple(fc.integer({ min: -(10 ** 7), max: 10 ** 7 }), fc.nat(9), near)
    .map(([n, decimals, count]) => step(n / 10 ** decimals, count)),
  fc.tuple(fc.integer({ min: -12, max: 20 }), near).map(([power, count]) => step(Number(`1e${power}`), count)),
  fc.tuple(fc.integer({ min: -40, max: 60 }), near).map(([power, count]) => step(2 ** power, count)),
  // halfway between two numbers of 16 digits, or of 17
  fc.tuple(fc.bigInt(1n, 2n ** 53n), fc.integer({ min: 0, max: 60 })).map(([n, power]) => Number(n) / 2 ** power),
  fc.tuple(fc.integer(), fc.nat(40)).map(([n, power]) => n / 2 ** power),
  fc.integer(),
)

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength })
const numberTexts = fc.oneof(
  doubles.filter(Number.isFinite).map(String),
  doubles.filter(Number.isFinite).map((value) => value.toPrecision(17)),
  doubles.filter((value) => Math.abs(value) < 1e20).map((value) => value.toFixed(12)),
  fc
    .tuple(fc.constantFrom('', '-'), digits(1, 20), digits(0, 24))
    .map(([sign, whole, part]) => `${sign}${whole}.${part}`),
  fc
    .tuple(digits(1, 20), fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), digits(0, 3))
    .map((parts) => parts.join('')),
  // halfway between two doubles
  fc
    .tuple(fc.bigInt(2n ** 49n, 2n ** 53n), fc.constantFrom('5', '25', '125', '0625', '0624', '0626', '49999', '50001'))
    .map(([whole, part]) => `${whole}.${part}`),
)

describe('a number', () => {
  it('is written as JSON.stringify writes it', () => {
    fc.assert(
      fc.property(doubles, (value) => {
        expect(written(value)).toBe(JSON.stringify(value))
      }),
      runs(20_000),
    )
  })

  it.each([
    0,
    -0,
    1,
    -1,
    9,
    10,
    99,
    100,
    999_999_999,
    2 ** 31 - 1,
    2 ** 31,
    -(2 ** 31),
    -(2 ** 31) - 1,
    1e-6,
    1e-7,
    0.1,
    0.001,
    1.001,
    0.0001,
    0.5,
    0.0625,
    9.999999999999999e14,
    1e15,
    1e16,
    1e17,
    1e21,
    5e-324,
    1.7976931348623157e308,
    0.3,
    2 / 3,
    158989075862905.12,
    9007199254740992,
    999999999999999.9,
    0.000001234,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ])('is written as JSON.stringify writes it: %f', (value) => {
    expect(written(value)).toBe(JSON.stringify(value))
    expect(written(-value)).toBe(JSON.stringify(-value))
  })

  it('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(numberTexts, fc.constantFrom('', ',', '}', ' ', ',"next":123456789'), (text, behind) => {
        expect(read(text, behind)).toBe(parsed(text))
      }),
      runs(20_000),
    )
  })

  it.each([
    '0',
    '-0',
    '-0.0',
    '0.0',
    '00',
    '01',
    '-',
    '+1',
    '.5',
    '1.',
    '-.5',
    '1.e5',
    '1e',
    '1e+',
    '1e5',
    '1E-3',
    '1e400',
    '-1e400',
    '1e-400',
    '0e0',
    '123456789012345678',
    '12345678901234567',
    '0.00000000000000000000001',
    '0.1234567890123456789',
    '9007199254740993',
    '9007199254740992.5',
    '1234.5678901234567',
    'NaN',
    '',
    'x',
    '1x',
    '1..2',
    '1-2',
    '--1',
  ])('is read as JSON.parse reads it, or not at all: %s', (text) => {
    expect(read(text)).toBe(parsed(text))
  })
})
