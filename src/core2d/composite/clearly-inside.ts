/** Whether a point that is off by rounding lies inside an outline for certain. Frame: the outline's own. */

import type { Outline } from '../outline/outline.ts'
import { pointInOutline } from '../outline/point-in-outline.ts'

/** Whether the corners of the square about the point lie inside as well; `error` is half of its side. */
export function isClearlyInside(outline: Outline, x: number, y: number, error: number): boolean {
  if (pointInOutline(outline, x, y) >= 0) return false
  for (let k = 0; k < 4; k++) {
    if (pointInOutline(outline, x + (k < 2 ? error : -error), y + (k % 2 === 0 ? error : -error)) >= 0) return false
  }
  return true
}
