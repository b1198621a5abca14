// POST /v1/3d/overlap: do two bodies share a point, how can the client check it, and does one contain the other?

import { type Static, Type } from '@sinclair/typebox'
import { word } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { Body3d } from '../shapes3d/body.ts'
import { OverlapCertificate3d } from './overlap-certificate.ts'

export const Overlap3dRequest = Type.Object(
  {
    a: reference(Body3d, 'The first body, A.'),
    b: reference(Body3d, 'The second body, B.'),
    explain: Type.Optional(
      Type.Boolean({
        description: 'Ask for a certificate of the answer, and whether one body contains the other; false when absent.',
      }),
    ),
  },
  named('Overlap3dRequest', 'Two bodies to test for a common point.', {
    'box-and-ball': {
      a: { shape: { type: 'box', size: { x: 2, y: 2, z: 2 } } },
      b: { shape: { type: 'sphere', radius: 1 }, position: { x: 2, y: 0, z: 0 } },
    },
    'separating-axis': {
      a: { shape: { type: 'cylinder', radius: 1, height: 4 } },
      b: { shape: { type: 'sphere', radius: 1 }, position: { x: 0, y: 6, z: 0 } },
      explain: true,
    },
  }),
)
export type Overlap3dRequest = Static<typeof Overlap3dRequest>

export const Overlap3dResponse = Type.Object(
  {
    overlap: Type.Boolean({ description: 'True when the bodies share at least one point; touching counts.' }),
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
    certificate: Type.Optional(reference(OverlapCertificate3d, 'Present when explain was true.')),
  },
  named('Overlap3dResponse', 'Whether the bodies overlap, decided exactly.', [
    { overlap: true, relation: 'touching' },
    {
      overlap: false,
      relation: 'separated',
      aContainsB: false,
      bContainsA: false,
      certificate: { kind: 'separating-axis', normal: { x: 0, y: 1, z: 0 }, gap: 3 },
    },
  ]),
)
export type Overlap3dResponse = Static<typeof Overlap3dResponse>
