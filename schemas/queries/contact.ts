// POST /v1/2d/contact: where do two bodies meet, how deep, and what parts them?

import { type Static, Type } from '@sinclair/typebox'
import { ShapeFeature, ShapeFeature3d } from '../feature.ts'
import { length, nullableReal, real } from '../quantity.ts'
import { named, nullable, reference } from '../reference.ts'
import { Body2d } from '../shapes2d.ts'
import { Body3d } from '../shapes3d.ts'
import { Vec2, Vec3 } from '../vector.ts'

export const ContactRequest = Type.Object(
  {
    a: reference(Body2d, 'The first body, A.'),
    b: reference(Body2d, 'The second body, B.'),
    maxDistance: Type.Optional(
      length('Give contact points also for bodies apart by up to this much; 0 when absent: only for bodies that meet.'),
    ),
  },
  named('ContactRequest', 'Two bodies to find the contact of.', {
    'box-on-box': {
      a: { shape: { type: 'box', width: 10, height: 1 } },
      b: { shape: { type: 'box', width: 1, height: 1 }, position: { x: 2, y: 0.875 } },
    },
    'circle-over-segment': {
      a: { shape: { type: 'circle', radius: 1 } },
      b: {
        shape: { type: 'segment', a: { x: -2, y: 0 }, b: { x: 2, y: 0 } },
        position: { x: 0, y: 1.25 },
      },
      maxDistance: 0.5,
    },
  }),
)
export type ContactRequest = Static<typeof ContactRequest>

export const ContactFeature = Type.Object(
  {
    a: reference(ShapeFeature, 'The feature of A.'),
    b: reference(ShapeFeature, 'The feature of B.'),
  },
  named('ContactFeature', 'The two features that meet at a contact point.'),
)
export type ContactFeature = Static<typeof ContactFeature>

export const ContactPoint = Type.Object(
  {
    position: reference(Vec2, 'Midway between the two surfaces, world frame.'),
    separation: real(
      'Signed distance of the surfaces at this point along the normal: negative when they penetrate, positive when apart.',
    ),
    feature: reference(ContactFeature, 'Which parts of the two shapes meet here.'),
  },
  named('ContactPoint', 'One point of the contact.'),
)
export type ContactPoint = Static<typeof ContactPoint>

export const ContactResponse = Type.Object(
  {
    touching: Type.Boolean({ description: 'True when the bodies share at least one point.' }),
    separation: nullableReal(
      'Signed distance of the bodies: positive when apart, 0 when touching, minus the penetration depth when overlapping: the length of translation. Null only for half-planes that no translation can part.',
    ),
    normal: nullable(Vec2, 'Unit vector from A to B, world frame; null where none is meaningful.'),
    points: Type.Array(reference(ContactPoint), {
      maxItems: 2,
      description: 'At most two contact points; none when the bodies are farther apart than maxDistance.',
    }),
    translation: nullable(
      Vec2,
      'The shortest vector that, added to the position of B, just separates the pair: they then touch. (0, 0) when they are apart; null only for half-planes that no translation can part. For concave shapes it is that of the whole, not a sum over parts.',
    ),
    exact: Type.Boolean({
      description:
        'False only for concave shapes whose shortest translation was out of reach: translation then still separates the pair, but a shorter one may exist, and separation is minus its length.',
    }),
  },
  named('ContactResponse', 'The contact of the two bodies.', [
    {
      touching: true,
      separation: -0.125,
      normal: { x: 0, y: 1 },
      points: [
        {
          position: { x: 1.5, y: 0.4375 },
          separation: -0.125,
          feature: { a: { kind: 'edge', index: 2 }, b: { kind: 'vertex', index: 0 } },
        },
        {
          position: { x: 2.5, y: 0.4375 },
          separation: -0.125,
          feature: { a: { kind: 'edge', index: 2 }, b: { kind: 'vertex', index: 1 } },
        },
      ],
      translation: { x: 0, y: 0.125 },
      exact: true,
    },
  ]),
)
export type ContactResponse = Static<typeof ContactResponse>

// POST /v1/3d/contact: where do two bodies meet, how deep, and what parts them?

const MAX_CONTACT_POINTS = 64
export const DEFAULT_CONTACT_POINTS = 4

export const Contact3dRequest = Type.Object(
  {
    a: reference(Body3d, 'The first body, A.'),
    b: reference(Body3d, 'The second body, B.'),
    maxDistance: Type.Optional(
      length('Give contact points also for bodies apart by up to this much; 0 when absent: only for bodies that meet.'),
    ),
    maxPoints: Type.Optional(
      Type.Integer({
        format: 'int32',
        minimum: 1,
        maximum: MAX_CONTACT_POINTS,
        description: `How many contact points there may be; ${DEFAULT_CONTACT_POINTS} when absent. The deepest is among them.`,
      }),
    ),
  },
  named('Contact3dRequest', 'Two bodies to find the contact of.', {
    'ball-on-box': {
      a: { shape: { type: 'box', size: { x: 4, y: 2, z: 4 } } },
      b: { shape: { type: 'sphere', radius: 1 }, position: { x: 0, y: 1.75, z: 1 } },
    },
  }),
)
export type Contact3dRequest = Static<typeof Contact3dRequest>

const ContactFeature3d = Type.Object(
  {
    a: reference(ShapeFeature3d, 'The feature of A.'),
    b: reference(ShapeFeature3d, 'The feature of B.'),
  },
  named('ContactFeature3d', 'The two features that meet at a contact point.'),
)

export const ContactPoint3d = Type.Object(
  {
    position: reference(Vec3, 'Midway between the two surfaces, world frame.'),
    separation: real(
      'Signed distance of the surfaces at this point along the normal: negative when they penetrate, positive when apart.',
    ),
    feature: reference(ContactFeature3d, 'Which parts of the two shapes meet here.'),
  },
  named('ContactPoint3d', 'One point of the contact.'),
)
export type ContactPoint3d = Static<typeof ContactPoint3d>

export const Contact3dResponse = Type.Object(
  {
    touching: Type.Boolean({ description: 'True when the bodies share at least one point.' }),
    separation: nullableReal(
      'Signed distance of the bodies: positive when apart, 0 when touching, minus the penetration depth when overlapping: the length of translation. Null only for half-spaces that no translation can part.',
    ),
    normal: nullable(Vec3, 'Unit vector from A to B, world frame; null where none is meaningful.'),
    points: Type.Array(reference(ContactPoint3d), {
      maxItems: MAX_CONTACT_POINTS,
      description: 'Points of the contact, at most maxPoints; none when the bodies are farther apart than maxDistance.',
    }),
    translation: nullable(
      Vec3,
      'The shortest vector that, added to the position of B, just separates the pair: they then touch. (0, 0, 0) when they are apart; null only for half-spaces that no translation can part.',
    ),
    exact: Type.Boolean({
      description: 'True: no translation is shorter, beyond rounding. It is for every convex pair.',
    }),
  },
  named('Contact3dResponse', 'The contact of the two bodies.', [
    {
      touching: true,
      separation: -0.25,
      normal: { x: 0, y: 1, z: 0 },
      points: [
        {
          position: { x: 0, y: 0.875, z: 1 },
          separation: -0.25,
          feature: { a: { kind: 'face', vertices: [2, 6, 7, 3] }, b: { kind: 'surface', vertices: [] } },
        },
      ],
      translation: { x: 0, y: 0.25, z: 0 },
      exact: true,
    },
  ]),
)
export type Contact3dResponse = Static<typeof Contact3dResponse>
