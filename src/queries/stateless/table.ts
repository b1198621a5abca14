// The query `table`: one measure of every pair of two lists of bodies.

import { spend } from '../../containers/budget.ts'
import {
  createTimeOfImpact as createFound2d,
  timeOfImpact as timeOfImpact2d,
} from '../../core2d/motion/time-of-impact.ts'
import { contact as contact2d, createContact as createContact2d } from '../../core2d/queries/contact.ts'
import { createDistance as createDistance2d, distance as distance2d } from '../../core2d/queries/distance.ts'
import { bodiesMeet as bodiesMeet2d } from '../../core2d/queries/overlap.ts'
import { COMPOSITE } from '../../core2d/shape/body.ts'
import {
  createTimeOfImpact as createFound3d,
  timeOfImpact as timeOfImpact3d,
} from '../../core3d/motion/time-of-impact.ts'
import { contact as contact3d, createContact as createContact3d } from '../../core3d/queries/contact.ts'
import { createDistance as createDistance3d, distance as distance3d } from '../../core3d/queries/distance.ts'
import { bodiesMeet as bodiesMeet3d } from '../../core3d/queries/overlap.ts'
import { COMPOSITE as COMPOSITE_3D } from '../../core3d/shape/body.ts'
import { isTurnedBy } from '../../core3d/shape/motion.ts'
import { checkDuration } from '../../wire/body.ts'
import { checkLength, type DecodeProblem, isProblem, problemAt, under } from '../../wire/decode-problem.ts'
import { finite } from '../../wire/encode.ts'
import type { QueryLimits } from '../ask/query.ts'
import { type Geometry, type InBoth, type Kinds, PLANE, SPACE } from './geometry.ts'

/** A body and its motion. */
interface Mover<K extends Kinds> {
  body: K['body']
  motion: K['motion']
}

type Measure = 'overlap' | 'distance' | 'separation' | 'time-of-impact'

interface Core<K extends Kinds> {
  isConcave(body: K['body']): boolean
  turns(mover: Mover<K>): boolean
  cost(measure: Measure, a: Weight, b: Weight): number
  bodiesMeet(a: K['body'], b: K['body']): boolean
  /** The distance, the signed separation, and the time of impact or null. */
  distance(a: K['body'], b: K['body']): number
  separation(a: K['body'], b: K['body']): number
  time(a: Mover<K>, b: Mover<K>, duration: number, ignoreSeparating: boolean): number | null
}

function query<K extends Kinds>(
  { createBody, createMotion, decodeMovingBody, points, details, problems }: Geometry<K>,
  core: Core<K>,
) {
  const { isConcave, turns, cost, bodiesMeet, distance, separation, time } = core
  const dimension: TableDimension<K['moving'], Mover<K>> = {
    createSlot: () => ({ body: createBody(), motion: createMotion() }),
    decode: (wire, { body, motion }, limits) => decodeMovingBody(wire, body, motion, limits),
    weigh: (mover) => ({ points: points(mover.body), isConcave: isConcave(mover.body), turns: turns(mover) }),
    cost,
    measure({ measure, duration = 0, ignoreSeparating = false }) {
      switch (measure) {
        case 'overlap':
          return ({ body: a }, { body: b }) => bodiesMeet(a, b)
        case 'distance':
          return ({ body: a }, { body: b }) => finite(distance(a, b))
        case 'separation':
          return ({ body: a }, { body: b }) => {
            const found = separation(a, b)
            return found === Number.NEGATIVE_INFINITY ? null : finite(found)
          }
        case 'time-of-impact':
          return (a, b) => time(a, b, duration, ignoreSeparating)
      }
    },
  }
  return {
    tag: 'many' as const,
    summary: 'How do all bodies of one list stand to all of another?',
    description:
      'Answers one question about every pair of a body of a and a body of b: do they overlap, how far are they apart, how deep do they overlap, or when do they first touch. Every value is the one that the query about that pair alone gives, to the last bit.',
    advice: `Ask for fewer cells at a time, or for shapes with fewer ${details}.`,
    problems: [...problems, 'too-many-bodies' as const, 'too-many-cells' as const],
    answer(request: TableQuestion<K['moving']>, limits: QueryLimits) {
      const values = fillTable(request, limits, dimension)
      return isProblem(values) ? values : { measure: request.measure, values: values as never }
    },
  }
}

