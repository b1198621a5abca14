// core trajectory → wire answer.

import type { TrajectoryResponse } from '../../schemas/trajectory.ts'
import type { TrajectoryBounce } from '../../schemas/trajectory-bounce.ts'
import type { Bounce, Trajectory } from '../core2d/trajectory.ts'
import { encodeVec2 } from './encode-vec2.ts'
import { finite } from './finite.ts'

export function encodeTrajectory({ bounces, time, x, y, vx, vy, status }: Trajectory): TrajectoryResponse {
  return {
    bounces: bounces.map(encodeBounce),
    end: { time: finite(time), position: encodeVec2(x, y), velocity: encodeVec2(vx, vy) },
    status,
  }
}

function encodeBounce(bounce: Bounce): TrajectoryBounce {
  return {
    time: finite(bounce.time),
    point: encodeVec2(bounce.x, bounce.y),
    normal: encodeVec2(bounce.nx, bounce.ny),
    obstacle: bounce.obstacle,
    velocityBefore: encodeVec2(bounce.beforeX, bounce.beforeY),
    velocityAfter: encodeVec2(bounce.afterX, bounce.afterY),
  }
}
