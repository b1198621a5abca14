// POST /v1/3d/ray-cast: what does a ray meet first, or at all?

import { type Static, Type } from '@sinclair/typebox'
import { length } from '../quantity.ts'
import { startInside } from '../queries/ray-cast.ts'
import { castMode, MAX_TARGETS } from '../queries/targets.ts'
import { named, reference } from '../reference.ts'
import { Body3d } from '../shapes3d/body.ts'
import { Vec3 } from '../vec3.ts'
import { RayHit3d } from './ray-hit.ts'

export const RayDefinition3d = Type.Object(
  {
    origin: reference(Vec3, 'Where the ray starts, world frame.'),
    direction: reference(
      Vec3,
      'Where it goes, world frame; any length, from the least to the greatest double. A zero vector is the problem `ray-direction-zero`.',
    ),
    maxDistance: Type.Optional(
      length('How far the ray reaches, as a world length (not a multiple of direction); unlimited when absent.'),
    ),
  },
  named(
    'RayDefinition3d',
    'A ray, or a segment when maxDistance is given. A ray through a vertex or along an edge hits.',
  ),
)
export type RayDefinition3d = Static<typeof RayDefinition3d>

export const RayCast3dRequest = Type.Object(
  {
    ray: reference(RayDefinition3d, 'The ray to cast.'),
    targets: Type.Array(reference(Body3d), {
      maxItems: MAX_TARGETS,
      description: 'The bodies it may hit; hits name them by their index in this list.',
    }),
    mode: castMode,
    startInside,
  },
  named('RayCast3dRequest', 'A ray and the bodies it may hit.', {
    'closest-below': {
      ray: { origin: { x: 0, y: 10, z: 0 }, direction: { x: 0, y: -1, z: 0 } },
      targets: [
        { shape: { type: 'aabb', min: { x: -8, y: -1, z: -8 }, max: { x: 8, y: 0, z: 8 } } },
        { shape: { type: 'sphere', radius: 1 }, position: { x: 0, y: 4, z: 0 } },
      ],
    },
  }),
)
export type RayCast3dRequest = Static<typeof RayCast3dRequest>

export const RayCast3dResponse = Type.Object(
  {
    hits: Type.Array(reference(RayHit3d), {
      description: 'Near to far, ties by target index; at most one unless mode is all; empty when nothing is hit.',
    }),
  },
  named('RayCast3dResponse', 'What the ray hit.', [
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
  ]),
)
export type RayCast3dResponse = Static<typeof RayCast3dResponse>
