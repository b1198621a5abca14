// POST /v1/2d/minkowski: the Minkowski sum or difference of two convex bodies.

import { type Static, Type } from '@sinclair/typebox'
import { length, word } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { Body2d } from '../shapes/body.ts'
import { Vec2 } from '../vec2.ts'

const SHAPES =
  'Its shape is a point, circle, segment, capsule, box, aabb or polygon, rounded or not (else the problem `minkowski-shape-unsupported`).'

export const MinkowskiRequest = Type.Object(
  {
    a: reference(Body2d, `The first body. ${SHAPES}`),
    b: reference(Body2d, `The second body. ${SHAPES}`),
    operation: Type.Optional(
      word(
        ['sum', 'difference'],
        'sum: every point of a plus every point of b. difference: every point of a less every point of b; it holds the origin exactly when the two meet, and its distance from the origin is theirs. (Not the erosion of a by b, which some call by that name.) sum when absent.',
      ),
    ),
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
