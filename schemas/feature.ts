// Features: the named parts of a shape's boundary, so that a client can tell which corner or side was met.

import { type Static, Type } from '@sinclair/typebox'
import { index, word } from './quantity.ts'
import { named } from './reference.ts'

export const ShapeFeature = Type.Object(
  {
    kind: word(
      ['vertex', 'edge', 'surface'],
      'vertex: a corner or an end; edge: a side; surface: the one boundary of a circle or an ellipse.',
    ),
    index: index('Counts from 0 in the order of the shape as it was sent; see each shape’s description.'),
  },
  named(
    'ShapeFeature',
    'A part of a shape’s boundary. point: vertex 0. circle, ellipse: surface 0. halfplane: edge 0. segment, capsule: vertex 0 = a, vertex 1 = b, edge 0 right of a→b, edge 1 left of it. box, aabb: vertices counter-clockwise from (min x, min y), edge i from vertex i to i + 1. polygon: the caller’s own vertex index, edge i from vertex i to i + 1 in the caller’s order; of merged collinear edges the first index.',
  ),
)
export type ShapeFeature = Static<typeof ShapeFeature>
