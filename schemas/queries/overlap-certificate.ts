// What the client can check an answer to overlap with.

import { type Static, Type } from '@sinclair/typebox'
import { length } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { taggedUnion } from '../tagged-union.ts'
import { Vec2 } from '../vec2.ts'

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
