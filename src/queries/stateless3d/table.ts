// The query `table`. Two lists of bodies, and one measure of every pair of them.

import type { Table3dRequest, Table3dResponse } from '../../../schemas/queries3d/table.ts'
import type { Body3d } from '../../../schemas/shapes3d/body.ts'
import { spend } from '../../containers/budget.ts'
import { contact, createContact } from '../../core3d/pair-queries/contact.ts'
import { createDistance, distance } from '../../core3d/pair-queries/distance.ts'
import { bodiesMeet } from '../../core3d/pair-queries/overlap.ts'
import { type Body, createBody } from '../../core3d/shape/body.ts'
import { decodeBody } from '../../wire/decode3d/decode-body.ts'
import { finite } from '../../wire/encode/finite.ts'
import { type DecodeProblem, under } from '../../wire/problems/decode-problem.ts'
import { QUERY_3D_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { Query3dOf, QueryLimits } from '../ask/query.ts'
import { checkTableCost, checkTableSizes } from '../ask/table-sizes.ts'
import { bodyPoints } from './body-points.ts'

export const table3dQuery: Query3dOf<'table'> = {
  tag: 'many',
  summary: 'How do all bodies of one list stand to all of another?',
  description:
    'Answers one question about every pair of a body of a and a body of b: do they overlap, how far are they apart, or how deep do they overlap. Every value is the one that the query about that pair alone gives, to the last bit.',
  advice: 'Ask for fewer cells at a time, or for shapes with fewer points.',
  problems: [...QUERY_3D_PROBLEMS, 'too-many-bodies', 'too-many-cells'],
  answer: fillTable,
}

/** One of the two lists. */
interface TableSide {
  readonly name: 'a' | 'b'
  readonly bodies: readonly Body3d[]
  readonly points: Int32Array
}

type Measure = (a: Body, b: Body) => boolean | number | null

const foundDistance = createDistance()
const foundContact = createContact()

/** The table, or the first problem, with pointers into the request. */
function fillTable(request: Table3dRequest, limits: QueryLimits): Table3dResponse | DecodeProblem {
  const problem = checkTableSizes(request, limits)
  if (problem !== null) return problem
  const rows = createSide('a', request.a)
  const columns = createSide('b', request.b)
  // The longer list is gone through once, the shorter one held: no more bodies than the root of the number of cells.
  const swapped = columns.bodies.length > rows.bodies.length
  const [outer, inner] = swapped ? [columns, rows] : [rows, columns]
  const held = inner.bodies.map(createBody)
  const passing = createBody()
  const misfit =
    readSide(rows, limits, (i) => (swapped ? held[i] : passing)) ??
    readSide(columns, limits, (i) => (swapped ? passing : held[i]))
  if (misfit !== null) return misfit
  const cost = (i: number, j: number): number => outer.points[i] + inner.points[j]
  const tooHeavy = checkTableCost(request, cost, limits.maxCells)
  if (tooHeavy !== null) return tooHeavy

  const measure = MEASURES[request.measure]
  const values = request.a.map(() => new Array<boolean | number | null>(columns.bodies.length).fill(null))
  for (let i = 0; i < outer.bodies.length; i++) {
    decodeBody(outer.bodies[i], passing, limits)
    for (let j = 0; j < held.length; j++) {
      if (swapped) values[j][i] = measure(held[j], passing)
      else values[i][j] = measure(passing, held[j])
      spend(cost(i, j))
    }
  }
  return { measure: request.measure, values } as Table3dResponse
}

function createSide(name: 'a' | 'b', bodies: readonly Body3d[]): TableSide {
  return { name, bodies, points: new Int32Array(bodies.length) }
}

/** Decodes every body, into the slot that it has. */
function readSide(
  { name, bodies, points }: TableSide,
  limits: QueryLimits,
  slotOf: (index: number) => Body,
): DecodeProblem | null {
  for (let i = 0; i < bodies.length; i++) {
    const slot = slotOf(i)
    const problem = decodeBody(bodies[i], slot, limits)
    if (problem !== null) return under(`/${name}/${i}`, problem)
    points[i] = bodyPoints(slot)
    spend(points[i])
  }
  return null
}

const MEASURES: { readonly [Name in Table3dRequest['measure']]: Measure } = {
  overlap: bodiesMeet,
  distance: (a, b) => {
    distance(a, b, foundDistance)
    return finite(foundDistance.distance)
  },
  separation: (a, b) => {
    contact(a, b, foundContact)
    const { separation } = foundContact
    return separation === Number.NEGATIVE_INFINITY ? null : finite(separation)
  },
}
