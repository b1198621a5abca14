// core trajectory → wire answer, in space.

import type { Trajectory3dResponse } from '../../../schemas/queries/trajectory.ts'
import type { Trajectory } from '../../core3d/impact/trajectory.ts'
import { encodeVec3, finite } from '../bodies/encode.ts'

export function encodeTrajectory({ bounces, time, position, velocity, status }: Trajectory): Trajectory3dResponse {
  return {
    bounces: bounces.map((bounce) => ({
      time: finite(bounce.time),
      point: encodeVec3(...bounce.point),
      normal: encodeVec3(...bounce.normal),
      obstacle: bounce.obstacle,
      velocityBefore: encodeVec3(...bounce.before),
      velocityAfter: encodeVec3(...bounce.after),
    })),
    end: { time: finite(time), position: encodeVec3(...position), velocity: encodeVec3(...velocity) },
    status,
  }
}
