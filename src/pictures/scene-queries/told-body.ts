/**
 * Bodies as those are told of them who draw a question: on another thread, from a record that says all about them.
 *
 * Frame: the world.
 */

import type { MovingBody2d, Shape2d } from '../../../schemas/shapes2d.ts'
import { createMotion } from '../../core2d/shape/motion.ts'
import { isOfDearShape } from '../../scene/state/dear-body.ts'
import { type FarShape, farBodyAt, farShapeValue } from '../../scene/state/far-body.ts'
import { boxAt, idAt, motionAt, type View } from '../../scene/state/view.ts'
import { PackedShape } from '../../scene/table/packed-shape.ts'
import { canonicalText } from '../../scene/table/shape-text.ts'
import { farText } from '../../scene/table/shared-text.ts'
import type { DrawnBox } from '../marks/outline.ts'

export interface ToldBody {
  readonly id: string
  /** Null where it is not told: of bodies that take long to draw. */
  readonly shape: FarShape | null
  readonly x: number
  readonly y: number
  readonly rotation: number
  readonly vx: number
  readonly vy: number
  readonly spin: number
  /** Null where it has no bounds, and of bodies that are not of the scene. */
  readonly box: DrawnBox | null
}

export interface KnownBody {
  readonly id: string
  /** Null where its shape was not told. */
  readonly body: MovingBody2d | null
  readonly box: DrawnBox | null
}

/** What is given instead of what the body of the scene has. */
export interface Stands {
  position?: { x: number; y: number }
  rotation?: number
  velocity?: { x: number; y: number }
}

const motion = createMotion()
const box = new Float64Array(4)

/** A body of the scene. `isWhole`: with its shape, however long that takes to draw. */
export function tellBody(view: View, slot: number, isWhole: boolean, stands: Stands = {}): ToldBody {
  const { shape, ...own } = farBodyAt(view, slot)
  const { position: { x, y } = own, rotation = own.rotation, velocity } = stands
  motionAt(view, slot, motion)
  const { vx, vy, spin } = motion
  boxAt(view, slot, box)
  const [minX, minY, maxX, maxY] = box
  return {
    id: idAt(view, slot),
    shape: isWhole || !isOfDearShape(view, slot) ? shape : null,
    x,
    y,
    rotation,
    vx: velocity?.x ?? vx,
    vy: velocity?.y ?? vy,
    spin,
    box: box.every(Number.isFinite) ? { minX, minY, maxX, maxY } : null,
  }
}

/** A body that a request has brought, whose shape may be packed. */
export function tellOwn({ shape, position, rotation = 0, velocity, angularVelocity = 0 }: MovingBody2d): ToldBody {
  const form = (shape as object) instanceof PackedShape ? (shape as unknown as PackedShape).form : canonicalText(shape)
  return {
    id: '',
    shape: { form: farText(form), numbers: new Float64Array(0), isPlain: true },
    x: position?.x ?? 0,
    y: position?.y ?? 0,
    rotation,
    vx: velocity?.x ?? 0,
    vy: velocity?.y ?? 0,
    spin: angularVelocity,
    box: null,
  }
}

export function readTold({ id, shape, x, y, rotation, vx, vy, spin, box }: ToldBody): KnownBody {
  if (shape === null) return { id, body: null, box }
  const read = farShapeValue(shape) as Shape2d
  const body = { shape: read, position: { x, y }, rotation, velocity: { x: vx, y: vy }, angularVelocity: spin }
  return { id, body, box }
}

/** Corners of its shape, more or less, without a look at it; 0 where that is not told. */
export function toldCorners({ shape }: ToldBody): number {
  if (shape === null) return 0
  const { form, numbers } = shape
  return numbers.length + (typeof form === 'string' ? form.length : form.bytes.length) / CHARACTERS
}

/** Of a shape's text, for each corner, at least. */
const CHARACTERS = 12
