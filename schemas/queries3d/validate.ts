// POST /v1/3d/validate: would queries take this shape, and as what?

import { type Static, Type } from '@sinclair/typebox'
import { named, reference } from '../reference.ts'
import { MAX_FINDINGS } from '../shapes/shape-finding.ts'
import { Shape3d } from '../shapes3d/shape.ts'
import { ShapeFinding3d } from '../shapes3d/shape-finding.ts'

export const Validate3dRequest = Type.Object(
  { shape: reference(Shape3d, 'The shape, in its own local frame.') },
  named('Validate3dRequest', 'A shape of space to look for faults and oddities in.', {
    'flat-hull': {
      shape: {
        type: 'hull',
        points: [
          { x: 0, y: 0, z: 1 },
          { x: 2, y: 0, z: 1 },
          { x: 0, y: 2, z: 1 },
          { x: 2, y: 0, z: 1 },
        ],
      },
    },
  }),
)
export type Validate3dRequest = Static<typeof Validate3dRequest>

export const Validate3dResponse = Type.Object(
  {
    valid: Type.Boolean({ description: 'Whether queries take the shape: no finding is refused.' }),
    findings: Type.Array(reference(ShapeFinding3d), {
      description: `What was found, those of points in their order; at most ${MAX_FINDINGS} of each kind. A number out of range, or too many points, end the look at the shape.`,
    }),
    truncated: Type.Boolean({ description: 'True when there is, or may be, more than the findings listed.' }),
  },
  named('Validate3dResponse', 'What queries make of the shape.', [
    {
      valid: true,
      findings: [
        {
          kind: 'degenerate',
          outcome: 'accepted',
          detail: 'All points lie in one plane.',
          action: 'Taken as the flat shape that it is.',
          pointers: ['#/shape/points'],
          points: [],
        },
        {
          kind: 'repeated',
          outcome: 'accepted',
          detail: 'Point 3 is point 1 again.',
          action: 'Left out.',
          pointers: ['#/shape/points/3'],
          points: [{ x: 2, y: 0, z: 1 }],
        },
      ],
      truncated: false,
    },
  ]),
)
export type Validate3dResponse = Static<typeof Validate3dResponse>
