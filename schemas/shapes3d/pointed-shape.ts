// Shapes of few points: a point, a segment, a triangle, and what lies within a radius of the first two.
// Local frame, closed and solid. Sizes of zero are legal and give the lower-dimensional set.

import { type Static, Type } from '@sinclair/typebox'
import { length } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { Vec3 } from '../vec3.ts'

export const PointShape3d = Type.Object(
  { type: Type.Literal('point') },
  named('PointShape3d', 'A single point, at the local origin. Its one vertex is 0.'),
)

export const SphereShape3d = Type.Object(
  { type: Type.Literal('sphere'), radius: length('Radius, at least 0; 0 is a point.') },
  named('SphereShape3d', 'A solid ball about the local origin. Its one feature is its surface.'),
)

export const SegmentShape3d = Type.Object(
  {
    type: Type.Literal('segment'),
    a: reference(Vec3, 'First end, local frame.'),
    b: reference(Vec3, 'Second end, local frame; may equal a, which gives a point.'),
  },
  named(
    'SegmentShape3d',
    'A line segment from a to b, both ends included, without thickness. Vertex 0 is a, vertex 1 is b.',
  ),
)

export const CapsuleShape3d = Type.Object(
  {
    type: Type.Literal('capsule'),
    a: reference(Vec3, 'First end of the core segment, local frame.'),
    b: reference(Vec3, 'Second end of the core segment, local frame; may equal a, which gives a sphere.'),
    radius: length('Distance from the core segment to the surface, at least 0; 0 is a segment.'),
  },
  named(
    'CapsuleShape3d',
    'All points within radius of the segment from a to b. Vertex 0 is the cap about a, vertex 1 the cap about b.',
  ),
)

export const TriangleShape3d = Type.Object(
  {
    type: Type.Literal('triangle'),
    a: reference(Vec3, 'First corner, local frame.'),
    b: reference(Vec3, 'Second corner, local frame.'),
    c: reference(Vec3, 'Third corner, local frame; corners on one line make it a segment, equal ones a point.'),
  },
  named('TriangleShape3d', 'A flat triangle without thickness. Vertices 0, 1, 2 are a, b, c.'),
)

export type PointShape3d = Static<typeof PointShape3d>
export type SphereShape3d = Static<typeof SphereShape3d>
export type SegmentShape3d = Static<typeof SegmentShape3d>
export type CapsuleShape3d = Static<typeof CapsuleShape3d>
export type TriangleShape3d = Static<typeof TriangleShape3d>
