/**
 * Reads the `d` attribute of an SVG path as absolute commands.
 *
 * Relative coordinates are added as the decimals that are written, and rounded to a double only afterwards: 3.9 + 4.8 is 8.7, the same
 * double that an absolute 8.7 is. So a ring that closes in the file closes here, however it is written.
 * Source: SVG 2, 9.3 (https://www.w3.org/TR/SVG2/paths.html#PathData). Frame: user units, y down.
 */

import type { Vec2 } from '../../../schemas/vector.ts'

/**
 * One command. `numbers` are absolute: M x y, L x y, C x1 y1 x2 y2 x y, Q x1 y1 x y, A rx ry degrees large sweep x y, and none for Z.
 * H and V are told as L, S as C, T as Q. `from` is where the command starts.
 */
export interface PathCommand {
  name: 'M' | 'L' | 'C' | 'Q' | 'A' | 'Z'
  from: Vec2
  numbers: number[]
}

/** Thrown where the text is not path data. The message says what was expected and where. */
export class PathFault extends Error {}

/** How many numbers follow each command. */
const NUMBER_COUNTS: Readonly<Record<string, number>> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 }

/** Yields the commands one by one, so that you can stop early. Throws `PathFault`. */
export function* pathCommands(d: string): Generator<PathCommand, void, undefined> {
  const text = new PathText(d)
  let [x, y] = [ZERO, ZERO]
  let [startX, startY] = [ZERO, ZERO]
  /** The control point before the end of the last curve, and the command that had it. */
  let control: Vec2 | null = null
  let last = ''
  for (let letter = text.firstCommand(); letter !== null; letter = text.nextCommand(letter)) {
    const name = letter.toUpperCase()
    const isRelative = letter !== name
    const across = (): Decimal => (isRelative ? sumOf(x, text.number()) : text.number())
    const down = (): Decimal => (isRelative ? sumOf(y, text.number()) : text.number())
    const pair = (): [number, number] => [doubleOf(across()), doubleOf(down())]
    const from = { x: doubleOf(x), y: doubleOf(y) }
    const end = (): [number, number] => {
      const next = across()
      y = down()
      x = next
      return [doubleOf(x), doubleOf(y)]
    }
    switch (name) {
      case 'M': {
        const numbers = end()
        startX = x
        startY = y
        yield { name, from, numbers }
        break
      }
      case 'L':
        yield { name, from, numbers: end() }
        break
      case 'H':
        x = across()
        yield { name: 'L', from, numbers: [doubleOf(x), from.y] }
        break
      case 'V':
        y = down()
        yield { name: 'L', from, numbers: [from.x, doubleOf(y)] }
        break
      case 'C':
      case 'S': {
        const first = name === 'C' ? pair() : mirrored(from, isOneOf(last, 'CS') ? control : null)
        const second = pair()
        control = { x: second[0], y: second[1] }
        yield { name: 'C', from, numbers: [...first, ...second, ...end()] }
        break
      }
      case 'Q':
      case 'T': {
        const only: [number, number] = name === 'Q' ? pair() : mirrored(from, isOneOf(last, 'QT') ? control : null)
        control = { x: only[0], y: only[1] }
        yield { name: 'Q', from, numbers: [...only, ...end()] }
        break
      }
      case 'A': {
        const shape = [text.number(), text.number(), text.number()].map(doubleOf)
        const flags = [text.flag(), text.flag()]
        yield { name, from, numbers: [...shape, ...flags, ...end()] }
        break
      }
      default:
        x = startX
        y = startY
        yield { name: 'Z', from, numbers: [] }
    }
    last = name
  }
}

function isOneOf(name: string, names: string): boolean {
  return name !== '' && names.includes(name)
}

/** The other side of the point, as far away; the point itself where the command before was no curve of the kind. */
function mirrored({ x, y }: Vec2, control: Vec2 | null): [number, number] {
  return control === null ? [x, y] : [2 * x - control.x, 2 * y - control.y]
}

