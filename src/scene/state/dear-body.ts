/**
 * Bodies of a scene that are dear to prepare, of 100,000 vertices say. Outlines are a few large arrays: another thread prepares
 * them, and gives them to this one. Compounds are many small ones, which would take as long to hand on: they are prepared here,
 * between pauses.
 */
import { callFar, type FarSlices, type FarTask } from '../../containers/far-call.ts'
import type { Slices } from '../../containers/pace.ts'
import { type Body, createBody } from '../../core2d/shape/body.ts'
import { adoptBody, keptBody } from '../table/body-cache.ts'
import { type BodyTable, rotationOf, shapeSlot, xOf, yOf } from '../table/body-table.ts'
import { formAt, isDearShape, shapeValue } from '../table/shape-pool.ts'
import { type FarBody, farBodyAt } from './far-body.ts'
import { rowAt, tableOf, type View } from './view.ts'

export interface PrepareTask extends FarTask {
  readonly kind: 'prepare'
  readonly body: FarBody
}

/** Whether a body should be fetched before it is asked for. */
export function isDear(view: View, slot: number): boolean {
  return isDearRow(tableOf(view, slot), rowAt(view, slot))
}

/** Whether its shape takes long to be put together, prepared or not. */
export function isOfDearShape(view: View, slot: number): boolean {
  const table = tableOf(view, slot)
  return isDearShape(table.shapes, shapeSlot(table, rowAt(view, slot)))
}

function isDearRow(table: BodyTable, row: number): boolean {
  return isDearShape(table.shapes, shapeSlot(table, row)) && keptBody(table, row) === null
}

/** Has a body prepared; it is kept until others take its place. */
export function* fetchBody(view: View, slot: number): FarSlices<Body> {
  const table = tableOf(view, slot)
  const row = rowAt(view, slot)
  const { isOutline } = formAt(table.shapes, shapeSlot(table, row))
  const body = yield* isOutline ? callFar<Body>(taskOf(view, slot)) : prepareHere(table, row)
  // the row may lie elsewhere by now
  adoptBody(tableOf(view, slot), rowAt(view, slot), body)
  return body
}

function taskOf(view: View, slot: number): PrepareTask {
  return { kind: 'prepare', body: farBodyAt(view, slot) }
}

/** Prepares the body of a row, if that is dear, with pauses in which the row must stay as it is. */
export function* prepareRow(table: BodyTable, row: number): Slices<void> {
  if (isDearRow(table, row)) adoptBody(table, row, yield* prepareHere(table, row))
}

function* prepareHere(table: BodyTable, row: number): Slices<Body> {
  const x = xOf(table, row)
  const y = yOf(table, row)
  const rotation = rotationOf(table, row)
  const { prepare, shapes } = table
  const shape = shapeSlot(table, row)
  const value = shapeValue(shapes, shape)
  const isPlain = shapes.plain[shape] === 1
  yield
  const body = createBody()
  prepare(value, x, y, rotation, body, isPlain)
  yield
  return body
}
