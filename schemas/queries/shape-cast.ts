// POST /v1/2d/shape-cast: what does a body meet on its way?

import { type Static, Type } from '@sinclair/typebox'
import { real } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { Body2d } from '../shapes/body.ts'
import { Vec2 } from '../vec2.ts'
import { CastHit } from './cast-hit.ts'
import { castMode, targets } from './targets.ts'
import { ignoreSeparating } from './time-of-impact.ts'

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
