// POST /v1/2d/scenes/{sceneId}/ray-cast and /v1/3d/…: what do rays meet in a scene?

import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox'
import type { Examples } from '../dimensions.ts'
import { MAX_BATCH_QUERIES } from '../queries/batch.ts'
import { RayDefinition, RayDefinition3d, RayHit, RayHit3d, startInside } from '../queries/ray-cast.ts'
import { named, reference } from '../reference.ts'
import { bodyName, scenePlane, sceneSpace, selection, truncated, version } from './probe.ts'
import { sceneCastMode } from './shape-cast.ts'

function sceneRayCast<R extends TObject, H extends TProperties>(
  { tag }: { tag: string },
  ray: R,
  /** The fields of a hit, but for its target. */
  hit: H,
  examples: Examples,
) {
  const request = Type.Object(
    {
      ray: Type.Optional(reference(ray, 'The ray to cast. Give this or rays.')),
      rays: Type.Optional(
        Type.Array(reference(ray), {
          maxItems: MAX_BATCH_QUERIES,
          description: 'The rays to cast, each by itself; as many as a batch may have queries, see /v1/limits.',
        }),
      ),
      mode: sceneCastMode,
      startInside,
      ...selection,
    },
    named(
      `SceneRayCast${tag}Request`,
      'One ray, or many: exactly one of the two. The limit is one of each ray by itself.',
      examples.request,
    ),
  )
  const rayHit = Type.Object(
    { id: bodyName('The body that was hit.'), ...hit },
    named(`SceneRayHit${tag}`, 'One body of the scene that was hit: the fields of RayHit, with its id.'),
  )
  const hits = Type.Array(reference(rayHit), {
    description: 'Near to far, ties by id; at most one unless mode is all; empty when nothing is hit.',
  })
  const result = Type.Object({ hits, truncated }, named(`SceneRayResult${tag}`, 'What one of many rays hit.'))
  const response = Type.Object(
    {
      version,
      hits: Type.Optional(hits),
      results: Type.Optional(Type.Array(reference(result), { description: 'What each of rays hit, in their order.' })),
      truncated,
    },
    named(
      `SceneRayCast${tag}Response`,
      'What the ray hit: hits where ray was given, results where rays were.',
      examples.response,
    ),
  )
  return { rayHit, request, response }
}

const { target: _, ...hit } = RayHit.properties
const { target: __, ...hit3d } = RayHit3d.properties

export const {
  rayHit: SceneRayHit,
  request: SceneRayCastRequest,
  response: SceneRayCastResponse,
} = sceneRayCast(scenePlane, RayDefinition, hit, {
  request: {
    'one-ray': { ray: { origin: { x: 0, y: 1 }, direction: { x: 1, y: 0 } }, filter: { ids: { exclude: ['hero'] } } },
    'many-rays': {
      rays: [
        { origin: { x: -6, y: 8 }, direction: { x: 0, y: -1 }, maxDistance: 20 },
        { origin: { x: 4, y: 8 }, direction: { x: 0, y: 1 } },
      ],
      mode: 'all',
    },
  },
  response: [
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
  ],
})
export type SceneRayHit = Static<typeof SceneRayHit>
export type SceneRayCastResponse = Static<typeof SceneRayCastResponse>

export const { request: SceneRayCast3dRequest, response: SceneRayCast3dResponse } = sceneRayCast(
  sceneSpace,
  RayDefinition3d,
  hit3d,
  {
    request: {
      'one-ray': {
        ray: { origin: { x: 0, y: 1, z: 0.5 }, direction: { x: 1, y: 0, z: 0 } },
        filter: { ids: { exclude: ['hero'] } },
      },
      'many-rays': {
        rays: [
          { origin: { x: -6, y: 8, z: 0 }, direction: { x: 0, y: -1, z: 0 }, maxDistance: 20 },
          { origin: { x: 4, y: 8, z: 0 }, direction: { x: 0, y: 1, z: 0 } },
        ],
        mode: 'all',
      },
    },
    response: [
      {
        version: 2,
        hits: [
          {
            id: 'crate',
            distance: 7,
            fraction: 7,
            point: { x: 7, y: 1, z: 0.5 },
            normal: { x: -1, y: 0, z: 0 },
            feature: { kind: 'face', vertices: [0, 4, 6, 2] },
            startedInside: false,
            exit: { distance: 9, point: { x: 9, y: 1, z: 0.5 }, normal: { x: 1, y: 0, z: 0 } },
          },
        ],
        truncated: false,
      },
    ],
  },
)
