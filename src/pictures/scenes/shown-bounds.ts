// What of a scene is shown where somebody has said it: the bounds, or what is around a single place.

import { boxSize, type DrawnBox } from '../marks/outline.ts'

/** Of the scene, to each side of a single place. */
const AROUND = 0.125

/** `scene`: the box around the bodies, null without any. */
export function shownBounds(bounds: DrawnBox, scene: DrawnBox | null): DrawnBox {
  if (boxSize(bounds) > 0) return bounds
  const { minX: x, minY: y } = bounds
  // where there is nothing to go by, how far out it lies
  const reach = (scene === null ? 0 : AROUND * boxSize(scene)) || Math.max(Math.abs(x), Math.abs(y)) || 1
  return { minX: x - reach, minY: y - reach, maxX: x + reach, maxY: y + reach }
}
