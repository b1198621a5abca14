// POST /v1/2d/scenes/{sceneId}/line-of-sight and /v1/3d/…: what can be seen from a point?

import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { Examples } from '../dimensions.ts'
import { length } from '../quantity.ts'
import { MAX_TARGETS } from '../queries/ray-cast.ts'
import { named, reference } from '../reference.ts'
import { identifier } from './body.ts'
import { bodyName, scenePlane, sceneSpace, selection, truncated, version } from './probe.ts'

function sceneLineOfSight<V extends TSchema>({ tag, vector }: { tag: string; vector: V }, examples: Examples) {
  const target = Type.Object(
    {
      point: Type.Optional(reference(vector, 'A point, world frame. Give this or bodyId.')),
      bodyId: Type.Optional(
        identifier('A body of the scene, which is looked at where its position is, and is not in the way of itself.'),
      ),
    },
    named(`SceneSightTarget${tag}`, 'What is looked at: exactly one of the two.'),
  )
  const request = Type.Object(
    {
      point: Type.Optional(reference(vector, 'Where the eye is, world frame. Give this or bodyId.')),
      bodyId: Type.Optional(
        identifier('A body of the scene whose eye is at its position; it is not in the way of its own sight.'),
      ),
      targets: Type.Array(reference(target), { maxItems: MAX_TARGETS, description: 'What is looked at.' }),
      ...selection,
    },
    named(
      `SceneLineOfSight${tag}Request`,
      'An eye, exactly one of point and bodyId, and what it looks at. The filter says which bodies can be in the way; targets are in the way of others. An eye on the boundary of a body is in it, and sees nothing past it. The limit is one of the occluders of each target.',
      examples.request,
    ),
  )
  const occluder = Type.Object(
    {
      id: bodyName('The body.'),
      distance: length('World length from the eye to where the line of sight meets it.'),
      point: reference(vector, 'Where that is, world frame.'),
    },
    named(`SceneOccluder${tag}`, 'A body in the way.'),
  )
  const sight = Type.Object(
    {
      visible: Type.Boolean({ description: 'True when nothing lies between.' }),
      distance: length('World length from the eye to the target: to where the line of sight meets a body.'),
      point: reference(vector, 'Where the target was looked at, or where the line of sight meets it, world frame.'),
      occluders: Type.Array(reference(occluder), { description: 'What lies between, near to far, ties by id.' }),
      truncated,
    },
    named(`SceneSight${tag}`, 'Whether a target can be seen, and what is in the way.'),
  )
  const response = Type.Object(
    {
      version,
      sights: Type.Array(reference(sight), { description: 'One for each of the targets, in their order.' }),
      truncated: { ...truncated, description: 'True when occluders of any target were left out.' },
    },
    named(`SceneLineOfSight${tag}Response`, 'What can be seen.', examples.response),
  )
  return { sight, request, response }
}

export const {
  sight: SceneSight,
  request: SceneLineOfSightRequest,
  response: SceneLineOfSightResponse,
} = sceneLineOfSight(scenePlane, {
  request: {
    'body-and-point': {
      point: { x: 0, y: 1.5 },
      targets: [{ bodyId: 'ball' }, { point: { x: 12, y: 1.5 } }],
      filter: { ids: { exclude: ['hero'] } },
    },
    'one-occluder': { point: { x: 0, y: 6 }, targets: [{ bodyId: 'crate' }], limit: 1 },
  },
  response: [
    {
      version: 2,
      sights: [
        {
          visible: true,
          distance: 6,
          point: { x: -5.53846153846154, y: 3.80769230769231 },
          occluders: [],
          truncated: false,
        },
        {
          visible: false,
          distance: 12,
          point: { x: 12, y: 1.5 },
          occluders: [{ id: 'crate', distance: 7, point: { x: 7, y: 1.5 } }],
          truncated: false,
        },
      ],
      truncated: false,
    },
  ],
})

export type SceneSight = Static<typeof SceneSight>
export type SceneLineOfSightResponse = Static<typeof SceneLineOfSightResponse>

export const { request: SceneLineOfSight3dRequest, response: SceneLineOfSight3dResponse } = sceneLineOfSight(
  sceneSpace,
  {
    request: {
      'body-and-point': {
        point: { x: 0, y: 1.5, z: 0 },
        targets: [{ bodyId: 'ball' }, { point: { x: 12, y: 1.5, z: 0 } }],
        filter: { ids: { exclude: ['hero'] } },
      },
      'one-occluder': { point: { x: 0, y: 6, z: 0 }, targets: [{ bodyId: 'crate' }], limit: 1 },
    },
    response: [
      {
        version: 2,
        sights: [
          {
            visible: true,
            distance: 6,
            point: { x: -5.53846153846154, y: 3.80769230769231, z: 0 },
            occluders: [],
            truncated: false,
          },
          {
            visible: false,
            distance: 12,
            point: { x: 12, y: 1.5, z: 0 },
            occluders: [{ id: 'crate', distance: 7, point: { x: 7, y: 1.5, z: 0 } }],
            truncated: false,
          },
        ],
        truncated: false,
      },
    ],
  },
)
