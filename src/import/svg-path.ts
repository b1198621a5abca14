/**
 * Paths of SVG as rings and lines of points: curves are flattened, no farther from themselves than a tolerance.
 *
 * Method: a cubic curve cut in n equal parts of its parameter lies within 6/8 · m / n² of its chords, m the largest of its second
 * differences: the bound of linear interpolation on its second derivative. Frame: after the map that is given.
 */

import type { Vec2 } from '../../schemas/vector.ts'
import { type Affine, after, apply, IDENTITY, translation, turn } from './affine.ts'
import { endsAtStart } from './closed-shape.ts'

export interface Subpath {
  points: Vec2[]
  isClosed: boolean
}

/** Parts of one curve. */
const MOST_CHORDS = 1024

export interface Precision {
  /** How far a flattened curve may lie from itself. */
  tolerance: number
  /** Points of one path. */
  mostPoints: number
}

/** The subpaths, or a sentence what is wrong with the path. */
export function flattenPath(d: string, map: Affine, precision: Precision): Subpath[] | string {
  try {
    return subpathsOf(d, map, precision)
  } catch (error) {
    if (error instanceof PathFault) return `Its path is not one of SVG: ${error.message}.`
    throw error
  }
}

function subpathsOf(d: string, map: Affine, { tolerance, mostPoints }: Precision): Subpath[] | string {
  const subpaths: Subpath[] = []
  let current: Subpath = { points: [], isClosed: false }
  let count = 0
  for (const { name, from, numbers } of pathCommands(d)) {
    if (count > mostPoints) {
      return `Its path has more than ${mostPoints} points once its curves are flattened, which no shape has; a greater tolerance makes fewer.`
    }
    if (name === 'M') {
      count++
      current = { points: [apply(map, { x: numbers[0], y: numbers[1] })], isClosed: false }
      subpaths.push(current)
      continue
    }
    if (current.isClosed) {
      // Goes on from where the last one began.
      current = { points: [current.points[0]], isClosed: false }
      subpaths.push(current)
    }
    const { points } = current
    const before = points.length
    if (name === 'L') points.push(apply(map, { x: numbers[0], y: numbers[1] }))
    else if (name === 'C') addCubic(points, from, numbers, map, tolerance)
    else if (name === 'Q') addCubic(points, from, asCubic(from, numbers), map, tolerance)
    else if (name === 'A') addArc(points, from, numbers, map, tolerance)
    else current.isClosed = true
    // A command without points is work as well.
    count += Math.max(1, points.length - before)
  }
  return subpaths.filter(({ points }) => points.length > 1).map(closed)
}

/** One that ends where it began is closed, whether it says so or not. */
function closed({ points, isClosed }: Subpath): Subpath {
  const isBack = points.length > 2 && endsAtStart(points)
  return { points: isBack ? points.slice(0, -1) : points, isClosed: isClosed || isBack }
}

function asCubic({ x, y }: Vec2, [cx, cy, ex, ey]: number[]): number[] {
  return [x + (2 / 3) * (cx - x), y + (2 / 3) * (cy - y), ex + (2 / 3) * (cx - ex), ey + (2 / 3) * (cy - ey), ex, ey]
}

function addCubic(points: Vec2[], from: Vec2, numbers: readonly number[], map: Affine, tolerance: number): void {
  const p = apply(map, from)
  const [q, r, u] = [0, 2, 4].map((k) => apply(map, { x: numbers[k], y: numbers[k + 1] }))
  const bend = Math.max(
    Math.hypot(p.x - 2 * q.x + r.x, p.y - 2 * q.y + r.y),
    Math.hypot(q.x - 2 * r.x + u.x, q.y - 2 * r.y + u.y),
  )
  const parts = Math.min(MOST_CHORDS, Math.max(1, Math.ceil(Math.sqrt((0.75 * bend) / tolerance))))
  for (let k = 1; k < parts; k++) {
    const t = k / parts
    const s = 1 - t
    const at = (axis: 'x' | 'y'): number =>
      s * s * s * p[axis] + 3 * s * s * t * q[axis] + 3 * s * t * t * r[axis] + t * t * t * u[axis]
    points.push({ x: at('x'), y: at('y') })
  }
  points.push(u)
}

