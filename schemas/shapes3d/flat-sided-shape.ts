// Shapes with flat sides: boxes, hulls of points, half-spaces.
// Local frame, closed and solid. Sizes of zero are legal and give the lower-dimensional set.

import { type Static, Type } from '@sinclair/typebox'
import { length, real } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { Vec3 } from '../vec3.ts'

export const MAX_HULL_POINTS = 4096

export const BoxSize3d = Type.Object(
  {
    x: length('Full extent along local x, at least 0, rounding not counted.'),
    y: length('Full extent along local y, at least 0, rounding not counted.'),
    z: length('Full extent along local z, at least 0, rounding not counted.'),
  },
  named('BoxSize3d', 'The extents of a box along its own axes.'),
)

export const BoxShape3d = Type.Object(
  {
    type: Type.Literal('box'),
    size: reference(BoxSize3d, 'Full extents, rounding not counted.'),
    radius: Type.Optional(
      length('Rounds the box outward by this much (it grows by radius on every side); 0 when absent.'),
    ),
  },
  named(
    'BoxShape3d',
    'A box centred on the local origin, optionally rounded. Vertex i lies at the greater x if bit 0 of i is set, the greater y by bit 1, the greater z by bit 2.',
  ),
)

export const AabbShape3d = Type.Object(
  {
    type: Type.Literal('aabb'),
    min: reference(Vec3, 'Corner with the least x, y and z, local frame.'),
    max: reference(
      Vec3,
      'Corner with the greatest x, y and z, local frame; no component below that of min (problem `aabb-inverted`).',
    ),
  },
  named(
    'AabbShape3d',
    'An axis-aligned box given by two corners. A body with this shape takes no orientation (problem `aabb-rotated`). Vertices as for a box.',
  ),
)

export const HullShape3d = Type.Object(
  {
    type: Type.Literal('hull'),
    points: Type.Array(reference(Vec3), {
      minItems: 1,
      maxItems: MAX_HULL_POINTS,
      description:
        'Points in any order, local frame, of which the convex hull is taken: inner, repeated, coplanar and collinear ones are accepted.',
    }),
    radius: Type.Optional(length('Rounds the hull outward by this much; 0 when absent.')),
  },
  named(
    'HullShape3d',
    'The convex hull of 1 to 4096 points, optionally rounded. Its vertices go by the index of the point given here, of equal points the first.',
  ),
)

export const HalfspaceShape3d = Type.Object(
  {
    type: Type.Literal('halfspace'),
    normal: reference(
      Vec3,
      'Points out of the solid side; any length but 0 (problem `halfspace-normal-zero`), normalised on entry.',
    ),
    offset: real(
      'Signed distance of the boundary from the local origin along the unit normal: the solid side is every x with n·x ≤ offset.',
    ),
  },
  named('HalfspaceShape3d', 'Everything on one side of a plane, the plane included. Its one feature is its face.'),
)

export type BoxShape3d = Static<typeof BoxShape3d>
export type AabbShape3d = Static<typeof AabbShape3d>
export type HullShape3d = Static<typeof HullShape3d>
export type HalfspaceShape3d = Static<typeof HalfspaceShape3d>
