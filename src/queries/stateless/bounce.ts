// A moving body among obstacles: decoded, followed, and its trajectory encoded.

import type { TrajectoryRequest, TrajectoryResponse } from '../../../schemas/queries/trajectory.ts'
import type { MovingBody2d } from '../../../schemas/shapes2d.ts'
import { type Obstacle, trajectory } from '../../core2d/impact/trajectory.ts'
import { COMPOSITE, createBody } from '../../core2d/shape/body.ts'
import { createMotion } from '../../core2d/shape/motion.ts'
import { checkDuration, createSlot, decodeMovingBody, type ShapeLimits } from '../../wire/bodies/body.ts'
import { encodeTrajectory } from '../../wire/encode/encode-trajectory.ts'
import { type DecodeProblem, problemAt, under } from '../../wire/problems/decode-problem.ts'

export interface BounceLimits extends ShapeLimits {
  maxTargets: number
  /** Of bounces times obstacles: what bounds the time that a request takes. */
  maxImpacts: number
}

export const DEFAULT_RESTITUTION = 1
export const DEFAULT_MAX_BOUNCES = 100

const body = createSlot()
const motion = createMotion()

/** The answer, or the first problem, with pointers into the request. */
export function bounce(request: TrajectoryRequest, limits: BounceLimits): TrajectoryResponse | DecodeProblem {
  const { duration, restitution = DEFAULT_RESTITUTION, maxBounces = DEFAULT_MAX_BOUNCES } = request
  const problem =
    checkDuration(duration) ?? checkWork(request.obstacles.length, maxBounces, limits) ?? decodeMover(request, limits)
  if (problem !== null) return problem
  // Not slots that stay: there may be thousands, each of which would keep the largest body that it ever held.
  const obstacles: Obstacle[] = []
  for (let i = 0; i < request.obstacles.length; i++) {
    const obstacle = { body: createBody(), motion: createMotion() }
    const wrong =
      decodeMovingBody(request.obstacles[i], obstacle.body, obstacle.motion, limits) ?? checkSpin(request.obstacles[i])
    if (wrong !== null) return under(`/obstacles/${i}`, wrong)
    obstacles.push(obstacle)
  }
  return encodeTrajectory(trajectory(body, motion, obstacles, duration, restitution, maxBounces))
}

export function checkWork(
  obstacles: number,
  bounces: number,
  { maxTargets, maxImpacts }: Pick<BounceLimits, 'maxTargets' | 'maxImpacts'>,
): DecodeProblem | null {
  if (obstacles > maxTargets) {
    const detail = `obstacles must have at most ${maxTargets} items, got ${obstacles}.`
    return problemAt('/obstacles', 'too-many-obstacles', detail, { limit: maxTargets, actual: obstacles })
  }
  const actual = bounces * obstacles
  if (actual <= maxImpacts) return null
  const detail = `maxBounces times the number of obstacles may reach ${maxImpacts}, got ${bounces} times ${obstacles}.`
  return problemAt('/maxBounces', 'too-many-impacts', detail, { limit: maxImpacts, actual })
}

/** Impacts are found without spin; of what is round about its position it changes nothing. */
export function checkSpin({ shape: { type }, angularVelocity = 0 }: MovingBody2d): DecodeProblem | null {
  if (angularVelocity === 0 || type === 'circle' || type === 'point') return null
  const detail = `The bodies of a trajectory do not spin, but this ${type} has an angularVelocity of ${angularVelocity}.`
  return problemAt('/angularVelocity', 'trajectory-spinning', detail)
}

function decodeMover(request: TrajectoryRequest, limits: ShapeLimits): DecodeProblem | null {
  const problem = under('/body', decodeMovingBody(request.body, body, motion, limits) ?? checkSpin(request.body))
  if (problem !== null || body.kind !== COMPOSITE) return problem
  const { type } = request.body.shape
  const detail = `The body of a trajectory must be convex, but its shape is a ${type}.`
  return problemAt('/body/shape/type', 'body-not-convex', detail)
}
