/**
 * Core bodies of a table's rows, prepared when they are needed and kept for the next time.
 *
 * Method: a convex shape that is not rotated is the same body everywhere but for its position, so it is prepared once for all
 * bodies that have it and put where each stands. Those and rotated ones with few points lie on one shelf of fixed size
 * for all tables, where a newcomer takes the place of another. What costs more, bodies with many points and composites,
 * each table keeps up to a total weight, the latest ones.
 */
import type { Slices } from '../../containers/pace.ts'
import { type Body, COMPOSITE, type Composite, createBody } from '../../core2d/shape/body.ts'
import { touchesItself } from '../../core2d/shape/composite.ts'
import { isCurved } from '../../core2d/shape/kinds.ts'
import { type BodyTable, prepareAt, rotationOf, shapeSlot, xOf, yOf } from './body-table.ts'
import { isCostlyShape, shapeValue } from './shape-pool.ts'

/** Bodies with more points are not for the shelf. */
const LIGHT_POINTS = 64
const SHELF_BITS = 13
/** Points and leaves that a table keeps prepared, and what a body counts for besides, and each part of a compound. */
const KEPT_WEIGHT = 2 ** 18
const BODY_WEIGHT = 16
const CURVE_WEIGHT = 128

const shelf: Body[] = []
/** Of what lies in each place: its table, and its key, the serial number of a shape, ≥ 0, or ~slot of a body. */
const owners = new Float64Array(2 * 2 ** SHELF_BITS).fill(-1)

/** The body in a row, until the next one is asked for; it must not be changed. */
export function preparedBody(table: BodyTable, slot: number): Body {
  const rotation = rotationOf(table, slot)
  const key = rotation === 0 ? table.shapes.serials[shapeSlot(table, slot)] : ~slot
  const place = placeOf(table, key)
  if (isOwner(place, table, key)) return putAt(shelf[place], table, slot)
  const kept = table.kept.size === 0 ? undefined : (table.kept.get(~slot) ?? table.kept.get(key))
  if (kept !== undefined) return kept.kind === COMPOSITE ? kept : putAt(kept, table, slot)
  shelf[place] ??= createBody()
  const body = shelf[place]
  owners[2 * place] = -1
  prepareAt(table, slot, xOf(table, slot), yOf(table, slot), rotation, body)
  const weight = weightOf(body)
  if (body.kind === COMPOSITE || weight > LIGHT_POINTS) {
    shelf[place] = createBody()
    keep(table, body.kind === COMPOSITE ? ~slot : key, body)
  } else {
    owners[2 * place] = table.serial
    owners[2 * place + 1] = key
  }
  return body
}

function placeOf({ serial }: BodyTable, key: number): number {
  return Math.imul(key ^ Math.imul(serial, 0x85ebca6b), 0x9e3779b1) >>> (32 - SHELF_BITS)
}

function isOwner(place: number, { serial }: BodyTable, key: number): boolean {
  return owners[2 * place] === serial && owners[2 * place + 1] === key
}

/** Nothing of a convex body but its position hangs on where it stands. */
function putAt(body: Body, table: BodyTable, slot: number): Body {
  body.x = xOf(table, slot)
  body.y = yOf(table, slot)
  return body
}

function weightOf({ kind, composite, count }: Body): number {
  return kind === COMPOSITE ? (composite as Composite).leafCount : count
}

/** Weight of a body that is kept prepared. */
function keptWeight(body: Body): number {
  return (
    weightOf(body) + (body.kind === COMPOSITE ? BODY_WEIGHT * (body.composite as Composite).partCount : BODY_WEIGHT)
  )
}

/** The oldest make room. */
function keep(table: BodyTable, key: number, body: Body): void {
  const { kept } = table
  table.keptWeight += keptWeight(body)
  kept.set(key, body)
  for (const [oldest, old] of kept) {
    if (table.keptWeight <= KEPT_WEIGHT || oldest === key) break
    kept.delete(oldest)
    table.keptWeight -= keptWeight(old)
  }
}

/** The body in a row, in `own` unless it is kept anyway; it stays as it is whatever is asked for next. */
export function holdBody(table: BodyTable, slot: number, own: Body): Body {
  const body = preparedBody(table, slot)
  if (body.kind === COMPOSITE) return body
  prepareAt(table, slot, xOf(table, slot), yOf(table, slot), rotationOf(table, slot), own)
  return own
}

/** Cost of looking at a body once, in points. */
export function bodyWeight(body: Body): number {
  return isCurved(body) ? CURVE_WEIGHT : Math.max(1, weightOf(body))
}

/** Keeps a body that was prepared elsewhere from what a row says. */
export function adoptBody(table: BodyTable, slot: number, body: Body): void {
  if (!touchesItself(body)) table.shapes.plain[shapeSlot(table, slot)] = 1
  forgetBody(table, slot)
  keep(table, ~slot, body)
}

/** Whether the body of a row takes long to prepare, of 100,000 vertices say, and is not prepared yet. */
export function isCostlyRow(table: BodyTable, row: number): boolean {
  return isCostlyShape(table.shapes, shapeSlot(table, row)) && keptBody(table, row) === null
}

/** Prepares the body of a row, if it is costly, with pauses in which the row must stay as it is. */
export function* prepareRow(table: BodyTable, row: number): Slices<void> {
  if (isCostlyRow(table, row)) adoptBody(table, row, yield* prepareInSlices(table, row))
}

/** The body of a row, freshly prepared, with pauses in which the row may get another number. */
export function* prepareInSlices(table: BodyTable, row: number): Slices<Body> {
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

/** Keeps the body that was prepared elsewhere from the row's shape and rotation, but perhaps at another place. */
export function adoptElsewhere(table: BodyTable, slot: number, body: Body): void {
  const moved = bodyAtPlace(body, xOf(table, slot), yOf(table, slot))
  if (moved !== null) adoptBody(table, slot, moved)
}

/** The body that is kept prepared for a row, or null. */
export function keptBody({ kept }: BodyTable, slot: number): Body | null {
  return kept.size === 0 ? null : (kept.get(~slot) ?? null)
}

/**
 * A body of one outline as it would be prepared at (x, y), to the last bit; it shares what does not hang on that. Null: another
 * body, or one that rounding has its part in.
 */
function bodyAtPlace(body: Body, x: number, y: number): Body | null {
  const { composite } = body
  if (body.kind !== COMPOSITE || composite === null || composite.partCount !== 1) return null
  const [part] = composite.parts
  if (part.outline === null || part.path.length > 0) return null
  return { ...body, x, y, composite: { ...composite, parts: [{ ...part, body: { ...part.body, x, y } }] } }
}

/** To be called when a row has got another position, and nothing else that its body hangs on has changed. */
export function bodyHasMoved(table: BodyTable, slot: number): void {
  const kept = keptBody(table, slot)
  forgetBody(table, slot)
  if (kept !== null) adoptElsewhere(table, slot, kept)
}

/** To be called before a body's pose or shape changes, or it goes. */
export function forgetBody(table: BodyTable, slot: number): void {
  const key = ~slot
  const place = placeOf(table, key)
  if (isOwner(place, table, key)) owners[2 * place] = -1
  if (table.kept.size === 0) return
  const kept = table.kept.get(key)
  if (kept === undefined) return
  table.kept.delete(key)
  table.keptWeight -= keptWeight(kept)
}
