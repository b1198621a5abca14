// core bounds record → wire answer, in space.

import type { Bounds3dResponse, BoundsCorner3d } from '../../../schemas/queries/bounds.ts'
import type { Bounds } from '../../core3d/measures/bounds.ts'
import { encodeSide } from '../encode/encode-bounds.ts'

export function encodeBounds({ min, max }: Bounds): Bounds3dResponse {
  return { min: encodeCorner(min), max: encodeCorner(max) }
}

function encodeCorner([x, y, z]: readonly [number, number, number]): BoundsCorner3d {
  return { x: encodeSide(x), y: encodeSide(y), z: encodeSide(z) }
}
