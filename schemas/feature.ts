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
    path: Type.Optional(
      Type.Array(index('Index in the children of a compound.'), {
        description:
          'Only for compounds: the indices of the children that lead from the outermost compound to the shape whose feature this is.',
      }),
    ),
  },
  named(
    'ShapeFeature',
    'A part of a shape’s boundary. point: vertex 0. circle, ellipse: surface 0. halfplane: edge 0. segment, capsule: vertex 0 = a, vertex 1 = b, edge 0 right of a→b, edge 1 left of it. box, aabb: vertices counter-clockwise from (min x, min y), edge i from vertex i to i + 1. polygon: the caller’s own vertex index, edge i from vertex i to i + 1 in the caller’s order; of merged collinear edges the first index. chain, region: vertices counted in the caller’s order, over outer and then each hole; edge i from vertex i to the next one of its ring. compound: the feature of a child, and its path.',
  ),
)
export type ShapeFeature = Static<typeof ShapeFeature>
