/**
 * A stateless query of space and its answer → an SVG picture of both, looked at along an axis or from between them.
 *
 * Requests are those that decoding accepted, answers those that the service gave; of these the pictures never throw. The same
 * request gives the same bytes.
 */
import type { PictureView } from '../../schemas/picture.ts'
import type { Query3dOp, Query3dRequest, Query3dResponse } from '../../schemas/queries/exchanges.ts'
import type { Picture } from './marks/picture.ts'
import { VIEWS, type View } from './marks3d/view.ts'
import { drawShapeCast3d, drawTimeOfImpact3d } from './queries3d/draw-impact.ts'
import { drawBounds3d, drawMass3d, drawSupport3d } from './queries3d/draw-measures.ts'
import { drawContact3d, drawDistance3d, drawOverlap3d } from './queries3d/draw-pair.ts'
import { drawRayCast3d } from './queries3d/draw-ray.ts'
import { drawHull3d, drawMinkowski3d, drawPairs3d, drawTable3d, drawValidate3d } from './queries3d/draw-shapes.ts'
import { drawTrajectory3d } from './queries3d/draw-trajectory.ts'
import { drawPicture } from './svg/draw-picture.ts'

const DRAWERS: {
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
  return Object.hasOwn(DRAWERS, op)
}

export function queryPicture3d<Op extends Query3dOp>(
  op: Op,
  request: Query3dRequest<Op>,
  answer: Query3dResponse<Op>,
  view: PictureView,
): Picture {
  return DRAWERS[op](request, answer, VIEWS[view])
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
