/**
 * Transforms, lengths and view boxes as SVG writes them.
 * Source: SVG 2 (https://www.w3.org/TR/SVG2/coords.html).
 */

import { type Affine, after, IDENTITY, translation, turn } from '../drawing/affine.ts'

const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/g

export function numbersOf(text: string): number[] {
  return (text.match(NUMBER) ?? []).map(Number)
}

/** The map that an attribute says; null where it is none. */
export function transformOf(text: string): Affine | null {
  let map = IDENTITY
  let rest = text.trim()
  while (rest !== '') {
    const match = /^(\w+)\s*\(([^)]*)\)[\s,]*/.exec(rest)
    const step = match === null ? null : stepOf(match[1], numbersOf(match[2]))
    if (match === null || step === null) return null
    map = after(map, step)
    rest = rest.slice(match[0].length)
  }
  return map
}

function stepOf(name: string, numbers: number[]): Affine | null {
  const [p = 0, q, r, s, t, u] = numbers
  switch (name) {
    case 'matrix':
      return numbers.length === 6 ? { a: p, b: q, c: r, d: s, e: t, f: u } : null
    case 'translate':
      return translation(p, q ?? 0)
    case 'scale':
      return { ...IDENTITY, a: p, d: q ?? p }
    case 'rotate': {
      const own = turn(p)
      return q === undefined ? own : after(after(translation(q, r ?? 0), own), translation(-q, -(r ?? 0)))
    }
    case 'skewX':
      return { ...IDENTITY, c: Math.tan((p / 180) * Math.PI) }
    case 'skewY':
      return { ...IDENTITY, b: Math.tan((p / 180) * Math.PI) }
    default:
      return null
  }
}

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

/** A length in user units; null where it is none, or a share of something. */
export function lengthOf(text: string | undefined, fallback: number): number | null {
  if (text === undefined || text.trim() === '') return fallback
  const match = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([A-Za-z]*)\s*$/.exec(text)
  const unit = match === null ? undefined : UNITS[match[2].toLowerCase()]
  return match === null || unit === undefined ? null : Number(match[1]) * unit
}

/** What shows a view box in a window of this size, as large as fits, in its middle. */
export function viewBoxMap(text: string | undefined, width: number | null, height: number | null): Affine {
  const [x, y, w, h] = numbersOf(text ?? '')
  if (!(w > 0 && h > 0)) return IDENTITY
  const shownWidth = width ?? w
  const shownHeight = height ?? h
  const scale = Math.min(shownWidth / w, shownHeight / h)
  return {
    ...IDENTITY,
    a: scale,
    d: scale,
    e: (shownWidth - scale * w) / 2 - scale * x,
    f: (shownHeight - scale * h) / 2 - scale * y,
  }
}
