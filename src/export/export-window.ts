// What a drawing shows at first: all bodies that have bounds, and of half-planes what is near.

import type { Body2d } from '../../schemas/shapes2d.ts'
import type { Bounds } from '../core2d/measures/bounds.ts'
import { poseOf } from '../pictures/marks/pose.ts'
import { drawnParts } from '../pictures/marks/shape-parts.ts'

/** Left free around, of the size of what is shown: little, or so much that half-planes are seen. */
const MARGIN = 0.02
const WIDE_MARGIN = 0.1

/** `box`: around those with bounds, null without any. `planes`: some half-planes. */
export function exportWindow(box: Bounds | null, planes: readonly Body2d[]): Bounds {
  const shown: Bounds = { ...(box ?? { minX: 0, minY: 0, maxX: 0, maxY: 0 }) }
  const centre = { x: shown.minX + (shown.maxX - shown.minX) / 2, y: shown.minY + (shown.maxY - shown.minY) / 2 }
  const reach = Math.max(shown.maxX - shown.minX, shown.maxY - shown.minY)
  for (const body of planes) {
    for (const part of drawnParts(body.shape, poseOf(body, centre))) {
      if (part.kind !== 'halfplane') continue
      // the place of the boundary that is nearest to the centre
      const height = part.x * part.nx + part.y * part.ny
      if (box !== null && Math.abs(height) > reach) continue
      const at = { x: centre.x + part.nx * height, y: centre.y + part.ny * height }
      shown.minX = Math.min(shown.minX, at.x)
      shown.minY = Math.min(shown.minY, at.y)
      shown.maxX = Math.max(shown.maxX, at.x)
      shown.maxY = Math.max(shown.maxY, at.y)
    }
  }
  const size = Math.max(shown.maxX - shown.minX, shown.maxY - shown.minY)
  // a single place has no size to go by but how far out it lies
  const far = Math.max(Math.abs(shown.minX), Math.abs(shown.minY)) || 1
  const margin = size > 0 ? (planes.length > 0 ? WIDE_MARGIN : MARGIN) * size : far
  return {
    minX: shown.minX - margin,
    minY: shown.minY - margin,
    maxX: shown.maxX + margin,
    maxY: shown.maxY + margin,
  }
}
