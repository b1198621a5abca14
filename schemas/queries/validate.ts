// POST /v1/2d/validate and /v1/3d/validate: would queries take this shape, and as what?

import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { type Examples, plane, space } from '../dimensions.ts'
import { PROBLEM_CODES } from '../problem.ts'
import { real, word } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { Vec2, Vec3 } from '../vector.ts'

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

export const FINDING_KINDS_3D = [
  'too-many-parts',
  'too-many-vertices',
  'too-many-triangles',
  'out-of-range',
  'index-out-of-range',
  'misshapen',
  'not-closed',
  'orientation-not-unit',
  'aabb-rotated',
  'aabb-inverted',
  'normal-zero',
  'normal-scaled',
  'degenerate',
  'winding',
  'repeated',
  'inner',
] as const

export const ShapeFinding3d = Type.Object(
  {
    kind: word(
      FINDING_KINDS_3D,
      'What was found. degenerate: a shape without volume, or a triangle without area; index-out-of-range: a triangle of a mesh that names no vertex; misshapen: lists of a mesh or height field that do not fit together; not-closed: an edge of a solid mesh that is passed more often one way than the other; winding: a solid mesh whose triangles run clockwise; repeated: a point of a hull that is given before; inner: a point of a hull that is no corner of it; normal-scaled: the normal of a halfspace that is no unit vector; out-of-range: a number beyond 1e100 in magnitude.',
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

function validate<S extends TSchema, F extends TSchema, M extends TProperties>(
  { tag, shape, ofSpace }: { tag: string; shape: S; ofSpace: string },
  finding: F,
  /** The order of findings, and what ends the search. */
  order: { readonly first: string; readonly end: string },
  /** Fields of the response beside those. */
  more: M,
  examples: Examples,
) {
  const request = Type.Object(
    { shape: reference(shape, 'The shape, in its own local frame.') },
    named(`Validate${tag}Request`, `A shape${ofSpace} to look for faults and oddities in.`, examples.request),
  )
  const response = Type.Object(
    {
      valid: Type.Boolean({ description: 'Whether queries take the shape: no finding is refused.' }),
      findings: Type.Array(reference(finding), {
        description: `What was found, ${order.first}; at most ${MAX_FINDINGS} of each kind. A number out of range, or too many ${order.end}.`,
      }),
      truncated: Type.Boolean({ description: 'True when there is, or may be, more than the findings listed.' }),
      ...more,
    },
    named(`Validate${tag}Response`, 'What queries make of the shape.', examples.response),
  )
  return { request, response }
}

export const { request: ValidateRequest, response: ValidateResponse } = validate(
  plane,
  ShapeFinding,
  {
    first: 'in the order of the shapes and their vertices',
    end: 'vertices or parts, end the look at the shape they are found in',
  },
  {},
  {
    request: {
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
    },
    response: [
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
    ],
  },
)
export type ValidateRequest = Static<typeof ValidateRequest>
export type ValidateResponse = Static<typeof ValidateResponse>

export const { request: Validate3dRequest, response: Validate3dResponse } = validate(
  space,
  ShapeFinding3d,
  { first: 'those of points in their order', end: 'points, end the look at the shape' },
  {
    openness: Type.Optional(
      real(
        'Of a mesh with open edges: how far its generalised winding number is from a whole number, on average over points in its box. Near 0 its holes are small beside it, and nearly all points are inside or outside beyond doubt; ½ is the most. Absent for closed meshes and other shapes.',
        { minimum: 0, maximum: 0.5 },
      ),
    ),
  },
  {
    request: {
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
    },
    response: [
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
    ],
  },
)
export type Validate3dRequest = Static<typeof Validate3dRequest>
export type Validate3dResponse = Static<typeof Validate3dResponse>
