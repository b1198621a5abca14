// POST /v1/2d/scenes/{sceneId}/line-of-sight: what can be seen from a point?

import { type Static, Type } from '@sinclair/typebox'
import { length } from '../quantity.ts'
import { MAX_TARGETS } from '../queries/ray-cast.ts'
import { named, reference } from '../reference.ts'
import { Vec2 } from '../vector.ts'
import { identifier } from './body.ts'
import { bodyName, selection, truncated, version } from './probe.ts'

export const SceneSightTarget = Type.Object(
  {
    point: Type.Optional(reference(Vec2, 'A point, world frame. Give this or bodyId.')),
    bodyId: Type.Optional(
      identifier('A body of the scene, which is looked at where its position is, and is not in the way of itself.'),
    ),
  },
  named('SceneSightTarget', 'What is looked at: exactly one of the two.'),
)
export type SceneSightTarget = Static<typeof SceneSightTarget>

export const SceneLineOfSightRequest = Type.Object(
  {
    point: Type.Optional(reference(Vec2, 'Where the eye is, world frame. Give this or bodyId.')),
    bodyId: Type.Optional(
      identifier('A body of the scene whose eye is at its position; it is not in the way of its own sight.'),
    ),
    targets: Type.Array(reference(SceneSightTarget), { maxItems: MAX_TARGETS, description: 'What is looked at.' }),
    ...selection,
  },
  named(
    'SceneLineOfSightRequest',
    'An eye, exactly one of point and bodyId, and what it looks at. The filter says which bodies can be in the way; targets are in the way of others. An eye on the boundary of a body is in it, and sees nothing past it. The limit is one of the occluders of each target.',
    {
      'body-and-point': {
        point: { x: 0, y: 1.5 },
        targets: [{ bodyId: 'ball' }, { point: { x: 12, y: 1.5 } }],
        filter: { ids: { exclude: ['hero'] } },
      },
      'one-occluder': { point: { x: 0, y: 6 }, targets: [{ bodyId: 'crate' }], limit: 1 },
    },
  ),
)
export type SceneLineOfSightRequest = Static<typeof SceneLineOfSightRequest>

const SceneOccluder = Type.Object(
  {
    id: bodyName('The body.'),
    distance: length('World length from the eye to where the line of sight meets it.'),
    point: reference(Vec2, 'Where that is, world frame.'),
  },
  named('SceneOccluder', 'A body in the way.'),
)

export const SceneSight = Type.Object(
  {
    visible: Type.Boolean({ description: 'True when nothing lies between.' }),
    distance: length('World length from the eye to the target: to where the line of sight meets a body.'),
    point: reference(Vec2, 'Where the target was looked at, or where the line of sight meets it, world frame.'),
    occluders: Type.Array(reference(SceneOccluder), { description: 'What lies between, near to far, ties by id.' }),
    truncated,
  },
  named('SceneSight', 'Whether a target can be seen, and what is in the way.'),
)
export type SceneSight = Static<typeof SceneSight>

export const SceneLineOfSightResponse = Type.Object(
  {
    version,
    sights: Type.Array(reference(SceneSight), { description: 'One for each of the targets, in their order.' }),
    truncated: { ...truncated, description: 'True when occluders of any target were left out.' },
  },
  named('SceneLineOfSightResponse', 'What can be seen.', [
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
  ]),
)
export type SceneLineOfSightResponse = Static<typeof SceneLineOfSightResponse>
