// What the client can check an answer to overlap with, in space.

import { type Static, Type } from '@sinclair/typebox'
import { length } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { taggedUnion } from '../tagged-union.ts'
import { Vec3 } from '../vec3.ts'

export const SeparatingAxisCertificate3d = Type.Object(
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

export const CommonPointCertificate3d = Type.Object(
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
