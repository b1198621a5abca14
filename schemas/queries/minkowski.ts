// POST /v1/2d/minkowski and /v1/3d/minkowski: the Minkowski sum or difference of two convex bodies.

import { type Static, Type } from '@sinclair/typebox'
import { index, length, word } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { Body2d } from '../shapes2d.ts'
import { Body3d } from '../shapes3d.ts'
import { Vec2, Vec3 } from '../vector.ts'

const operation = Type.Optional(
  word(
    ['sum', 'difference'],
    'sum: every point of a plus every point of b. difference: every point of a less every point of b; it holds the origin exactly when the two meet, and its distance from the origin is theirs. (Not the erosion of a by b, which some call by that name.) sum when absent.',
  ),
)

const SHAPES =
  'Its shape is a point, circle, segment, capsule, box, aabb or polygon, rounded or not (else the problem `minkowski-shape-unsupported`).'

export const MinkowskiRequest = Type.Object(
  {
    a: reference(Body2d, `The first body. ${SHAPES}`),
    b: reference(Body2d, `The second body. ${SHAPES}`),
    operation,
  },
  named('MinkowskiRequest', 'Two convex bodies, as sets of points in the world.', {
    sum: {
      a: { shape: { type: 'box', width: 4, height: 2 }, position: { x: 10, y: 0 } },
      b: {
        shape: {
          type: 'polygon',
          vertices: [
            { x: 0, y: 0 },
            { x: 1, y: 0 },
            { x: 0, y: 1 },
          ],
        },
      },
      operation: 'sum',
    },
    difference: {
      a: { shape: { type: 'capsule', a: { x: -1, y: 0 }, b: { x: 1, y: 0 }, radius: 0.5 } },
      b: { shape: { type: 'circle', radius: 1 }, position: { x: 5, y: 0 } },
      operation: 'difference',
    },
  }),
)
export type MinkowskiRequest = Static<typeof MinkowskiRequest>

export const MinkowskiResponse = Type.Object(
  {
    vertices: Type.Array(reference(Vec2), {
      description:
        'Corners in world coordinates, counter-clockwise from the leftmost (the lowest of these), none repeated and none collinear also as rounded; at most as many as a and b have together. Two for a segment, one for a point.',
    }),
    radius: length('Everything within this much of the corners’ hull belongs to the answer too: the radii added up.'),
  },
  named('MinkowskiResponse', 'The sum or difference: a convex polygon, segment or point, rounded by radius.', [
    {
      vertices: [
        { x: 8, y: -1 },
        { x: 13, y: -1 },
        { x: 13, y: 1 },
        { x: 12, y: 2 },
        { x: 8, y: 2 },
      ],
      radius: 0,
    },
    {
      vertices: [
        { x: -6, y: 0 },
        { x: -4, y: 0 },
      ],
      radius: 1.5,
    },
  ]),
)
export type MinkowskiResponse = Static<typeof MinkowskiResponse>

const SHAPES_3D =
  'Its shape is a point, sphere, segment, capsule, triangle, box, aabb or hull, rounded or not (else the problem `minkowski-shape-unsupported`).'

export const Minkowski3dRequest = Type.Object(
  {
    a: reference(Body3d, `The first body. ${SHAPES_3D}`),
    b: reference(Body3d, `The second body. ${SHAPES_3D}`),
    operation,
  },
  named('Minkowski3dRequest', 'Two convex bodies, as sets of points in the world.', {
    sum: {
      a: {
        shape: { type: 'segment', a: { x: 0, y: 0, z: 0 }, b: { x: 0, y: 0, z: 2 } },
        position: { x: 10, y: 0, z: 0 },
      },
      b: {
        shape: {
          type: 'triangle',
          a: { x: 0, y: 0, z: 0 },
          b: { x: 1, y: 0, z: 0 },
          c: { x: 0, y: 1, z: 0 },
        },
      },
      operation: 'sum',
    },
    difference: {
      a: { shape: { type: 'capsule', a: { x: 0, y: -1, z: 0 }, b: { x: 0, y: 1, z: 0 }, radius: 0.5 } },
      b: { shape: { type: 'sphere', radius: 1 }, position: { x: 5, y: 0, z: 0 } },
      operation: 'difference',
    },
  }),
)
export type Minkowski3dRequest = Static<typeof Minkowski3dRequest>

export const Minkowski3dResponse = Type.Object(
  {
    vertices: Type.Array(reference(Vec3), {
      description:
        'Corners in world coordinates, each rounded once, in the order of x, then y, then z. Two for a segment, one for a point.',
    }),
    faces: Type.Array(
      Type.Array(index('Index in vertices.'), {
        minItems: 3,
        description: 'One face: its corners in order, counter-clockwise seen from outside.',
      }),
      {
        description:
          'The convex faces. What lies in one plane but for the rounding of the corners is one face. One face of either winding for what is flat, none for a segment or point.',
      },
    ),
    radius: length('Everything within this much of the corners’ hull belongs to the answer too: the radii added up.'),
  },
  named(
    'Minkowski3dResponse',
    'The sum or difference: a convex polyhedron, polygon, segment or point, rounded by radius.',
    [
      {
        vertices: [
          { x: 10, y: 0, z: 0 },
          { x: 10, y: 0, z: 2 },
          { x: 10, y: 1, z: 0 },
          { x: 10, y: 1, z: 2 },
          { x: 11, y: 0, z: 0 },
          { x: 11, y: 0, z: 2 },
        ],
        faces: [
          [0, 1, 3, 2],
          [0, 2, 4],
          [0, 4, 5, 1],
          [1, 5, 3],
          [2, 3, 5, 4],
        ],
        radius: 0,
      },
      {
        vertices: [
          { x: -5, y: -1, z: 0 },
          { x: -5, y: 1, z: 0 },
        ],
        faces: [],
        radius: 1.5,
      },
    ],
  ),
)
export type Minkowski3dResponse = Static<typeof Minkowski3dResponse>
