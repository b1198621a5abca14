// POST /v1/2d/overlap: do two bodies share a point, how can the client check it, and does one contain the other?

import { type Static, Type } from '@sinclair/typebox'
import { word } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { Body2d } from '../shapes/body.ts'
import { OverlapCertificate } from './overlap-certificate.ts'

export const OverlapRequest = Type.Object(
  {
    a: reference(Body2d, 'The first body, A.'),
    b: reference(Body2d, 'The second body, B.'),
    explain: Type.Optional(
      Type.Boolean({
        description: 'Ask for a certificate of the answer, and whether one body contains the other; false when absent.',
      }),
    ),
  },
  named('OverlapRequest', 'Two bodies to test for a common point.', {
    'box-and-circle': {
      a: { shape: { type: 'box', width: 2, height: 2 } },
      b: { shape: { type: 'circle', radius: 1 }, position: { x: 2, y: 0 } },
    },
    'separating-axis': {
      a: { shape: { type: 'aabb', min: { x: 0, y: 0 }, max: { x: 16, y: 16 } } },
      b: {
        shape: { type: 'capsule', a: { x: 0, y: 0 }, b: { x: 0, y: 12 }, radius: 4 },
        position: { x: 21, y: 2 },
      },
      explain: true,
    },
    'common-point': {
      a: { shape: { type: 'ellipse', rx: 3, ry: 1 }, rotation: 0.5 },
      b: { shape: { type: 'point' }, position: { x: 1, y: 0.5 } },
      explain: true,
    },
  }),
)
export type OverlapRequest = Static<typeof OverlapRequest>

export const OverlapResponse = Type.Object(
  {
    overlap: Type.Boolean({
      description: 'True when the bodies share at least one point; touching counts.',
    }),
    relation: word(
      ['separated', 'touching', 'overlapping'],
      'separated: no common point; touching: boundaries meet, insides do not; overlapping: insides meet.',
    ),
    aContainsB: Type.Optional(
      Type.Boolean({
        description:
          'Present when explain was true: whether every point of B is a point of A. Bodies are closed, so B may touch the boundary of A from inside.',
      }),
    ),
    bContainsA: Type.Optional(
      Type.Boolean({ description: 'Present when explain was true: whether every point of A is a point of B.' }),
    ),
    certificate: Type.Optional(
      reference(
        OverlapCertificate,
        'Present when explain was true, except where bodies that are not convex are apart and no straight line runs between them.',
      ),
    ),
  },
  named('OverlapResponse', 'Whether the bodies overlap, decided exactly.', [
    { overlap: true, relation: 'touching' },
    {
      overlap: false,
      relation: 'separated',
      aContainsB: false,
      bContainsA: false,
      certificate: { kind: 'separating-axis', normal: { x: 1, y: 0 }, gap: 1 },
    },
  ]),
)
export type OverlapResponse = Static<typeof OverlapResponse>
