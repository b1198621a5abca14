/**
 * Properties of elements of SVG, from their own style or their attributes. Rules of style sheets are not read.
 * Source: SVG 2 (https://www.w3.org/TR/SVG2/styling.html).
 */

import { ImportFault } from './source-files.ts'
import type { XmlElement } from './xml.ts'

/** Letters of the style of one element: it is read for each property that is asked for. */
const MOST_LETTERS = 2 ** 16

/** A property of the element's own style, or else the attribute of that name. */
export function styleOf({ name: tag, attributes }: XmlElement, name: string): string | undefined {
  const { style } = attributes
  if (style === undefined) return attributes[name]
  if (style.length > MOST_LETTERS) {
    const message = `The style of an element has at most ${MOST_LETTERS} letters, got ${style.length}.`
    throw new ImportFault('import-malformed', `<${tag}>`, message)
  }
  // The last declaration counts.
  const plain = withoutComments(style)
  for (let end = plain.length; end >= 0; ) {
    const start = end === 0 ? 0 : plain.lastIndexOf(';', end - 1) + 1
    const declaration = plain.slice(start, end)
    end = start - 1
    const colon = declaration.indexOf(':')
    if (colon < 0 || declaration.slice(0, colon).trim().toLowerCase() !== name) continue
    return declaration
      .slice(colon + 1)
      .replace(/!\s*important\s*$/i, '')
      .trim()
  }
  return attributes[name]
}

function withoutComments(text: string): string {
  let plain = ''
  let at = 0
  for (;;) {
    const start = text.indexOf('/*', at)
    const end = start < 0 ? -1 : text.indexOf('*/', start + 2)
    if (end < 0) return plain + text.slice(at)
    plain += text.slice(at, start)
    at = end + 2
  }
}

/** Whether a style sheet says something of where things are, or whether they are. */
export function movesThings(sheet: string): boolean {
  return /(?:^|[{;\s])(?:display|visibility|transform|fill-rule|clip-path|mask|d|x|y|r|rx|ry|cx|cy|width|height)\s*:/.test(
    withoutComments(sheet),
  )
}

/** Whether it is for those who read English, and needs nothing that is not in SVG itself. */
export function isForUs({ attributes }: XmlElement): boolean {
  const { requiredExtensions, systemLanguage } = attributes
  if (requiredExtensions !== undefined) return false
  return systemLanguage === undefined || systemLanguage.split(',').some((tag) => /^\s*en\b/i.test(tag))
}

// Lengths of SVG: numbers, with a unit or as a share of the window that they lie in.
// Source: SVG 2 (https://www.w3.org/TR/SVG2/coords.html#Units). Frame: user units, of which 96 are an inch.

/** The lengths that 100 % stand for: horizontally, vertically, and otherwise. Null where the file gives the window no size. */
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
const MOST_LENGTH_LETTERS = 256

/** A length in user units; null where it is none, or a share of something that is not known. */
export function lengthOf(
  text: string | undefined,
  fallback: number,
  viewport: Viewport,
  direction: Direction,
): number | null {
  if (text === undefined || text.trim() === '') return fallback
  if (text.length > MOST_LENGTH_LETTERS) return null
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
