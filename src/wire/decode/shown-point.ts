// Points in sentences.

import type { Vec2 } from '../../../schemas/vector.ts'

/** Significant digits: enough to find the place, without the tail of a double. */
const SHOWN_DIGITS = 12

export function shownPoint({ x, y }: Vec2): string {
  return `(${shown(x)}, ${shown(y)})`
}

function shown(value: number): number {
  return Number(value.toPrecision(SHOWN_DIGITS))
}
