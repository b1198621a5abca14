// Features of bodies in space: the named parts of a shape's boundary.

import { type Static, Type } from '@sinclair/typebox'
import { index, word } from './quantity.ts'
import { named } from './reference.ts'

export const ShapeFeature3d = Type.Object(
  {
    kind: word(
      ['vertex', 'edge', 'face', 'surface'],
      'vertex: a corner or an end; edge: a straight line where two faces meet; face: a flat side; surface: what is bent.',
    ),
    vertices: Type.Array(index('Index of a vertex, from 0, in the order of the shape as it was sent.'), {
      description:
        'The caller’s own vertices that span it: one of a vertex, the two ends of an edge, those around a face, counter-clockwise seen from outside. Empty for surfaces and for what has no vertices.',
    }),
  },
  named(
    'ShapeFeature3d',
    'A part of a shape’s boundary, by its vertices. point: vertex 0. segment, capsule: vertices 0, 1 are a, b. triangle: 0, 1, 2 are a, b, c. box, aabb: vertex i lies at the greater x if bit 0 of i is set, the greater y by bit 1, the greater z by bit 2. hull: the caller’s own points by their index, of equal ones the first. sphere, cylinder, cone, ellipsoid: their surface, without vertices. halfspace: its face, without vertices.',
  ),
)
export type ShapeFeature3d = Static<typeof ShapeFeature3d>
