/**
 * A stateless query and its response → an SVG picture of both. Pictures of space are seen along an axis or isometrically.
 *
 * Drawing never throws for a request that decoding accepted and the service's response to it. Equal requests give equal bytes.
 */

import type { PictureView } from '../../../schemas/picture.ts'
import type {
  Query3dOp,
  Query3dRequest,
  Query3dResponse,
  QueryOp,
  QueryRequest,
  QueryResponse,
} from '../../../schemas/queries/exchanges.ts'
import { drawPicture, type PictureOptions } from '../draw-picture.ts'
import type { Picture } from '../picture.ts'
import { VIEWS, type View } from '../stand.ts'
import { drawHull, drawHull3d, drawMinkowski, drawMinkowski3d } from './draw-hulls.ts'
import { drawShapeCast, drawShapeCast3d, drawTimeOfImpact, drawTimeOfImpact3d } from './draw-impact.ts'
import { drawBounds, drawBounds3d, drawMass, drawMass3d, drawSupport, drawSupport3d } from './draw-measures.ts'
import { drawDecompose, drawRepair, drawValidate, drawValidate3d } from './draw-outlines.ts'
import { drawContact, drawContact3d, drawDistance, drawDistance3d, drawOverlap, drawOverlap3d } from './draw-pair.ts'
import { drawPairs, drawPairs3d, drawTable, drawTable3d } from './draw-pairs.ts'
import { drawRayCast, drawRayCast3d } from './draw-ray.ts'
import { drawTrajectory, drawTrajectory3d } from './draw-trajectory.ts'

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

const DRAWERS_3D: {
  readonly [Op in Query3dOp]: (request: Query3dRequest<Op>, answer: Query3dResponse<Op>, view: View) => Picture
} = {
  overlap: drawOverlap3d,
  distance: drawDistance3d,
  contact: drawContact3d,
  'time-of-impact': drawTimeOfImpact3d,
  table: drawTable3d,
  'ray-cast': drawRayCast3d,
  'shape-cast': drawShapeCast3d,
  trajectory: drawTrajectory3d,
  pairs: drawPairs3d,
  bounds: drawBounds3d,
  support: drawSupport3d,
  mass: drawMass3d,
  hull: drawHull3d,
  minkowski: drawMinkowski3d,
  validate: drawValidate3d,
}

export function hasPicture3d(op: string): op is Query3dOp {
  return Object.hasOwn(DRAWERS_3D, op)
}

export function queryPicture3d<Op extends Query3dOp>(
  op: Op,
  request: Query3dRequest<Op>,
  answer: Query3dResponse<Op>,
  view: PictureView,
): Picture {
  return DRAWERS_3D[op](request, answer, VIEWS[view])
}

/** SVG text, with a line break at its end. */
export function drawQuery3d<Op extends Query3dOp>(
  op: Op,
  request: Query3dRequest<Op>,
  answer: Query3dResponse<Op>,
  view: PictureView,
): string {
  return drawPicture(queryPicture3d(op, request, answer, view), op, { yDown: false })
}
