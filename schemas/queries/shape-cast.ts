// POST /v1/2d/shape-cast and /v1/3d/shape-cast: what does a body hit on its way?

import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { type Examples, plane, space } from '../dimensions.ts'
import { index, length, real } from '../quantity.ts'
import { named, nullable, reference } from '../reference.ts'
import { Vec3 } from '../vector.ts'
import { castMode, targetsOf } from './ray-cast.ts'
import { ignoreSeparating, searchStatus, want } from './time-of-impact.ts'

export const CastExit = Type.Object(
  {
    distance: length('Distance travelled until the body leaves: fraction · length of translation.'),
    fraction: real('Part of the motion that is done then, up to 1.', { minimum: 0, maximum: 1 }),
  },
  named('CastExit', 'Where the body leaves the target that it hit.'),
)

export const rotation2d = Type.Optional(
  real(
    'How far it turns in all while it moves, in radians about its position, counter-clockwise positive, any number of turns; 0 when absent. At most 1e100 in magnitude.',
  ),
)

export const rotation3d = Type.Optional(
  reference(
    Vec3,
    'How far it turns in all while it moves, about its position: the axis, in the world frame, times radians, right-handed, any number of turns; not at all when absent. Each at most 1e100 in magnitude.',
  ),
)

function shapeCast<V extends TSchema, B extends TSchema, F extends TSchema, R extends TSchema>(
  { tag, vector, body, feature, origin }: { tag: string; vector: V; body: B; feature: F; origin: string },
  rotation: R,
  examples: Examples,
) {
  const castHit = Type.Object(
    {
      target: index('Index of the body in targets.'),
      distance: length('Distance travelled until the hit: fraction · length of translation.'),
      fraction: real('Part of the motion that is done at the hit, from 0 to 1.', { minimum: 0, maximum: 1 }),
      point: nullable(
        vector,
        'Where the two touch, world frame; of bodies that overlap at the start, midway between them; null when not wanted.',
      ),
      normal: nullable(
        vector,
        'Outward unit normal of the target at the hit, against the motion, world frame; null where none is meaningful, or when not wanted.',
      ),
      feature: nullable(
        feature,
        'The part of the target that was hit; null where none is meaningful, or when not wanted.',
      ),
      startedInside: Type.Boolean({
        description: 'True when the body meets the target before it moves, touching included.',
      }),
      exit: nullable(
        CastExit,
        'First later place at which they part; null when that is not within the motion, or not wanted.',
      ),
      status: searchStatus,
    },
    named(`CastHit${tag}`, 'One target that was hit.'),
  )
  const request = Type.Object(
    {
      body: reference(body, 'The body that is cast, where it starts.'),
      translation: reference(
        vector,
        `How far it moves in all, world frame; ${origin} asks what it meets where it stands.`,
      ),
      rotation,
      targets: targetsOf(body),
      mode: castMode,
      ignoreSeparating,
      want,
    },
    named(`ShapeCast${tag}Request`, 'A body, its way, and the bodies it may hit.', examples.request),
  )
  const response = Type.Object(
    {
      hits: Type.Array(reference(castHit), {
        description:
          'Near to far by fraction, ties by target index; at most one unless mode is all; empty when nothing is hit.',
      }),
    },
    named(`ShapeCast${tag}Response`, 'What the body hit.', examples.response),
  )
  return { castHit, request, response }
}

export const {
  castHit: CastHit,
  request: ShapeCastRequest,
  response: ShapeCastResponse,
} = shapeCast(plane, rotation2d, {
  request: {
    'falling-box': {
      body: { shape: { type: 'box', width: 1, height: 1 }, position: { x: 0, y: 6 } },
      translation: { x: 0, y: -8 },
      targets: [
        { shape: { type: 'box', width: 20, height: 1 } },
        {
          shape: {
            type: 'region',
            outer: [
              { x: -3, y: 0 },
              { x: 3, y: 0 },
              { x: 3, y: 4 },
              { x: 2, y: 4 },
              { x: 2, y: 1 },
              { x: -2, y: 1 },
              { x: -2, y: 4 },
              { x: -3, y: 4 },
            ],
          },
        },
      ],
    },
    'turning-capsule': {
      body: { shape: { type: 'capsule', a: { x: -1, y: 0 }, b: { x: 1, y: 0 }, radius: 0.25 } },
      translation: { x: 0, y: 3 },
      rotation: 1.5,
      targets: [{ shape: { type: 'circle', radius: 0.5 }, position: { x: 1.25, y: 2 } }],
      mode: 'all',
    },
    'how-far': {
      body: { shape: { type: 'circle', radius: 0.5 } },
      translation: { x: 10, y: 0 },
      targets: [{ shape: { type: 'box', width: 1, height: 4 }, position: { x: 6, y: 0 } }],
      want: 'time',
    },
  },
  response: [
    {
      hits: [
        {
          target: 1,
          distance: 4.5,
          fraction: 0.5625,
          point: { x: 0, y: 1 },
          normal: { x: 0, y: 1 },
          feature: { kind: 'edge', index: 4 },
          startedInside: false,
          exit: { distance: 6.5, fraction: 0.8125 },
          status: 'converged',
        },
      ],
    },
  ],
})
export type CastHit = Static<typeof CastHit>
export type ShapeCastRequest = Static<typeof ShapeCastRequest>
export type ShapeCastResponse = Static<typeof ShapeCastResponse>

export const {
  castHit: CastHit3d,
  request: ShapeCast3dRequest,
  response: ShapeCast3dResponse,
} = shapeCast(space, rotation3d, {
  request: {
    'falling-box': {
      body: { shape: { type: 'box', size: { x: 1, y: 1, z: 1 } }, position: { x: 0, y: 6, z: 0 } },
      translation: { x: 0, y: -8, z: 0 },
      targets: [
        { shape: { type: 'aabb', min: { x: -9, y: -1, z: -9 }, max: { x: 9, y: 0, z: 9 } } },
        { shape: { type: 'cylinder', radius: 2, height: 2 }, position: { x: 1, y: 1, z: 0 } },
      ],
    },
    'how-far': {
      body: { shape: { type: 'sphere', radius: 0.5 } },
      translation: { x: 10, y: 0, z: 0 },
      targets: [{ shape: { type: 'box', size: { x: 1, y: 4, z: 4 } }, position: { x: 6, y: 0, z: 0 } }],
      want: 'time',
    },
  },
  response: [
    {
      hits: [
        {
          target: 1,
          distance: 3.5,
          fraction: 0.4375,
          point: { x: 0, y: 2, z: 0 },
          normal: { x: 0, y: 1, z: 0 },
          feature: { kind: 'surface', vertices: [] },
          startedInside: false,
          exit: { distance: 6.5, fraction: 0.8125 },
          status: 'converged',
        },
      ],
    },
  ],
})
export type ShapeCast3dRequest = Static<typeof ShapeCast3dRequest>
export type ShapeCast3dResponse = Static<typeof ShapeCast3dResponse>
