/**
 * Bodies as records that can be sent to another thread: the shape as its text and numbers, and the pose.
 *
 * A body that is prepared again from its description is the same to the last bit.
 */

import { type Body, createBody, X, Y } from '../../core2d/shape/body.ts'
import { touchesItself } from '../../core2d/shape/composite.ts'
import { createPlacement, moveTo } from '../../core2d/shape/position.ts'
import { type BodyTable, type Prepare, rotationOf, shapeSlot, xOf, yOf } from '../state/body-table.ts'
import { shapeParts } from '../state/shape-pool.ts'
import {
  canonicalText,
  type FarText,
  farText,
  isSameText,
  PackedShape,
  ShapeForm,
  textOf,
} from '../state/shape-text.ts'
import { rowAt, tableOf, type View } from '../state/view.ts'

/** A shape as its form and the numbers in it, see `state/shape-text.ts`. */
export interface DescribedShape {
  readonly form: FarText
  readonly numbers: Float64Array
  /** True only if no region in the shape touches itself. */
  readonly isPlain: boolean
}

export interface DescribedBody {
  readonly shape: DescribedShape
  /** The pose at which it was prepared. */
  readonly x: number
  readonly y: number
  readonly rotation: number
  /** The position it was moved to afterwards, without a turn. */
  readonly atX: number
  readonly atY: number
}

/** Many bodies. Equal shapes are described once. */
export interface DescribedUnion {
  readonly shapes: readonly DescribedShape[]
  /** The index of each body's shape, and at 3k … 3k + 2 its position and rotation. */
  readonly shapeOf: Int32Array
  readonly poses: Float64Array
}

/** Describes a body when its description is needed. */
export type Describe = () => DescribedBody

/** Thrown where a body has no description. */
export class Undescribed extends Error {}

/** For a body without a description: every question about it is answered on this thread, however long that takes. */
export const UNDESCRIBED: Describe = () => {
  throw new Undescribed()
}

const NO_NUMBERS = new Float64Array(0)

/** Describes a body of the view. */
export function describeBody(view: View, slot: number): DescribedBody {
  const table = tableOf(view, slot)
  const row = rowAt(view, slot)
  const x = xOf(table, row)
  const y = yOf(table, row)
  const shape = describeShape(table, shapeSlot(table, row))
  return { shape, x, y, rotation: rotationOf(table, row), atX: x, atY: y }
}

/** Describes the shape in a slot of the table's pool. */
function describeShape({ shapes }: BodyTable, slot: number): DescribedShape {
  const { form, numbers } = shapeParts(shapes, slot)
  return { form: farText(form), numbers, isPlain: shapes.plain[slot] === 1 }
}

/** Describes a body that was prepared from a shape at a pose, at the position that it has when it is described. */
export function describeOwn(shape: object, { x, y }: { x: number; y: number }, rotation: number, body: Body): Describe {
  return () => {
    const form = shape instanceof PackedShape ? shape.form : canonicalText(shape)
    return {
      shape: describeText(form, !touchesItself(body)),
      x,
      y,
      rotation,
      atX: body.numbers[X],
      atY: body.numbers[Y],
    }
  }
}

/** Describes a shape by its canonical text, which includes all of its numbers. */
export function describeText(form: string, isPlain: boolean): DescribedShape {
  return { form: farText(form), numbers: NO_NUMBERS, isPlain }
}

/** Describes bodies of the view, in the order of the slots. */
export function describeUnion(view: View, slots: ReadonlySet<number>): DescribedUnion {
  const shapes: DescribedShape[] = []
  const indexOf = new Map<number, number>()
  const shapeOf = new Int32Array(slots.size)
  const poses = new Float64Array(3 * slots.size)
  let k = 0
  for (const slot of slots) {
    const table = tableOf(view, slot)
    const row = rowAt(view, slot)
    // old rows share the shapes of their table
    const shape = shapeSlot(table, row)
    let index = indexOf.get(shape)
    if (index === undefined) {
      index = shapes.push(describeShape(table, shape)) - 1
      indexOf.set(shape, index)
    }
    shapeOf[k] = index
    poses[3 * k] = xOf(table, row)
    poses[3 * k + 1] = yOf(table, row)
    poses[3 * k + 2] = rotationOf(table, row)
    k++
  }
  return { shapes, shapeOf, poses }
}

/** The wire value of a described shape. */
export function shapeOfDescribed({ form, numbers }: DescribedShape): object {
  return new ShapeForm(textOf(form), numbers.length).shape(numbers, 0)
}

/** Fills `out` with the described body. */
export function prepareDescribed(
  prepare: Prepare,
  { shape, x, y, rotation, atX, atY }: DescribedBody,
  out: Body,
): void {
  prepare(shapeOfDescribed(shape), x, y, rotation, out, shape.isPlain)
  if (atX !== x || atY !== y) moveTo(createPlacement(out), atX, atY)
}

/** The described bodies, each prepared in a slot of its own. */
export function prepareUnion(prepare: Prepare, { shapes, shapeOf, poses }: DescribedUnion): Body[] {
  const values = shapes.map(shapeOfDescribed)
  return Array.from(shapeOf, (shape, k) => {
    const body = createBody()
    prepare(values[shape], poses[3 * k], poses[3 * k + 1], poses[3 * k + 2], body, shapes[shape].isPlain)
    return body
  })
}

/** Whether two descriptions are of the same body, to the last bit. */
export function isSameDescription(a: DescribedBody, b: DescribedBody): boolean {
  const isSamePose = Object.is(a.x, b.x) && Object.is(a.y, b.y) && Object.is(a.rotation, b.rotation)
  if (!isSamePose || !Object.is(a.atX, b.atX) || !Object.is(a.atY, b.atY)) return false
  const { numbers } = a.shape
  if (numbers.length !== b.shape.numbers.length || !isSameText(a.shape.form, b.shape.form)) return false
  return numbers.every((number, k) => Object.is(number, b.shape.numbers[k]))
}
