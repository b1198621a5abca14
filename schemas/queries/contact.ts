// POST /v1/2d/contact and /v1/3d/contact: where do two bodies touch, how deep do they overlap, and what separates them?

import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { type Examples, plane, space } from '../dimensions.ts'
import { length, nullableReal, real } from '../quantity.ts'
import { named, nullable, reference } from '../reference.ts'

const MAX_CONTACT_POINTS = 64
export const DEFAULT_CONTACT_POINTS = 4

/** The parts that differ: further options, and the points and other fields of the response. */
interface Differences<O extends TProperties> {
  readonly options: O
  readonly points: { readonly maxItems: number; readonly description: string }
  readonly translation: string
  readonly exact: string
}

function contact<V extends TSchema, B extends TSchema, F extends TSchema, O extends TProperties>(
  {
    tag,
    vector,
    body,
    feature,
    origin,
    halves,
  }: { tag: string; vector: V; body: B; feature: F; origin: string; halves: string },
  { options, points, translation, exact }: Differences<O>,
  examples: Examples,
) {
  const contactFeature = Type.Object(
    {
      a: reference(feature, 'The feature of A.'),
      b: reference(feature, 'The feature of B.'),
    },
    named(`ContactFeature${tag}`, 'The two features that meet at a contact point.'),
  )
  const contactPoint = Type.Object(
    {
      position: reference(vector, 'Midway between the two surfaces, world frame.'),
      separation: real(
        'Signed distance of the surfaces at this point along the normal: negative when they penetrate, positive when apart.',
      ),
      feature: reference(contactFeature, 'Which parts of the two shapes meet here.'),
    },
    named(`ContactPoint${tag}`, 'One point of the contact.'),
  )
  const request = Type.Object(
    {
      a: reference(body, 'The first body, A.'),
      b: reference(body, 'The second body, B.'),
      maxDistance: Type.Optional(
        length(
          'Give contact points also for bodies apart by up to this much; 0 when absent: only for bodies that meet.',
        ),
      ),
      ...options,
    },
    named(`Contact${tag}Request`, 'Two bodies to find the contact of.', examples.request),
  )
  const response = Type.Object(
    {
      touching: Type.Boolean({ description: 'True when the bodies share at least one point.' }),
      separation: nullableReal(
        `Signed distance of the bodies: positive when apart, 0 when touching, minus the penetration depth when overlapping: the length of translation. Null only for ${halves} that no translation can part.`,
      ),
      normal: nullable(vector, 'Unit vector from A to B, world frame; null where none is meaningful.'),
      points: Type.Array(reference(contactPoint), points),
      translation: nullable(
        vector,
        `The shortest vector that, added to the position of B, just separates the pair: they then touch. ${origin} when they are apart; null only for ${halves} that no translation can part.${translation}`,
      ),
      exact: Type.Boolean({ description: exact }),
    },
    named(`Contact${tag}Response`, 'The contact of the two bodies.', examples.response),
  )
  return { contactPoint, request, response }
}

export const {
  contactPoint: ContactPoint,
  request: ContactRequest,
  response: ContactResponse,
} = contact(
  plane,
  {
    options: {},
    points: {
      maxItems: 2,
      description: 'At most two contact points; none when the bodies are farther apart than maxDistance.',
    },
    translation: ' For concave shapes it is that of the whole, not a sum over parts.',
    exact:
      'False only for concave shapes whose shortest translation was out of reach: translation then still separates the pair, but a shorter one may exist, and separation is minus its length.',
  },
  {
    request: {
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
    },
    response: [
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
    ],
  },
)
export type ContactPoint = Static<typeof ContactPoint>
export type ContactRequest = Static<typeof ContactRequest>
export type ContactResponse = Static<typeof ContactResponse>

export const {
  contactPoint: ContactPoint3d,
  request: Contact3dRequest,
  response: Contact3dResponse,
} = contact(
  space,
  {
    options: {
      maxPoints: Type.Optional(
        Type.Integer({
          format: 'int32',
          minimum: 1,
          maximum: MAX_CONTACT_POINTS,
          description: `How many contact points there may be; ${DEFAULT_CONTACT_POINTS} when absent. The deepest is among them.`,
        }),
      ),
    },
    points: {
      maxItems: MAX_CONTACT_POINTS,
      description: 'Points of the contact, at most maxPoints; none when the bodies are farther apart than maxDistance.',
    },
    translation: '',
    exact: 'True: no translation is shorter, beyond rounding. It is for every convex pair.',
  },
  {
    request: {
      'ball-on-box': {
        a: { shape: { type: 'box', size: { x: 4, y: 2, z: 4 } } },
        b: { shape: { type: 'sphere', radius: 1 }, position: { x: 0, y: 1.75, z: 1 } },
      },
    },
    response: [
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
    ],
  },
)
export type ContactPoint3d = Static<typeof ContactPoint3d>
export type Contact3dRequest = Static<typeof Contact3dRequest>
export type Contact3dResponse = Static<typeof Contact3dResponse>
