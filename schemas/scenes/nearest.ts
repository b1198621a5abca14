// POST /v1/2d/scenes/{sceneId}/nearest: which bodies are nearest to a place or a body?

import { type Static, Type } from '@sinclair/typebox'
import { length } from '../quantity.ts'
import { DistanceResponse } from '../queries/distance.ts'
import { named, reference } from '../reference.ts'
import { bodyName, MAX_RESULTS, probes, selection, truncated, version } from './probe.ts'

export const SceneNearestRequest = Type.Object(
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
  named('SceneNearestRequest', 'A point, a box, a body, or one of the scene’s bodies: exactly one of them.', {
    'to-point': { point: { x: 4, y: 1 }, count: 2, filter: { tags: { none: ['wall'] } } },
    'to-body': { bodyId: 'hero', maxDistance: 7, count: 3 },
  }),
)
export type SceneNearestRequest = Static<typeof SceneNearestRequest>

const { distance, normal } = DistanceResponse.properties

const SceneNearBody = Type.Object(
  {
    id: bodyName('The body.'),
    distance,
    pointA: {
      ...DistanceResponse.properties.pointA,
      description: 'The point of what was asked about that is nearest to the body, world frame.',
    },
    pointB: {
      ...DistanceResponse.properties.pointB,
      description: 'The point of the body that is nearest, world frame; the same point when they meet.',
    },
    normal,
  },
  named('SceneNearBody', 'A body of the scene, and how far away it is.'),
)

export const SceneNearestResponse = Type.Object(
  {
    version,
    bodies: Type.Array(reference(SceneNearBody), {
      description: 'Near to far, ties by id; fewer than count where there are no more.',
    }),
    truncated: { ...truncated, description: 'True when limit left out some that count asked for.' },
  },
  named('SceneNearestResponse', 'The nearest bodies.', [
    {
      version: 2,
      bodies: [
        { id: 'crate', distance: 3, pointA: { x: 4, y: 1 }, pointB: { x: 7, y: 1 }, normal: { x: 1, y: 0 } },
        { id: 'hero', distance: 3.5, pointA: { x: 4, y: 1 }, pointB: { x: 0.5, y: 1 }, normal: { x: -1, y: 0 } },
      ],
      truncated: false,
    },
  ]),
)
export type SceneNearestResponse = Static<typeof SceneNearestResponse>
