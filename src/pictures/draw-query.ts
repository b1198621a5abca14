/**
 * A stateless query and its answer → an SVG picture of both.
 *
 * Requests are those that decoding accepted, answers those that the service gave; of these the pictures never throw. The same
 * request gives the same bytes.
 */
import type { QueryOp, QueryRequest, QueryResponse } from '../../schemas/queries/exchanges.ts'
import type { Picture } from './marks/picture.ts'
import { drawDecompose } from './queries/draw-decompose.ts'
import { drawHull, drawMinkowski } from './queries/draw-hulls.ts'
import { drawShapeCast, drawTimeOfImpact } from './queries/draw-impact.ts'
import { drawBounds, drawMass, drawSupport } from './queries/draw-measures.ts'
import { drawContact, drawDistance, drawOverlap } from './queries/draw-pair.ts'
import { drawPairs } from './queries/draw-pairs.ts'
import { drawRayCast } from './queries/draw-ray.ts'
import { drawRepair } from './queries/draw-repair.ts'
import { drawTable } from './queries/draw-table.ts'
import { drawTrajectory } from './queries/draw-trajectory.ts'
import { drawValidate } from './queries/draw-validate.ts'
import { drawPicture, type PictureOptions } from './svg/draw-picture.ts'

const DRAWERS: { readonly [Op in QueryOp]: (request: QueryRequest<Op>, answer: QueryResponse<Op>) => Picture } = {
  overlap: drawOverlap,
  distance: drawDistance,
  contact: drawContact,
  'time-of-impact': drawTimeOfImpact,
  table: drawTable,
  'ray-cast': drawRayCast,
  'shape-cast': drawShapeCast,
  trajectory: drawTrajectory,
  pairs: drawPairs,
  bounds: drawBounds,
  support: drawSupport,
  mass: drawMass,
  hull: drawHull,
  minkowski: drawMinkowski,
  decompose: drawDecompose,
  validate: drawValidate,
  repair: drawRepair,
}

export function hasPicture(op: string): op is QueryOp {
  return Object.hasOwn(DRAWERS, op)
}

export function queryPicture<Op extends QueryOp>(
  op: Op,
  request: QueryRequest<Op>,
  answer: QueryResponse<Op>,
): Picture {
  return DRAWERS[op](request, answer)
}

/** SVG text, with a line break at its end. Requests within `PICTURE_LIMITS` take up to about 0.2 s. */
export function drawQuery<Op extends QueryOp>(
  op: Op,
  request: QueryRequest<Op>,
  answer: QueryResponse<Op>,
  options: PictureOptions,
): string {
  return drawPicture(queryPicture(op, request, answer), op, options)
}
