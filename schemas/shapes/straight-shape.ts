// Shapes with straight sides, which may be rounded outward by a radius.
// Local frame, closed and solid. Sizes of zero are legal and give the lower-dimensional set.

import { type Static, Type } from '@sinclair/typebox'
import { length, real } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { Vec2 } from '../vec2.ts'

export const MIN_POLYGON_VERTICES = 3
export const MAX_POLYGON_VERTICES = 1024

export const BoxShape = Type.Object(
  {
    type: Type.Literal('box'),
    width: length('Full extent along local x, at least 0, rounding not counted.'),
    height: length('Full extent along local y, at least 0, rounding not counted.'),
    radius: Type.Optional(
      length('Rounds the box outward by this much (it grows by radius on every side); 0 when absent.'),
    ),
  },
  named(
    'BoxShape',
    'A rectangle centred on the local origin, optionally rounded. Features: vertices counter-clockwise from (min x, min y), edge i runs from vertex i to vertex i + 1.',
  ),
)
export type BoxShape = Static<typeof BoxShape>

export const AabbShape = Type.Object(
  {
    type: Type.Literal('aabb'),
    min: reference(Vec2, 'Corner with the least x and y, local frame.'),
    max: reference(
      Vec2,
      'Corner with the greatest x and y, local frame; neither component below that of min (problem `aabb-inverted`).',
    ),
  },
  named(
    'AabbShape',
    'An axis-aligned box given by two corners. A body with this shape takes no rotation (problem `aabb-rotated`). Features as for a box: vertices counter-clockwise from min, edge i runs from vertex i to vertex i + 1.',
  ),
)
export type AabbShape = Static<typeof AabbShape>

export const PolygonShape = Type.Object(
  {
    type: Type.Literal('polygon'),
    vertices: Type.Array(reference(Vec2), {
      minItems: MIN_POLYGON_VERTICES,
      maxItems: MAX_POLYGON_VERTICES,
      description:
        'Corners in order, clockwise or counter-clockwise, local frame. Repeated and collinear ones are accepted; a reflex one is the problem `polygon-not-convex`.',
    }),
    radius: Type.Optional(length('Rounds the polygon outward by this much; 0 when absent.')),
  },
  named(
    'PolygonShape',
    'A convex polygon of 3 to 1024 vertices, optionally rounded. Features: vertices by the index given here; edge i runs from vertex i to vertex i + 1 in the order given here. Collinear vertices are merged, and the merged edge carries the index of its first one.',
  ),
)
export type PolygonShape = Static<typeof PolygonShape>

export const HalfplaneShape = Type.Object(
  {
    type: Type.Literal('halfplane'),
    normal: reference(
      Vec2,
      'Points out of the solid side; any length but 0 (problem `halfplane-normal-zero`), normalised on entry.',
    ),
    offset: real(
      'Signed distance of the boundary from the local origin along the unit normal: the solid side is every x with n·x ≤ offset.',
    ),
  },
  named('HalfplaneShape', 'Everything on one side of a line, the line included. Its one feature is edge 0.'),
)
export type HalfplaneShape = Static<typeof HalfplaneShape>
