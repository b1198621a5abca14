// POST /v1/2d/scenes/{sceneId}/separate: how does a body get out of everything that it overlaps?

import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { named, reference } from '../reference.ts'
import { Vec2 } from '../vector.ts'
import { movers, scenePlane, sceneSpace, selection, truncated, version } from './probe.ts'

export const SceneSeparateRequest = Type.Object(
  { ...movers, ...selection },
  named('SceneSeparateRequest', 'A body, or one of the scene’s.', {
    'out-of-crate': { bodyId: 'hero', pose: { position: { x: 6.75, y: -0.25 } } },
    'nothing-met': { body: { shape: { type: 'circle', radius: 1 }, position: { x: 0, y: 9 } } },
  }),
)
export type SceneSeparateRequest = Static<typeof SceneSeparateRequest>

/** How a body got out of what it stood in: the fields, and the record of them. */
function separating<V extends TSchema>({ tag, vector, origin }: { tag: string; vector: V; origin: string }) {
  const fields = {
    separated: Type.Boolean({
      description: 'False when no translation was found that parts it from everything: it stays where it is then.',
    }),
    translation: reference(
      vector,
      `The least translation out of everything that it overlaps; ${origin} when it stays.`,
    ),
    exact: Type.Boolean({
      description:
        'False where a shorter translation may exist that was out of reach; this one parts them all the same.',
    }),
    bodies: Type.Array(Type.String(), {
      description: 'The ids of the bodies that it overlapped, or would have been pushed into, in their order.',
    }),
  }
  const record = Type.Object(fields, named(`SceneSeparation${tag}`, 'How a body got out of what it stood in.'))
  return { fields, record }
}

const { fields: separation, record } = separating(scenePlane)
export const SceneSeparation = record
export type SceneSeparation = Static<typeof SceneSeparation>
export const SceneSeparation3d = separating(sceneSpace).record
export type SceneSeparation3d = Static<typeof SceneSeparation3d>

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
