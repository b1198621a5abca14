/**
 * Ray against a convex body of whatever kind. Frame: as in `ray-line.ts`.
 */

import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { type Body, CIRCLE, COMPOSITE, ELLIPSE, HALFPLANE, POLYGON } from '../shape/body.ts'
import { rayCircle } from './ray-circle.ts'
import { rayEllipse } from './ray-ellipse.ts'
import { rayHalfplane } from './ray-halfplane.ts'
import { aim, type Ray, type RayLine } from './ray-line.ts'
import { rayPolygon } from './ray-polygon.ts'
import type { RaySpan } from './ray-span.ts'

/** The part of the ray's line that lies in a convex body; false when the ray misses it. Fills `toLine` and `toSpan`. */
export function castLine(ray: Ray, body: Body, toLine: RayLine, toSpan: RaySpan): boolean {
  aim(toLine, ray, body)
  return meets(toLine, ray, body, toSpan)
}

/** The same for a line that is aimed at the body already. */
export function meets(line: RayLine, ray: Ray, body: Body, span: RaySpan): boolean {
  if (body.kind === HALFPLANE) return rayHalfplane(line, ray, body, span)
  const { along, side, error, maxDistance } = line
  // A reach summed over many edges may be off by as many roundoffs.
  const reach = body.reach + 16 * error + 8 * UNIT_ROUNDOFF * Math.abs(along)
  if (Math.abs(side) > reach || along < -reach || along - reach > maxDistance) return false
  switch (body.kind) {
    case CIRCLE:
      return rayCircle(line, ray, body, span)
    case POLYGON:
      return rayPolygon(line, ray, body, span)
    case ELLIPSE:
      return rayEllipse(line, ray, body, span)
    case COMPOSITE:
      return false
  }
}
