// How each query of scenes is drawn.

import type { SceneQueryOp } from '../../../schemas/scenes/exchanges.ts'
import { dropDrawing } from './draw-drop.ts'
import { lineOfSightDrawing } from './draw-line-of-sight.ts'
import { moveDrawing } from './draw-move.ts'
import { nearestDrawing } from './draw-nearest.ts'
import { overlapDrawing } from './draw-overlap.ts'
import { pairsDrawing } from './draw-pairs.ts'
import { placeDrawing } from './draw-place.ts'
import { rayCastDrawing } from './draw-ray-cast.ts'
import { separateDrawing } from './draw-separate.ts'
import { shapeCastDrawing } from './draw-shape-cast.ts'
import { snapDrawing } from './draw-snap.ts'
import { timeOfImpactDrawing } from './draw-time-of-impact.ts'
import { trajectoryDrawing } from './draw-trajectory.ts'
import type { SceneDrawing } from './question.ts'

const DRAWINGS: { readonly [Op in SceneQueryOp]: SceneDrawing<Op> } = {
  overlap: overlapDrawing,
  'ray-cast': rayCastDrawing,
  'shape-cast': shapeCastDrawing,
  nearest: nearestDrawing,
  pairs: pairsDrawing,
  'time-of-impact': timeOfImpactDrawing,
  trajectory: trajectoryDrawing,
  move: moveDrawing,
  separate: separateDrawing,
  snap: snapDrawing,
  place: placeDrawing,
  drop: dropDrawing,
  'line-of-sight': lineOfSightDrawing,
}

export function sceneDrawing<Op extends SceneQueryOp>(op: Op): SceneDrawing<Op> {
  return DRAWINGS[op]
}
