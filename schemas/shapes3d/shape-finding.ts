// What is found about a shape of space: what it is, where, and what the service does about it.

import { type Static, Type } from '@sinclair/typebox'
import { PROBLEM_CODES } from '../problem-code.ts'
import { word } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { Vec3 } from '../vec3.ts'

export const FINDING_KINDS_3D = [
  'too-many-vertices',
  'out-of-range',
  'aabb-inverted',
  'normal-zero',
  'normal-scaled',
  'degenerate',
  'repeated',
  'inner',
] as const

export const ShapeFinding3d = Type.Object(
  {
    kind: word(
      FINDING_KINDS_3D,
      'What was found. degenerate: a shape without volume, or of a triangle without area; repeated: a point of a hull that is given before; inner: a point of a hull that is no corner of it; normal-scaled: the normal of a halfspace that is no unit vector; out-of-range: a number beyond 1e100 in magnitude.',
    ),
    outcome: word(['refused', 'accepted'], 'refused: queries answer with a problem; accepted: they take the shape.'),
    code: Type.Optional(word(PROBLEM_CODES, 'The problem that queries answer with; present when refused.')),
    detail: Type.String({ description: 'What is there, in one sentence.' }),
    action: Type.String({ description: 'What the service does about it, in one sentence.' }),
    pointers: Type.Array(Type.String(), {
      minItems: 1,
      description: 'Where: JSON Pointers into the request body, as URI fragments.',
    }),
    points: Type.Array(reference(Vec3), {
      description: 'Where in space, in the local frame: the points that are meant. Empty where there is no such place.',
    }),
  },
  named(
    'ShapeFinding3d',
    'Something about a shape of space that queries refuse, take otherwise than it is written, or that may be a slip.',
  ),
)
export type ShapeFinding3d = Static<typeof ShapeFinding3d>
