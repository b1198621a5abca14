// POST /v1/2d/scenes/{sceneId}/ray-cast: what do rays meet in a scene?

import { type Static, Type } from '@sinclair/typebox'
import { MAX_BATCH_QUERIES } from '../queries/batch.ts'
import { RayDefinition, RayHit, startInside } from '../queries/ray-cast.ts'
import { named, reference } from '../reference.ts'
import { bodyName, selection, truncated, version } from './probe.ts'
import { sceneCastMode } from './shape-cast.ts'

export const SceneRayCastRequest = Type.Object(
  {
    ray: Type.Optional(reference(RayDefinition, 'The ray to cast. Give this or rays.')),
    rays: Type.Optional(
      Type.Array(reference(RayDefinition), {
        maxItems: MAX_BATCH_QUERIES,
        description: 'The rays to cast, each by itself; as many as a batch may have queries, see /v1/limits.',
      }),
    ),
    mode: sceneCastMode,
    startInside,
    ...selection,
  },
  named('SceneRayCastRequest', 'One ray, or many: exactly one of the two. The limit is one of each ray by itself.', {
    'one-ray': { ray: { origin: { x: 0, y: 1 }, direction: { x: 1, y: 0 } }, filter: { ids: { exclude: ['hero'] } } },
    'many-rays': {
      rays: [
        { origin: { x: -6, y: 8 }, direction: { x: 0, y: -1 }, maxDistance: 20 },
        { origin: { x: 4, y: 8 }, direction: { x: 0, y: 1 } },
      ],
      mode: 'all',
    },
  }),
)
export type SceneRayCastRequest = Static<typeof SceneRayCastRequest>

const { target: _, ...hit } = RayHit.properties

export const SceneRayHit = Type.Object(
  { id: bodyName('The body that was hit.'), ...hit },
  named('SceneRayHit', 'One body of the scene that was hit: the fields of RayHit, with its id.'),
)
export type SceneRayHit = Static<typeof SceneRayHit>

const hits = Type.Array(reference(SceneRayHit), {
  description: 'Near to far, ties by id; at most one unless mode is all; empty when nothing is hit.',
})

export const SceneRayResult = Type.Object({ hits, truncated }, named('SceneRayResult', 'What one of many rays hit.'))
export type SceneRayResult = Static<typeof SceneRayResult>

export const SceneRayCastResponse = Type.Object(
  {
    version,
    hits: Type.Optional(hits),
    results: Type.Optional(
      Type.Array(reference(SceneRayResult), { description: 'What each of rays hit, in their order.' }),
    ),
    truncated,
  },
  named('SceneRayCastResponse', 'What the ray hit: hits where ray was given, results where rays were.', [
    {
      version: 2,
      hits: [
        {
          id: 'crate',
          distance: 7,
          fraction: 7,
          point: { x: 7, y: 1 },
          normal: { x: -1, y: 0 },
          feature: { kind: 'edge', index: 3 },
          startedInside: false,
          exit: { distance: 9, point: { x: 9, y: 1 }, normal: { x: 1, y: 0 } },
        },
      ],
      truncated: false,
    },
  ]),
)
export type SceneRayCastResponse = Static<typeof SceneRayCastResponse>
