// Features: the parts of a shape's boundary, by which answers name the corner, side or face that was hit.

import { type Static, Type } from '@sinclair/typebox'
import { index, real, word } from './quantity.ts'
import { named, reference } from './reference.ts'

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

export const Barycentric3d = Type.Object(
  {
    u: real('Weight of the first vertex of the triangle.'),
    v: real('Weight of the second vertex.'),
    w: real('Weight of the third vertex.'),
  },
  named('Barycentric3d', 'A point of a triangle as the mean of its vertices by these weights, whose sum is 1.'),
)

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
    triangle: Type.Optional(
      index('Of meshes and height fields: index of a triangle that the point lies on; see each shape’s description.'),
    ),
    barycentric: Type.Optional(reference(Barycentric3d, 'Where on that triangle the point lies.')),
    group: Type.Optional(index('The number that groups has for that triangle, of meshes that have groups.')),
    path: Type.Optional(
      Type.Array(index('Index in the children of a compound.'), {
        description:
          'Only for compounds: the indices of the children that lead from the outermost compound to the shape whose feature this is.',
      }),
    ),
  },
  named(
    'ShapeFeature3d',
    'A part of a shape’s boundary, by its vertices. point: vertex 0. segment, capsule: vertices 0, 1 are a, b. triangle: 0, 1, 2 are a, b, c. box, aabb: vertex i lies at the greater x if bit 0 of i is set, the greater y by bit 1, the greater z by bit 2. hull: the caller’s own points by their index, of equal ones the first. sphere, cylinder, cone, ellipsoid: their surface, without vertices. halfspace: its face, without vertices. mesh, heightfield: the caller’s own vertices, and the triangle. compound: the feature of a child, and its path.',
  ),
)
export type ShapeFeature3d = Static<typeof ShapeFeature3d>
