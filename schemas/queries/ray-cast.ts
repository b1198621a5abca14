// POST /v1/2d/ray-cast and /v1/3d/ray-cast: what does a ray hit first, or at all?

import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { type Examples, plane, space } from '../dimensions.ts'
import { index, length, word } from '../quantity.ts'
import { named, nullable, reference } from '../reference.ts'

/** Hard limit of lists of bodies; the configured limit is at most this. */
export const MAX_TARGETS = 10_000

/** The bodies that a ray or a cast may hit. */
export function targetsOf<B extends TSchema>(body: B) {
  return Type.Array(reference(body), {
    maxItems: MAX_TARGETS,
    description: 'The bodies it may hit; hits name them by their index in this list.',
  })
}

export const castMode = Type.Optional(
  word(
    ['closest', 'any', 'all'],
    'closest: the nearest hit; any: the first target of the list that is hit, which is cheapest; all: every target that is hit. closest when absent.',
  ),
)

export const startInside = Type.Optional(
  word(
    ['hit', 'ignore', 'exit'],
    'What a target that contains the origin counts as. hit: a hit at distance 0 with normal null; ignore: no hit; exit: a hit where the ray leaves it. hit when absent.',
  ),
)

function rayCast<V extends TSchema, B extends TSchema, F extends TSchema>(
  { tag, vector, body, feature }: { tag: string; vector: V; body: B; feature: F },
  examples: Examples,
) {
  const rayExit = Type.Object(
    {
      distance: length('World length from the origin to where the ray leaves.'),
      point: reference(vector, 'Where it leaves, world frame.'),
      normal: reference(vector, 'Outward unit normal of the target there, world frame.'),
    },
    named(`RayExit${tag}`, 'Where a ray leaves the target that it hit.'),
  )
  const rayHit = Type.Object(
    {
      target: index('Index of the body in targets.'),
      distance: length(
        'World length from the origin to the hit; 0 when the origin is in the target, boundary included.',
      ),
      fraction: length(
        'The hit in multiples of direction: point = origin + fraction · direction. The greatest double where a very short direction would take more.',
      ),
      point: reference(vector, 'Where the ray meets the target, world frame.'),
      normal: nullable(
        vector,
        'Outward unit normal of the target at the hit, against the ray, world frame; null when the origin is in the target.',
      ),
      feature: nullable(feature, 'The part of the target that was hit; null when the origin is in the target.'),
      startedInside: Type.Boolean({
        description: 'True when the origin is in the target, boundary included.',
      }),
      exit: nullable(
        rayExit,
        'Where the ray leaves the target; null when that lies beyond maxDistance or never happens.',
      ),
    },
    named(
      `RayHit${tag}`,
      'One target that was hit. With `startInside: "exit"` and the origin in the target, distance, fraction, point, normal and feature speak of the way out.',
    ),
  )
  const rayDefinition = Type.Object(
    {
      origin: reference(vector, 'Where the ray starts, world frame.'),
      direction: reference(
        vector,
        'Where it goes, world frame; any length, from the least to the greatest double. A zero vector is the problem `ray-direction-zero`.',
      ),
      maxDistance: Type.Optional(
        length('How far the ray reaches, as a world length (not a multiple of direction); unlimited when absent.'),
      ),
    },
    named(
      `RayDefinition${tag}`,
      'A ray, or a segment when maxDistance is given. A ray through a vertex or along an edge hits.',
    ),
  )
  const request = Type.Object(
    {
      ray: reference(rayDefinition, 'The ray to cast.'),
      targets: targetsOf(body),
      mode: castMode,
      startInside,
    },
    named(`RayCast${tag}Request`, 'A ray and the bodies it may hit.', examples.request),
  )
  const response = Type.Object(
    {
      hits: Type.Array(reference(rayHit), {
        description: 'Near to far, ties by target index; at most one unless mode is all; empty when nothing is hit.',
      }),
    },
    named(`RayCast${tag}Response`, 'What the ray hit.', examples.response),
  )
  return { rayHit, rayDefinition, request, response }
}

export const {
  rayHit: RayHit,
  rayDefinition: RayDefinition,
  request: RayCastRequest,
  response: RayCastResponse,
} = rayCast(plane, {
  request: {
    'closest-below': {
      ray: { origin: { x: 0, y: 10 }, direction: { x: 0, y: -1 } },
      targets: [
        { shape: { type: 'aabb', min: { x: -8, y: -1 }, max: { x: 8, y: 0 } } },
        { shape: { type: 'circle', radius: 1 }, position: { x: 0, y: 4 } },
      ],
    },
    'all-from-within': {
      ray: { origin: { x: 0, y: 0.5 }, direction: { x: 2, y: 0 }, maxDistance: 20 },
      targets: [
        { shape: { type: 'box', width: 2, height: 2 } },
        { shape: { type: 'segment', a: { x: 4, y: 0 }, b: { x: 6, y: 2 } } },
      ],
      mode: 'all',
      startInside: 'exit',
    },
  },
  response: [
    {
      hits: [
        {
          target: 1,
          distance: 5,
          fraction: 5,
          point: { x: 0, y: 5 },
          normal: { x: 0, y: 1 },
          feature: { kind: 'surface', index: 0 },
          startedInside: false,
          exit: { distance: 7, point: { x: 0, y: 3 }, normal: { x: 0, y: -1 } },
        },
      ],
    },
  ],
})
export type RayHit = Static<typeof RayHit>
export type RayDefinition = Static<typeof RayDefinition>
export type RayCastRequest = Static<typeof RayCastRequest>
export type RayCastResponse = Static<typeof RayCastResponse>

export const {
  rayHit: RayHit3d,
  rayDefinition: RayDefinition3d,
  request: RayCast3dRequest,
  response: RayCast3dResponse,
} = rayCast(space, {
  request: {
    'closest-below': {
      ray: { origin: { x: 0, y: 10, z: 0 }, direction: { x: 0, y: -1, z: 0 } },
      targets: [
        { shape: { type: 'aabb', min: { x: -8, y: -1, z: -8 }, max: { x: 8, y: 0, z: 8 } } },
        { shape: { type: 'sphere', radius: 1 }, position: { x: 0, y: 4, z: 0 } },
      ],
    },
  },
  response: [
    {
      hits: [
        {
          target: 1,
          distance: 5,
          fraction: 5,
          point: { x: 0, y: 5, z: 0 },
          normal: { x: 0, y: 1, z: 0 },
          feature: { kind: 'surface', vertices: [] },
          startedInside: false,
          exit: { distance: 7, point: { x: 0, y: 3, z: 0 }, normal: { x: 0, y: -1, z: 0 } },
        },
      ],
    },
  ],
})
export type RayHit3d = Static<typeof RayHit3d>
export type RayDefinition3d = Static<typeof RayDefinition3d>
export type RayCast3dRequest = Static<typeof RayCast3dRequest>
export type RayCast3dResponse = Static<typeof RayCast3dResponse>
