// POST /v1/2d/overlap: do two bodies share a point, how can the client check it, and does one contain the other?

import { type Static, Type } from '@sinclair/typebox'
import { length, word } from '../quantity.ts'
import { named, reference, taggedUnion } from '../reference.ts'
import { Body2d } from '../shapes2d.ts'
import { Body3d } from '../shapes3d.ts'
import { Vec2, Vec3 } from '../vector.ts'

// What the client can check an answer to overlap with, in space.

const SeparatingAxisCertificate3d = Type.Object(
  {
    kind: Type.Literal('separating-axis'),
    normal: reference(Vec3, 'Unit vector of the axis, from A to B, world frame.'),
    gap: length('Length of the empty interval between the projections of A and B on the axis, greater than 0.'),
  },
  named(
    'SeparatingAxisCertificate3d',
    'Proof that the bodies are apart: projected on normal, all of A lies below all of B, with gap between them, so a plane across it runs between them.',
  ),
)

const CommonPointCertificate3d = Type.Object(
  {
    kind: Type.Literal('common-point'),
    point: reference(Vec3, 'A point of both bodies, world frame, to rounding.'),
  },
  named(
    'CommonPointCertificate3d',
    'Proof that the bodies meet: a point that lies in both. Checked by testing it against each.',
  ),
)

export const OverlapCertificate3d = taggedUnion(
  'kind',
  [SeparatingAxisCertificate3d, CommonPointCertificate3d] as const,
  {
    $id: 'OverlapCertificate3d',
    description: 'What the client can check the answer with; `kind` says which proof it is.',
  },
)
export type OverlapCertificate3d = Static<typeof OverlapCertificate3d>

// What the client can check an answer to overlap with.

export const SeparatingAxisCertificate = Type.Object(
  {
    kind: Type.Literal('separating-axis'),
    normal: reference(Vec2, 'Unit vector of the axis, from A to B, world frame.'),
    gap: length('Length of the empty interval between the projections of A and B on the axis, greater than 0.'),
  },
  named(
    'SeparatingAxisCertificate',
    'Proof that the bodies are apart: projected on normal, all of A lies below all of B, with gap between them. Checked by projecting every vertex once.',
  ),
)
export type SeparatingAxisCertificate = Static<typeof SeparatingAxisCertificate>

const CommonPointCertificate = Type.Object(
  {
    kind: Type.Literal('common-point'),
    point: reference(Vec2, 'A point of both bodies, world frame, to rounding.'),
  },
  named(
    'CommonPointCertificate',
    'Proof that the bodies meet: a point that lies in both. Checked by testing it against each.',
  ),
)

export const OverlapCertificate = taggedUnion('kind', [SeparatingAxisCertificate, CommonPointCertificate] as const, {
  $id: 'OverlapCertificate',
  description: 'What the client can check the answer with; `kind` says which proof it is.',
})
export type OverlapCertificate = Static<typeof OverlapCertificate>

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

// POST /v1/3d/overlap: do two bodies share a point, how can the client check it, and does one contain the other?

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
