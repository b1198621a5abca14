/**
 * Windows of SVG: how a view box is shown in one.
 * Source: SVG 2 (https://www.w3.org/TR/SVG2/coords.html#PreserveAspectRatioAttribute).
 */

import { type Affine, IDENTITY } from '../drawing/affine.ts'
import { numbersOf, type Viewport } from './lengths.ts'

export interface ViewBox {
  x: number
  y: number
  width: number
  height: number
}

/** Null where there is none. */
export function viewBoxOf(text: string | undefined): ViewBox | null {
  const [x, y, width, height] = numbersOf(text ?? '')
  return height === undefined ? null : { x, y, width, height }
}

/** How much of what is left over lies before it. */
const SHARES: Readonly<Record<string, number>> = { Min: 0, Mid: 0.5, Max: 1 }

/** What shows a view box in a window of this size; by itself as large as fits, in its middle. */
export function viewBoxMap(box: ViewBox | null, window: Viewport, aspect: string | undefined): Affine {
  if (box === null || !(box.width > 0 && box.height > 0)) return IDENTITY
  const width = window.width ?? box.width
  const height = window.height ?? box.height
  let a = width / box.width
  let d = height / box.height
  const match = /^\s*(?:defer\s+)?x(Min|Mid|Max)Y(Min|Mid|Max)(?:\s+(meet|slice))?\s*$/.exec(aspect ?? 'xMidYMid')
  const isStretched = /^\s*(?:defer\s+)?none\b/.test(aspect ?? '')
  if (!isStretched) {
    a = match?.[3] === 'slice' ? Math.max(a, d) : Math.min(a, d)
    d = a
  }
  const [left, above] = isStretched ? [0, 0] : [SHARES[match?.[1] ?? 'Mid'], SHARES[match?.[2] ?? 'Mid']]
  return {
    ...IDENTITY,
    a,
    d,
    e: left * (width - a * box.width) - a * box.x,
    f: above * (height - d * box.height) - d * box.y,
  }
}
