// POST /v1/3d/table: one measure of every pair of two lists of bodies.

import { type Static, Type } from '@sinclair/typebox'
import { word } from '../quantity.ts'
import { MAX_PAIRED_BODIES } from '../queries/pairs.ts'
import { DistanceTable, OverlapTable, SeparationTable } from '../queries/table.ts'
import { named, reference } from '../reference.ts'
import { Body3d } from '../shapes3d/body.ts'
import { taggedUnion } from '../tagged-union.ts'

const bodies = (name: string) =>
  Type.Array(reference(Body3d), { maxItems: MAX_PAIRED_BODIES, description: `The bodies of the ${name}.` })

const ball = { type: 'sphere', radius: 1 }

export const Table3dRequest = Type.Object(
  {
    a: bodies('rows: A of each pair'),
    b: bodies('columns: B of each pair'),
    measure: word(
      ['overlap', 'distance', 'separation'],
      'What is asked about each pair, as the query of this name answers it; separation is that of contact.',
    ),
  },
  named('Table3dRequest', 'Bodies in space to measure against each other.', {
    distances: {
      a: [{ shape: ball }, { shape: ball, position: { x: 0, y: 0, z: 9 } }],
      b: [{ shape: { type: 'point' }, position: { x: 0, y: 3, z: 4 } }],
      measure: 'distance',
    },
  }),
)
export type Table3dRequest = Static<typeof Table3dRequest>

export const Table3dResponse = taggedUnion('measure', [OverlapTable, DistanceTable, SeparationTable] as const, {
  $id: 'Table3dResponse',
  description: 'The measure that was asked for, of every pair: a row for each body of a, with a value for each of b.',
})
export type Table3dResponse = Static<typeof Table3dResponse>

/** Any of the tables as one object: told apart by `op`, the result of a batch cannot be told apart by `measure` as well. */
export const AnyTable3d = Type.Object({
  measure: Table3dRequest.properties.measure,
  values: Type.Array(
    Type.Array(
      Type.Unsafe<boolean | number | null>({ type: ['boolean', 'number', 'null'], description: 'One value.' }),
      { description: 'One row.' },
    ),
    {
      description:
        'values[i][j] is of a[i] and b[j]: of overlap true or false, of distance a number, of separation a number or null.',
    },
  ),
})
