// Tables: one measure of every pair of two lists of bodies, in either dimension, and how large a table may be.

import { spend } from '../../containers/budget.ts'
import { checkDuration } from '../../wire/bodies/body.ts'
import { type DecodeProblem, problemAt, under } from '../../wire/problems/decode-problem.ts'

export interface TableLimits {
  readonly maxBodies: number
  readonly maxCells: number
}

/** A request of either dimension; `B`: a body on the wire. */
export interface TableQuestion<B> {
  readonly a: readonly B[]
  readonly b: readonly B[]
  readonly measure: 'overlap' | 'distance' | 'separation' | 'time-of-impact'
  readonly duration?: number
  readonly ignoreSeparating?: boolean
}

export type TableValue = boolean | number | null

/** Functions of one dimension. `B`: a body on the wire; `S`: a slot for it; `L`: the limits of shapes. */
export interface TableDimension<B, S, L> {
  createSlot(): S
  decode(body: B, slot: S, limits: L): DecodeProblem | null
  weigh(slot: S): Weight
  /** The cost of a cell, in points that are visited. */
  cost(measure: TableQuestion<B>['measure'], a: Weight, b: Weight): number
  measure(question: TableQuestion<B>): (a: S, b: S) => TableValue
}

/** The properties of a body that the cost of a cell depends on. */
export interface Weight {
  readonly points: number
  readonly isConcave: boolean
  readonly turns: boolean
}

/** One of the two lists. */
interface TableSide<B> {
  readonly name: 'a' | 'b'
  readonly bodies: readonly B[]
  readonly weights: Weight[]
}

/** The rows of the table, or the first problem, with pointers into the request. */
export function fillTable<B, S, L extends TableLimits>(
  question: TableQuestion<B>,
  limits: L,
  dimension: TableDimension<B, S, L>,
): TableValue[][] | DecodeProblem {
  const problem = checkOptions(question) ?? checkTableSizes(question, limits)
  if (problem !== null) return problem
  const rows: TableSide<B> = { name: 'a', bodies: question.a, weights: [] }
  const columns: TableSide<B> = { name: 'b', bodies: question.b, weights: [] }
  // The longer list is gone through once, the shorter one held: no more bodies than the root of the number of cells.
  const swapped = columns.bodies.length > rows.bodies.length
  const [outer, inner] = swapped ? [columns, rows] : [rows, columns]
  const held = inner.bodies.map(() => dimension.createSlot())
  const passing = dimension.createSlot()
  const misfit =
    readSide(rows, limits, dimension, (i) => (swapped ? held[i] : passing)) ??
    readSide(columns, limits, dimension, (i) => (swapped ? passing : held[i]))
  if (misfit !== null) return misfit
  const cost = (i: number, j: number): number => dimension.cost(question.measure, outer.weights[i], inner.weights[j])
  const tooHeavy = checkTableCost(question, cost, limits.maxCells)
  if (tooHeavy !== null) return tooHeavy

  const measure = dimension.measure(question)
  const values = question.a.map((): TableValue[] => new Array<TableValue>(columns.bodies.length).fill(null))
  for (let i = 0; i < outer.bodies.length; i++) {
    dimension.decode(outer.bodies[i], passing, limits)
    for (let j = 0; j < held.length; j++) {
      if (swapped) values[j][i] = measure(held[j], passing)
      else values[i][j] = measure(passing, held[j])
      spend(cost(i, j))
    }
  }
  return values
}

/** Checks which options go with which measure; a schema cannot. */
function checkOptions<B>({ measure, duration, ignoreSeparating }: TableQuestion<B>): DecodeProblem | null {
  if (measure !== 'time-of-impact') {
    if (duration !== undefined) return unexpected('duration', measure)
    return ignoreSeparating === undefined ? null : unexpected('ignoreSeparating', measure)
  }
  if (duration !== undefined) return checkDuration(duration)
  const detail = 'duration is missing: expected a number of at least 0, because the measure is time-of-impact.'
  return problemAt('/duration', 'schema-violation', detail)
}

function unexpected(field: string, measure: string): DecodeProblem {
  const detail = `${field} is taken for the measure time-of-impact only, and the measure is ${measure}.`
  return problemAt(`/${field}`, 'schema-violation', detail)
}

/** Decodes every body, into the slot that it has. */
function readSide<B, S, L>(
  { name, bodies, weights }: TableSide<B>,
  limits: L,
  dimension: TableDimension<B, S, L>,
  slotOf: (index: number) => S,
): DecodeProblem | null {
  for (let i = 0; i < bodies.length; i++) {
    const slot = slotOf(i)
    const problem = dimension.decode(bodies[i], slot, limits)
    if (problem !== null) return under(`/${name}/${i}`, problem)
    weights.push(dimension.weigh(slot))
    spend(weights[i].points)
  }
  return null
}

interface TableSizes {
  readonly a: readonly unknown[]
  readonly b: readonly unknown[]
}

/** Points that the two bodies of a cell may have on average, over as many cells as there may be. */
const POINTS_PER_CELL = 128

/** The problem of lists that are too long, or null. */
function checkTableSizes(table: TableSizes, { maxBodies, maxCells }: TableLimits): DecodeProblem | null {
  for (const name of ['a', 'b'] as const) {
    const actual = table[name].length
    if (actual <= maxBodies) continue
    const detail = `${name} must have at most ${maxBodies} items, got ${actual}.`
    return problemAt(`/${name}`, 'too-many-bodies', detail, { limit: maxBodies, actual })
  }
  const actual = table.a.length * table.b.length
  return actual <= maxCells ? null : tooManyCells(table, '.', maxCells, actual)
}

function tooManyCells({ a, b }: TableSizes, why: string, limit: number, actual: number): DecodeProblem {
  const detail = `A table may have at most ${limit} cells, got ${a.length} × ${b.length}${why}`
  const places = [{ pointer: '/a' }, { pointer: '/b' }]
  return { ok: false, code: 'too-many-cells', detail, places, limit, actual }
}

/** The problem of bodies that are too heavy, or null. `cost`: of a pair, the longer list first, in points that are looked at. */
function checkTableCost(
  table: TableSizes,
  cost: (outer: number, inner: number) => number,
  maxCells: number,
): DecodeProblem | null {
  const outer = Math.max(table.a.length, table.b.length)
  const inner = Math.min(table.a.length, table.b.length)
  let total = 0
  for (let i = 0; i < outer; i++) {
    spend(inner)
    for (let j = 0; j < inner; j++) total += cost(i, j)
  }
  const actual = Math.ceil(total / POINTS_PER_CELL)
  if (actual <= maxCells) return null
  return tooManyCells(table, `, which count as ${actual} for the vertices of their bodies.`, maxCells, actual)
}
