// The query `table`. Two lists of bodies, and one measure of every pair of them.

import type { Table3dRequest, Table3dResponse } from '../../../schemas/queries/table.ts'
import type { MovingBody3d } from '../../../schemas/shapes3d.ts'
import { createTimeOfImpact, timeOfImpact } from '../../core3d/impact/time-of-impact.ts'
import { contact, createContact } from '../../core3d/pair-queries/contact.ts'
import { createDistance, distance } from '../../core3d/pair-queries/distance.ts'
import { bodiesMeet } from '../../core3d/pair-queries/overlap.ts'
import { type Body, createBody } from '../../core3d/shape/body.ts'
import { createMotion, isTurnedBy, type Motion } from '../../core3d/shape/motion.ts'
import { decodeMovingBody } from '../../wire/bodies/body-3d.ts'
import { finite } from '../../wire/bodies/encode.ts'
import { isProblem } from '../../wire/problems/decode-problem.ts'
import { QUERY_3D_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import { fillTable, type TableDimension } from '../ask/fill-table.ts'
import type { Query3dOf, QueryLimits } from '../ask/query.ts'
import { bodyPoints } from './body-points.ts'

export const table3dQuery: Query3dOf<'table'> = {
  tag: 'many',
  summary: 'How do all bodies of one list stand to all of another?',
  description:
    'Answers one question about every pair of a body of a and a body of b: do they overlap, how far are they apart, how deep do they overlap, or when do they first touch. Every value is the one that the query about that pair alone gives, to the last bit.',
  advice: 'Ask for fewer cells at a time, or for shapes with fewer points.',
  problems: [...QUERY_3D_PROBLEMS, 'too-many-bodies', 'too-many-cells'],
  answer(request, limits) {
    const values = fillTable(request, limits, SPACE)
    return isProblem(values) ? values : ({ measure: request.measure, values } as Table3dResponse)
  },
}

/** How many times the points of a pair are looked at: of moving bodies, of turning ones. */
const MOVING_LOOKS = 4
const TURNING_LOOKS = 64

interface Mover {
  body: Body
  motion: Motion
}

const foundDistance = createDistance()
const foundContact = createContact()
const foundImpact = createTimeOfImpact()

const SPACE: TableDimension<MovingBody3d, Mover, QueryLimits> = {
  createSlot: () => ({ body: createBody(), motion: createMotion() }),
  decode: (wire, { body, motion }, limits) => decodeMovingBody(wire, body, motion, limits),
  weigh: ({ body, motion }) => ({ points: bodyPoints(body), isConcave: false, turns: isTurnedBy(body, motion) }),
  cost(measure: Table3dRequest['measure'], a, b) {
    const looks = measure !== 'time-of-impact' ? 1 : a.turns || b.turns ? TURNING_LOOKS : MOVING_LOOKS
    return looks * (a.points + b.points)
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
          contact(a, b, foundContact)
          const { separation } = foundContact
          return separation === Number.NEGATIVE_INFINITY ? null : finite(separation)
        }
      case 'time-of-impact':
        return (a, b) => {
          timeOfImpact(a.body, a.motion, b.body, b.motion, duration, ignoreSeparating, foundImpact)
          return foundImpact.hit ? finite(foundImpact.time) : null
        }
    }
  },
}
