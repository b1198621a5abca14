// POST /v1/2d/overlap: do two bodies share a point, and how can the client check it?

import { type Static, Type } from '@sinclair/typebox'
import { Body2d } from './body.ts'
import { length, word } from './quantity.ts'
import { named, reference } from './reference.ts'
import { taggedUnion } from './tagged-union.ts'
import { Vec2 } from './vec2.ts'

export const OverlapRequest = Type.Object(
  {
    a: reference(Body2d, 'The first body, A.'),
    b: reference(Body2d, 'The second body, B.'),
    explain: Type.Optional(Type.Boolean({ description: 'Ask for a certificate of the answer; false when absent.' })),
  },
  named('OverlapRequest', 'Two bodies to test for a common point.', [
    {
      a: { shape: { type: 'box', width: 2, height: 2 } },
      b: { shape: { type: 'circle', radius: 1 }, position: { x: 2, y: 0 } },
    },
    {
      a: { shape: { type: 'aabb', min: { x: 0, y: 0 }, max: { x: 16, y: 16 } } },
      b: {
        shape: { type: 'capsule', a: { x: 0, y: 0 }, b: { x: 0, y: 12 }, radius: 4 },
        position: { x: 21, y: 2 },
      },
      explain: true,
    },
    {
      a: { shape: { type: 'ellipse', rx: 3, ry: 1 }, rotation: 0.5 },
      b: { shape: { type: 'point' }, position: { x: 1, y: 0.5 } },
      explain: true,
    },
  ]),
)
export type OverlapRequest = Static<typeof OverlapRequest>

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

export const CommonPointCertificate = Type.Object(
  {
    kind: Type.Literal('common-point'),
    point: reference(Vec2, 'A point of both bodies, world frame, to rounding.'),
  },
  named(
    'CommonPointCertificate',
    'Proof that the bodies meet: a point that lies in both. Checked by testing it against each.',
  ),
)
export type CommonPointCertificate = Static<typeof CommonPointCertificate>

export const OverlapCertificate = taggedUnion('kind', [SeparatingAxisCertificate, CommonPointCertificate] as const, {
  $id: 'OverlapCertificate',
  description: 'What the client can check the answer with; `kind` says which proof it is.',
})
export type OverlapCertificate = Static<typeof OverlapCertificate>

export const OverlapResponse = Type.Object(
  {
    overlap: Type.Boolean({
      description: 'True when the bodies share at least one point; touching counts.',
    }),
    relation: word(
      ['separated', 'touching', 'overlapping'],
      'separated: no common point; touching: boundaries meet, insides do not; overlapping: insides meet.',
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
      certificate: { kind: 'separating-axis', normal: { x: 1, y: 0 }, gap: 1 },
    },
  ]),
)
export type OverlapResponse = Static<typeof OverlapResponse>
