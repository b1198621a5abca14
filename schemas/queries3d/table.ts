// POST /v1/3d/table: one measure of every pair of two lists of bodies.

import { type Static, Type } from '@sinclair/typebox'
import { MAX_PAIRED_BODIES } from '../queries/pairs.ts'
import { tableOptions, tables } from '../queries/table.ts'
import { named, reference } from '../reference.ts'
import { MovingBody3d } from '../shapes3d/body.ts'
import { taggedUnion } from '../tagged-union.ts'

const bodies = (name: string) =>
  Type.Array(reference(MovingBody3d), { maxItems: MAX_PAIRED_BODIES, description: `The bodies of the ${name}.` })

const ball = { type: 'sphere', radius: 1 }

export const Table3dRequest = Type.Object(
  {
    a: bodies('rows: A of each pair'),
    b: bodies('columns: B of each pair'),
    ...tableOptions,
  },
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
