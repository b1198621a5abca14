// POST /v1/2d/support and /v1/3d/support: the farthest point of a body along a direction.

import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { type Examples, plane, space } from '../dimensions.ts'
import { named, nullable, reference } from '../reference.ts'

function support<V extends TSchema, B extends TSchema, F extends TSchema>(
  { tag, vector, body, feature }: { tag: string; vector: V; body: B; feature: F },
  /** Descriptions of the fields of the response. */
  words: { readonly point: string; readonly feature: string },
  examples: Examples,
) {
  const request = Type.Object(
    {
      body: reference(body, 'The body.'),
      direction: reference(vector, 'Which way, world frame; any length but 0 (problem `direction-zero`).'),
    },
    named(`Support${tag}Request`, 'A body, and the direction to find its farthest point along.', examples.request),
  )
  const response = Type.Object(
    {
      point: nullable(vector, words.point),
      feature: nullable(feature, words.feature),
    },
    named(`Support${tag}Response`, 'The farthest point of the body along the direction.', examples.response),
  )
  return { request, response }
}

export const { request: SupportRequest, response: SupportResponse } = support(
  plane,
  {
    point:
      'A point of the body, world frame, farther along the direction than or as far as any other. Where a whole side is as far it is one of its ends; of a half-plane whose normal is the direction, the boundary point nearest to its position. null where the body reaches to infinity: a half-plane, alone or in a compound, along any direction but exactly its own normal.',
    feature:
      'The feature that the point belongs to: a vertex (of a rounded shape the corner that is rounded), the surface of a circle or an ellipse, the edge of a half-plane. null where there is no point.',
  },
  {
    request: {
      'rounded-box': { body: { shape: { type: 'box', width: 4, height: 2, radius: 1 } }, direction: { x: 3, y: 4 } },
      unbounded: {
        body: { shape: { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 0 } },
        direction: { x: 1, y: 0 },
      },
    },
    response: [
      { point: { x: 2.6, y: 1.8 }, feature: { kind: 'vertex', index: 2 } },
      { point: null, feature: null },
    ],
  },
)
export type SupportRequest = Static<typeof SupportRequest>
export type SupportResponse = Static<typeof SupportResponse>

export const { request: Support3dRequest, response: Support3dResponse } = support(
  space,
  {
    point:
      'A point of the body, world frame, farther along the direction than or as far as any other. Where several corners are as far it is the one of the least index; of a disc or a line that of a bent body its middle; of a half-space whose normal is the direction, the boundary point nearest to its position. null where the body reaches to infinity: a half-space, along any direction but exactly its own normal.',
    feature:
      'The feature that the point belongs to: a vertex (of a rounded shape the corner that is rounded), the surface of a bent body, the face of a half-space. null where there is no point.',
  },
  {
    request: {
      'rounded-box': {
        body: { shape: { type: 'box', size: { x: 4, y: 2, z: 2 }, radius: 7 } },
        direction: { x: 2, y: 3, z: 6 },
      },
      unbounded: {
        body: { shape: { type: 'halfspace', normal: { x: 0, y: 1, z: 0 }, offset: 0 } },
        direction: { x: 1, y: 0, z: 0 },
      },
    },
    response: [
      { point: { x: 4, y: 4, z: 7 }, feature: { kind: 'vertex', vertices: [7] } },
      { point: null, feature: null },
    ],
  },
)
export type Support3dRequest = Static<typeof Support3dRequest>
export type Support3dResponse = Static<typeof Support3dResponse>
