/**
 * Bodies as another thread is told of them: what they are prepared from, and where they have been put since.
 *
 * Prepared again from that they are the same to the last bit.
 */

import type { Body } from '../../core2d/shape/body.ts'
import { touchesItself } from '../../core2d/shape/composite.ts'
import { createPlacement, moveTo } from '../../core2d/shape/placement.ts'
import { type BodyTable, type Prepare, rotationOf, shapeSlot, xOf, yOf } from '../table/body-table.ts'
import { shapeParts } from '../table/shape-pool.ts'
import { canonicalText, type FarText, farText, PackedShape, ShapeForm, textOf } from '../table/shape-text.ts'
import { rowAt, tableOf, type View } from './view.ts'

/** A shape as its form and the numbers in it, see `table/shape-text.ts`. */
export interface FarShape {
  readonly form: FarText
  readonly numbers: Float64Array
  /** It is known that no region in it touches itself. */
  readonly isPlain: boolean
}

export interface FarBody {
  readonly shape: FarShape
  readonly x: number
  readonly y: number
  readonly rotation: number
  /** Where it has been put since, without being turned. */
  readonly atX: number
  readonly atY: number
}

/** Describes a body, when it comes to that. */
export type Described = () => FarBody

/** A body of the view. */
export function farBodyAt(view: View, slot: number): FarBody {
  const table = tableOf(view, slot)
  const row = rowAt(view, slot)
  const x = xOf(table, row)
  const y = yOf(table, row)
  const shape = farShapeAt(table, shapeSlot(table, row))
  return { shape, x, y, rotation: rotationOf(table, row), atX: x, atY: y }
}

/** The shape in a slot of the pool of a table. */
export function farShapeAt({ shapes }: BodyTable, slot: number): FarShape {
  const { form, numbers } = shapeParts(shapes, slot)
  return { form: farText(form), numbers, isPlain: shapes.plain[slot] === 1 }
}

/** A body that has been prepared from a shape at a pose; it is described as it stands then. */
export function describing(shape: object, { x, y }: { x: number; y: number }, rotation: number, body: Body): Described {
  return () => {
    const form = shape instanceof PackedShape ? shape.form : canonicalText(shape)
    return { shape: farShapeOf(form, !touchesItself(body)), x, y, rotation, atX: body.x, atY: body.y }
  }
}

/** A shape of which this is the canonical text, all numbers included. */
export function farShapeOf(form: string, isPlain: boolean): FarShape {
  return { form: farText(form), numbers: NO_NUMBERS, isPlain }
}

/** Thrown where a body cannot be told of elsewhere. */
export class Undescribed extends Error {}

/** Of a body that cannot be told of elsewhere: all that is asked about it is answered here, whatever it takes. */
export const UNDESCRIBED: Described = () => {
  throw new Undescribed()
}

const NO_NUMBERS = new Float64Array(0)

/** Fills `out` with the body. */
export function prepareFar(prepare: Prepare, { shape, x, y, rotation, atX, atY }: FarBody, out: Body): void {
  prepare(farShapeValue(shape), x, y, rotation, out, shape.isPlain)
  if (atX !== x || atY !== y) moveTo(createPlacement(out), atX, atY)
}

export function farShapeValue({ form, numbers }: FarShape): object {
  return new ShapeForm(textOf(form), numbers.length).shape(numbers, 0)
}
