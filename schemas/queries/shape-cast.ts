// POST /v1/2d/shape-cast: what does a body meet on its way?

import { type Static, Type } from '@sinclair/typebox'
import { ShapeFeature, ShapeFeature3d } from '../feature.ts'
import { index, length, real } from '../quantity.ts'
import { named, nullable, reference } from '../reference.ts'
import { Body2d } from '../shapes2d.ts'
import { Body3d } from '../shapes3d.ts'
import { Vec2, Vec3 } from '../vector.ts'
import { castMode, MAX_TARGETS, targets } from './ray-cast.ts'
import { ignoreSeparating, searchStatus } from './time-of-impact.ts'

// A body's hit on one target of a shape cast.

export const CastExit = Type.Object(
  {
    distance: length('Distance travelled until the body leaves: fraction · length of translation.'),
    fraction: real('Part of the motion that is done then, up to 1.', { minimum: 0, maximum: 1 }),
  },
  named('CastExit', 'Where the body leaves the target that it hit.'),
)
export type CastExit = Static<typeof CastExit>

export const CastHit = Type.Object(
  {
    target: index('Index of the body in targets.'),
    distance: length('Distance travelled until the hit: fraction · length of translation.'),
    fraction: real('Part of the motion that is done at the hit, from 0 to 1.', { minimum: 0, maximum: 1 }),
    point: reference(
      Vec2,
      'Where the two touch, world frame; of bodies that overlap at the start, midway between them.',
    ),
    normal: nullable(
      Vec2,
      'Outward unit normal of the target at the hit, against the motion, world frame; null where none is meaningful.',
    ),
    feature: nullable(ShapeFeature, 'The part of the target that was hit; null where none is meaningful.'),
    startedInside: Type.Boolean({
      description: 'True when the body meets the target before it moves, touching included.',
    }),
    exit: nullable(CastExit, 'First later place at which they part; null when that is not within the motion.'),
    status: searchStatus,
  },
  named('CastHit', 'One target that was hit.'),
)
export type CastHit = Static<typeof CastHit>

export const castTranslation = reference(
  Vec2,
  'How far it moves in all, world frame; (0, 0) asks what it meets where it stands.',
)

export const castRotation = Type.Optional(
  real(
    'How far it turns in all while it moves, in radians about its position, counter-clockwise positive, any number of turns; 0 when absent. At most 1e100 in magnitude.',
  ),
)

export const ShapeCastRequest = Type.Object(
  {
    body: reference(Body2d, 'The body that is cast, where it starts.'),
    translation: castTranslation,
    rotation: castRotation,
    targets,
    mode: castMode,
    ignoreSeparating,
  },
  named('ShapeCastRequest', 'A body, its way, and the bodies it may hit.', {
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
  }),
)
export type ShapeCastRequest = Static<typeof ShapeCastRequest>

export const ShapeCastResponse = Type.Object(
  {
    hits: Type.Array(reference(CastHit), {
      description:
        'Near to far by fraction, ties by target index; at most one unless mode is all; empty when nothing is hit.',
    }),
  },
  named('ShapeCastResponse', 'What the body hit.', [
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
  ]),
)
export type ShapeCastResponse = Static<typeof ShapeCastResponse>

// POST /v1/3d/shape-cast: what does a body meet on its way in space?

export const CastHit3d = Type.Object(
  {
    target: index('Index of the body in targets.'),
    distance: length('Distance travelled until the hit: fraction · length of translation.'),
    fraction: real('Part of the motion that is done at the hit, from 0 to 1.', { minimum: 0, maximum: 1 }),
    point: reference(
      Vec3,
      'Where the two touch, world frame; of bodies that overlap at the start, midway between them.',
    ),
    normal: nullable(
      Vec3,
      'Outward unit normal of the target at the hit, against the motion, world frame; null where none is meaningful.',
    ),
    feature: nullable(ShapeFeature3d, 'The part of the target that was hit; null where none is meaningful.'),
    startedInside: Type.Boolean({
      description: 'True when the body meets the target before it moves, touching included.',
    }),
    exit: nullable(CastExit, 'First later place at which they part; null when that is not within the motion.'),
    status: searchStatus,
  },
  named('CastHit3d', 'One target that was hit.'),
)
export type CastHit3d = Static<typeof CastHit3d>

export const ShapeCast3dRequest = Type.Object(
  {
    body: reference(Body3d, 'The body that is cast, where it starts.'),
    translation: reference(Vec3, 'How far it moves in all, world frame; (0, 0, 0) asks what it meets where it stands.'),
    rotation: Type.Optional(
      reference(
        Vec3,
        'How far it turns in all while it moves, about its position: the axis, in the world frame, times radians, right-handed, any number of turns; not at all when absent. Each at most 1e100 in magnitude.',
      ),
    ),
    targets: Type.Array(reference(Body3d), {
      maxItems: MAX_TARGETS,
      description: 'The bodies it may hit; hits name them by their index in this list.',
    }),
    mode: castMode,
    ignoreSeparating,
  },
  named('ShapeCast3dRequest', 'A body, its way, and the bodies it may hit.', {
    'falling-box': {
      body: { shape: { type: 'box', size: { x: 1, y: 1, z: 1 } }, position: { x: 0, y: 6, z: 0 } },
      translation: { x: 0, y: -8, z: 0 },
      targets: [
        { shape: { type: 'aabb', min: { x: -9, y: -1, z: -9 }, max: { x: 9, y: 0, z: 9 } } },
        { shape: { type: 'cylinder', radius: 2, height: 2 }, position: { x: 1, y: 1, z: 0 } },
      ],
    },
  }),
)
export type ShapeCast3dRequest = Static<typeof ShapeCast3dRequest>

export const ShapeCast3dResponse = Type.Object(
  {
    hits: Type.Array(reference(CastHit3d), {
      description:
        'Near to far by fraction, ties by target index; at most one unless mode is all; empty when nothing is hit.',
    }),
  },
  named('ShapeCast3dResponse', 'What the body hit.', [
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
  ]),
)
export type ShapeCast3dResponse = Static<typeof ShapeCast3dResponse>
