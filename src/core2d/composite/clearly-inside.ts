/** On which side of an outline a point lies for certain, of which the place is off by rounding. Frame: the outline's own. */

import type { Outline } from '../outline/outline.ts'
import { pointInOutline } from '../outline/point-in-outline.ts'

/** −1 inside, 1 outside, each with the corners of the square about the point; else 0. `error` is half of the square's side. */
export function clearSide(outline: Outline, x: number, y: number, error: number): -1 | 0 | 1 {
  const side = pointInOutline(outline, x, y)
  for (let k = 0; k < 4 && side !== 0; k++) {
    const cornerX = x + (k < 2 ? error : -error)
    const cornerY = y + (k % 2 === 0 ? error : -error)
    if (pointInOutline(outline, cornerX, cornerY) !== side) return 0
  }
  return side
}

/** Whether the point lies inside by more than the error. */
export function isClearlyInside(outline: Outline, x: number, y: number, error: number): boolean {
  return clearSide(outline, x, y, error) < 0
}
