// POST /v1/2d/scenes/{sceneId}/separate: how does a body get out of everything that it overlaps?

import { type Static, Type } from '@sinclair/typebox'
import { named, reference } from '../reference.ts'
import { Vec2 } from '../vector.ts'
import { movers, selection, truncated, version } from './probe.ts'

export const SceneSeparateRequest = Type.Object(
  { ...movers, ...selection },
  named('SceneSeparateRequest', 'A body, or one of the scene’s.', {
    'out-of-crate': { bodyId: 'hero', pose: { position: { x: 6.75, y: -0.25 } } },
    'nothing-met': { body: { shape: { type: 'circle', radius: 1 }, position: { x: 0, y: 9 } } },
  }),
)
export type SceneSeparateRequest = Static<typeof SceneSeparateRequest>

const separation = {
  separated: Type.Boolean({
    description: 'False when no translation was found that parts it from everything: it stays where it is then.',
  }),
  translation: reference(Vec2, 'The least translation out of everything that it overlaps; (0, 0) when it stays.'),
  exact: Type.Boolean({
    description: 'False where a shorter translation may exist that was out of reach; this one parts them all the same.',
  }),
  bodies: Type.Array(Type.String(), {
    description: 'The ids of the bodies that it overlapped, or would have been pushed into, in their order.',
  }),
}

export const SceneSeparation = Type.Object(
  separation,
  named('SceneSeparation', 'How a body got out of what it stood in.'),
)
export type SceneSeparation = Static<typeof SceneSeparation>

export const SceneSeparateResponse = Type.Object(
  { version, ...separation, position: reference(Vec2, 'Where its position lies then, world frame.'), truncated },
  named('SceneSeparateResponse', 'The way out.', [
    {
      version: 2,
      separated: true,
      translation: { x: -0.25, y: 0.25 },
      exact: true,
      bodies: ['crate', 'floor'],
      position: { x: 6.5, y: 0 },
      truncated: false,
    },
  ]),
)
export type SceneSeparateResponse = Static<typeof SceneSeparateResponse>
