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
    index: index('Counts from 0 in the order of the shape as it was sent; see each shape’s description.'),
  },
  named(
    'ShapeFeature3d',
    'A part of a shape’s boundary. point: vertex 0. sphere, cylinder, cone, ellipsoid: surface 0. segment, capsule: vertex 0 = a, vertex 1 = b. triangle: vertices 0, 1, 2 = a, b, c. box, aabb: vertex i at the greater x if bit 0 of i is set, the greater y by bit 1, the greater z by bit 2. hull: the caller’s own point index, of equal points the first. halfspace: face 0.',
  ),
)
export type ShapeFeature3d = Static<typeof ShapeFeature3d>
