/**
 * A stateless query and its answer → an SVG picture of both.
 *
 * Requests are those that decoding accepted, answers those that the service gave; of these the pictures never throw. The same
 * request gives the same bytes.
 */
import type { BoundsRequest, BoundsResponse } from '../../schemas/bounds.ts'
import type { ContactRequest, ContactResponse } from '../../schemas/contact.ts'
import type { DecomposeRequest, DecomposeResponse } from '../../schemas/decompose.ts'
import type { DistanceRequest, DistanceResponse } from '../../schemas/distance.ts'
import type { HullRequest, HullResponse } from '../../schemas/hull.ts'
import type { MassRequest, MassResponse } from '../../schemas/mass.ts'
import type { MinkowskiRequest, MinkowskiResponse } from '../../schemas/minkowski.ts'
import type { OverlapRequest, OverlapResponse } from '../../schemas/overlap.ts'
import type { PairsRequest, PairsResponse } from '../../schemas/pairs.ts'
import type { RayCastRequest, RayCastResponse } from '../../schemas/ray-cast.ts'
import type { ShapeCastRequest, ShapeCastResponse } from '../../schemas/shape-cast.ts'
import type { SupportRequest, SupportResponse } from '../../schemas/support.ts'
import type { TableRequest, TableResponse } from '../../schemas/table.ts'
import type { TimeOfImpactRequest, TimeOfImpactResponse } from '../../schemas/time-of-impact.ts'
import type { TrajectoryRequest, TrajectoryResponse } from '../../schemas/trajectory.ts'
import type { ValidateRequest, ValidateResponse } from '../../schemas/validate.ts'
import { drawDecompose } from './draw-decompose.ts'
import { drawHull, drawMinkowski } from './draw-hulls.ts'
import { drawShapeCast, drawTimeOfImpact } from './draw-impact.ts'
import { drawBounds, drawMass, drawSupport } from './draw-measures.ts'
import { drawContact, drawDistance, drawOverlap } from './draw-pair.ts'
import { drawPairs } from './draw-pairs.ts'
import { drawPicture, type PictureOptions } from './draw-picture.ts'
import { drawRayCast } from './draw-ray.ts'
import { drawTable } from './draw-table.ts'
import { drawTrajectory } from './draw-trajectory.ts'
import { drawValidate } from './draw-validate.ts'
import type { Picture } from './picture.ts'

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
