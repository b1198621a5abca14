// POST /v1/2d/ray-cast: what does a ray meet first, or at all?

import { type Static, Type } from '@sinclair/typebox'
import { length, word } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { Vec2 } from '../vec2.ts'
import { RayHit } from './ray-hit.ts'
import { castMode, targets } from './targets.ts'

export const RayDefinition = Type.Object(
  {
    origin: reference(Vec2, 'Where the ray starts, world frame.'),
    direction: reference(
      Vec2,
      'Where it goes, world frame; any length, from the least to the greatest double. A zero vector is the problem `ray-direction-zero`.',
    ),
    maxDistance: Type.Optional(
      length('How far the ray reaches, as a world length (not a multiple of direction); unlimited when absent.'),
    ),
  },
  named(
    'RayDefinition',
    'A ray, or a segment when maxDistance is given. A ray through a vertex or along an edge hits.',
  ),
)
export type RayDefinition = Static<typeof RayDefinition>

/** What a body that the ray starts in counts as. */
export const startInside = Type.Optional(
  word(
    ['hit', 'ignore', 'exit'],
    'What a target that contains the origin counts as. hit: a hit at distance 0 with normal null; ignore: no hit; exit: a hit where the ray leaves it. hit when absent.',
  ),
)

export const RayCastRequest = Type.Object(
  {
    ray: reference(RayDefinition, 'The ray to cast.'),
    targets,
    mode: castMode,
    startInside,
  },
  named('RayCastRequest', 'A ray and the bodies it may hit.', {
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
  }),
)
export type RayCastRequest = Static<typeof RayCastRequest>

export const RayCastResponse = Type.Object(
  {
    hits: Type.Array(reference(RayHit), {
      description: 'Near to far, ties by target index; at most one unless mode is all; empty when nothing is hit.',
    }),
  },
  named('RayCastResponse', 'What the ray hit.', [
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
  ]),
)
export type RayCastResponse = Static<typeof RayCastResponse>
