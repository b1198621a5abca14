// POST /v1/2d/scenes/{sceneId}/shape-cast: what does a body meet on its way through a scene?

import { type Static, Type } from '@sinclair/typebox'
import { word } from '../quantity.ts'
import { CastHit, ShapeCastRequest } from '../queries/shape-cast.ts'
import { ignoreSeparating, want } from '../queries/time-of-impact.ts'
import { named, reference } from '../reference.ts'
import { bodyName, movers, selection, truncated, version } from './probe.ts'

export const sceneCastMode = Type.Optional(
  word(
    ['closest', 'any', 'all'],
    'closest: the nearest hit; any: the same, as which body it is must not hang on chance; all: every body that is hit. closest when absent.',
  ),
)

export const SceneShapeCastRequest = Type.Object(
  {
    ...movers,
    translation: ShapeCastRequest.properties.translation,
    rotation: ShapeCastRequest.properties.rotation,
    mode: sceneCastMode,
    ignoreSeparating,
    want,
    ...selection,
  },
  named('SceneShapeCastRequest', 'A body, or one of the scene’s, and its way. The scene’s bodies stand still.', {
    'body-of-scene': { bodyId: 'hero', translation: { x: 10, y: 0 }, ignoreSeparating: true },
    'new-body': {
      body: { shape: { type: 'box', width: 1, height: 1 }, position: { x: 8, y: 6 } },
      translation: { x: 0, y: -8 },
      mode: 'all',
    },
    'how-far': { bodyId: 'hero', translation: { x: 10, y: 0 }, ignoreSeparating: true, want: 'time' },
  }),
)
export type SceneShapeCastRequest = Static<typeof SceneShapeCastRequest>

const { target: _, ...hit } = CastHit.properties

export const SceneCastHit = Type.Object(
  { id: bodyName('The body that was hit.'), ...hit },
  named('SceneCastHit', 'One body of the scene that was hit: the fields of CastHit, with its id.'),
)
export type SceneCastHit = Static<typeof SceneCastHit>

export const SceneShapeCastResponse = Type.Object(
  {
    version,
    hits: Type.Array(reference(SceneCastHit), {
      description: 'Near to far by fraction, ties by id; at most one unless mode is all; empty when nothing is hit.',
    }),
    truncated,
  },
  named('SceneShapeCastResponse', 'What the body hit.', [
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
  ]),
)
export type SceneShapeCastResponse = Static<typeof SceneShapeCastResponse>
