// POST /v1/2d/trajectory: which way does a body take that bounces off obstacles?

import { type Static, Type } from '@sinclair/typebox'
import { duration, index, real, word } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { MovingBody2d } from '../shapes2d.ts'
import { MovingBody3d } from '../shapes3d.ts'
import { Vec2, Vec3 } from '../vector.ts'
import { MAX_TARGETS } from './ray-cast.ts'

// The pieces of a trajectory: its bounces and its end.

export const TrajectoryBounce = Type.Object(
  {
    time: real('Instant of the impact, seconds from the start.', { minimum: 0 }),
    point: reference(Vec2, 'Where the two touch, world frame.'),
    normal: reference(
      Vec2,
      'Unit vector from the obstacle to the body, world frame; the velocity is reflected about it.',
    ),
    obstacle: index('Index of the body in obstacles.'),
    velocityBefore: reference(Vec2, 'Velocity just before the impact.'),
    velocityAfter: reference(Vec2, 'Velocity just after it.'),
  },
  named('TrajectoryBounce', 'One bounce.'),
)
export type TrajectoryBounce = Static<typeof TrajectoryBounce>

const TrajectoryEnd = Type.Object(
  {
    time: real('Seconds from the start; the duration unless the body was stopped earlier.', { minimum: 0 }),
    position: reference(Vec2, 'Position of the body then, world frame.'),
    velocity: reference(Vec2, 'Velocity of the body then.'),
  },
  named('TrajectoryEnd', 'Where the trajectory ends.'),
)

export const MAX_BOUNCES = 100_000

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

export const TrajectoryRequest = Type.Object(
  {
    body: reference(MovingBody2d, 'The body that bounces; its shape is convex (problem `body-not-convex`).'),
    obstacles: Type.Array(reference(MovingBody2d), {
      maxItems: MAX_TARGETS,
      description:
        'What it bounces off: bodies of infinite mass that stand still or move at constant speed, and do not see each other. Neither they nor the body spin: an angularVelocity is taken only where it changes nothing, of points and circles (problem `trajectory-spinning`).',
    }),
    duration: duration('How long to follow it, in seconds; at most 1e100.'),
    restitution,
    maxBounces,
  },
  named('TrajectoryRequest', 'A body, what it may bounce off, and how long to follow it.', {
    'ball-between-walls': {
      body: { shape: { type: 'circle', radius: 0.5 }, velocity: { x: 4, y: 0 } },
      obstacles: [
        { shape: { type: 'halfplane', normal: { x: -1, y: 0 }, offset: -4.5 } },
        { shape: { type: 'box', width: 1, height: 2 }, position: { x: -3, y: 0 } },
      ],
      duration: 3,
    },
  }),
)
export type TrajectoryRequest = Static<typeof TrajectoryRequest>

export const TrajectoryResponse = Type.Object(
  {
    bounces: Type.Array(reference(TrajectoryBounce), {
      description:
        'In the order of time; the way between them is straight. Each wall that the body runs into at one instant has a bounce of its own, with the same time: at right angles the wall of the lower obstacle first, else the one it runs into most squarely.',
    }),
    end: reference(TrajectoryEnd, 'Where it ends.'),
    status: word(
      ['completed', 'max-bounces', 'stuck'],
      'completed: followed for the whole duration; max-bounces: stopped where one more bounce than maxBounces would have come; stuck: stopped where the obstacles leave no way on.',
    ),
  },
  named('TrajectoryResponse', 'The way of the body.', [
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
  ]),
)
export type TrajectoryResponse = Static<typeof TrajectoryResponse>

// POST /v1/3d/trajectory: which way does a body take that bounces off obstacles in space?

export const TrajectoryBounce3d = Type.Object(
  {
    time: real('Instant of the impact, seconds from the start.', { minimum: 0 }),
    point: reference(Vec3, 'Where the two touch, world frame.'),
    normal: reference(
      Vec3,
      'Unit vector from the obstacle to the body, world frame; the velocity is reflected about it.',
    ),
    obstacle: index('Index of the body in obstacles.'),
    velocityBefore: reference(Vec3, 'Velocity just before the impact.'),
    velocityAfter: reference(Vec3, 'Velocity just after it.'),
  },
  named('TrajectoryBounce3d', 'One bounce.'),
)
export type TrajectoryBounce3d = Static<typeof TrajectoryBounce3d>

const TrajectoryEnd3d = Type.Object(
  {
    time: real('Seconds from the start; the duration unless the body was stopped earlier.', { minimum: 0 }),
    position: reference(Vec3, 'Position of the body then, world frame.'),
    velocity: reference(Vec3, 'Velocity of the body then.'),
  },
  named('TrajectoryEnd3d', 'Where the trajectory ends.'),
)

export const Trajectory3dRequest = Type.Object(
  {
    body: reference(MovingBody3d, 'The body that bounces.'),
    obstacles: Type.Array(reference(MovingBody3d), {
      maxItems: MAX_TARGETS,
      description:
        'What it bounces off: bodies of infinite mass that stand still or move at constant speed, and do not see each other. Neither they nor the body spin: an angularVelocity is taken only where it changes nothing, of points and spheres (problem `trajectory-spinning`).',
    }),
    duration: duration('How long to follow it, in seconds; at most 1e100.'),
    restitution,
    maxBounces,
  },
  named('Trajectory3dRequest', 'A body, what it may bounce off, and how long to follow it.', {
    'ball-between-walls': {
      body: { shape: { type: 'sphere', radius: 0.5 }, velocity: { x: 4, y: 0, z: 0 } },
      obstacles: [
        { shape: { type: 'halfspace', normal: { x: -1, y: 0, z: 0 }, offset: -4.5 } },
        { shape: { type: 'box', size: { x: 1, y: 2, z: 2 } }, position: { x: -3, y: 0, z: 0 } },
      ],
      duration: 3,
    },
  }),
)
export type Trajectory3dRequest = Static<typeof Trajectory3dRequest>

const along = (x: number) => ({ x, y: 0, z: 0 })

export const Trajectory3dResponse = Type.Object(
  {
    bounces: Type.Array(reference(TrajectoryBounce3d), {
      description:
        'In the order of time; the way between them is straight. Each wall that the body runs into at one instant has a bounce of its own, with the same time: at right angles the wall of the lower obstacle first, else the one it runs into most squarely.',
    }),
    end: reference(TrajectoryEnd3d, 'Where it ends.'),
    status: word(
      ['completed', 'max-bounces', 'stuck'],
      'completed: followed for the whole duration; max-bounces: stopped where one more bounce than maxBounces would have come; stuck: stopped where the obstacles leave no way on.',
    ),
  },
  named('Trajectory3dResponse', 'The way of the body.', [
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
  ]),
)
export type Trajectory3dResponse = Static<typeof Trajectory3dResponse>
