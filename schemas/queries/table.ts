// POST /v1/2d/table and /v1/3d/table: one measure of every pair of two lists of bodies.

import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { duration, length, nullableReal, word } from '../quantity.ts'
import { named, reference, taggedUnion } from '../reference.ts'
import { MovingBody2d } from '../shapes2d.ts'
import { MovingBody3d } from '../shapes3d.ts'
import { MAX_PAIRED_BODIES } from './pairs.ts'
import { ignoreSeparating } from './time-of-impact.ts'

const bodies = <M extends TSchema>(movingBody: M, name: string) =>
  Type.Array(reference(movingBody), { maxItems: MAX_PAIRED_BODIES, description: `The bodies of the ${name}.` })

const fields = <M extends TSchema>(movingBody: M) => ({
  a: bodies(movingBody, 'rows: A of each pair'),
  b: bodies(movingBody, 'columns: B of each pair'),
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
})

const circle = { type: 'circle', radius: 1 }

export const TableRequest = Type.Object(
  fields(MovingBody2d),
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

const OverlapTable = Type.Object(
  {
    measure: Type.Literal('overlap'),
    values: rows(Type.Boolean({ description: 'True when the bodies share at least one point; touching counts.' })),
  },
  named('OverlapTable', 'Which pairs overlap.', [{ measure: 'overlap', values: [[true, false]] }]),
)

const DistanceTable = Type.Object(
  {
    measure: Type.Literal('distance'),
    values: rows(length('Shortest distance between the bodies; 0 when they touch or overlap.')),
  },
  named('DistanceTable', 'How far apart pairs are.', [{ measure: 'distance', values: [[4], [2]] }]),
)

const SeparationTable = Type.Object(
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

const ImpactTable = Type.Object(
  {
    measure: Type.Literal('time-of-impact'),
    values: rows(
      nullableReal('First time from 0 to duration at which the bodies touch, in seconds; null without one.'),
    ),
  },
  named('ImpactTable', 'When pairs first touch.', [{ measure: 'time-of-impact', values: [[2, null]] }]),
)

const tables = [OverlapTable, DistanceTable, SeparationTable, ImpactTable] as const

export const TableResponse = taggedUnion('measure', tables, {
  $id: 'TableResponse',
  description: 'The measure that was asked for, of every pair: a row for each body of a, with a value for each of b.',
})
export type TableResponse = Static<typeof TableResponse>

/** The result of a table in a batch. The union of results discriminates by `op`, so it cannot discriminate by `measure` as well: any of the tables as one object. */
export const AnyTable = Type.Object({
  measure: TableRequest.properties.measure,
  values: Type.Array(
    Type.Array(
      Type.Unsafe<boolean | number | null>({ type: ['boolean', 'number', 'null'], description: 'One value.' }),
      { description: 'One row.' },
    ),
    {
      description:
        'values[i][j] is of a[i] and b[j]: of overlap true or false, of distance a number, of the others a number or null.',
    },
  ),
})

const ball = { type: 'sphere', radius: 1 }

export const Table3dRequest = Type.Object(
  fields(MovingBody3d),
  named('Table3dRequest', 'Bodies in space to measure against each other.', {
    distances: {
      a: [{ shape: ball }, { shape: ball, position: { x: 0, y: 0, z: 9 } }],
      b: [{ shape: { type: 'point' }, position: { x: 0, y: 3, z: 4 } }],
      measure: 'distance',
    },
    'times-of-impact': {
      a: [{ shape: ball, velocity: { x: 1, y: 0, z: 0 } }],
      b: [
        { shape: ball, position: { x: 4, y: 0, z: 0 } },
        { shape: ball, position: { x: -4, y: 0, z: 0 } },
      ],
      measure: 'time-of-impact',
      duration: 10,
    },
  }),
)
export type Table3dRequest = Static<typeof Table3dRequest>

export const Table3dResponse = taggedUnion('measure', tables, {
  $id: 'Table3dResponse',
  description: 'The measure that was asked for, of every pair: a row for each body of a, with a value for each of b.',
})
export type Table3dResponse = Static<typeof Table3dResponse>
