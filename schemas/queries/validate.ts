// POST /v1/2d/validate: would queries take this shape, and as what?

import { type Static, Type } from '@sinclair/typebox'
import { named, reference } from '../reference.ts'
import { Shape2d } from '../shapes/shape.ts'
import { MAX_FINDINGS, ShapeFinding } from '../shapes/shape-finding.ts'

export const ValidateRequest = Type.Object(
  { shape: reference(Shape2d, 'The shape, in its own local frame.') },
  named('ValidateRequest', 'A shape to look for faults and oddities in.', {
    'bow-tie': {
      shape: {
        type: 'region',
        outer: [
          { x: 0, y: 0 },
          { x: 2, y: 2 },
          { x: 2, y: 0 },
          { x: 0, y: 2 },
        ],
      },
    },
  }),
)
export type ValidateRequest = Static<typeof ValidateRequest>

export const ValidateResponse = Type.Object(
  {
    valid: Type.Boolean({ description: 'Whether queries take the shape: no finding is refused.' }),
    findings: Type.Array(reference(ShapeFinding), {
      description: `What was found, in the order of the shapes and their vertices; at most ${MAX_FINDINGS} of each kind. A number out of range, or too many vertices or parts, end the look at the shape they are found in.`,
    }),
    truncated: Type.Boolean({ description: 'True when there is, or may be, more than the findings listed.' }),
  },
  named('ValidateResponse', 'What queries make of the shape.', [
    {
      valid: false,
      findings: [
        {
          kind: 'self-intersection',
          outcome: 'refused',
          code: 'region-self-intersecting',
          detail: 'Edge 0 (from vertex 0 to 1) and edge 2 (from vertex 2 to 3) cross at (1, 1).',
          action: 'Refused as region-self-intersecting.',
          pointers: ['#/shape/outer/0', '#/shape/outer/2'],
          points: [{ x: 1, y: 1 }],
          edges: [0, 2],
        },
      ],
      truncated: false,
    },
  ]),
)
export type ValidateResponse = Static<typeof ValidateResponse>
