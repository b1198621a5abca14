// POST /v1/2d/time-of-impact and /v1/3d/time-of-impact: when do two moving bodies first touch, and where?

import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { type Examples, plane, space } from '../dimensions.ts'
import { duration, nullableReal, word } from '../quantity.ts'
import { named, nullable, reference } from '../reference.ts'

/** Whether a search in time ran to its end. */
export const searchStatus = word(
  ['converged', 'iteration-limit'],
  'converged: the answer is final. iteration-limit: the search was cut short; time is then one up to which there is certainly no contact, and hit is true because one may follow.',
)

export const ignoreSeparating = Type.Optional(
  Type.Boolean({
    description:
      'Do not count as a hit that bodies touch at the start without overlapping and then part or slide along each other; a later contact still counts. false when absent.',
  }),
)

export const want = Type.Optional(
  word(
    ['time', 'contact', 'exit'],
    'How much to find of an impact. time: when the bodies first touch; contact: where and how, too; exit: also when they part. What is not wanted is not computed, and null. exit when absent.',
  ),
)

export const impactDuration = duration(
  'How long to look ahead, in seconds; at most 1e100. An impact at exactly this time counts.',
)

function timeOfImpact<V extends TSchema, M extends TSchema>(
  { tag, vector, movingBody }: { tag: string; vector: V; movingBody: M },
  examples: Examples,
) {
  const request = Type.Object(
    {
      a: reference(movingBody, 'The first body, A.'),
      b: reference(movingBody, 'The second body, B.'),
      duration: impactDuration,
      ignoreSeparating,
      want,
    },
    named(`TimeOfImpact${tag}Request`, 'Two moving bodies, and how long to look ahead.', examples.request),
  )
  const response = Type.Object(
    {
      hit: Type.Boolean({ description: 'True when the bodies touch at some time from 0 to duration.' }),
      time: nullableReal('The first such time, in seconds; 0 when they meet at the start. Null without a hit.'),
      fraction: nullableReal('time / duration, 0 when duration is 0. Null without a hit.'),
      normal: nullable(
        vector,
        'Unit vector from A to B at that time, world frame; null without a hit, where none is meaningful, or when not wanted.',
      ),
      pointA: nullable(
        vector,
        'The point of A that touches at that time, world frame; null without a hit, or when not wanted.',
      ),
      pointB: nullable(
        vector,
        'The point of B that touches at that time, world frame; null without a hit, or when not wanted.',
      ),
      exitTime: nullableReal(
        'First later time at which they part; null without a hit, when it lies beyond duration, or when not wanted.',
      ),
      startedOverlapping: Type.Boolean({
        description:
          'True when the bodies meet at the start, touching included. A hit at time 0 then takes normal and points from their contact.',
      }),
      status: searchStatus,
    },
    named(`TimeOfImpact${tag}Response`, 'The first impact, if there is one.', examples.response),
  )
  return { request, response }
}

export const { request: TimeOfImpactRequest, response: TimeOfImpactResponse } = timeOfImpact(plane, {
  request: {
    'ball-against-wall': {
      a: { shape: { type: 'box', width: 1, height: 8 } },
      b: { shape: { type: 'circle', radius: 0.5 }, position: { x: -5, y: 0 }, velocity: { x: 8, y: 0 } },
      duration: 1,
    },
    'turning-bar': {
      a: {
        shape: { type: 'segment', a: { x: -2, y: 0 }, b: { x: 2, y: 0 } },
        angularVelocity: 2,
      },
      b: { shape: { type: 'box', width: 1, height: 1 }, position: { x: 0, y: 2 } },
      duration: 1,
    },
    'time-alone': {
      a: { shape: { type: 'box', width: 3, height: 1 }, angularVelocity: 1 },
      b: { shape: { type: 'circle', radius: 0.5 }, position: { x: 4, y: 0 }, velocity: { x: -2, y: 0 } },
      duration: 2,
      want: 'time',
    },
  },
  response: [
    {
      hit: true,
      time: 0.5,
      fraction: 0.5,
      normal: { x: -1, y: 0 },
      pointA: { x: -0.5, y: 0 },
      pointB: { x: -0.5, y: 0 },
      exitTime: 0.75,
      startedOverlapping: false,
      status: 'converged',
    },
  ],
})
export type TimeOfImpactRequest = Static<typeof TimeOfImpactRequest>
export type TimeOfImpactResponse = Static<typeof TimeOfImpactResponse>

export const { request: TimeOfImpact3dRequest, response: TimeOfImpact3dResponse } = timeOfImpact(space, {
  request: {
    'ball-against-wall': {
      a: { shape: { type: 'box', size: { x: 1, y: 8, z: 8 } } },
      b: { shape: { type: 'sphere', radius: 0.5 }, position: { x: -5, y: 0, z: 0 }, velocity: { x: 8, y: 0, z: 0 } },
      duration: 1,
    },
    'turning-blade': {
      a: {
        shape: { type: 'box', size: { x: 4, y: 0.25, z: 0.25 } },
        angularVelocity: { x: 0, y: 0, z: 2 },
      },
      b: { shape: { type: 'cylinder', radius: 0.5, height: 1 }, position: { x: 0, y: 2, z: 0 } },
      duration: 1,
    },
    'time-alone': {
      a: { shape: { type: 'box', size: { x: 3, y: 1, z: 1 } }, angularVelocity: { x: 0, y: 0, z: 1 } },
      b: { shape: { type: 'sphere', radius: 0.5 }, position: { x: 4, y: 0, z: 0 }, velocity: { x: -2, y: 0, z: 0 } },
      duration: 2,
      want: 'time',
    },
  },
  response: [
    {
      hit: true,
      time: 0.5,
      fraction: 0.5,
      normal: { x: -1, y: 0, z: 0 },
      pointA: { x: -0.5, y: 0, z: 0 },
      pointB: { x: -0.5, y: 0, z: 0 },
      exitTime: 0.75,
      startedOverlapping: false,
      status: 'converged',
    },
  ],
})
export type TimeOfImpact3dRequest = Static<typeof TimeOfImpact3dRequest>
export type TimeOfImpact3dResponse = Static<typeof TimeOfImpact3dResponse>
