// POST /v1/2d/bounds: the axis-aligned box of a body, or of everything it covers while it moves.

import { type Static, Type } from '@sinclair/typebox'
import { duration, nullableReal } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { MovingBody2d } from '../shapes2d.ts'
import { MovingBody3d } from '../shapes3d.ts'

export const BoundsRequest = Type.Object(
  {
    body: reference(MovingBody2d, 'The body.'),
    duration: Type.Optional(
      duration('How long it moves, in seconds; at most 1e100. 0 when absent: the body as it stands.'),
    ),
  },
  named('BoundsRequest', 'A body to find the bounds of.', {
    'moving-circle': {
      body: { shape: { type: 'circle', radius: 1 }, position: { x: 2, y: 3 }, velocity: { x: 4, y: 0 } },
      duration: 0.5,
    },
    'half-plane': { body: { shape: { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 0 } } },
  }),
)
export type BoundsRequest = Static<typeof BoundsRequest>

export const BoundsCorner = Type.Object(
  {
    x: nullableReal('Component along x; null where the body has no bound on that side.'),
    y: nullableReal('Component along y; null where the body has no bound on that side.'),
  },
  named('BoundsCorner', 'A corner of a box, whose sides may be missing: half-planes have no bounds on most sides.'),
)
export type BoundsCorner = Static<typeof BoundsCorner>

export const BoundsResponse = Type.Object(
  {
    min: reference(BoundsCorner, 'Least x and y, world frame.'),
    max: reference(BoundsCorner, 'Greatest x and y, world frame.'),
  },
  named('BoundsResponse', 'The least axis-aligned box that holds the body at all times from 0 to duration.', [
    { min: { x: 1, y: 2 }, max: { x: 5, y: 4 } },
    { min: { x: null, y: null }, max: { x: null, y: 0 } },
  ]),
)
export type BoundsResponse = Static<typeof BoundsResponse>

// POST /v1/3d/bounds: the axis-aligned box of a body, or of everything it covers while it moves.

export const Bounds3dRequest = Type.Object(
  {
    body: reference(MovingBody3d, 'The body.'),
    duration: Type.Optional(
      duration('How long it moves, in seconds; at most 1e100. 0 when absent: the body as it stands.'),
    ),
  },
  named('Bounds3dRequest', 'A body to find the bounds of.', {
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
  }),
)
export type Bounds3dRequest = Static<typeof Bounds3dRequest>

const side = (axis: string) => nullableReal(`Component along ${axis}; null where the body has no bound on that side.`)

export const BoundsCorner3d = Type.Object(
  { x: side('x'), y: side('y'), z: side('z') },
  named('BoundsCorner3d', 'A corner of a box, whose sides may be missing: half-spaces have no bounds on most sides.'),
)
export type BoundsCorner3d = Static<typeof BoundsCorner3d>

export const Bounds3dResponse = Type.Object(
  {
    min: reference(BoundsCorner3d, 'Least x, y and z, world frame.'),
    max: reference(BoundsCorner3d, 'Greatest x, y and z, world frame.'),
  },
  named('Bounds3dResponse', 'The least axis-aligned box that holds the body at all times from 0 to duration.', [
    { min: { x: 1, y: 2, z: 3 }, max: { x: 3, y: 4, z: 5 } },
    { min: { x: -5, y: -5, z: -1 }, max: { x: 5, y: 5, z: 4 } },
    { min: { x: null, y: null, z: null }, max: { x: null, y: 0, z: null } },
  ]),
)
export type Bounds3dResponse = Static<typeof Bounds3dResponse>
