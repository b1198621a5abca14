/**
 * Lengths of SVG: numbers, with a unit or as a share of the window that they lie in.
 * Source: SVG 2 (https://www.w3.org/TR/SVG2/coords.html#Units). Frame: user units, of which 96 are an inch.
 */

/** What hundred percent are: of what goes across, down, or neither way. Null where the file does not say how large the window is. */
export interface Viewport {
  width: number | null
  height: number | null
}

export type Direction = 'across' | 'down' | 'any'

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
}

/** Of a length. */
const MOST_LETTERS = 256

/** A length in user units; null where it is none, or a share of something that is not known. */
export function lengthOf(
  text: string | undefined,
  fallback: number,
  viewport: Viewport,
  direction: Direction,
): number | null {
  if (text === undefined || text.trim() === '') return fallback
  if (text.length > MOST_LETTERS) return null
  const match = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([A-Za-z]*|%)\s*$/.exec(text)
  if (match === null) return null
  if (match[2] === '%') {
    const whole = wholeOf(viewport, direction)
    return whole === null ? null : (Number(match[1]) / 100) * whole
  }
  const unit = UNITS[match[2].toLowerCase()]
  return unit === undefined ? null : Number(match[1]) * unit
}

function wholeOf({ width, height }: Viewport, direction: Direction): number | null {
  if (direction === 'across') return width
  if (direction === 'down') return height
  return width === null || height === null ? null : Math.hypot(width, height) / Math.SQRT2
}

const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/g

export function* eachNumber(text: string): Generator<number> {
  for (const [number] of text.matchAll(NUMBER)) yield Number(number)
}

export function numbersOf(text: string): number[] {
  return [...eachNumber(text)]
}
