// POST /v1/2d/bounds and /v1/3d/bounds: the axis-aligned box of a body, or of everything it covers while it moves.

import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { type Examples, plane, space } from '../dimensions.ts'
import { duration, nullableReal } from '../quantity.ts'
import { named, reference } from '../reference.ts'

const side = (axis: string) => nullableReal(`Component along ${axis}; null where the body has no bound on that side.`)

function bounds<M extends TSchema, C extends TProperties>(
  { tag, movingBody, halves, axes }: { tag: string; movingBody: M; halves: string; axes: string },
  components: C,
  examples: Examples,
) {
  const boundsCorner = Type.Object(
    components,
    named(
      `BoundsCorner${tag}`,
      `A corner of a box, whose sides may be missing: ${halves} have no bounds on most sides.`,
    ),
  )
  const request = Type.Object(
    {
      body: reference(movingBody, 'The body.'),
      duration: Type.Optional(
        duration('How long it moves, in seconds; at most 1e100. 0 when absent: the body as it stands.'),
      ),
    },
    named(`Bounds${tag}Request`, 'A body to find the bounds of.', examples.request),
  )
  const response = Type.Object(
    {
      min: reference(boundsCorner, `Least ${axes}, world frame.`),
      max: reference(boundsCorner, `Greatest ${axes}, world frame.`),
    },
    named(
      `Bounds${tag}Response`,
      'The least axis-aligned box that holds the body at all times from 0 to duration.',
      examples.response,
    ),
  )
  return { boundsCorner, request, response }
}

export const {
  boundsCorner: BoundsCorner,
  request: BoundsRequest,
  response: BoundsResponse,
} = bounds(
  plane,
  { x: side('x'), y: side('y') },
  {
    request: {
      'moving-circle': {
        body: { shape: { type: 'circle', radius: 1 }, position: { x: 2, y: 3 }, velocity: { x: 4, y: 0 } },
        duration: 0.5,
      },
      'half-plane': { body: { shape: { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 0 } } },
    },
    response: [
      { min: { x: 1, y: 2 }, max: { x: 5, y: 4 } },
      { min: { x: null, y: null }, max: { x: null, y: 0 } },
    ],
  },
)
export type BoundsCorner = Static<typeof BoundsCorner>
export type BoundsRequest = Static<typeof BoundsRequest>
export type BoundsResponse = Static<typeof BoundsResponse>

export const {
  boundsCorner: BoundsCorner3d,
  request: Bounds3dRequest,
  response: Bounds3dResponse,
} = bounds(
  space,
  { x: side('x'), y: side('y'), z: side('z') },
  {
    request: {
      ball: { body: { shape: { type: 'sphere', radius: 1 }, position: { x: 2, y: 3, z: 4 } } },
      'turning-box': {
        body: {
          shape: { type: 'box', size: { x: 8, y: 6, z: 2 } },
          velocity: { x: 0, y: 0, z: 3 },
          angularVelocity: { x: 0, y: 0, z: 1.5 },
        },
        duration: 1,
      },
      'half-space': { body: { shape: { type: 'halfspace', normal: { x: 0, y: 1, z: 0 }, offset: 0 } } },
    },
    response: [
      { min: { x: 1, y: 2, z: 3 }, max: { x: 3, y: 4, z: 5 } },
      { min: { x: -5, y: -5, z: -1 }, max: { x: 5, y: 5, z: 4 } },
      { min: { x: null, y: null, z: null }, max: { x: null, y: 0, z: null } },
    ],
  },
)
export type BoundsCorner3d = Static<typeof BoundsCorner3d>
export type Bounds3dRequest = Static<typeof Bounds3dRequest>
export type Bounds3dResponse = Static<typeof Bounds3dResponse>
