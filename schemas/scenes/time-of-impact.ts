// POST /v1/2d/scenes/{sceneId}/time-of-impact: when do the moving bodies of a scene first touch others?

import { type Static, Type } from '@sinclair/typebox'
import { nullableReal, real } from '../quantity.ts'
import { ignoreSeparating, impactDuration, searchStatus, want } from '../queries/time-of-impact.ts'
import { named, nullable, reference } from '../reference.ts'
import { Vec2 } from '../vector.ts'
import { bodyName, selection, truncated, version } from './probe.ts'

export const SceneTimeOfImpactRequest = Type.Object(
  { duration: impactDuration, ignoreSeparating, want, ...selection },
  named(
    'SceneTimeOfImpactRequest',
    'How long to look ahead. Bodies of the scene move at their own velocities and angular velocities from where they stand; nothing is pushed out of its way. The filter holds for both bodies of a pair.',
    {
      all: { duration: 5 },
      'without-sensors': { duration: 0.5, ignoreSeparating: true, filter: { sensors: 'exclude' } },
      'times-alone': { duration: 5, want: 'time' },
    },
  ),
)
export type SceneTimeOfImpactRequest = Static<typeof SceneTimeOfImpactRequest>

export const SceneImpact = Type.Object(
  {
    a: bodyName('One of the two, the one whose id comes first.'),
    b: bodyName('The other.'),
    time: real('When they first touch, in seconds; 0 when they meet at the start.', { minimum: 0 }),
    fraction: real('time / duration, 0 when duration is 0.', { minimum: 0, maximum: 1 }),
    normal: nullable(
      Vec2,
      'Unit vector from a to b at that time, world frame; null where none is meaningful, or when not wanted.',
    ),
    pointA: nullable(Vec2, 'The point of a that touches at that time, world frame; null when not wanted.'),
    pointB: nullable(Vec2, 'The point of b that touches at that time, world frame; null when not wanted.'),
    exitTime: nullableReal(
      'First later time at which they part; null when that lies beyond duration, or when not wanted.',
    ),
    startedOverlapping: Type.Boolean({ description: 'True when they meet at the start, touching included.' }),
    status: searchStatus,
  },
  named('SceneImpact', 'The first impact of two bodies, one of which moves at least.'),
)
export type SceneImpact = Static<typeof SceneImpact>

export const SceneTimeOfImpactResponse = Type.Object(
  {
    version,
    impacts: Type.Array(reference(SceneImpact), {
      description: 'The first impact of each pair that has one, by time, then by the id of a, then by that of b.',
    }),
    truncated,
  },
  named('SceneTimeOfImpactResponse', 'The impacts within the duration.', [
    {
      version: 2,
      impacts: [
        {
          a: 'ball',
          b: 'floor',
          time: 1.75,
          fraction: 0.35,
          normal: { x: 0, y: -1 },
          pointA: { x: -6, y: 0 },
          pointB: { x: -6, y: 0 },
          exitTime: 2.75,
          startedOverlapping: false,
          status: 'converged',
        },
      ],
      truncated: false,
    },
  ]),
)
export type SceneTimeOfImpactResponse = Static<typeof SceneTimeOfImpactResponse>
