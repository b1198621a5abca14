// POST /v1/2d/scenes/{sceneId}/separate and /v1/3d/…: how does a body get out of everything that it overlaps?

import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import type { Examples } from '../dimensions.ts'
import { named, reference } from '../reference.ts'
import { scenePlane, sceneSpace, selection, truncated, version } from './probe.ts'

function sceneSeparate<P extends TProperties, V extends TSchema>(
  { tag, movers, vector, origin }: { tag: string; movers: P; vector: V; origin: string },
  examples: Examples,
) {
  const request = Type.Object(
    { ...movers, ...selection },
    named(`SceneSeparate${tag}Request`, 'A body, or one of the scene’s.', examples.request),
  )
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
  const separation = Type.Object(fields, named(`SceneSeparation${tag}`, 'How a body got out of what it stood in.'))
  const response = Type.Object(
    { version, ...fields, position: reference(vector, 'Where its position lies then, world frame.'), truncated },
    named(`SceneSeparate${tag}Response`, 'The way out.', examples.response),
  )
  return { request, separation, response }
}

export const {
  request: SceneSeparateRequest,
  separation: SceneSeparation,
  response: SceneSeparateResponse,
} = sceneSeparate(scenePlane, {
  request: {
    'out-of-crate': { bodyId: 'hero', pose: { position: { x: 6.75, y: -0.25 } } },
    'nothing-met': { body: { shape: { type: 'circle', radius: 1 }, position: { x: 0, y: 9 } } },
  },
  response: [
    {
      version: 2,
      separated: true,
      translation: { x: -0.25, y: 0.25 },
      exact: true,
      bodies: ['crate', 'floor'],
      position: { x: 6.5, y: 0 },
      truncated: false,
    },
  ],
})
export type SceneSeparateRequest = Static<typeof SceneSeparateRequest>
export type SceneSeparation = Static<typeof SceneSeparation>
export type SceneSeparateResponse = Static<typeof SceneSeparateResponse>

export const {
  request: SceneSeparate3dRequest,
  separation: SceneSeparation3d,
  response: SceneSeparate3dResponse,
} = sceneSeparate(sceneSpace, {
  request: {
    'out-of-crate': { bodyId: 'hero', pose: { position: { x: 6.75, y: -0.25, z: 0 } } },
    'nothing-met': { body: { shape: { type: 'sphere', radius: 1 }, position: { x: 0, y: 9, z: 0 } } },
  },
  response: [
    {
      version: 2,
      separated: true,
      translation: { x: -0.25, y: 0.25, z: 0 },
      // hero is round
      exact: false,
      bodies: ['crate', 'floor'],
      position: { x: 6.5, y: 0, z: 0 },
      truncated: false,
    },
  ],
})
export type SceneSeparation3d = Static<typeof SceneSeparation3d>
