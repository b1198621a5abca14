// POST /v1/2d/scenes/{sceneId}/place: where is the nearest place that is free for a body?

import { type Static, Type } from '@sinclair/typebox'
import { length, nullableReal } from '../quantity.ts'
import { named, nullable } from '../reference.ts'
import { Vec2 } from '../vector.ts'
import { movers, selection, truncated, version } from './probe.ts'

export const ScenePlaceRequest = Type.Object(
  {
    ...movers,
    maxDistance: Type.Optional(
      length('How far from the place that it has, or is given by pose, at most, a length; any distance when absent.'),
    ),
    ...selection,
  },
  named(
    'ScenePlaceRequest',
    'A body, or one of the scene’s, where one would like it to be. Nothing is moved by asking.',
    {
      'beside-crate': { bodyId: 'hero', pose: { position: { x: 6.75, y: 1 } }, maxDistance: 2 },
      'no-room': { body: { shape: { type: 'circle', radius: 1 }, position: { x: 0, y: -0.5 } }, maxDistance: 0.5 },
    },
  ),
)
export type ScenePlaceRequest = Static<typeof ScenePlaceRequest>

export const ScenePlaceResponse = Type.Object(
  {
    version,
    position: nullable(
      Vec2,
      'Where its position lies in the free place that is nearest, world frame: it touches at most there, and is not turned. null when no place within maxDistance is free.',
    ),
    translation: nullable(Vec2, 'How far that is from where it was wished.'),
    distance: nullableReal('The length of the translation; 0 when it is free where it was wished.'),
    exact: Type.Boolean({
      description: 'False where a nearer place may exist that was out of reach, or one at all where none was found.',
    }),
    truncated: { ...truncated, description: 'Always false: there is one place.' },
  },
  named('ScenePlaceResponse', 'The nearest free place.', [
    {
      version: 2,
      position: { x: 6.5, y: 1 },
      translation: { x: -0.25, y: 0 },
      distance: 0.25,
      exact: true,
      truncated: false,
    },
    { version: 2, position: null, translation: null, distance: null, exact: true, truncated: false },
  ]),
)
export type ScenePlaceResponse = Static<typeof ScenePlaceResponse>
