// What pictures of scenes have drawn on another thread.

import type { Vec2 } from '../../../schemas/vector.ts'
import type { FarTask } from '../../containers/far-call.ts'
import { type FarBody, farShapeValue } from '../../scene/state/far-body.ts'
import type { ShapeRole } from '../marks/palette.ts'
import type { ShapeMark } from '../marks/picture.ts'
import { drawnParts } from '../marks/shape-parts.ts'
import { drawParts } from '../svg/draw-shapes.ts'
import type { PictureFrame } from '../svg/frame.ts'
import { drawIds } from './draw-ids.ts'

/** A body that takes long to read: its elements. */
export interface DrawShapeTask extends FarTask {
  readonly kind: 'draw-shape'
  readonly body: FarBody
  readonly role: ShapeRole
  readonly origin: Vec2
  readonly frame: PictureFrame
}

/** The elements of the names of shapes. */
export interface DrawIdsTask extends FarTask {
  readonly kind: 'draw-ids'
  readonly shapes: readonly ShapeMark[]
  readonly frame: PictureFrame
}

export type DrawingTask = DrawShapeTask | DrawIdsTask

export function isDrawingTask(task: FarTask): task is DrawingTask {
  return task.kind === 'draw-shape' || task.kind === 'draw-ids'
}

export function doDrawingTask(task: DrawingTask): string[] {
  if (task.kind === 'draw-ids') return drawIds(task.shapes, task.frame)
  const { body, role, origin, frame } = task
  const pose = { x: body.atX - origin.x, y: body.atY - origin.y, angle: body.rotation }
  return drawParts(drawnParts(farShapeValue(body.shape) as never, pose), role, frame)
}
