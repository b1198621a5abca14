// POST /v1/2d/scenes/{sceneId}/move and /v1/3d/…: how far does a character get, sliding along what it meets?

import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import type { Examples } from '../dimensions.ts'
import { length, real, word } from '../quantity.ts'
import { named, nullable, reference } from '../reference.ts'
import { bodyName, scenePlane, sceneSpace, selection, truncated, version } from './probe.ts'
import { SceneSeparation, SceneSeparation3d } from './separate.ts'

const MAX_SLIDES = 1000

function sceneMove<P extends TProperties, V extends TSchema, S extends TSchema>(
  { tag, movers, vector }: { tag: string; movers: P; vector: V },
  /** Which way is up where nothing is said. */
  upward: string,
  separation: S,
  examples: Examples,
) {
  const request = Type.Object(
    {
      ...movers,
      translation: reference(vector, 'How far it would go if nothing were in the way, world frame. It does not turn.'),
      maxSlides: Type.Optional(
        Type.Integer({
          format: 'int32',
          minimum: 0,
          maximum: MAX_SLIDES,
          description:
            'How many surfaces it may slide along, one after another, steps included; 8 when absent, 0: it stops at the first.',
        }),
      ),
      up: Type.Optional(
        reference(
          vector,
          `Which way is up, any length but 0; only with maxSlope, stepHeight or snapToGround. ${upward} when absent.`,
        ),
      ),
      maxSlope: Type.Optional(
        real(
          'How steep a surface it slides up at most, in radians from level: it stops at what is steeper, but slides down and along. Steeper surfaces are no ground to step on or snap to. Any slope when absent.',
          { minimum: 0 },
        ),
      ),
      stepHeight: Type.Optional(
        length(
          'How high an edge it steps onto at most, measured up from its lowest point, where it would stop otherwise. It steps from ground, onto ground, and not while translation leads up. It takes no steps when absent.',
        ),
      ),
      snapToGround: Type.Optional(
        length(
          'How far below its end it is put down onto the ground, so that it walks down stairs and slopes instead of off them: if it stood on ground at the start, within this length, and translation does not lead up. With it, 0 included, the answer has ground. It is not put down when absent.',
        ),
      ),
      ...selection,
    },
    named(
      `SceneMove${tag}Request`,
      'A body, or one of the scene’s, and where it wants to go. Nothing is moved by asking.',
      examples.request,
    ),
  )
  const contact = Type.Object(
    {
      id: bodyName('The body that was met.'),
      point: reference(vector, 'Where the two touch, world frame.'),
      normal: reference(vector, 'Outward unit normal of the body that was met, world frame.'),
    },
    named(`SceneMoveContact${tag}`, 'One body that stood in the way.'),
  )
  const response = Type.Object(
    {
      version,
      status: word(
        ['completed', 'blocked', 'max-slides'],
        'completed: nothing is left of the motion; blocked: what is left leads nowhere; max-slides: stopped where it would have slid along one more surface than maxSlides.',
      ),
      position: reference(vector, 'Where its position lies in the end, world frame: never inside any of the bodies.'),
      path: Type.Array(reference(vector), {
        description:
          'The corners of the way, from its position at the start to that in the end; straight in between. A step leads up, forward and down.',
      }),
      contacts: Type.Array(reference(contact), {
        description: 'What stood in the way, in the order in which it was met; what was met at one place by id.',
      }),
      remaining: reference(vector, 'What is left of the motion.'),
      separation: nullable(
        separation,
        'How it first got out of what it stood in; null when it stood free. Where that failed it did not move.',
      ),
      ground: Type.Optional(
        nullable(contact, 'With snapToGround: what it stands on in the end; null where it stands on nothing.'),
      ),
      truncated: { ...truncated, description: 'True when limit left out later contacts.' },
    },
    named(`SceneMove${tag}Response`, 'The way of the character.', examples.response),
  )
  return { request, contact, response }
}

export const {
  request: SceneMoveRequest,
  contact: SceneMoveContact,
  response: SceneMoveResponse,
} = sceneMove(scenePlane, '(0, 1)', SceneSeparation, {
  request: {
    'along-the-floor': { bodyId: 'hero', translation: { x: 9, y: -1 }, filter: { sensors: 'exclude' } },
    'within-slope': {
      body: { shape: { type: 'circle', radius: 0.5 }, position: { x: 0, y: 5 } },
      translation: { x: 2, y: 0 },
      maxSlope: 0.75,
    },
    'up-and-down-stairs': {
      bodyId: 'hero',
      translation: { x: 9, y: 0 },
      maxSlope: 0.75,
      stepHeight: 0.5,
      snapToGround: 0.5,
    },
  },
  response: [
    {
      version: 2,
      status: 'blocked',
      position: { x: 6.5, y: 0 },
      path: [
        { x: 0, y: 0 },
        { x: 6.5, y: 0 },
      ],
      contacts: [
        { id: 'floor', point: { x: 0, y: 0 }, normal: { x: 0, y: 1 } },
        { id: 'crate', point: { x: 7, y: 1 }, normal: { x: -1, y: 0 } },
      ],
      remaining: { x: 0, y: 0 },
      separation: null,
      truncated: false,
    },
  ],
})
export type SceneMoveRequest = Static<typeof SceneMoveRequest>
export type SceneMoveContact = Static<typeof SceneMoveContact>
export type SceneMoveResponse = Static<typeof SceneMoveResponse>

export const {
  request: SceneMove3dRequest,
  contact: SceneMoveContact3d,
  response: SceneMove3dResponse,
} = sceneMove(sceneSpace, '(0, 1, 0)', SceneSeparation3d, {
  request: {
    'along-the-floor': { bodyId: 'hero', translation: { x: 9, y: -1, z: 0 }, filter: { sensors: 'exclude' } },
    'up-and-down-stairs': {
      bodyId: 'hero',
      translation: { x: 9, y: 0, z: 2 },
      maxSlope: 0.75,
      stepHeight: 0.5,
      snapToGround: 0.5,
    },
  },
  response: [
    {
      version: 2,
      status: 'blocked',
      position: { x: 6.5, y: 0, z: 0 },
      path: [
        { x: 0, y: 0, z: 0 },
        { x: 6.5, y: 0, z: 0 },
      ],
      contacts: [
        { id: 'floor', point: { x: 0, y: 0, z: 0 }, normal: { x: 0, y: 1, z: 0 } },
        { id: 'crate', point: { x: 7, y: 1, z: 0 }, normal: { x: -1, y: 0, z: 0 } },
      ],
      remaining: { x: 0, y: 0, z: 0 },
      separation: null,
      truncated: false,
    },
  ],
})
export type SceneMove3dRequest = Static<typeof SceneMove3dRequest>
export type SceneMove3dResponse = Static<typeof SceneMove3dResponse>
