/**
 * Ray against a convex body of whatever kind: what is far is seen to be so, the rest goes to the function of its kind, and to the exact
 * one where rounding leaves it open. A new kind is a row of the table. Frame: as in `ray-line.ts`.
 */

import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import {
  type Body,
  CENTER,
  CONE,
  type CoreSurface,
  CYLINDER,
  ELLIPSOID,
  HALFSPACE,
  type Kind,
  POINTS,
  RADIUS,
  REACH,
} from '../shape/body.ts'
import { exactSurface, faceLike, surfaceOf } from '../shape/core-surface.ts'
import { exactRayHalfspace } from './exact-ray-halfspace.ts'
import { exactRayHull } from './exact-ray-hull.ts'
import { exactRayQuadric } from './exact-ray-quadric.ts'
import { exactRayRounded } from './exact-ray-rounded.ts'
import { rayBox } from './ray-box.ts'
import { rayHalfspace } from './ray-halfspace.ts'
import { rayHull } from './ray-hull.ts'
import type { Ray, RayLine } from './ray-line.ts'
import { rayEllipsoid, rayTurned } from './ray-quadric.ts'
import { rayRounded } from './ray-rounded.ts'
import { HIT, type RaySpan, type SpanEnd, UNSURE, type Verdict } from './ray-span.ts'
import { raySphere } from './ray-sphere.ts'

interface RayFunctions {
  /** What rounded arithmetic tells, the span filled where that is a hit. */
  rounded(line: RayLine, ray: Ray, body: Body, span: RaySpan): Verdict
  /** The same, exactly. */
  exact(line: RayLine, ray: Ray, body: Body, span: RaySpan): boolean
}

const RAYS: { readonly [K in Kind]: RayFunctions } = {
  [POINTS]: { rounded: rayPoints, exact: exactRayPoints },
  [CYLINDER]: { rounded: (line, _, body, span) => rayTurned(line, body, span), exact: exactRayQuadric },
  [CONE]: { rounded: (line, _, body, span) => rayTurned(line, body, span), exact: exactRayQuadric },
  [ELLIPSOID]: { rounded: (line, _, body, span) => rayEllipsoid(line, body, span), exact: exactRayQuadric },
  [HALFSPACE]: { rounded: rayHalfspace, exact: (_, ray, body, span) => exactRayHalfspace(ray, body, span) },
}

/** The part of the ray's line that lies in the body; false when the ray misses it. */
export function meets(line: RayLine, ray: Ray, body: Body, span: RaySpan): boolean {
  if (body.kind !== HALFSPACE && isFar(line, body)) return false
  const { rounded, exact } = RAYS[body.kind]
  const verdict = rounded(line, ray, body, span)
  return verdict === UNSURE ? exact(line, ray, body, span) : verdict === HIT
}

/** Whether the ray passes the ball about the body's middle, or ends before it, or begins behind, for certain. */
function isFar(line: RayLine, { numbers }: Body): boolean {
  const { qx, qy, qz, ux, uy, uz, along } = line
  const cx = numbers[CENTER]
  const cy = numbers[CENTER + 1]
  const cz = numbers[CENTER + 2]
  const ahead = cx * ux + cy * uy + cz * uz
  const x = cx - ahead * ux - qx
  const y = cy - ahead * uy - qy
  const z = cz - ahead * uz - qz
  const foot = Math.abs(qx) + Math.abs(qy) + Math.abs(qz)
  const reach = numbers[REACH] + 4 * line.error + 16 * UNIT_ROUNDOFF * foot
  if (x * x + y * y + z * z > reach * reach * (1 + 8 * UNIT_ROUNDOFF)) return true
  const middle = along + ahead
  const end = reach + 8 * UNIT_ROUNDOFF * Math.abs(along)
  return middle < -end || middle - end > line.maxDistance
}

function rayPoints(line: RayLine, _: Ray, body: Body, span: RaySpan): Verdict {
  if (body.count === 1) return raySphere(line, body, span)
  if (body.numbers[RADIUS] > 0 || body.count === 2) return rayRounded(line, body, span)
  return body.isBox ? rayBox(line, body, span) : rayHull(line, body, span)
}

function exactRayPoints(line: RayLine, ray: Ray, body: Body, span: RaySpan): boolean {
  if (body.count < 3) return exactRayRounded(line, ray, body, null, span)
  const surface = exactSurface(body)
  const isBare = body.numbers[RADIUS] === 0 && surface.dimension > 1
  const found = isBare ? exactRayHull(line, ray, body, surface, span) : exactRayRounded(line, ray, body, surface, span)
  if (found && surface !== body.surface) {
    nameGiven(body, surface, span.enter)
    nameGiven(body, surface, span.leave)
  }
  return found
}

/** The face as it was before a turn rounded its corners. */
function nameGiven(body: Body, surface: CoreSurface, end: SpanEnd): void {
  if (end.face >= 0) end.face = faceLike(surfaceOf(body), surface, end.face)
}
