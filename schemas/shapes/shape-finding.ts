// What is found about a shape: what it is, where, and what the service does about it.

import { type Static, Type } from '@sinclair/typebox'
import { PROBLEM_CODES } from '../problem-code.ts'
import { word } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { Vec2 } from '../vec2.ts'

/** In the order in which findings at one place are listed. */
export const FINDING_KINDS = [
  'too-many-parts',
  'too-many-vertices',
  'out-of-range',
  'aabb-rotated',
  'aabb-inverted',
  'normal-zero',
  'normal-scaled',
  'degenerate',
  'winding',
  'hole-outside',
  'hole-in-hole',
  'repeated',
  'collinear',
  'reflex',
  'spike',
  'self-intersection',
  'edges-overlap',
  'touching',
] as const

/** Findings of one kind that an answer lists at most. */
export const MAX_FINDINGS = 1000

export const ShapeFinding = Type.Object(
  {
    kind: word(
      FINDING_KINDS,
      'What was found. winding: the outline of a polygon or region runs clockwise, or a hole counter-clockwise; repeated: a vertex on the one before; collinear: a vertex on the line through its neighbours; reflex: a vertex of a polygon that is not convex there; spike: an outline that goes back along itself; self-intersection: two edges that cross, or an outline that crosses itself at a vertex; edges-overlap: two edges with a common stretch; touching: rings that touch themselves or each other at a point; degenerate: a shape without area, or without length; normal-scaled: the normal of a halfplane that is no unit vector; out-of-range: a number beyond 1e100 in magnitude. Lines of a chain may cross, and corners of a region be concave: these are no findings.',
    ),
    outcome: word(['refused', 'accepted'], 'refused: queries answer with a problem; accepted: they take the shape.'),
    code: Type.Optional(word(PROBLEM_CODES, 'The problem that queries answer with; present when refused.')),
    detail: Type.String({ description: 'What is there, in one sentence.' }),
    action: Type.String({ description: 'What the service does about it, in one sentence.' }),
    pointers: Type.Array(Type.String(), {
      minItems: 1,
      description:
        'Where: JSON Pointers into the request body, as URI fragments. Of two edges the vertices at which they start, of a spike its tip before them.',
    }),
    points: Type.Array(reference(Vec2), {
      description:
        'Where in the plane, in the frame of the whole shape: the vertex, the crossing, both ends of a stretch, the first vertex of a ring, the corners of a box. Empty where there is no such place.',
    }),
    edges: Type.Optional(
      Type.Array(Type.Integer({ format: 'int32', minimum: 0 }), {
        minItems: 2,
        maxItems: 2,
        description: 'The two edges of a spike, a self-intersection, an overlap or a touching, as features name them.',
      }),
    ),
  },
  named(
    'ShapeFinding',
    'Something about a shape that queries refuse, take otherwise than it is written, or that may be a slip.',
  ),
)
export type ShapeFinding = Static<typeof ShapeFinding>
export type FindingKind = ShapeFinding['kind']
