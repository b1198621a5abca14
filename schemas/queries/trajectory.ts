// POST /v1/2d/trajectory and /v1/3d/trajectory: which way does a body take that bounces off obstacles?

import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { type Examples, plane, space } from '../dimensions.ts'
import { duration, index, real, word } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { MAX_TARGETS } from './ray-cast.ts'

const MAX_BOUNCES = 100_000

const restitution = Type.Optional(
  real(
    'What is kept of the velocity along the normal, relative to the obstacle, at a bounce: 1 keeps the speed, 0 keeps only what runs along the surface. 1 when absent.',
    { minimum: 0, maximum: 1 },
  ),
)

const maxBounces = Type.Optional(
  Type.Integer({
    format: 'int32',
    minimum: 0,
    maximum: MAX_BOUNCES,
    description:
      'Stop at the bounce after this many; 100 when absent. Times the number of obstacles it has a limit, see /v1/limits.',
  }),
)

const along = (x: number) => ({ x, y: 0, z: 0 })

function trajectory<V extends TSchema, M extends TSchema>(
  { tag, vector, movingBody, balls }: { tag: string; vector: V; movingBody: M; balls: string },
  /** A condition on the shape of the body. */
  condition: string,
  examples: Examples,
) {
  const trajectoryBounce = Type.Object(
    {
      time: real('Instant of the impact, seconds from the start.', { minimum: 0 }),
      point: reference(vector, 'Where the two touch, world frame.'),
      normal: reference(
        vector,
        'Unit vector from the obstacle to the body, world frame; the velocity is reflected about it.',
      ),
      obstacle: index('Index of the body in obstacles.'),
      velocityBefore: reference(vector, 'Velocity just before the impact.'),
      velocityAfter: reference(vector, 'Velocity just after it.'),
    },
    named(`TrajectoryBounce${tag}`, 'One bounce.'),
  )
  const trajectoryEnd = Type.Object(
    {
      time: real('Seconds from the start; the duration unless the body was stopped earlier.', { minimum: 0 }),
      position: reference(vector, 'Position of the body then, world frame.'),
      velocity: reference(vector, 'Velocity of the body then.'),
    },
    named(`TrajectoryEnd${tag}`, 'Where the trajectory ends.'),
  )
  const request = Type.Object(
    {
      body: reference(movingBody, `The body that bounces${condition}.`),
      obstacles: Type.Array(reference(movingBody), {
        maxItems: MAX_TARGETS,
        description: `What it bounces off: bodies of infinite mass that stand still or move at constant speed, and do not see each other. Neither they nor the body spin: an angularVelocity is taken only where it changes nothing, of points and ${balls} (problem \`trajectory-spinning\`).`,
      }),
      duration: duration('How long to follow it, in seconds; at most 1e100.'),
      restitution,
      maxBounces,
    },
    named(`Trajectory${tag}Request`, 'A body, what it may bounce off, and how long to follow it.', examples.request),
  )
  const response = Type.Object(
    {
      bounces: Type.Array(reference(trajectoryBounce), {
        description:
          'In the order of time; the way between them is straight. Each wall that the body runs into at one instant has a bounce of its own, with the same time: at right angles the wall of the lower obstacle first, else the one it runs into most squarely.',
      }),
      end: reference(trajectoryEnd, 'Where it ends.'),
      status: word(
        ['completed', 'max-bounces', 'stuck'],
        'completed: followed for the whole duration; max-bounces: stopped where one more bounce than maxBounces would have come; stuck: stopped where the obstacles leave no way on.',
      ),
    },
    named(`Trajectory${tag}Response`, 'The way of the body.', examples.response),
  )
  return { trajectoryBounce, request, response }
}

export const {
  trajectoryBounce: TrajectoryBounce,
  request: TrajectoryRequest,
  response: TrajectoryResponse,
} = trajectory(plane, '; its shape is convex (problem `body-not-convex`)', {
  request: {
    'ball-between-walls': {
      body: { shape: { type: 'circle', radius: 0.5 }, velocity: { x: 4, y: 0 } },
      obstacles: [
        { shape: { type: 'halfplane', normal: { x: -1, y: 0 }, offset: -4.5 } },
        { shape: { type: 'box', width: 1, height: 2 }, position: { x: -3, y: 0 } },
      ],
      duration: 3,
    },
  },
  response: [
    {
      bounces: [
        {
          time: 1,
          point: { x: 4.5, y: 0 },
          normal: { x: -1, y: 0 },
          obstacle: 0,
          velocityBefore: { x: 4, y: 0 },
          velocityAfter: { x: -4, y: 0 },
        },
        {
          time: 2.5,
          point: { x: -2.5, y: 0 },
          normal: { x: 1, y: 0 },
          obstacle: 1,
          velocityBefore: { x: -4, y: 0 },
          velocityAfter: { x: 4, y: 0 },
        },
      ],
      end: { time: 3, position: { x: 0, y: 0 }, velocity: { x: 4, y: 0 } },
      status: 'completed',
    },
  ],
})
export type TrajectoryBounce = Static<typeof TrajectoryBounce>
export type TrajectoryRequest = Static<typeof TrajectoryRequest>
export type TrajectoryResponse = Static<typeof TrajectoryResponse>

export const {
  trajectoryBounce: TrajectoryBounce3d,
  request: Trajectory3dRequest,
  response: Trajectory3dResponse,
} = trajectory(space, '', {
  request: {
    'ball-between-walls': {
      body: { shape: { type: 'sphere', radius: 0.5 }, velocity: { x: 4, y: 0, z: 0 } },
      obstacles: [
        { shape: { type: 'halfspace', normal: { x: -1, y: 0, z: 0 }, offset: -4.5 } },
        { shape: { type: 'box', size: { x: 1, y: 2, z: 2 } }, position: { x: -3, y: 0, z: 0 } },
      ],
      duration: 3,
    },
  },
  response: [
    {
      bounces: [
        {
          time: 1,
          point: along(4.5),
          normal: along(-1),
          obstacle: 0,
          velocityBefore: along(4),
          velocityAfter: along(-4),
        },
        {
          time: 2.5,
          point: along(-2.5),
          normal: along(1),
          obstacle: 1,
          velocityBefore: along(-4),
          velocityAfter: along(4),
        },
      ],
      end: { time: 3, position: along(0), velocity: along(4) },
      status: 'completed',
    },
  ],
})
export type TrajectoryBounce3d = Static<typeof TrajectoryBounce3d>
export type Trajectory3dRequest = Static<typeof Trajectory3dRequest>
export type Trajectory3dResponse = Static<typeof Trajectory3dResponse>
