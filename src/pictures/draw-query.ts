/**
 * A stateless query and its answer → an SVG picture of both.
 *
 * Requests are those that decoding accepted, answers those that the service gave; of these the pictures never throw. The same
 * request gives the same bytes.
 */
import type { BoundsRequest, BoundsResponse } from '../../schemas/queries/bounds.ts'
import type { ContactRequest, ContactResponse } from '../../schemas/queries/contact.ts'
import type { DecomposeRequest, DecomposeResponse } from '../../schemas/queries/decompose.ts'
import type { DistanceRequest, DistanceResponse } from '../../schemas/queries/distance.ts'
import type { HullRequest, HullResponse } from '../../schemas/queries/hull.ts'
import type { MassRequest, MassResponse } from '../../schemas/queries/mass.ts'
import type { MinkowskiRequest, MinkowskiResponse } from '../../schemas/queries/minkowski.ts'
import type { OverlapRequest, OverlapResponse } from '../../schemas/queries/overlap.ts'
import type { PairsRequest, PairsResponse } from '../../schemas/queries/pairs.ts'
import type { RayCastRequest, RayCastResponse } from '../../schemas/queries/ray-cast.ts'
import type { ShapeCastRequest, ShapeCastResponse } from '../../schemas/queries/shape-cast.ts'
import type { SupportRequest, SupportResponse } from '../../schemas/queries/support.ts'
import type { TableRequest, TableResponse } from '../../schemas/queries/table.ts'
import type { TimeOfImpactRequest, TimeOfImpactResponse } from '../../schemas/queries/time-of-impact.ts'
import type { TrajectoryRequest, TrajectoryResponse } from '../../schemas/queries/trajectory.ts'
import type { ValidateRequest, ValidateResponse } from '../../schemas/queries/validate.ts'
import type { Picture } from './marks/picture.ts'
import { drawDecompose } from './queries/draw-decompose.ts'
import { drawHull, drawMinkowski } from './queries/draw-hulls.ts'
import { drawShapeCast, drawTimeOfImpact } from './queries/draw-impact.ts'
import { drawBounds, drawMass, drawSupport } from './queries/draw-measures.ts'
import { drawContact, drawDistance, drawOverlap } from './queries/draw-pair.ts'
import { drawPairs } from './queries/draw-pairs.ts'
import { drawRayCast } from './queries/draw-ray.ts'
import { drawTable } from './queries/draw-table.ts'
import { drawTrajectory } from './queries/draw-trajectory.ts'
import { drawValidate } from './queries/draw-validate.ts'
import { drawPicture, type PictureOptions } from './svg/draw-picture.ts'

/** What each query asks and answers. */
export interface Exchanges {
  overlap: [OverlapRequest, OverlapResponse]
  distance: [DistanceRequest, DistanceResponse]
  contact: [ContactRequest, ContactResponse]
  'time-of-impact': [TimeOfImpactRequest, TimeOfImpactResponse]
  table: [TableRequest, TableResponse]
  'ray-cast': [RayCastRequest, RayCastResponse]
  'shape-cast': [ShapeCastRequest, ShapeCastResponse]
  trajectory: [TrajectoryRequest, TrajectoryResponse]
  pairs: [PairsRequest, PairsResponse]
  bounds: [BoundsRequest, BoundsResponse]
  support: [SupportRequest, SupportResponse]
  mass: [MassRequest, MassResponse]
  hull: [HullRequest, HullResponse]
  minkowski: [MinkowskiRequest, MinkowskiResponse]
  decompose: [DecomposeRequest, DecomposeResponse]
  validate: [ValidateRequest, ValidateResponse]
}
export type PictureOp = keyof Exchanges

const DRAWERS: { [Op in PictureOp]: (request: Exchanges[Op][0], answer: Exchanges[Op][1]) => Picture } = {
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
}

export function hasPicture(op: string): op is PictureOp {
  return Object.hasOwn(DRAWERS, op)
}

/** SVG text, with a line break at its end. Requests within `PICTURE_LIMITS` take up to about 0.2 s. */
export function drawQuery<Op extends PictureOp>(
  op: Op,
  request: Exchanges[Op][0],
  answer: Exchanges[Op][1],
  options: PictureOptions,
): string {
  return drawPicture(DRAWERS[op](request, answer), op, options)
}
