// POST /v1/2d/scenes/{sceneId}/move: how far does a character get, sliding along what it meets?

import { type Static, Type } from '@sinclair/typebox'
import { real, word } from '../quantity.ts'
import { named, nullable, reference } from '../reference.ts'
import { Vec2 } from '../vector.ts'
import { bodyName, movers, selection, truncated, version } from './probe.ts'
import { SceneSeparation } from './separate.ts'

const MAX_SLIDES = 1000

export const SceneMoveRequest = Type.Object(
  {
    ...movers,
    translation: reference(Vec2, 'How far it would go if nothing were in the way, world frame. It does not turn.'),
    maxSlides: Type.Optional(
      Type.Integer({
        format: 'int32',
        minimum: 0,
        maximum: MAX_SLIDES,
        description:
          'How many surfaces it may slide along, one after another; 8 when absent, 0: it stops at the first.',
      }),
    ),
    up: Type.Optional(reference(Vec2, 'Which way is up, any length but 0; only with maxSlope. (0, 1) when absent.')),
    maxSlope: Type.Optional(
      real(
        'How steep a surface it slides up at most, in radians from level: it stops at what is steeper, but slides down and along. Any slope when absent.',
        { minimum: 0 },
      ),
    ),
    ...selection,
  },
  named('SceneMoveRequest', 'A body, or one of the scene’s, and where it wants to go. Nothing is moved by asking.', {
    'along-the-floor': { bodyId: 'hero', translation: { x: 9, y: -1 }, filter: { sensors: 'exclude' } },
    'within-slope': {
      body: { shape: { type: 'circle', radius: 0.5 }, position: { x: 0, y: 5 } },
      translation: { x: 2, y: 0 },
      maxSlope: 0.75,
    },
  }),
)
export type SceneMoveRequest = Static<typeof SceneMoveRequest>

export const SceneMoveContact = Type.Object(
  {
    id: bodyName('The body that was met.'),
    point: reference(Vec2, 'Where the two touch, world frame.'),
    normal: reference(Vec2, 'Outward unit normal of the body that was met, world frame.'),
  },
  named('SceneMoveContact', 'One body that stood in the way.'),
)
export type SceneMoveContact = Static<typeof SceneMoveContact>

export const SceneMoveResponse = Type.Object(
  {
    version,
    status: word(
      ['completed', 'blocked', 'max-slides'],
      'completed: nothing is left of the motion; blocked: what is left leads nowhere; max-slides: stopped where it would have slid along one more surface than maxSlides.',
    ),
    position: reference(Vec2, 'Where its position lies in the end, world frame: never inside any of the bodies.'),
    path: Type.Array(reference(Vec2), {
      description: 'The corners of the way, from its position at the start to that in the end; straight in between.',
    }),
    contacts: Type.Array(reference(SceneMoveContact), {
      description: 'What stood in the way, in the order in which it was met; what was met at one place by id.',
    }),
    remaining: reference(Vec2, 'What is left of the motion.'),
    separation: nullable(
      SceneSeparation,
      'How it first got out of what it stood in; null when it stood free. Where that failed it did not move.',
    ),
    truncated: { ...truncated, description: 'True when limit left out later contacts.' },
  },
  named('SceneMoveResponse', 'The way of the character.', [
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
  ]),
)
export type SceneMoveResponse = Static<typeof SceneMoveResponse>
