// POST /v1/2d/table: one measure of every pair of two lists of bodies.

import { type Static, Type } from '@sinclair/typebox'
import { duration, length, nullableReal, word } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { MovingBody2d } from '../shapes/body.ts'
import { taggedUnion } from '../tagged-union.ts'
import { MAX_PAIRED_BODIES } from './pairs.ts'
import { ignoreSeparating } from './time-of-impact.ts'

const bodies = (name: string) =>
  Type.Array(reference(MovingBody2d), { maxItems: MAX_PAIRED_BODIES, description: `The bodies of the ${name}.` })

const circle = { type: 'circle', radius: 1 }

/** The options of a table of either dimension. */
export const tableOptions = {
  measure: word(
    ['overlap', 'distance', 'separation', 'time-of-impact'],
    'What is asked about each pair, as the query of this name answers it; separation is that of contact. Only times of impact depend on how bodies move.',
  ),
  duration: Type.Optional(
    duration(
      'How long to look ahead, in seconds; at most 1e100. Required for times of impact and taken for nothing else.',
    ),
  ),
  ignoreSeparating: Type.Optional(
    Type.Boolean({ description: `${ignoreSeparating.description} Taken for times of impact and nothing else.` }),
  ),
}

export const TableRequest = Type.Object(
  {
    a: bodies('rows: A of each pair'),
    b: bodies('columns: B of each pair'),
    ...tableOptions,
  },
  named('TableRequest', 'Bodies to measure against each other.', {
    distances: {
      a: [{ shape: circle }, { shape: circle, position: { x: 0, y: 4 } }],
      b: [{ shape: { type: 'point' }, position: { x: 3, y: 4 } }],
      measure: 'distance',
    },
    'times-of-impact': {
      a: [{ shape: circle, velocity: { x: 1, y: 0 } }],
      b: [
        { shape: circle, position: { x: 4, y: 0 } },
        { shape: circle, position: { x: -4, y: 0 } },
      ],
      measure: 'time-of-impact',
      duration: 10,
    },
  }),
)
export type TableRequest = Static<typeof TableRequest>

const rows = <T extends ReturnType<typeof nullableReal> | ReturnType<typeof length> | ReturnType<typeof Type.Boolean>>(
  value: T,
) => Type.Array(Type.Array(value, { description: 'One row.' }), { description: 'values[i][j] is of a[i] and b[j].' })

export const OverlapTable = Type.Object(
  {
    measure: Type.Literal('overlap'),
    values: rows(Type.Boolean({ description: 'True when the bodies share at least one point; touching counts.' })),
  },
  named('OverlapTable', 'Which pairs overlap.', [{ measure: 'overlap', values: [[true, false]] }]),
)

export const DistanceTable = Type.Object(
  {
    measure: Type.Literal('distance'),
    values: rows(length('Shortest distance between the bodies; 0 when they touch or overlap.')),
  },
  named('DistanceTable', 'How far apart pairs are.', [{ measure: 'distance', values: [[4], [2]] }]),
)

export const SeparationTable = Type.Object(
  {
    measure: Type.Literal('separation'),
    values: rows(
      nullableReal('Signed distance of the surfaces, negative for a penetration depth; null when nothing parts them.'),
    ),
  },
  named('SeparationTable', 'How far apart pairs are, or how deep they overlap.', [
    { measure: 'separation', values: [[4, -0.5]] },
  ]),
)

export const ImpactTable = Type.Object(
  {
    measure: Type.Literal('time-of-impact'),
    values: rows(
      nullableReal('First time from 0 to duration at which the bodies touch, in seconds; null without one.'),
    ),
  },
  named('ImpactTable', 'When pairs first touch.', [{ measure: 'time-of-impact', values: [[2, null]] }]),
)

export const tables = [OverlapTable, DistanceTable, SeparationTable, ImpactTable] as const

export const TableResponse = taggedUnion('measure', tables, {
  $id: 'TableResponse',
  description: 'The measure that was asked for, of every pair: a row for each body of a, with a value for each of b.',
})
export type TableResponse = Static<typeof TableResponse>
