// POST /v1/2d/scenes/{sceneId}/trajectory: which way does a body take that bounces off the bodies of a scene?

import { type Static, Type } from '@sinclair/typebox'
import { TrajectoryBounce, TrajectoryRequest, TrajectoryResponse } from '../queries/trajectory.ts'
import { named, reference } from '../reference.ts'
import { MovingBody2d } from '../shapes2d.ts'
import { Vec2 } from '../vector.ts'
import { bodyName, movers, selection, truncated, version } from './probe.ts'

const { duration, restitution, maxBounces } = TrajectoryRequest.properties

export const SceneTrajectoryRequest = Type.Object(
  {
    ...movers,
    body: Type.Optional(reference(MovingBody2d, 'A convex body that is not of the scene. Give this or bodyId.')),
    velocity: Type.Optional(
      reference(Vec2, 'Only with bodyId: the velocity that body is taken to have; its own when absent.'),
    ),
    duration,
    restitution,
    maxBounces,
    ...selection,
  },
  named(
    'SceneTrajectoryRequest',
    'A body, or one of the scene’s, and how long to follow it. The scene’s bodies stand still or move at their velocities, with infinite mass, and do not see each other. None that spins may come near the path (problem `trajectory-spinning`).',
    {
      'body-of-scene': { bodyId: 'ball', duration: 3 },
      'new-body': {
        body: { shape: { type: 'circle', radius: 0.5 }, position: { x: 4, y: 1 }, velocity: { x: 5, y: 0 } },
        duration: 2,
        restitution: 0.5,
        filter: { tags: { none: ['wall'] }, sensors: 'exclude' },
      },
    },
  ),
)
export type SceneTrajectoryRequest = Static<typeof SceneTrajectoryRequest>

const { obstacle: _, ...bounce } = TrajectoryBounce.properties

export const SceneBounce = Type.Object(
  { ...bounce, id: bodyName('The body that it bounced off.') },
  named('SceneBounce', 'One bounce: the fields of TrajectoryBounce, with the id of the body.'),
)
export type SceneBounce = Static<typeof SceneBounce>

export const SceneTrajectoryResponse = Type.Object(
  {
    version,
    bounces: Type.Array(reference(SceneBounce), {
      description: 'In the order of time; the way between them is straight.',
    }),
    end: TrajectoryResponse.properties.end,
    status: TrajectoryResponse.properties.status,
    truncated: { ...truncated, description: 'True when limit left out later bounces; end is where the path ends.' },
  },
  named('SceneTrajectoryResponse', 'The way of the body.', [
    {
      version: 2,
      bounces: [
        {
          time: 1.75,
          point: { x: -6, y: 0 },
          normal: { x: 0, y: 1 },
          velocityBefore: { x: 0, y: -2 },
          velocityAfter: { x: 0, y: 2 },
          id: 'floor',
        },
      ],
      end: { time: 3, position: { x: -6, y: 3 }, velocity: { x: 0, y: 2 } },
      status: 'completed',
      truncated: false,
    },
  ]),
)
export type SceneTrajectoryResponse = Static<typeof SceneTrajectoryResponse>
