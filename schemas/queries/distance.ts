// POST /v1/2d/distance and /v1/3d/distance: how far apart are two bodies, and between which points?

import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { type Examples, plane, space } from '../dimensions.ts'
import { length } from '../quantity.ts'
import { named, nullable, reference } from '../reference.ts'

function distance<V extends TSchema, B extends TSchema>(
  { tag, vector, body }: { tag: string; vector: V; body: B },
  examples: Examples,
) {
  const request = Type.Object(
    { a: reference(body, 'The first body, A.'), b: reference(body, 'The second body, B.') },
    named(`Distance${tag}Request`, 'Two bodies to measure between.', examples.request),
  )
  const response = Type.Object(
    {
      distance: length('Shortest distance between the two bodies; 0 when they touch or overlap.'),
      pointA: reference(vector, 'The point of A nearest to B, world frame; a common point when they overlap.'),
      pointB: reference(
        vector,
        'The point of B nearest to A, world frame; the same point as pointA when they overlap.',
      ),
      normal: nullable(vector, 'Unit vector from pointA to pointB, world frame; null when distance is 0.'),
    },
    named(`Distance${tag}Response`, 'The distance, and the points it is measured between.', examples.response),
  )
  return { request, response }
}

export const { request: DistanceRequest, response: DistanceResponse } = distance(plane, {
  request: {
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
  },
  response: [
    {
      distance: 3.5,
      pointA: { x: 0.6, y: 0.8 },
      pointB: { x: 2.7, y: 3.6 },
      normal: { x: 0.6, y: 0.8 },
    },
  ],
})
export type DistanceRequest = Static<typeof DistanceRequest>
export type DistanceResponse = Static<typeof DistanceResponse>

export const { request: Distance3dRequest, response: Distance3dResponse } = distance(space, {
  request: {
    balls: {
      a: { shape: { type: 'sphere', radius: 1 } },
      b: { shape: { type: 'sphere', radius: 2 }, position: { x: 2, y: 3, z: 6 } },
    },
    'cone-over-ground': {
      a: { shape: { type: 'cone', radius: 1, height: 2 }, position: { x: 3, y: 5, z: 0 } },
      b: { shape: { type: 'halfspace', normal: { x: 0, y: 1, z: 0 }, offset: 0 } },
    },
  },
  response: [
    {
      distance: 4,
      pointA: { x: 2 / 7, y: 3 / 7, z: 6 / 7 },
      pointB: { x: 10 / 7, y: 15 / 7, z: 30 / 7 },
      normal: { x: 2 / 7, y: 3 / 7, z: 6 / 7 },
    },
  ],
})
export type Distance3dRequest = Static<typeof Distance3dRequest>
export type Distance3dResponse = Static<typeof Distance3dResponse>
