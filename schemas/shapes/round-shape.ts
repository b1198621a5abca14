// Shapes swept or bent: a point, a segment, what lies within a radius of them, and the ellipse.
// Local frame, closed and solid. Sizes of zero are legal and give the lower-dimensional set.

import { type Static, Type } from '@sinclair/typebox'
import { length, real } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { Vec2 } from '../vec2.ts'

export const PointShape = Type.Object(
  { type: Type.Literal('point') },
  named('PointShape', 'A single point, at the local origin.'),
)
export type PointShape = Static<typeof PointShape>

export const CircleShape = Type.Object(
  { type: Type.Literal('circle'), radius: length('Radius, at least 0; 0 is a point.') },
  named('CircleShape', 'A solid disc about the local origin. Its one feature is surface 0.'),
)
export type CircleShape = Static<typeof CircleShape>

export const SegmentShape = Type.Object(
  {
    type: Type.Literal('segment'),
    a: reference(Vec2, 'First end, local frame.'),
    b: reference(Vec2, 'Second end, local frame; may equal a, which gives a point.'),
  },
  named(
    'SegmentShape',
    'A line segment from a to b, both ends included, without thickness. Features: vertex 0 is a, vertex 1 is b, edge 0 is the side to the right of a→b, edge 1 the side to the left.',
  ),
)
export type SegmentShape = Static<typeof SegmentShape>

export const CapsuleShape = Type.Object(
  {
    type: Type.Literal('capsule'),
    a: reference(Vec2, 'First end of the core segment, local frame.'),
    b: reference(Vec2, 'Second end of the core segment, local frame; may equal a, which gives a circle.'),
    radius: length('Distance from the core segment to the surface, at least 0; 0 is a segment.'),
  },
  named(
    'CapsuleShape',
    'All points within radius of the segment from a to b. Features: vertex 0 is the cap about a, vertex 1 the cap about b, edge 0 is the side to the right of a→b, edge 1 the side to the left.',
  ),
)
export type CapsuleShape = Static<typeof CapsuleShape>

export const EllipseShape = Type.Object(
  {
    type: Type.Literal('ellipse'),
    rx: real('Half extent along local x, greater than 0.', { exclusiveMinimum: 0 }),
    ry: real('Half extent along local y, greater than 0.', { exclusiveMinimum: 0 }),
  },
  named(
    'EllipseShape',
    'A solid ellipse about the local origin, its axes along local x and y; the exact curve, not a polygon. Its one feature is surface 0.',
  ),
)
export type EllipseShape = Static<typeof EllipseShape>
