// POST /v1/2d/ray-cast: what does a ray meet first, or at all?

import { type Static, Type } from '@sinclair/typebox'
import { ShapeFeature, ShapeFeature3d } from '../feature.ts'
import { index, length, word } from '../quantity.ts'
import { named, nullable, reference } from '../reference.ts'
import { Body2d } from '../shapes2d.ts'
import { Body3d } from '../shapes3d.ts'
import { Vec2, Vec3 } from '../vector.ts'

// A ray's hit on one target in space.

const RayExit3d = Type.Object(
  {
    distance: length('World length from the origin to where the ray leaves.'),
    point: reference(Vec3, 'Where it leaves, world frame.'),
    normal: reference(Vec3, 'Outward unit normal of the target there, world frame.'),
  },
  named('RayExit3d', 'Where a ray leaves the target that it hit.'),
)

export const RayHit3d = Type.Object(
  {
    target: index('Index of the body in targets.'),
    distance: length('World length from the origin to the hit; 0 when the origin is in the target, boundary included.'),
    fraction: length(
      'The hit in multiples of direction: point = origin + fraction · direction. The greatest double where a very short direction would take more.',
    ),
    point: reference(Vec3, 'Where the ray meets the target, world frame.'),
    normal: nullable(
      Vec3,
      'Outward unit normal of the target at the hit, against the ray, world frame; null when the origin is in the target.',
    ),
    feature: nullable(ShapeFeature3d, 'The part of the target that was hit; null when the origin is in the target.'),
    startedInside: Type.Boolean({ description: 'True when the origin is in the target, boundary included.' }),
    exit: nullable(
      RayExit3d,
      'Where the ray leaves the target; null when that lies beyond maxDistance or never happens.',
    ),
  },
  named(
    'RayHit3d',
    'One target that was hit. With `startInside: "exit"` and the origin in the target, distance, fraction, point, normal and feature speak of the way out.',
  ),
)
export type RayHit3d = Static<typeof RayHit3d>

// What rays and casts have in common: a list of bodies that may be hit, and how many hits are wanted.

/** Hard limit of lists of bodies; the service is configured with one that is not greater. */
export const MAX_TARGETS = 10_000

export const targets = Type.Array(reference(Body2d), {
  maxItems: MAX_TARGETS,
  description: 'The bodies it may hit; hits name them by their index in this list.',
})

export const castMode = Type.Optional(
  word(
    ['closest', 'any', 'all'],
    'closest: the nearest hit; any: the first target of the list that is hit, which is cheapest; all: every target that is hit. closest when absent.',
  ),
)

// A ray's hit on one target.

export const RayExit = Type.Object(
  {
    distance: length('World length from the origin to where the ray leaves.'),
    point: reference(Vec2, 'Where it leaves, world frame.'),
    normal: reference(Vec2, 'Outward unit normal of the target there, world frame.'),
  },
  named('RayExit', 'Where a ray leaves the target that it hit.'),
)
export type RayExit = Static<typeof RayExit>

export const RayHit = Type.Object(
  {
    target: index('Index of the body in targets.'),
    distance: length('World length from the origin to the hit; 0 when the origin is in the target, boundary included.'),
    fraction: length(
      'The hit in multiples of direction: point = origin + fraction · direction. The greatest double where a very short direction would take more.',
    ),
    point: reference(Vec2, 'Where the ray meets the target, world frame.'),
    normal: nullable(
      Vec2,
      'Outward unit normal of the target at the hit, against the ray, world frame; null when the origin is in the target.',
    ),
    feature: nullable(ShapeFeature, 'The part of the target that was hit; null when the origin is in the target.'),
    startedInside: Type.Boolean({
      description: 'True when the origin is in the target, boundary included.',
    }),
    exit: nullable(
      RayExit,
      'Where the ray leaves the target; null when that lies beyond maxDistance or never happens.',
    ),
  },
  named(
    'RayHit',
    'One target that was hit. With `startInside: "exit"` and the origin in the target, distance, fraction, point, normal and feature speak of the way out.',
  ),
)
export type RayHit = Static<typeof RayHit>

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

// POST /v1/3d/ray-cast: what does a ray meet first, or at all?

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
