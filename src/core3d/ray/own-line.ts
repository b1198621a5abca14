/**
 * A ray's line in the own axes of a cylinder, cone or ellipsoid, and vectors back in the world's.
 * Frame: the body's own axes from its centre, which is its anchor; the axis of cylinders and cones is y.
 */

import { LARGEST_SAFE_EXTENT, SMALLEST_SAFE_EXTENT } from '../../numeric/roundoff.ts'
import { type Body, ROTATION } from '../shape/body.ts'
import type { Quadric } from './chord.ts'
import type { RayLine } from './ray-line.ts'
import { type SpanEnd, setNormal } from './ray-span.ts'

/** Sets the line of `out`, and its error. */
export function turnLine(line: RayLine, { numbers }: Body, out: Quadric): void {
  const { qx, qy, qz, ux, uy, uz } = line
  const r = ROTATION
  out.px = numbers[r] * qx + numbers[r + 3] * qy + numbers[r + 6] * qz
  out.py = numbers[r + 1] * qx + numbers[r + 4] * qy + numbers[r + 7] * qz
  out.pz = numbers[r + 2] * qx + numbers[r + 5] * qy + numbers[r + 8] * qz
  out.ux = numbers[r] * ux + numbers[r + 3] * uy + numbers[r + 6] * uz
  out.uy = numbers[r + 1] * ux + numbers[r + 4] * uy + numbers[r + 7] * uz
  out.uz = numbers[r + 2] * ux + numbers[r + 5] * uy + numbers[r + 8] * uz
  out.error = line.error
}

/** Sets the end's normal along (x, y, z) of the body's own axes, of any length; false where there is none. */
export function setOwnNormal(body: Body, end: SpanEnd, x: number, y: number, z: number): boolean {
  const size = Math.max(Math.abs(x), Math.abs(y), Math.abs(z))
  if (size > LARGEST_SAFE_EXTENT || !(size >= SMALLEST_SAFE_EXTENT)) {
    return size > 0 && size < Infinity && setOwnNormal(body, end, x / size, y / size, z / size)
  }
  const { numbers } = body
  const length = Math.sqrt(x * x + y * y + z * z)
  const r = ROTATION
  setNormal(
    end,
    (numbers[r] * x + numbers[r + 1] * y + numbers[r + 2] * z) / length,
    (numbers[r + 3] * x + numbers[r + 4] * y + numbers[r + 5] * z) / length,
    (numbers[r + 6] * x + numbers[r + 7] * y + numbers[r + 8] * z) / length,
  )
  return true
}
