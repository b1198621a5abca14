// core trajectory → wire answer.

import type { TrajectoryBounce, TrajectoryResponse } from '../../../schemas/queries/trajectory.ts'
import type { SceneTrajectoryResponse } from '../../../schemas/scenes/trajectory.ts'
import { Pace, type Slices } from '../../containers/pace.ts'
import type { Bounce, Trajectory } from '../../core2d/impact/trajectory.ts'
import type { TrajectoryAnswer } from '../../scene/queries/trajectory.ts'
import { encodeVec2, finite } from '../bodies/encode.ts'

/** What it costs to encode a bounce, in points of bodies. */
const ENCODE_POINTS = 8

export function encodeTrajectory(path: Trajectory): TrajectoryResponse {
  const bounces = path.bounces.map((bounce) => ({ ...encodeBounce(bounce), obstacle: bounce.obstacle }))
  return { bounces, ...encodeEnd(path) }
}

/** Obstacles by their ids; the first `limit` bounces. */
export function* encodeSceneTrajectory(
  { path, ids }: TrajectoryAnswer,
  limit: number,
): Slices<Omit<SceneTrajectoryResponse, 'version'>> {
  const pace = new Pace()
  const bounces: SceneTrajectoryResponse['bounces'] = []
  for (let k = 0; k < path.bounces.length && k < limit; k++) {
    const bounce = path.bounces[k]
    bounces.push({ ...encodeBounce(bounce), id: ids[bounce.obstacle] })
    if (pace.isDue(ENCODE_POINTS)) yield
  }
  return { bounces, ...encodeEnd(path), truncated: path.bounces.length > limit }
}

function encodeEnd({ time, x, y, vx, vy, status }: Trajectory): Pick<TrajectoryResponse, 'end' | 'status'> {
  return { end: { time: finite(time), position: encodeVec2(x, y), velocity: encodeVec2(vx, vy) }, status }
}

function encodeBounce(bounce: Bounce): Omit<TrajectoryBounce, 'obstacle'> {
  return {
    time: finite(bounce.time),
    point: encodeVec2(bounce.x, bounce.y),
    normal: encodeVec2(bounce.nx, bounce.ny),
    velocityBefore: encodeVec2(bounce.beforeX, bounce.beforeY),
    velocityAfter: encodeVec2(bounce.afterX, bounce.afterY),
  }
}
