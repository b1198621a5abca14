/**
 * Many bodies at once, as another thread is told of them.
 *
 * Equal shapes are told once.
 */
import type { FarTask } from '../../containers/far-call.ts'
import { type Body, createBody } from '../../core2d/shape/body.ts'
import { type Prepare, rotationOf, shapeSlot, xOf, yOf } from '../table/body-table.ts'
import { type FarBody, type FarShape, farShapeAt, farShapeValue } from './far-body.ts'
import { rowAt, tableOf, type View } from './view.ts'

export interface FarBodies {
  readonly shapes: readonly FarShape[]
  /** Of each body: which shape it has, and at 3k … 3k + 2 its position and rotation. */
  readonly shapeOf: Int32Array
  readonly poses: Float64Array
}

/** What is the way of a body out of the union of others? */
export interface EscapeTask extends FarTask {
  readonly kind: 'escape'
  readonly union: FarBodies
  readonly body: FarBody
}

/** The bodies of a view, in their order. */
export function farUnion(view: View, slots: ReadonlySet<number>): FarBodies {
  const shapes: FarShape[] = []
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
      index = shapes.push(farShapeAt(table, shape)) - 1
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

/** The bodies prepared, each in a slot of its own. */
export function prepareUnion(prepare: Prepare, { shapes, shapeOf, poses }: FarBodies): Body[] {
  const values = shapes.map(farShapeValue)
  return Array.from(shapeOf, (shape, k) => {
    const body = createBody()
    prepare(values[shape], poses[3 * k], poses[3 * k + 1], poses[3 * k + 2], body, shapes[shape].isPlain)
    return body
  })
}
