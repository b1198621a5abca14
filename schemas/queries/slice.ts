// POST /v1/3d/slice: the cut of a plane through a body, as bodies of the plane.

import { type Static, Type } from '@sinclair/typebox'
import { length, real } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { Body2d } from '../shapes2d.ts'
import { Body3d } from '../shapes3d.ts'
import { Vec3 } from '../vector.ts'

/** Without a tolerance, a curved outline may stick out of the polygon that stands for it by this share of its size. */
export const USUAL_TOLERANCE_RATIO = 1e-4

export const SlicePlane = Type.Object(
  {
    normal: reference(
      Vec3,
      'Where the cut is seen from; any length but 0 (problem `direction-zero`), normalised on entry.',
    ),
    offset: real(
      'Signed distance of the plane from the world’s origin along the unit normal: all x with n·x = offset.',
    ),
  },
  named('SlicePlane', 'The plane that cuts.'),
)

export const Slice3dRequest = Type.Object(
  {
    body: reference(Body3d, 'The body; what has no bounds, a halfspace, is the problem `shape-unbounded`.'),
    plane: reference(SlicePlane),
    tolerance: Type.Optional(
      length(
        `By how much a curved outline that no shape of the plane has may stick out of the polygon that stands for it, as a length; ${USUAL_TOLERANCE_RATIO} of the size of the cut when absent.`,
      ),
    ),
  },
  named('Slice3dRequest', 'A body, and a plane to cut it by.', {
    'box-with-ball': {
      body: {
        shape: {
          type: 'compound',
          children: [
            { shape: { type: 'box', size: { x: 4, y: 2, z: 2 } } },
            { shape: { type: 'sphere', radius: 1 }, position: { x: 3, y: 0, z: 0 } },
          ],
        },
      },
      plane: { normal: { x: 0, y: 0, z: 1 }, offset: 0 },
    },
  }),
)
export type Slice3dRequest = Static<typeof Slice3dRequest>

export const SliceFrame = Type.Object(
  {
    origin: reference(Vec3, 'The point of the plane nearest to the world’s origin, rounded.'),
    x: reference(Vec3, 'Unit vector.'),
    y: reference(Vec3, 'Unit vector.'),
    normal: reference(Vec3, 'Unit vector, along the normal of the request.'),
  },
  named(
    'SliceFrame',
    'Axes of the plane: a point (x, y) of it is origin + x·(x axis) + y·(y axis) in the world. x, y and normal are right-handed: the cut is seen from where the normal points. The frame depends on the plane alone, so cuts of several bodies fit together; with a normal along an axis of the world its axes are the next two axes (of a negative normal, the second one turned round).',
  ),
)

export const Slice3dResponse = Type.Object(
  {
    frame: reference(SliceFrame),
    bodies: Type.Array(reference(Body2d), {
      description:
        'The cut is the union of these, in the frame of the plane; each can be sent to queries of the plane as it is. Regions: all that flat-sided shapes and solid meshes give, joined; they have holes, do not cross or overlap each other, and are ordered by their leftmost vertices. Then circles, ellipses and capsules, exact but for rounding, which may overlap the others. Then chains: where surfaces and flat shapes are cut. Corners are cuts of the caller’s edges, rounded once; an edge within a flat face gives none. What lies in the plane belongs to the cut where the body lies below it, against the normal. Points are left out. Empty where the plane misses the body.',
    }),
    error: real(
      'No curved outline sticks out farther than that of the polygon that stands for it; 0 where there is none.',
      { minimum: 0 },
    ),
  },
  named('Slice3dResponse', 'The cut, as bodies of the plane.', [
    {
      frame: {
        origin: { x: 0, y: 0, z: 0 },
        x: { x: 1, y: 0, z: 0 },
        y: { x: 0, y: 1, z: 0 },
        normal: { x: 0, y: 0, z: 1 },
      },
      bodies: [
        {
          shape: {
            type: 'region',
            outer: [
              { x: -2, y: -1 },
              { x: 2, y: -1 },
              { x: 2, y: 1 },
              { x: -2, y: 1 },
            ],
          },
        },
        { shape: { type: 'circle', radius: 1 }, position: { x: 3, y: 0 } },
      ],
      error: 0,
    },
  ]),
)
export type Slice3dResponse = Static<typeof Slice3dResponse>
