/**
 * Outward normals of cylinders, cones and ellipsoids where a ray enters or leaves them.
 * Frame: the body's own axes; the world's on the way out.
 */

import { type Body, CONE, CYLINDER, LENGTHS } from '../shape/body.ts'
import type { Quadric } from './chord.ts'
import { setOwnNormal } from './own-line.ts'
import { type SpanEnd, setFeature } from './ray-span.ts'

/** Whether the line crosses a disc at an end of the axis there: at the lower or upper one; 0 where it crosses the rest. */
export type Disc = -1 | 0 | 1

/** Sets normal and feature of the end, which lies at `end.at`; `side` −1 where the ray enters, 1 where it leaves. */
export function setQuadricEnd(body: Body, line: Quadric, end: SpanEnd, disc: Disc, side: -1 | 1): void {
  setFeature(end, -1, -1)
  if (disc !== 0) {
    setOwnNormal(body, end, 0, disc, 0)
    return
  }
  const { numbers, kind } = body
  const x = line.px + end.at * line.ux
  const y = line.py + end.at * line.uy
  const z = line.pz + end.at * line.uz
  const a = numbers[LENGTHS]
  const b = numbers[LENGTHS + 1]
  const c = numbers[LENGTHS + 2]
  if (kind === CYLINDER) {
    setAcross(body, line, end, x, 0, z, side)
    return
  }
  if (kind === CONE) {
    // The slope of the side: as much up as the radius is to the height, for the distance from the axis.
    const flat = Math.sqrt(x * x + z * z)
    setAcross(body, line, end, 2 * b * x, a * flat, 2 * b * z, side)
    return
  }
  // The largest weight is 1, so that no square leaves the range of doubles.
  const least = Math.min(a, b, c)
  setAcross(
    body,
    line,
    end,
    x * (least / a) * (least / a),
    y * (least / b) * (least / b),
    z * (least / c) * (least / c),
    side,
  )
}

/**
 * Along (x, y, z); where that is nothing, at the apex of a cone, along its axis, or what of that is not against the way out of the ray.
 * What is out of the range of doubles has the ray's own way instead.
 */
function setAcross(
  body: Body,
  { ux, uy, uz }: Quadric,
  end: SpanEnd,
  x: number,
  y: number,
  z: number,
  side: -1 | 1,
): void {
  if (setOwnNormal(body, end, x, y, z)) return
  const isApex = x === 0 && y === 0 && z === 0 && body.kind === CONE
  if (!isApex) setOwnNormal(body, end, side * ux, side * uy, side * uz)
  else if (side * uy >= 0) setOwnNormal(body, end, 0, 1, 0)
  else setOwnNormal(body, end, -uy * ux, 1 - uy * uy, -uy * uz)
}
