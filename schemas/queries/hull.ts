// POST /v1/2d/hull and /v1/3d/hull: the convex hull of points.

import { type Static, Type } from '@sinclair/typebox'
import { index, real } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { MAX_OUTLINE_VERTICES } from '../shapes2d.ts'
import { Vec2, Vec3 } from '../vector.ts'

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

export const Hull3dRequest = Type.Object(
  {
    points: Type.Array(reference(Vec3), {
      minItems: 1,
      maxItems: MAX_OUTLINE_VERTICES,
      description: 'The points, in any order; repeated, collinear, coplanar and inner ones are accepted.',
    }),
  },
  named('Hull3dRequest', 'Points to find the convex hull of.', {
    pyramid: {
      points: [
        { x: 0, y: 0, z: 0 },
        { x: 2, y: 0, z: 0 },
        { x: 2, y: 2, z: 0 },
        { x: 0, y: 2, z: 0 },
        { x: 1, y: 1, z: 0 },
        { x: 1, y: 1, z: 1 },
      ],
    },
  }),
)
export type Hull3dRequest = Static<typeof Hull3dRequest>

const hullVertices = Type.Array(reference(Vec3), {
  description:
    'Corners, in the order of x, then y, then z, none repeated, none within an edge or a face, each one of the points to the last bit. Two for points on one line, one for points that are all the same.',
})

export const hullFaces = Type.Array(
  Type.Array(index('Index in vertices.'), {
    minItems: 3,
    description: 'One face: its corners in order, counter-clockwise seen from outside.',
  }),
  {
    description:
      'The planar convex faces: what lies in one plane is one face. One face of either winding for points in one plane, none for those on one line.',
  },
)

export const Hull3dResponse = Type.Object(
  {
    vertices: hullVertices,
    faces: hullFaces,
    volume: real('Volume; 0 for points in one plane.', { minimum: 0 }),
    area: real('Area of the surface; of what is flat that of both sides.', { minimum: 0 }),
  },
  named('Hull3dResponse', 'The least convex set that holds all of the points, by its corners and faces.', [
    {
      vertices: [
        { x: 0, y: 0, z: 0 },
        { x: 0, y: 2, z: 0 },
        { x: 1, y: 1, z: 1 },
        { x: 2, y: 0, z: 0 },
        { x: 2, y: 2, z: 0 },
      ],
      faces: [
        [0, 1, 4, 3],
        [0, 2, 1],
        [0, 3, 2],
        [1, 2, 4],
        [2, 3, 4],
      ],
      volume: 4 / 3,
      area: 4 + 4 * Math.SQRT2,
    },
  ]),
)
export type Hull3dResponse = Static<typeof Hull3dResponse>
