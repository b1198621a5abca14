// POST /v1/2d/scenes/{sceneId}/time-of-impact and /v1/3d/…: when do the moving bodies of a scene first touch others?

import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { plane, space } from '../dimensions.ts'
import { nullableReal, real } from '../quantity.ts'
import { ignoreSeparating, impactDuration, searchStatus, want } from '../queries/time-of-impact.ts'
import { named, nullable, reference } from '../reference.ts'
import { bodyName, selection, truncated, version } from './probe.ts'

/** `impact`: that of the example. */
function sceneTimeOfImpact<V extends TSchema>({ tag, vector }: { tag: string; vector: V }, impact: object) {
  const request = Type.Object(
    { duration: impactDuration, ignoreSeparating, want, ...selection },
    named(
      `SceneTimeOfImpact${tag}Request`,
      'How long to look ahead. Bodies of the scene move at their own velocities and angular velocities from where they stand; nothing is pushed out of its way. The filter holds for both bodies of a pair.',
      {
        all: { duration: 5 },
        'without-sensors': { duration: 0.5, ignoreSeparating: true, filter: { sensors: 'exclude' } },
        'times-alone': { duration: 5, want: 'time' },
      },
    ),
  )
  const sceneImpact = Type.Object(
    {
      a: bodyName('One of the two, the one whose id comes first.'),
      b: bodyName('The other.'),
      time: real('When they first touch, in seconds; 0 when they meet at the start.', { minimum: 0 }),
      fraction: real('time / duration, 0 when duration is 0.', { minimum: 0, maximum: 1 }),
      normal: nullable(
        vector,
        'Unit vector from a to b at that time, world frame; null where none is meaningful, or when not wanted.',
      ),
      pointA: nullable(vector, 'The point of a that touches at that time, world frame; null when not wanted.'),
      pointB: nullable(vector, 'The point of b that touches at that time, world frame; null when not wanted.'),
      exitTime: nullableReal(
        'First later time at which they part; null when that lies beyond duration, or when not wanted.',
      ),
      startedOverlapping: Type.Boolean({ description: 'True when they meet at the start, touching included.' }),
      status: searchStatus,
    },
    named(`SceneImpact${tag}`, 'The first impact of two bodies, one of which moves at least.'),
  )
  const response = Type.Object(
    {
      version,
      impacts: Type.Array(reference(sceneImpact), {
        description: 'The first impact of each pair that has one, by time, then by the id of a, then by that of b.',
      }),
      truncated,
    },
    named(`SceneTimeOfImpact${tag}Response`, 'The impacts within the duration.', [
      { version: 2, impacts: [impact], truncated: false },
    ]),
  )
  return { request, sceneImpact, response }
}

/** Of the ball of the examples with the floor. */
const TIMES = { a: 'ball', b: 'floor', time: 1.75, fraction: 0.35, exitTime: 2.75 }
const STATE = { startedOverlapping: false, status: 'converged' }

export const {
  request: SceneTimeOfImpactRequest,
  sceneImpact: SceneImpact,
  response: SceneTimeOfImpactResponse,
} = sceneTimeOfImpact(plane, {
  ...TIMES,
  normal: { x: 0, y: -1 },
  pointA: { x: -6, y: 0 },
  pointB: { x: -6, y: 0 },
  ...STATE,
})
export type SceneImpact = Static<typeof SceneImpact>
export type SceneTimeOfImpactResponse = Static<typeof SceneTimeOfImpactResponse>

export const { request: SceneTimeOfImpact3dRequest, response: SceneTimeOfImpact3dResponse } = sceneTimeOfImpact(space, {
  ...TIMES,
  normal: { x: 0, y: -1, z: 0 },
  pointA: { x: -6, y: 0, z: 0 },
  pointB: { x: -6, y: 0, z: 0 },
  ...STATE,
})