/** The text and how far it has been read. */
class PathText {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Null of a path without commands. */
  firstCommand(): string | null {
    this.#skipSpace()
    if (this.#at === this.#text.length) return null
    const letter = this.#letter()
    if (letter !== 'M' && letter !== 'm') throw this.#fault('M or m')
    this.#at++
    return letter
  }

  /** The next letter; where numbers follow instead, the same command once more. Null at the end. */
  nextCommand(last: string): string | null {
    this.#skipSpace()
    if (this.#at === this.#text.length) return null
    const letter = this.#letter()
    if (NUMBER_COUNTS[letter.toUpperCase()] !== undefined) {
      this.#at++
      return letter
    }
    if (last === 'Z' || last === 'z') throw this.#fault('a command')
    this.#skipComma()
    // Pairs that follow those of a moveto are lines.
    return last === 'M' ? 'L' : last === 'm' ? 'l' : last
  }

  number(): Decimal {
    this.#skipSpaceAndComma()
    const numeral = numeralAt(this.#text, this.#at)
    if (numeral === null) throw this.#fault('a number')
    const decimal = decimalOf(numeral)
    if (decimal === null) throw this.#fault('a number that a double can hold')
    this.#at += numeral[0].length
    return decimal
  }

  /** 0 or 1, which may be followed by the next number at once. */
  flag(): number {
    this.#skipSpaceAndComma()
    const letter = this.#letter()
    if (letter !== '0' && letter !== '1') throw this.#fault('0 or 1')
    this.#at++
    return Number(letter)
  }

  #letter(): string {
    return this.#text.charAt(this.#at)
  }

  #skipSpace(): void {
    while (SPACES.includes(this.#text.charCodeAt(this.#at))) this.#at++
  }

  #skipComma(): void {
    if (this.#letter() === ',') this.#at++
  }

  #skipSpaceAndComma(): void {
    this.#skipSpace()
    this.#skipComma()
    this.#skipSpace()
  }

  #fault(expected: string): PathFault {
    const got = this.#at >= this.#text.length ? 'the end' : JSON.stringify(this.#text.slice(this.#at, this.#at + 20))
    return new PathFault(`expected ${expected} at character ${this.#at + 1}, got ${got}`)
  }
}

/** Tab, line feed, form feed, carriage return and space. */
const SPACES = [9, 10, 12, 13, 32]

/** Sign, digits before and after the point, exponent. */
const NUMERAL = /([+-]?)(?:(\d+)\.?(\d*)|\.(\d+))(?:[eE]([+-]?\d+))?/y

function numeralAt(text: string, at: number): RegExpExecArray | null {
  NUMERAL.lastIndex = at
  return NUMERAL.exec(text)
}

/** mantissa · 10^−places. The mantissa is an integer: a safe double, or a bigint where it is greater. */
interface Decimal {
  mantissa: number | bigint
  places: number
}

const ZERO: Decimal = { mantissa: 0, places: 0 }

/** Digits that a safe integer has for certain. */
const SAFE_DIGITS = 15
/** Digits and decimal places up to which a number is added as it is written; beyond them it is its double, whose digits are fewer. */
const MOST_DIGITS = 400
/** Powers of ten that are doubles. */
const POWERS = Array.from({ length: 23 }, (_, k) => 10 ** k)

/** Null where it is too large for a double. */
function decimalOf(numeral: RegExpExecArray): Decimal | null {
  const [text, sign, whole = '', behind = '', alone = '', exponent = '0'] = numeral
  const digits = whole + behind + alone
  const places = behind.length + alone.length - Number(exponent)
  if (digits.length <= SAFE_DIGITS && places >= 0 && places < POWERS.length) {
    const size = Number(digits)
    return { mantissa: sign === '-' ? -size : size, places }
  }
  const value = Number(text)
  if (!Number.isFinite(value)) return null
  if (digits.length > MOST_DIGITS || Math.abs(places) > MOST_DIGITS) {
    const shortest = value === 0 ? null : numeralAt(String(value), 0)
    return shortest === null ? ZERO : decimalOf(shortest)
  }
  const mantissa = BigInt(`${sign === '-' ? '-' : ''}${digits}`)
  return places >= 0 ? { mantissa, places } : { mantissa: mantissa * 10n ** BigInt(-places), places: 0 }
}

function sumOf(a: Decimal, b: Decimal): Decimal {
  const places = Math.max(a.places, b.places)
  const p = raised(a, places)
  const q = raised(b, places)
  if (typeof p === 'number' && typeof q === 'number') {
    const sum = p + q
    if (Number.isSafeInteger(sum)) return { mantissa: sum, places }
  }
  return { mantissa: BigInt(p) + BigInt(q), places }
}

/** The mantissa for more places. */
function raised({ mantissa, places }: Decimal, more: number): number | bigint {
  if (places === more) return mantissa
  if (typeof mantissa === 'number' && more - places < POWERS.length) {
    const product = mantissa * POWERS[more - places]
    if (Number.isSafeInteger(product)) return product
  }
  return BigInt(mantissa) * 10n ** BigInt(more - places)
}

/** Rounded once. */
function doubleOf({ mantissa, places }: Decimal): number {
  if (typeof mantissa === 'number' && places < POWERS.length) return mantissa / POWERS[places] + 0
  return Number(`${mantissa}e${-places}`) + 0
}
