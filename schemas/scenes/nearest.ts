// POST /v1/2d/scenes/{sceneId}/nearest and /v1/3d/…: which bodies are nearest to a place or a body?

import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import type { Examples } from '../dimensions.ts'
import { length } from '../quantity.ts'
import { Distance3dResponse, DistanceResponse } from '../queries/distance.ts'
import { named, reference } from '../reference.ts'
import { bodyName, MAX_RESULTS, scenePlane, sceneSpace, selection, truncated, version } from './probe.ts'

/** `fields`: those of a distance. */
function sceneNearest<P extends TProperties, F extends { pointA: TSchema; pointB: TSchema } & TProperties>(
  { tag, probes }: { tag: string; probes: P },
  fields: F,
  examples: Examples,
) {
  const request = Type.Object(
    {
      ...probes,
      count: Type.Optional(
        Type.Integer({
          format: 'int32',
          minimum: 1,
          maximum: MAX_RESULTS,
          description: 'How many of the nearest bodies; 1 when absent.',
        }),
      ),
      maxDistance: Type.Optional(length('How far they may be at most, a length; any distance when absent.')),
      ...selection,
    },
    named(
      `SceneNearest${tag}Request`,
      'A point, a box, a body, or one of the scene’s bodies: exactly one of them.',
      examples.request,
    ),
  )
  const near = Type.Object(
    {
      id: bodyName('The body.'),
      ...fields,
      pointA: {
        ...fields.pointA,
        description: 'The point of what was asked about that is nearest to the body, world frame.',
      },
      pointB: {
        ...fields.pointB,
        description: 'The point of the body that is nearest, world frame; the same point when they meet.',
      },
    },
    named(`SceneNearBody${tag}`, 'A body of the scene, and how far away it is.'),
  )
  const response = Type.Object(
    {
      version,
      bodies: Type.Array(reference(near), {
        description: 'Near to far, ties by id; fewer than count where there are no more.',
      }),
      truncated: { ...truncated, description: 'True when limit left out some that count asked for.' },
    },
    named(`SceneNearest${tag}Response`, 'The nearest bodies.', examples.response),
  )
  return { request, response }
}

export const { request: SceneNearestRequest, response: SceneNearestResponse } = sceneNearest(
  scenePlane,
  DistanceResponse.properties,
  {
    request: {
      'to-point': { point: { x: 4, y: 1 }, count: 2, filter: { tags: { none: ['wall'] } } },
      'to-body': { bodyId: 'hero', maxDistance: 7, count: 3 },
    },
    response: [
      {
        version: 2,
        bodies: [
          { id: 'crate', distance: 3, pointA: { x: 4, y: 1 }, pointB: { x: 7, y: 1 }, normal: { x: 1, y: 0 } },
          { id: 'hero', distance: 3.5, pointA: { x: 4, y: 1 }, pointB: { x: 0.5, y: 1 }, normal: { x: -1, y: 0 } },
        ],
        truncated: false,
      },
    ],
  },
)

export type SceneNearestResponse = Static<typeof SceneNearestResponse>

export const { request: SceneNearest3dRequest, response: SceneNearest3dResponse } = sceneNearest(
  sceneSpace,
  Distance3dResponse.properties,
  {
    request: {
      'to-point': { point: { x: 4, y: 1, z: 0 }, count: 2, filter: { tags: { none: ['wall'] } } },
      'to-body': { bodyId: 'hero', maxDistance: 7, count: 3 },
    },
    response: [
      {
        version: 2,
        bodies: [
          {
            id: 'crate',
            distance: 3,
            pointA: { x: 4, y: 1, z: 0 },
            pointB: { x: 7, y: 1, z: 0 },
            normal: { x: 1, y: 0, z: 0 },
          },
          {
            id: 'hero',
            distance: 3.5,
            pointA: { x: 4, y: 1, z: 0 },
            pointB: { x: 0.5, y: 1, z: 0 },
            normal: { x: -1, y: 0, z: 0 },
          },
        ],
        truncated: false,
      },
    ],
  },
)
