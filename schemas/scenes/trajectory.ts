// POST /v1/2d/scenes/{sceneId}/trajectory and /v1/3d/…: which way does a body take that bounces off the bodies of a scene?

import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import type { Examples } from '../dimensions.ts'
import {
  Trajectory3dResponse,
  TrajectoryBounce,
  TrajectoryBounce3d,
  TrajectoryRequest,
  TrajectoryResponse,
} from '../queries/trajectory.ts'
import { named, reference } from '../reference.ts'
import { bodyName, scenePlane, sceneSpace, selection, truncated, version } from './probe.ts'

const { duration, restitution, maxBounces } = TrajectoryRequest.properties

function sceneTrajectory<
  P extends TProperties,
  V extends TSchema,
  M extends TSchema,
  B extends TProperties,
  E extends TSchema,
  S extends TSchema,
>(
  { tag, movers, vector, movingBody }: { tag: string; movers: P; vector: V; movingBody: M },
  /** The fields of a bounce, but for its obstacle. */
  bounce: B,
  { end, status }: { end: E; status: S },
  examples: Examples,
) {
  const request = Type.Object(
    {
      ...movers,
      body: Type.Optional(reference(movingBody, 'A convex body that is not of the scene. Give this or bodyId.')),
      velocity: Type.Optional(
        reference(vector, 'Only with bodyId: the velocity that body is taken to have; its own when absent.'),
      ),
      duration,
      restitution,
      maxBounces,
      ...selection,
    },
    named(
      `SceneTrajectory${tag}Request`,
      'A body, or one of the scene’s, and how long to follow it. The scene’s bodies stand still or move at their velocities, with infinite mass, and do not see each other. None that spins may come near the path (problem `trajectory-spinning`).',
      examples.request,
    ),
  )
  const sceneBounce = Type.Object(
    { ...bounce, id: bodyName('The body that it bounced off.') },
    named(`SceneBounce${tag}`, `One bounce: the fields of TrajectoryBounce${tag}, with the id of the body.`),
  )
  const response = Type.Object(
    {
      version,
      bounces: Type.Array(reference(sceneBounce), {
        description: 'In the order of time; the way between them is straight.',
      }),
      end,
      status,
      truncated: { ...truncated, description: 'True when limit left out later bounces; end is where the path ends.' },
    },
    named(`SceneTrajectory${tag}Response`, 'The way of the body.', examples.response),
  )
  return { sceneBounce, request, response }
}

const { obstacle: _, ...bounce } = TrajectoryBounce.properties
const { obstacle: __, ...bounce3d } = TrajectoryBounce3d.properties

export const {
  sceneBounce: SceneBounce,
  request: SceneTrajectoryRequest,
  response: SceneTrajectoryResponse,
} = sceneTrajectory(scenePlane, bounce, TrajectoryResponse.properties, {
  request: {
    'body-of-scene': { bodyId: 'ball', duration: 3 },
    'new-body': {
      body: { shape: { type: 'circle', radius: 0.5 }, position: { x: 4, y: 1 }, velocity: { x: 5, y: 0 } },
      duration: 2,
      restitution: 0.5,
      filter: { tags: { none: ['wall'] }, sensors: 'exclude' },
    },
  },
  response: [
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
  ],
})
export type SceneBounce = Static<typeof SceneBounce>
export type SceneTrajectoryRequest = Static<typeof SceneTrajectoryRequest>
export type SceneTrajectoryResponse = Static<typeof SceneTrajectoryResponse>

export const { request: SceneTrajectory3dRequest, response: SceneTrajectory3dResponse } = sceneTrajectory(
  sceneSpace,
  bounce3d,
  Trajectory3dResponse.properties,
  {
    request: {
      'body-of-scene': { bodyId: 'ball', duration: 3 },
      'new-body': {
        body: {
          shape: { type: 'sphere', radius: 0.5 },
          position: { x: 4, y: 1, z: 0 },
          velocity: { x: 5, y: 0, z: 0 },
        },
        duration: 2,
        restitution: 0.5,
        filter: { tags: { none: ['wall'] }, sensors: 'exclude' },
      },
    },
    response: [
      {
        version: 2,
        bounces: [
          {
            time: 1.75,
            point: { x: -6, y: 0, z: 0 },
            normal: { x: 0, y: 1, z: 0 },
            velocityBefore: { x: 0, y: -2, z: 0 },
            velocityAfter: { x: 0, y: 2, z: 0 },
            id: 'floor',
          },
        ],
        end: { time: 3, position: { x: -6, y: 3, z: 0 }, velocity: { x: 0, y: 2, z: 0 } },
        status: 'completed',
        truncated: false,
      },
    ],
  },
)
