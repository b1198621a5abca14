// POST /v1/2d/hull: the convex hull of points.

import { type Static, Type } from '@sinclair/typebox'
import { named, reference } from '../reference.ts'
import { MAX_OUTLINE_VERTICES } from '../shapes/composite-shape.ts'
import { Vec2 } from '../vec2.ts'

export const HullRequest = Type.Object(
  {
    points: Type.Array(reference(Vec2), {
      minItems: 1,
      maxItems: MAX_OUTLINE_VERTICES,
      description: 'The points, in any order; repeated ones are accepted. As many as one shape may have vertices.',
    }),
  },
  named('HullRequest', 'Points to find the convex hull of.', {
    'six-points': {
      points: [
        { x: 0, y: 0 },
        { x: 2, y: 0 },
        { x: 4, y: 0 },
        { x: 1, y: 1 },
        { x: 4, y: 3 },
        { x: 0, y: 3 },
      ],
    },
  }),
)
export type HullRequest = Static<typeof HullRequest>

export const HullResponse = Type.Object(
  {
    vertices: Type.Array(reference(Vec2), {
      description:
        'Corners, counter-clockwise from the leftmost (the lowest of these), none repeated and none collinear, each one of the points to the last bit. Two for points on one line, one for points that are all the same.',
    }),
  },
  named('HullResponse', 'The least convex set that holds all of the points, by its corners.', [
    {
      vertices: [
        { x: 0, y: 0 },
        { x: 4, y: 0 },
        { x: 4, y: 3 },
        { x: 0, y: 3 },
      ],
    },
  ]),
)
export type HullResponse = Static<typeof HullResponse>
