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
import { hullDrawers, hullDrawers3d } from './draw-hulls.ts'
import { impactDrawers, impactDrawers3d } from './draw-impact.ts'
import { measureDrawers, measureDrawers3d } from './draw-measures.ts'
import { outlineDrawers, outlineDrawers3d } from './draw-outlines.ts'
import { pairDrawers, pairDrawers3d } from './draw-pair.ts'
import { pairsDrawers, pairsDrawers3d } from './draw-pairs.ts'
import { drawRayCast, drawRayCast3d } from './draw-ray.ts'
import { drawTrajectory, drawTrajectory3d } from './draw-trajectory.ts'

const DRAWERS: { readonly [Op in QueryOp]: (request: QueryRequest<Op>, answer: QueryResponse<Op>) => Picture } = {
  ...pairDrawers,
  ...impactDrawers,
  ...pairsDrawers,
  ...measureDrawers,
  ...hullDrawers,
  ...outlineDrawers,
  'ray-cast': drawRayCast,
  trajectory: drawTrajectory,
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
  ...pairDrawers3d,
  ...impactDrawers3d,
  ...pairsDrawers3d,
  ...measureDrawers3d,
  ...hullDrawers3d,
  ...outlineDrawers3d,
  'ray-cast': drawRayCast3d,
  trajectory: drawTrajectory3d,
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