// Reads the `d` attribute of an SVG path as absolute commands.
//
// Relative coordinates are added as the decimals that are written, and rounded to a double only afterwards: 3.9 + 4.8 is 8.7, the same
// double that an absolute 8.7 is. So a ring that closes in the file closes here, however it is written.
// Source: SVG 2, 9.3 (https://www.w3.org/TR/SVG2/paths.html#PathData). Frame: user units, y down.

/**
 * One command. `numbers` are absolute: M x y, L x y, C x1 y1 x2 y2 x y, Q x1 y1 x y, A rx ry degrees large sweep x y, and none for Z.
 * H and V are told as L, S as C, T as Q. `from` is where the command starts.
 */
interface PathCommand {
  name: 'M' | 'L' | 'C' | 'Q' | 'A' | 'Z'
  from: Vec2
  numbers: number[]
}

/** Thrown where the text is not path data. The message says what was expected and where. */
class PathFault extends Error {}

/** How many numbers follow each command. */
const NUMBER_COUNTS: Readonly<Record<string, number>> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 }

/** Yields the commands one by one, so that you can stop early. Throws `PathFault`. */
function* pathCommands(d: string): Generator<PathCommand, void, undefined> {
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

// Arcs of ellipses as SVG writes them, as points on them.
//
// Method: from end points to middle and angles, then equal parts of the angle; of an ellipse whose longer half axis is R, a chord over an
// angle φ lies within R (1 − cos ½φ). Source: SVG 2, appendix B.2
// (https://www.w3.org/TR/SVG2/implnote.html#ArcImplementationNotes). Frame: after the map that is given.

/** Parts of one arc. */
const MOST_ARC_PARTS = 4096

/** Adds the points behind the first; `numbers`: as they stand behind `A`. */
function addArc(points: Vec2[], from: Vec2, numbers: readonly number[], map: Affine, tolerance: number): void {
  const [, , degrees, isLarge, isClockwise, x, y] = numbers
  const to = { x, y }
  const end = apply(map, to)
  let [rx, ry] = [Math.abs(numbers[0]), Math.abs(numbers[1])]
  if (from.x === x && from.y === y) return
  if (rx === 0 || ry === 0) {
    points.push(end)
    return
  }
  // In the frame of its axes, halfway between its ends.
  const half = apply(turn(-degrees), { x: (from.x - x) / 2, y: (from.y - y) / 2 })
  const reach = Math.hypot(half.x / rx, half.y / ry)
  if (reach > 1) [rx, ry] = [rx * reach, ry * reach]
  // On the circle of radius 1: `u` is half of the chord, and the middle lies across it.
  const u = { x: half.x / rx, y: half.y / ry }
  const square = u.x * u.x + u.y * u.y
  const side = reach >= 1 ? 0 : (isLarge === isClockwise ? -1 : 1) * Math.sqrt(1 / square - 1)
  const middle = { x: side * u.y, y: -side * u.x }
  const start = Math.atan2(u.y - middle.y, u.x - middle.x)
  let sweep = Math.atan2(-u.y - middle.y, -u.x - middle.x) - start
  if (isClockwise && sweep < 0) sweep += 2 * Math.PI
  if (!isClockwise && sweep > 0) sweep -= 2 * Math.PI
  const axes = after(turn(degrees), { ...IDENTITY, a: rx, d: ry })
  const whole = after(
    after(map, translation((from.x + x) / 2, (from.y + y) / 2)),
    after(axes, translation(middle.x, middle.y)),
  )
  const parts = partsOf(sweep, longestOf(whole), tolerance)
  for (let k = 1; k < parts; k++) {
    const angle = start + (k / parts) * sweep
    points.push(apply(whole, { x: Math.cos(angle), y: Math.sin(angle) }))
  }
  points.push(end)
}

function partsOf(sweep: number, radius: number, tolerance: number): number {
  const cosine = 1 - tolerance / radius
  // No chord spans more than a third of a turn, however small it is.
  const widest = cosine <= -0.5 ? (2 * Math.PI) / 3 : 2 * Math.acos(cosine)
  return Math.min(MOST_ARC_PARTS, Math.max(1, Math.ceil(Math.abs(sweep) / Math.min(widest, (2 * Math.PI) / 3))))
}

/** The longer half axis of what the map makes of the circle of radius 1. */
function longestOf({ a, b, c, d }: Affine): number {
  return Math.hypot((a + d) / 2, (b - c) / 2) + Math.hypot((a - d) / 2, (b + c) / 2)
}
