// The query `table`. Two lists of bodies, and one measure of every pair of them.

import type { TableRequest, TableResponse } from '../../../schemas/queries/table.ts'
import type { MovingBody2d } from '../../../schemas/shapes/body.ts'
import { spend } from '../../containers/budget.ts'
import { createTimeOfImpact } from '../../core2d/impact/impact.ts'
import { impact } from '../../core2d/impact/time-of-impact.ts'
import { bodiesMeet } from '../../core2d/pair-queries/bodies-meet.ts'
import { contact } from '../../core2d/pair-queries/contact.ts'
import { createContact } from '../../core2d/pair-queries/contact-record.ts'
import { createDistance, distance } from '../../core2d/pair-queries/distance.ts'
import { type Body, COMPOSITE, createBody } from '../../core2d/shape/body.ts'
import { createMotion, type Motion } from '../../core2d/shape/motion.ts'
import { decodeMovingBody } from '../../wire/decode/decode-body.ts'
import { checkDuration } from '../../wire/decode/decode-duration.ts'
import type { ShapeLimits } from '../../wire/decode/shape-limits.ts'
import { finite } from '../../wire/encode/finite.ts'
import { type DecodeProblem, problemAt, under } from '../../wire/problems/decode-problem.ts'
import { QUERY_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { QueryOf } from '../ask/query.ts'
import { checkTableCost, checkTableSizes } from '../ask/table-sizes.ts'
import { bodyPoints } from './body-points.ts'

export const tableQuery: QueryOf<'table'> = {
  tag: 'many',
  summary: 'How do all bodies of one list stand to all of another?',
  description:
    'Answers one question about every pair of a body of a and a body of b: do they overlap, how far are they apart, how deep do they overlap, or when do they first touch. Every value is the one that the query about that pair alone gives, to the last bit.',
  advice: 'Ask for fewer cells at a time, or for shapes with fewer vertices or parts.',
  problems: [...QUERY_PROBLEMS, 'too-many-bodies', 'too-many-cells'],
  answer: fillTable,
}

export interface TableLimits extends ShapeLimits {
  maxBodies: number
  maxCells: number
}

/** How many times the points of a pair are looked at: of concave bodies, of moving ones, of turning ones. */
const CONCAVE_LOOKS = 32
const MOVING_LOOKS = 4
const TURNING_LOOKS = 32

/** Pairs of leaves from which on the depth of a concave pair takes no longer, because its search ends. */
const MOST_LEAF_PAIRS = 2 ** 14

interface Mover {
  body: Body
  motion: Motion
}

/** One of the two lists. */
interface TableSide {
  name: 'a' | 'b'
  bodies: readonly MovingBody2d[]
  points: Int32Array
  concave: Uint8Array
  turning: Uint8Array
}

type Value = boolean | number | null
type Measure = (a: Mover, b: Mover) => Value

const foundDistance = createDistance()
const foundContact = createContact()
const foundImpact = createTimeOfImpact()

/** The table, or the first problem, with pointers into the request. */
export function fillTable(request: TableRequest, limits: TableLimits): TableResponse | DecodeProblem {
  const problem = checkOptions(request) ?? checkTableSizes(request, limits)
  if (problem !== null) return problem
  const rows = createSide('a', request.a)
  const columns = createSide('b', request.b)
  // The longer list is gone through once, the shorter one held: no more bodies than the root of the number of cells.
  const swapped = columns.bodies.length > rows.bodies.length
  const [outer, inner] = swapped ? [columns, rows] : [rows, columns]
  const held = inner.bodies.map(createMover)
  const passing = createMover()
  const misfit =
    readSide(rows, limits, (i) => (swapped ? held[i] : passing)) ??
    readSide(columns, limits, (i) => (swapped ? passing : held[i]))
  if (misfit !== null) return misfit
  const cost = createCost(request.measure, outer, inner)
  const tooHeavy = checkTableCost(request, cost, limits.maxCells)
  if (tooHeavy !== null) return tooHeavy

  const measure = measureOf(request)
  const values = request.a.map((): Value[] => new Array<Value>(columns.bodies.length).fill(null))
  for (let i = 0; i < outer.bodies.length; i++) {
    decodeMovingBody(outer.bodies[i], passing.body, passing.motion, limits)
    for (let j = 0; j < held.length; j++) {
      if (swapped) values[j][i] = measure(held[j], passing)
      else values[i][j] = measure(passing, held[j])
      spend(cost(i, j))
    }
  }
  return { measure: request.measure, values } as TableResponse
}

function createMover(): Mover {
  return { body: createBody(), motion: createMotion() }
}

function createSide(name: 'a' | 'b', bodies: readonly MovingBody2d[]): TableSide {
  const { length } = bodies
  return {
    name,
    bodies,
    points: new Int32Array(length),
    concave: new Uint8Array(length),
    turning: new Uint8Array(length),
  }
}

/** What a schema cannot say: which options go with which measure. */
function checkOptions({ measure, duration, ignoreSeparating }: TableRequest): DecodeProblem | null {
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
function readSide(
  { name, bodies, points, concave, turning }: TableSide,
  limits: ShapeLimits,
  slotOf: (index: number) => Mover,
): DecodeProblem | null {
  for (let i = 0; i < bodies.length; i++) {
    const { body, motion } = slotOf(i)
    const problem = decodeMovingBody(bodies[i], body, motion, limits)
    if (problem !== null) return under(`/${name}/${i}`, problem)
    points[i] = bodyPoints(body)
    concave[i] = body.kind === COMPOSITE ? 1 : 0
    turning[i] = motion.spin === 0 ? 0 : 1
    spend(points[i])
  }
  return null
}

/** What a pair costs, in points looked at. */
function createCost(
  measure: TableRequest['measure'],
  outer: TableSide,
  inner: TableSide,
): (outer: number, inner: number) => number {
  const isFlat = measure === 'overlap' || measure === 'distance'
  const moves = measure === 'time-of-impact'
  return (i, j) => {
    const sum = outer.points[i] + inner.points[j]
    const isConcave = outer.concave[i] === 1 || inner.concave[j] === 1
    const turns = moves && (outer.turning[i] === 1 || inner.turning[j] === 1)
    const looks = turns ? TURNING_LOOKS : moves ? MOVING_LOOKS : 1
    if (!isConcave) return sum * looks
    const leafPairs = isFlat ? 0 : Math.min(outer.points[i] * inner.points[j], MOST_LEAF_PAIRS)
    return CONCAVE_LOOKS * (sum + looks * leafPairs)
  }
}

function measureOf({ measure, duration = 0, ignoreSeparating = false }: TableRequest): Measure {
  switch (measure) {
    case 'overlap':
      return ({ body: a }, { body: b }) => bodiesMeet(a, b)
    case 'distance':
      return ({ body: a }, { body: b }) => {
        distance(a, b, foundDistance)
        return finite(foundDistance.distance)
      }
    case 'separation':
      return ({ body: a }, { body: b }) => {
        contact(a, b, 0, foundContact)
        const { separation } = foundContact
        return separation === Number.NEGATIVE_INFINITY ? null : finite(separation)
      }
    case 'time-of-impact':
      return (a, b) => {
        impact(a.body, a.motion, b.body, b.motion, duration, ignoreSeparating, 'time', foundImpact)
        return foundImpact.hit ? finite(foundImpact.time) : null
      }
  }
}
