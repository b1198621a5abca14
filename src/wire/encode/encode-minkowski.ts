// core Minkowski sum → wire answer.

import type { MinkowskiResponse } from '../../../schemas/queries/minkowski.ts'
import type { MinkowskiSum } from '../../core2d/shape/minkowski-difference.ts'
import { encodeVec2, finite } from '../bodies/encode.ts'

export function encodeMinkowski({ vertices, count, radius }: MinkowskiSum): MinkowskiResponse {
  return {
    vertices: Array.from({ length: count }, (_, i) => encodeVec2(vertices[2 * i], vertices[2 * i + 1])),
    radius: finite(radius),
  }
}
