// POST /v1/2d/scenes/{sceneId}/drop: where does a body come to rest when it falls?

import { type Static, Type } from '@sinclair/typebox'
import { length, nullableReal, word } from '../quantity.ts'
import { named, nullable, reference } from '../reference.ts'
import { Vec2 } from '../vector.ts'
import { SceneMoveContact } from './move.ts'
import { movers, selection, truncated, version } from './probe.ts'
import { SceneSeparation } from './separate.ts'

export const SceneDropRequest = Type.Object(
  {
    ...movers,
    direction: reference(Vec2, 'Which way it falls, world frame, any length but 0: (0, 1) where y points down.'),
    maxDistance: Type.Optional(length('How far it falls at most, a length; any distance when absent.')),
    align: Type.Optional(
      word(
        ['face', 'normal'],
        'How it is turned to what it lands on. face: by the least turn that lays a side of its own, or of the hull around it, on that, as if it rolled over; normal: so that what looked against the direction looks along the surface’s normal. It is not turned when absent. Ellipses lie on their long side; in compounds only straight parts, circles and capsules are sides.',
      ),
    ),
    ...selection,
  },
  named('SceneDropRequest', 'A body, or one of the scene’s, and which way it falls. Nothing is moved by asking.', {
    'onto-crate': {
      body: { shape: { type: 'box', width: 1, height: 1 }, position: { x: 8, y: 6 }, rotation: 0.25 },
      direction: { x: 0, y: -1 },
      align: 'face',
    },
    'of-scene': { bodyId: 'hero', direction: { x: 0, y: 1 }, maxDistance: 10 },
  }),
)
export type SceneDropRequest = Static<typeof SceneDropRequest>

export const SceneDropResponse = Type.Object(
  {
    version,
    status: word(
      ['landed', 'nothing-below', 'started-overlapping'],
      'landed: it rests on something; nothing-below: there is nothing within maxDistance; started-overlapping: it stood in something from the start by more than rounding and did not fall (ask place or separate first).',
    ),
    position: nullable(
      Vec2,
      'Where its position lies when it has landed, world frame: it touches at most there. null when it has not landed.',
    ),
    rotation: nullableReal('Its rotation then, in radians; its own unless it was turned.'),
    distance: nullableReal('How far it fell, a length.'),
    aligned: Type.Boolean({
      description:
        'Whether it lies as align asks; false without align, and where there was no room to turn, or no such rest was found.',
    }),
    contact: nullable(
      SceneMoveContact,
      'What it landed on; of several things the one with the least id. What it only slides along does not hold it.',
    ),
    separation: nullable(
      SceneSeparation,
      'How it was first let out of what it stood in by no more than rounding, within 4 units in the last place of its coordinates; null when it stood free, or deeper than that. The distance counts from there.',
    ),
    truncated: { ...truncated, description: 'Always false: there is one rest.' },
  },
  named('SceneDropResponse', 'Where it came to rest.', [
    {
      version: 2,
      status: 'landed',
      position: { x: 8, y: 2.5 },
      rotation: 0,
      distance: 3.5,
      aligned: true,
      contact: { id: 'crate', point: { x: 8, y: 2 }, normal: { x: 0, y: 1 } },
      separation: null,
      truncated: false,
    },
    {
      version: 2,
      status: 'nothing-below',
      position: null,
      rotation: null,
      distance: null,
      aligned: false,
      contact: null,
      separation: null,
      truncated: false,
    },
  ]),
)
export type SceneDropResponse = Static<typeof SceneDropResponse>
