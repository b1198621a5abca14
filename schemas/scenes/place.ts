// POST /v1/2d/scenes/{sceneId}/place and /v1/3d/…: where is the nearest place that is free for a body?

import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import type { Examples } from '../dimensions.ts'
import { length, nullableReal } from '../quantity.ts'
import { named, nullable } from '../reference.ts'
import { scenePlane, sceneSpace, selection, truncated, version } from './probe.ts'

function scenePlace<P extends TProperties, V extends TSchema>(
  { tag, movers, vector }: { tag: string; movers: P; vector: V },
  examples: Examples,
) {
  const request = Type.Object(
    {
      ...movers,
      maxDistance: Type.Optional(
        length('How far from the place that it has, or is given by pose, at most, a length; any distance when absent.'),
      ),
      ...selection,
    },
    named(
      `ScenePlace${tag}Request`,
      'A body, or one of the scene’s, where one would like it to be. Nothing is moved by asking.',
      examples.request,
    ),
  )
  const response = Type.Object(
    {
      version,
      position: nullable(
        vector,
        'Where its position lies in the free place that is nearest, world frame: it touches at most there, and is not turned. null when no place within maxDistance is free.',
      ),
      translation: nullable(vector, 'How far that is from where it was wished.'),
      distance: nullableReal('The length of the translation; 0 when it is free where it was wished.'),
      exact: Type.Boolean({
        description: 'False where a nearer place may exist that was out of reach, or one at all where none was found.',
      }),
      truncated: { ...truncated, description: 'Always false: there is one place.' },
    },
    named(`ScenePlace${tag}Response`, 'The nearest free place.', examples.response),
  )
  return { request, response }
}

export const { request: ScenePlaceRequest, response: ScenePlaceResponse } = scenePlace(scenePlane, {
  request: {
    'beside-crate': { bodyId: 'hero', pose: { position: { x: 6.75, y: 1 } }, maxDistance: 2 },
    'no-room': { body: { shape: { type: 'circle', radius: 1 }, position: { x: 0, y: -0.5 } }, maxDistance: 0.5 },
  },
  response: [
    {
      version: 2,
      position: { x: 6.5, y: 1 },
      translation: { x: -0.25, y: 0 },
      distance: 0.25,
      exact: true,
      truncated: false,
    },
    { version: 2, position: null, translation: null, distance: null, exact: true, truncated: false },
  ],
})
export type ScenePlaceRequest = Static<typeof ScenePlaceRequest>
export type ScenePlaceResponse = Static<typeof ScenePlaceResponse>

export const { request: ScenePlace3dRequest, response: ScenePlace3dResponse } = scenePlace(sceneSpace, {
  request: {
    'beside-crate': { bodyId: 'hero', pose: { position: { x: 6.75, y: 1, z: 0 } }, maxDistance: 2 },
    'no-room': {
      body: { shape: { type: 'sphere', radius: 1 }, position: { x: 0, y: -0.5, z: 0 } },
      maxDistance: 0.5,
    },
  },
  response: [
    {
      version: 2,
      position: { x: 6.5, y: 1, z: 0 },
      translation: { x: -0.25, y: 0, z: 0 },
      distance: 0.25,
      exact: true,
      truncated: false,
    },
    { version: 2, position: null, translation: null, distance: null, exact: true, truncated: false },
  ],
})
