/**
 * Bodies as records that can be sent to another thread: the shape as its text and numbers, and the pose.
 *
 * A body that is prepared again from its description is the same to the last bit.
 */

import { type BodyTable, poseOf, shapeSlot } from '../state/body-table.ts'
import {
  type Geometry,
  geometryOf,
  type Kinds,
  type Prepares,
  prepareOf,
  type SceneDimension,
} from '../state/geometry.ts'
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
  readonly dimension: SceneDimension
  readonly shape: DescribedShape
  /** At which it was prepared. */
  readonly pose: readonly number[]
  /** The position it was moved to afterwards, without a turn. */
  readonly position: readonly number[]
}

/** Many bodies. Equal shapes are described once. */
export interface DescribedUnion {
  readonly dimension: SceneDimension
  readonly shapes: readonly DescribedShape[]
  /** The index of each body's shape, and their poses, one after the other. */
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
  const { geometry } = table
  const pose = [...poseOf(table, row)]
  const shape = describeShape(table, shapeSlot(table, row))
  return { dimension: geometry.dimension, shape, pose, position: pose.slice(0, geometry.axes) }
}

/** Describes the shape in a slot of the table's pool. */
function describeShape({ shapes }: BodyTable, slot: number): DescribedShape {
  const { text, numbers } = shapeParts(shapes, slot)
  return { form: farText(text), numbers, isPlain: shapes.plain[slot] === 1 }
}

/** Describes a body that was prepared from a shape at a pose, at the position that it has when it is described. */
export function describeOwn<K extends Kinds>(
  geometry: Geometry<K>,
  shape: object,
  pose: readonly number[],
  body: K['body'],
): Describe {
  return () => {
    const form = shape instanceof PackedShape ? shape.form : canonicalText(shape)
    return {
      dimension: geometry.dimension,
      shape: describeText(form, !geometry.touchesItself(body)),
      pose,
      position: geometry.positionOf(body),
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
  const { dimension, restingPose } = view.table.geometry
  const count = restingPose.length
  const poses = new Float64Array(count * slots.size)
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
    poses.set(poseOf(table, row), count * k)
    k++
  }
  return { dimension, shapes, shapeOf, poses }
}

/** The wire value of a described shape. */
export function shapeOfDescribed({ form, numbers }: DescribedShape): object {
  return new ShapeForm(textOf(form), numbers.length).shape(numbers, 0)
}

/** Fills `out` with the described body. */
export function prepareDescribed<K extends Kinds>(
  prepares: Prepares,
  { dimension, shape, pose, position }: DescribedBody,
  out: K['body'],
): void {
  const geometry = geometryOf(dimension)
  prepareOf(prepares, geometry)(shapeOfDescribed(shape), pose, 0, out, shape.isPlain)
  if (position.some((place, k) => place !== pose[k])) geometry.moveTo(out, position)
}

/** The described bodies, each prepared in a slot of its own. */
export function prepareUnion<K extends Kinds>(
  prepares: Prepares,
  { dimension, shapes, shapeOf, poses }: DescribedUnion,
): K['body'][] {
  const geometry = geometryOf(dimension) as Geometry<K>
  const values = shapes.map(shapeOfDescribed)
  return Array.from(shapeOf, (shape, k) => {
    const body = geometry.createBody()
    prepareOf(prepares, geometry)(values[shape], poses, geometry.restingPose.length * k, body, shapes[shape].isPlain)
    return body
  })
}

/** Whether two descriptions are of the same body, to the last bit. */
export function isSameDescription(a: DescribedBody, b: DescribedBody): boolean {
  if (a.dimension !== b.dimension || !areSame(a.pose, b.pose) || !areSame(a.position, b.position)) return false
  const { numbers } = a.shape
  if (numbers.length !== b.shape.numbers.length || !isSameText(a.shape.form, b.shape.form)) return false
  return numbers.every((number, k) => Object.is(number, b.shape.numbers[k]))
}

function areSame(a: readonly number[], b: readonly number[]): boolean {
  return a.every((number, k) => Object.is(number, b[k]))
}
