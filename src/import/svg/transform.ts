/**
 * Transforms, as attributes and styles of SVG write them.
 * Source: CSS Transforms 1 (https://www.w3.org/TR/css-transforms-1/).
 */

import { type Affine, after, IDENTITY, translation, turn } from '../drawing/affine.ts'
import type { XmlElement } from '../reading/xml.ts'
import { type Direction, lengthOf, numbersOf, type Viewport } from './lengths.ts'
import { styleOf } from './style.ts'

/** What an element does to itself and what is in it; a sentence where that cannot be told. */
export function ownTransform(element: XmlElement, viewport: Viewport): Affine | string {
  const text = styleOf(element, 'transform') ?? ''
  const map = transformOf(text, viewport)
  if (map === null) return `Its transform is none: ${text.slice(0, 80)}.`
  if (map === IDENTITY) return map
  const box = styleOf(element, 'transform-box') ?? 'view-box'
  if (box !== 'view-box') return `Its transform is about its own box: ${box}.`
  const origin = originOf(styleOf(element, 'transform-origin'), viewport)
  if (origin === null) return 'Its transform is about a place that is not known.'
  return after(after(translation(origin[0], origin[1]), map), translation(-origin[0], -origin[1]))
}

/** Letters of one list of functions. */
const MOST_LETTERS = 2 ** 16

/** The map that a list of functions says; null where it is none. */
function transformOf(text: string, viewport: Viewport): Affine | null {
  if (text.length > MOST_LETTERS) return null
  let map = IDENTITY
  let rest = text.trim()
  if (rest === 'none') return map
  while (rest !== '') {
    const match = /^(\w+)\s*\(([^)]*)\)[\s,]*/.exec(rest)
    const step = match === null ? null : stepOf(match[1], match[2], viewport)
    if (match === null || step === null) return null
    map = after(map, step)
    rest = rest.slice(match[0].length)
  }
  return map
}

const ARGUMENT = /([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(%|[A-Za-z]*)/g
const DEGREES: Readonly<Record<string, number>> = { '': 1, deg: 1, grad: 0.9, turn: 360, rad: 180 / Math.PI }

function stepOf(name: string, text: string, viewport: Viewport): Affine | null {
  const given = text.match(ARGUMENT) ?? []
  if (given.length === 0) return null
  const numbers = numbersOf(text)
  const length = (k: number, direction: Direction): number => {
    return lengthOf(given[k], 0, viewport, direction) ?? Number.NaN
  }
  const degrees = (k: number): number => {
    if (k >= given.length) return 0
    const [, number, unit] = [...given[k].matchAll(ARGUMENT)][0]
    return Number(number) * (DEGREES[unit.toLowerCase()] ?? Number.NaN)
  }
  const slope = (k: number): number => Math.tan((degrees(k) / 180) * Math.PI)
  const step = (): Affine | null => {
    const [p, q = p, r = 0, s, t, u] = numbers
    switch (name) {
      case 'matrix':
        return numbers.length === 6 ? { a: p, b: q, c: r, d: s, e: t, f: u } : null
      case 'translate':
        return translation(length(0, 'across'), length(1, 'down'))
      case 'translateX':
        return translation(length(0, 'across'), 0)
      case 'translateY':
        return translation(0, length(0, 'down'))
      case 'scale':
        return { ...IDENTITY, a: p, d: q }
      case 'scaleX':
        return { ...IDENTITY, a: p }
      case 'scaleY':
        return { ...IDENTITY, d: p }
      case 'rotate': {
        const own = turn(degrees(0))
        return numbers.length < 3 ? own : after(after(translation(q, r), own), translation(-q, -r))
      }
      case 'skew':
        return { ...IDENTITY, b: slope(1), c: slope(0) }
      case 'skewX':
        return { ...IDENTITY, c: slope(0) }
      case 'skewY':
        return { ...IDENTITY, b: slope(0) }
      default:
        return null
    }
  }
  const map = step()
  return map === null || Object.values(map).some((value) => !Number.isFinite(value)) ? null : map
}

const KEYWORDS: ReadonlyMap<string, string> = new Map([
  ['left', '0'],
  ['top', '0'],
  ['center', '50%'],
  ['right', '100%'],
  ['bottom', '100%'],
])

/** Null where it is none. */
function originOf(text: string | undefined, viewport: Viewport): [x: number, y: number] | null {
  const words = (text ?? '0 0').trim().split(/[\s,]+/)
  if (/^(top|bottom)$/.test(words[0]) || /^(left|right)$/.test(words[1] ?? '')) words.reverse()
  const [across, down = 'center'] = words
  const x = lengthOf(KEYWORDS.get(across) ?? across, 0, viewport, 'across')
  const y = lengthOf(KEYWORDS.get(down) ?? down, 0, viewport, 'down')
  return x === null || y === null ? null : [x, y]
}
