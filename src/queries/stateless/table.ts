// The query `table`. Two lists of bodies, and one measure of every pair of them.

import type { TableRequest, TableResponse } from '../../../schemas/queries/table.ts'
import type { MovingBody2d } from '../../../schemas/shapes2d.ts'
import { createTimeOfImpact, impact } from '../../core2d/impact/time-of-impact.ts'
import { contact, createContact } from '../../core2d/pair-queries/contact.ts'
import { createDistance, distance } from '../../core2d/pair-queries/distance.ts'
import { bodiesMeet } from '../../core2d/pair-queries/overlap.ts'
import { type Body, COMPOSITE, createBody } from '../../core2d/shape/body.ts'
import { createMotion, type Motion } from '../../core2d/shape/motion.ts'
import { decodeMovingBody, type ShapeLimits } from '../../wire/bodies/body.ts'
import { finite } from '../../wire/bodies/encode.ts'
import { type DecodeProblem, isProblem } from '../../wire/problems/decode-problem.ts'
import { QUERY_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import { fillTable as fill, type TableLimits as Limits, type TableDimension } from '../ask/fill-table.ts'
import type { QueryOf } from '../ask/query.ts'
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

export type TableLimits = ShapeLimits & Limits

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

const foundDistance = createDistance()
const foundContact = createContact()
const foundImpact = createTimeOfImpact()

/** The table, or the first problem, with pointers into the request. */
export function fillTable(request: TableRequest, limits: TableLimits): TableResponse | DecodeProblem {
  const values = fill(request, limits, PLANE)
  return isProblem(values) ? values : ({ measure: request.measure, values } as TableResponse)
}

const PLANE: TableDimension<MovingBody2d, Mover, TableLimits> = {
  createSlot: () => ({ body: createBody(), motion: createMotion() }),
  decode: (wire, { body, motion }, limits) => decodeMovingBody(wire, body, motion, limits),
  weigh: ({ body, motion }) => ({
    points: bodyPoints(body),
    isConcave: body.kind === COMPOSITE,
    turns: motion.spin !== 0,
  }),
  cost(measure, a, b) {
    const sum = a.points + b.points
    const isFlat = measure === 'overlap' || measure === 'distance'
    const looks = measure !== 'time-of-impact' ? 1 : a.turns || b.turns ? TURNING_LOOKS : MOVING_LOOKS
    if (!a.isConcave && !b.isConcave) return sum * looks
    const leafPairs = isFlat ? 0 : Math.min(a.points * b.points, MOST_LEAF_PAIRS)
    return CONCAVE_LOOKS * (sum + looks * leafPairs)
  },
  measure({ measure, duration = 0, ignoreSeparating = false }) {
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
  },
}
