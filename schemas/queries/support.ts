// POST /v1/2d/support: the farthest point of a body along a direction.

import { type Static, Type } from '@sinclair/typebox'
import { ShapeFeature } from '../feature.ts'
import { named, nullable, reference } from '../reference.ts'
import { Body2d } from '../shapes/body.ts'
import { Vec2 } from '../vec2.ts'

export const SupportRequest = Type.Object(
  {
    body: reference(Body2d, 'The body.'),
    direction: reference(Vec2, 'Which way, world frame; any length but 0 (problem `direction-zero`).'),
  },
  named('SupportRequest', 'A body, and the direction to find its farthest point along.', {
    'rounded-box': { body: { shape: { type: 'box', width: 4, height: 2, radius: 1 } }, direction: { x: 3, y: 4 } },
    unbounded: { body: { shape: { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 0 } }, direction: { x: 1, y: 0 } },
  }),
)
export type SupportRequest = Static<typeof SupportRequest>

export const SupportResponse = Type.Object(
  {
    point: nullable(
      Vec2,
      'A point of the body, world frame, farther along the direction than or as far as any other. Where a whole side is as far it is one of its ends; of a half-plane whose normal is the direction, the boundary point nearest to its position. null where the body reaches to infinity: a half-plane, alone or in a compound, along any direction but exactly its own normal.',
    ),
    feature: nullable(
      ShapeFeature,
      'The feature that the point belongs to: a vertex (of a rounded shape the corner that is rounded), the surface of a circle or an ellipse, the edge of a half-plane. null where there is no point.',
    ),
  },
  named('SupportResponse', 'The farthest point of the body along the direction.', [
    { point: { x: 2.6, y: 1.8 }, feature: { kind: 'vertex', index: 2 } },
    { point: null, feature: null },
  ]),
)
export type SupportResponse = Static<typeof SupportResponse>
