// POST /v1/2d/scenes/{sceneId}/shape-cast and /v1/3d/…: what does a body meet on its way through a scene?

import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import type { Examples } from '../dimensions.ts'
import { word } from '../quantity.ts'
import { CastHit, CastHit3d, rotation2d, rotation3d } from '../queries/shape-cast.ts'
import { ignoreSeparating, want } from '../queries/time-of-impact.ts'
import { named, reference } from '../reference.ts'
import { bodyName, scenePlane, sceneSpace, selection, truncated, version } from './probe.ts'

export const sceneCastMode = Type.Optional(
  word(
    ['closest', 'any', 'all'],
    'closest: the nearest hit; any: the same, as which body it is must not hang on chance; all: every body that is hit. closest when absent.',
  ),
)

function sceneShapeCast<P extends TProperties, V extends TSchema, R extends TSchema, H extends TProperties>(
  { tag, movers, vector, origin }: { tag: string; movers: P; vector: V; origin: string },
  rotation: R,
  /** The fields of a hit, but for its target. */
  hit: H,
  examples: Examples,
) {
  const request = Type.Object(
    {
      ...movers,
      translation: reference(
        vector,
        `How far it moves in all, world frame; ${origin} asks what it meets where it stands.`,
      ),
      rotation,
      mode: sceneCastMode,
      ignoreSeparating,
      want,
      ...selection,
    },
    named(
      `SceneShapeCast${tag}Request`,
      'A body, or one of the scene’s, and its way. The scene’s bodies stand still.',
      examples.request,
    ),
  )
  const castHit = Type.Object(
    { id: bodyName('The body that was hit.'), ...hit },
    named(`SceneCastHit${tag}`, 'One body of the scene that was hit: the fields of CastHit, with its id.'),
  )
  const response = Type.Object(
    {
      version,
      hits: Type.Array(reference(castHit), {
        description: 'Near to far by fraction, ties by id; at most one unless mode is all; empty when nothing is hit.',
      }),
      truncated,
    },
    named(`SceneShapeCast${tag}Response`, 'What the body hit.', examples.response),
  )
  return { castHit, request, response }
}

const { target: _, ...hit } = CastHit.properties
const { target: __, ...hit3d } = CastHit3d.properties

export const {
  castHit: SceneCastHit,
  request: SceneShapeCastRequest,
  response: SceneShapeCastResponse,
} = sceneShapeCast(scenePlane, rotation2d, hit, {
  request: {
    'body-of-scene': { bodyId: 'hero', translation: { x: 10, y: 0 }, ignoreSeparating: true },
    'new-body': {
      body: { shape: { type: 'box', width: 1, height: 1 }, position: { x: 8, y: 6 } },
      translation: { x: 0, y: -8 },
      mode: 'all',
    },
    'how-far': { bodyId: 'hero', translation: { x: 10, y: 0 }, ignoreSeparating: true, want: 'time' },
  },
  response: [
    {
      version: 2,
      hits: [
        {
          id: 'crate',
          distance: 6.5,
          fraction: 0.65,
          point: { x: 7, y: 1 },
          normal: { x: -1, y: 0 },
          feature: { kind: 'edge', index: 3 },
          startedInside: false,
          exit: { distance: 9.5, fraction: 0.95 },
          status: 'converged',
        },
      ],
      truncated: false,
    },
  ],
})

export type SceneCastHit = Static<typeof SceneCastHit>
export type SceneShapeCastResponse = Static<typeof SceneShapeCastResponse>

export const { request: SceneShapeCast3dRequest, response: SceneShapeCast3dResponse } = sceneShapeCast(
  sceneSpace,
  rotation3d,
  hit3d,
  {
    request: {
      'body-of-scene': { bodyId: 'hero', translation: { x: 10, y: 0, z: 0 }, ignoreSeparating: true },
      'new-body': {
        body: { shape: { type: 'box', size: { x: 1, y: 1, z: 1 } }, position: { x: 8, y: 6, z: 0 } },
        translation: { x: 0, y: -8, z: 0 },
        mode: 'all',
      },
    },
    response: [
      {
        version: 2,
        hits: [
          {
            id: 'crate',
            distance: 6.5,
            fraction: 0.65,
            point: { x: 7, y: 1, z: 0 },
            normal: { x: -1, y: 0, z: 0 },
            feature: { kind: 'face', vertices: [0, 4, 6, 2] },
            startedInside: false,
            exit: { distance: 9.5, fraction: 0.95 },
            status: 'converged',
          },
        ],
        truncated: false,
      },
    ],
  },
)