/** How many times the points of a pair are looked at: of concave bodies, of moving ones, of turning ones. */
const CONCAVE_LOOKS = 32
const MOVING_LOOKS = 4
const TURNING_LOOKS_2D = 32
const TURNING_LOOKS_3D = 64

/** Pairs of leaves from which on the depth of a concave pair takes no longer, because its search ends. */
const MOST_LEAF_PAIRS = 2 ** 14

function costOf(measure: Measure, a: Weight, b: Weight, turningLooks: number): number {
  const sum = a.points + b.points
  const isFlat = measure === 'overlap' || measure === 'distance'
  const looks = measure !== 'time-of-impact' ? 1 : a.turns || b.turns ? turningLooks : MOVING_LOOKS
  if (!a.isConcave && !b.isConcave) return sum * looks
  const leafPairs = isFlat ? 0 : Math.min(a.points * b.points, MOST_LEAF_PAIRS)
  return CONCAVE_LOOKS * (sum + looks * leafPairs)
}

const distance2dFound = createDistance2d()
const contact2dFound = createContact2d()
const impact2dFound = createFound2d()
const distance3dFound = createDistance3d()
const contact3dFound = createContact3d()
const impact3dFound = createFound3d()

export const tableQuery: InBoth<'table'> = {
  '2d': query(PLANE, {
    isConcave: ({ kind }) => kind === COMPOSITE,
    turns: ({ motion }) => motion.spin !== 0,
    cost: (measure, a, b) => costOf(measure, a, b, TURNING_LOOKS_2D),
    bodiesMeet: bodiesMeet2d,
    distance(a, b) {
      distance2d(a, b, distance2dFound)
      return distance2dFound.distance
    },
    separation(a, b) {
      contact2d(a, b, 0, contact2dFound)
      return contact2dFound.separation
    },
    time(a, b, duration, ignoreSeparating) {
      timeOfImpact2d(a.body, a.motion, b.body, b.motion, duration, ignoreSeparating, 'time', impact2dFound)
      return impact2dFound.hit ? finite(impact2dFound.time) : null
    },
  }),
  '3d': query(SPACE, {
    isConcave: ({ kind }) => kind === COMPOSITE_3D,
    turns: ({ body, motion }) => isTurnedBy(body, motion),
    cost: (measure, a, b) => costOf(measure, a, b, TURNING_LOOKS_3D),
    bodiesMeet: bodiesMeet3d,
    distance(a, b) {
      distance3d(a, b, distance3dFound)
      return distance3dFound.distance
    },
    separation(a, b) {
      contact3d(a, b, contact3dFound)
      return contact3dFound.separation
    },
    time(a, b, duration, ignoreSeparating) {
      timeOfImpact3d(a.body, a.motion, b.body, b.motion, duration, ignoreSeparating, 'time', impact3dFound)
      return impact3dFound.hit ? finite(impact3dFound.time) : null
    },
  }),
}

/** A request of either dimension. `B`: a body of it. */
interface TableQuestion<B> {
  readonly a: readonly B[]
  readonly b: readonly B[]
  readonly measure: Measure
  readonly duration?: number
  readonly ignoreSeparating?: boolean
}

type TableValue = boolean | number | null

/** Functions of one dimension for a table. `B`: a body of the request; `S`: a slot for it. */
interface TableDimension<B, S> {
  createSlot(): S
  decode(body: B, slot: S, limits: QueryLimits): DecodeProblem | null
  weigh(slot: S): Weight
  /** Cost of a cell, in points that are looked at. */
  cost(measure: Measure, a: Weight, b: Weight): number
  measure(question: TableQuestion<B>): (a: S, b: S) => TableValue
}

/** Cost of a body. */
interface Weight {
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
function fillTable<B, S>(
  question: TableQuestion<B>,
  limits: QueryLimits,
  dimension: TableDimension<B, S>,
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

/** Checks what the schema cannot: which options go with which measure. */
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

/** Decodes every body into its slot. */
function readSide<B, S>(
  { name, bodies, weights }: TableSide<B>,
  limits: QueryLimits,
  dimension: TableDimension<B, S>,
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
function checkTableSizes(table: TableSizes, { maxBodies, maxCells }: QueryLimits): DecodeProblem | null {
  for (const name of ['a', 'b'] as const) {
    const problem = checkLength(name, table[name], 'too-many-bodies', maxBodies)
    if (problem !== null) return problem
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
