// POST /v1/2d/distance: how far apart are two bodies, and between which points?

import { type Static, Type } from '@sinclair/typebox'
import { length } from '../quantity.ts'
import { named, nullable, reference } from '../reference.ts'
import { Body2d } from '../shapes2d.ts'
import { Body3d } from '../shapes3d.ts'
import { Vec2, Vec3 } from '../vector.ts'

export const DistanceRequest = Type.Object(
  {
    a: reference(Body2d, 'The first body, A.'),
    b: reference(Body2d, 'The second body, B.'),
  },
  named('DistanceRequest', 'Two bodies to measure between.', {
    circles: {
      a: { shape: { type: 'circle', radius: 1 } },
      b: { shape: { type: 'circle', radius: 0.5 }, position: { x: 3, y: 4 } },
    },
    'triangle-over-ground': {
      a: {
        shape: {
          type: 'polygon',
          vertices: [
            { x: 0, y: 0 },
            { x: 4, y: 0 },
            { x: 4, y: 3 },
          ],
        },
        position: { x: 10, y: 0 },
      },
      b: { shape: { type: 'halfplane', normal: { x: 0, y: 1 }, offset: -2 } },
    },
  }),
)
export type DistanceRequest = Static<typeof DistanceRequest>

export const DistanceResponse = Type.Object(
  {
    distance: length('Shortest distance between the two bodies; 0 when they touch or overlap.'),
    pointA: reference(Vec2, 'The point of A nearest to B, world frame; a common point when they overlap.'),
    pointB: reference(Vec2, 'The point of B nearest to A, world frame; the same point as pointA when they overlap.'),
    normal: nullable(Vec2, 'Unit vector from pointA to pointB, world frame; null when distance is 0.'),
  },
  named('DistanceResponse', 'The distance, and the points it is measured between.', [
    {
      distance: 3.5,
      pointA: { x: 0.6, y: 0.8 },
      pointB: { x: 2.7, y: 3.6 },
      normal: { x: 0.6, y: 0.8 },
    },
  ]),
)
export type DistanceResponse = Static<typeof DistanceResponse>

// POST /v1/3d/distance: how far apart are two bodies, and between which points?

export const Distance3dRequest = Type.Object(
  {
    a: reference(Body3d, 'The first body, A.'),
    b: reference(Body3d, 'The second body, B.'),
  },
  named('Distance3dRequest', 'Two bodies to measure between.', {
    balls: {
      a: { shape: { type: 'sphere', radius: 1 } },
      b: { shape: { type: 'sphere', radius: 2 }, position: { x: 2, y: 3, z: 6 } },
    },
    'cone-over-ground': {
      a: { shape: { type: 'cone', radius: 1, height: 2 }, position: { x: 3, y: 5, z: 0 } },
      b: { shape: { type: 'halfspace', normal: { x: 0, y: 1, z: 0 }, offset: 0 } },
    },
  }),
)
export type Distance3dRequest = Static<typeof Distance3dRequest>

export const Distance3dResponse = Type.Object(
  {
    distance: length('Shortest distance between the two bodies; 0 when they touch or overlap.'),
    pointA: reference(Vec3, 'The point of A nearest to B, world frame; a common point when they overlap.'),
    pointB: reference(Vec3, 'The point of B nearest to A, world frame; the same point as pointA when they overlap.'),
    normal: nullable(Vec3, 'Unit vector from pointA to pointB, world frame; null when distance is 0.'),
  },
  named('Distance3dResponse', 'The distance, and the points it is measured between.', [
    {
      distance: 4,
      pointA: { x: 2 / 7, y: 3 / 7, z: 6 / 7 },
      pointB: { x: 10 / 7, y: 15 / 7, z: 30 / 7 },
      normal: { x: 2 / 7, y: 3 / 7, z: 6 / 7 },
    },
  ]),
)
export type Distance3dResponse = Static<typeof Distance3dResponse>
